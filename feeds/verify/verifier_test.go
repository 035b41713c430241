package verify

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"wallboard/feeds/picture"
)

// unwatched are records of which nothing is asked.
type unwatched struct{ held }

type held = Records // a field called Records would hide the method

func (unwatched) Watch(int, map[picture.Suspect]*picture.Suspicion) {}

func newVerifier() *Verifier {
	return New(Options{Interval: time.Minute, SeeksUnits: func() bool { return false }}, unwatched{}, nil, nil)
}

// A pass takes so many queries at most, however many records there are.
func TestChunksGrowWithTheFloor(t *testing.T) {
	t.Parallel()
	if got, want := chunkSize(12_000, 0), 12_000/mostChunks; got != want {
		t.Errorf("%d records a query, want %d", got, want)
	}
}

func TestSlowFullStatesAreAuditedInLargerParts(t *testing.T) {
	t.Parallel()
	names := make([]string, 5000)
	for i := range names {
		names[i] = fmt.Sprintf("%04d", i)
	}
	for took, want := range map[time.Duration]int{slowFull: 20, slowFull + 1: 5} {
		if got := cutNames(names, 5000, chunkSize(5000, took)); len(got) != want || len(slices.Concat(got...)) != 5000 {
			t.Errorf("%d parts after %v", len(got), took)
		}
	}
}

// Looks of a large floor begin late and take long. What that cost the last time is
// left before the next one has to be verified.
func TestLateLooksBeginSooner(t *testing.T) {
	t.Parallel()
	const late, twoLooks = 7 * time.Second, 14 * time.Second // as seen with 20,000 agents on two cores
	v, now := newVerifier(), time.Unix(1_800_000_000, 0)
	interval := v.opts.Interval
	v.Chunks = []Chunk{{Names: []string{"1"}, passes: 2, due: now}, {Names: []string{"2"}, passes: 2, due: now}}
	for range 3 {
		for i := range v.Chunks {
			c := &v.Chunks[i]
			verified := c.began
			begins := c.due.Add(late)
			c.began, c.late = begins, begins.Sub(c.due)
			v.Settle(i, verified, begins.Add(twoLooks))
			if age := begins.Add(twoLooks).Sub(verified); !verified.IsZero() && age > interval+auditSlack {
				t.Errorf("figures were verified %v ago, at most %v are allowed", age, interval+auditSlack)
			}
		}
	}
	v.Chunks[0].took, v.Chunks[1].took = 0, time.Hour
	if every := v.every(); every < interval/2 {
		t.Errorf("a look that took an hour makes one due every %v", every)
	}
}
