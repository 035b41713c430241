package merge_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"wallboard/feeds/merge"
)

// same fails unless the records equal want.
func same(t rapid.TB, what string, got picture, want map[string]any) {
	t.Helper()
	if diff := cmp.Diff(want, got.state()); diff != "" {
		t.Fatalf("%s (-want +got):\n%s", what, diff)
	}
}

func mustApply(t rapid.TB, p picture, payload string) {
	t.Helper()
	if _, err := p.apply(payload); err != nil {
		t.Fatalf("%v in %s", err, payload)
	}
}

// TestMergeAgreesWithTheOracle: for any input, the records equal those of the
// oracle, both return an error or neither, and an error changes nothing.
func TestMergeAgreesWithTheOracle(t *testing.T) {
	t.Parallel()
	eachSubject(t, func(t *testing.T, s subject) {
		rapid.Check(t, func(t *rapid.T) {
			p, o := s.open(t), newOracle(s)
			g := &generator{t: t, values: 0.4, nulls: 0.3}
			if rapid.IntRange(0, 3).Draw(t, "hostile") == 0 {
				g.wrong = 0.05
			}
			for range rapid.IntRange(1, 4).Draw(t, "messages") {
				items := make([]members, rapid.IntRange(0, 3).Draw(t, "items"))
				for i := range items {
					items[i] = g.record(s, s.key(rapid.IntRange(0, 2).Draw(t, "record")))
				}
				agree(t, p, o, wild(t).payload(s.name, items...))
			}
		})
	})
}

// agree applies a payload to both sides and compares. Previously published
// records and their lists must not change.
func agree(t rapid.TB, p picture, o *oracle, payload string) {
	t.Helper()
	published := p.freeze()
	before := published.state()
	res, err := p.apply(payload)
	hasData, want := o.apply(payload)
	if (err == nil) != (want == nil) {
		t.Fatalf("error %v, want %v\n%q", err, want, payload)
	}
	same(t, "published records after "+payload, published, before)
	same(t, "records after "+payload, p, o.records)
	if err == nil && res.HasData != hasData {
		t.Fatalf("HasData %v, want %v\n%q", res.HasData, hasData, payload)
	}
	var shape *merge.ShapeError
	if err == nil || errors.Is(want, errInvalid) || strings.Contains(err.Error(), "twice") {
		return
	}
	if !errors.As(err, &shape) && !errors.Is(err, merge.ErrNoKey) {
		t.Fatalf("error %v, want a ShapeError or ErrNoKey\n%q", err, payload)
	}
}

func TestMergeTwiceIsMergeOnce(t *testing.T) {
	t.Parallel()
	eachSubject(t, func(t *testing.T, s subject) {
		rapid.Check(t, func(t *rapid.T) {
			p := s.open(t)
			g := &generator{t: t, values: 0.4, nulls: 0.3}
			mustApply(t, p, wild(t).payload(s.name, g.record(s, s.key(0))))
			update := wild(t).payload(s.name, g.record(s, s.key(0)))
			mustApply(t, p, update)
			once := p.state()
			mustApply(t, p, update)
			same(t, "after the second time", p, once)
		})
	})
}

func TestUpdatesOfDifferentRecordsCommute(t *testing.T) {
	t.Parallel()
	eachSubject(t, func(t *testing.T, s subject) {
		rapid.Check(t, func(t *rapid.T) {
			g := &generator{t: t, values: 0.4, nulls: 0.3}
			first := wild(t).payload(s.name, g.record(s, s.key(0)), g.record(s, s.key(1)))
			a := wild(t).payload(s.name, g.record(s, s.key(0)))
			b := wild(t).payload(s.name, g.record(s, s.key(1)))
			p, q := s.open(t), s.open(t)
			mustApply(t, p, first)
			mustApply(t, p, a)
			mustApply(t, p, b)
			mustApply(t, q, first)
			mustApply(t, q, b)
			mustApply(t, q, a)
			same(t, "in the other order", q, p.state())
		})
	})
}

// Updates in pieces add up to the same records as a full message.
func TestDeltasAddUpToTheSnapshot(t *testing.T) {
	t.Parallel()
	eachSubject(t, func(t *testing.T, s subject) {
		rapid.Check(t, func(t *rapid.T) {
			g := &generator{t: t, values: 0.8, nulls: 0.3}
			p, whole := s.open(t), s.open(t)
			truth := over(nil, g.record(s, s.key(0)))
			mustApply(t, p, wild(t).payload(s.name, truth))
			g.values = 0.2
			for range rapid.IntRange(1, 5).Draw(t, "deltas") {
				delta := g.record(s, s.key(0))
				truth = over(truth, delta)
				mustApply(t, p, wild(t).payload(s.name, delta))
			}
			snapshot := wild(t).payload(s.name, truth)
			mustApply(t, whole, snapshot)
			same(t, "deltas against "+snapshot, p, whole.state())
		})
	})
}
