package records

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"wallboard/feeds/graphql"
	"wallboard/model"
)

// unwatched is a stub for unused methods.
type unwatched struct{ held }

type held = VerifiedRecords // a field called Records would hide the method

func (unwatched) WatchSuspects(int, map[SuspectKey]*SuspectValue) {}

func newVerifier() *Verifier {
	return NewVerifier(VerifierOptions{Interval: time.Minute, SeeksUnits: func() bool { return false }}, unwatched{}, nil, nil)
}

// A pass takes a limited number of queries, however many records there are.
func TestChunksGrowWithTheFloor(t *testing.T) {
	t.Parallel()
	if got, want := chunkSize(12_000, 0), 12_000/maxChunks; got != want {
		t.Errorf("%d records a query, want %d", got, want)
	}
}

func TestSlowFullStatesAreAuditedInLargerParts(t *testing.T) {
	t.Parallel()
	names := make([]string, 5000)
	for i := range names {
		names[i] = fmt.Sprintf("%04d", i)
	}
	for took, want := range map[time.Duration]int{slowFullState: 20, slowFullState + 1: 5} {
		if got := cutNames(names, 5000, chunkSize(5000, took)); len(got) != want || len(slices.Concat(got...)) != 5000 {
			t.Errorf("%d parts after %v", len(got), took)
		}
	}
}

// On a large floor, checks start late and take long. The next ones start early
// enough to make up for that.
func TestLateLooksBeginSooner(t *testing.T) {
	t.Parallel()
	const late, twoLooks = 7 * time.Second, 14 * time.Second // measured with 20,000 agents on two cores
	v, now := newVerifier(), time.Unix(1_800_000_000, 0)
	interval := v.opts.Interval
	v.Chunks = []Chunk{{Names: []string{"1"}, passCount: 2, dueAt: now}, {Names: []string{"2"}, passCount: 2, dueAt: now}}
	for range 3 {
		for i := range v.Chunks {
			c := &v.Chunks[i]
			verified := c.checkedAt
			begins := c.dueAt.Add(late)
			c.checkedAt, c.checkDelay = begins, begins.Sub(c.dueAt)
			v.FinishCheck(i, verified, begins.Add(twoLooks))
			if age := begins.Add(twoLooks).Sub(verified); !verified.IsZero() && age > interval+auditTolerance {
				t.Errorf("figures were verified %v ago, at most %v are allowed", age, interval+auditTolerance)
			}
		}
	}
	v.Chunks[0].lastDuration, v.Chunks[1].lastDuration = 0, time.Hour
	if every := v.checkInterval(); every < interval/2 {
		t.Errorf("a check that took an hour leads to an interval of %v", every)
	}
}

// asked records what a verifier queried.
type asked struct{ names int }

func (a *asked) SendQuery(r graphql.Request, _ time.Time) (string, error) {
	a.names = r.Keys
	return "1", nil
}

func (*asked) Cancel(string) {}

// A difference that an update has explained is not queried again; otherwise everything would be queried twice
// on a busy floor.
func TestExplainedSuspectsAreNotAskedAbout(t *testing.T) {
	t.Parallel()
	now := time.Unix(1_800_000_000, 0)
	suspects := func(changed ...bool) map[SuspectKey]*SuspectValue {
		out := make(map[SuspectKey]*SuspectValue)
		for i, c := range changed {
			name := fmt.Sprint("agent", i)
			out[SuspectKey{Key: name, Path: "status"}] = &SuspectValue{Name: name, Changed: c}
		}
		return out
	}
	for _, c := range []struct {
		suspects map[SuspectKey]*SuspectValue
		over     bool
		names    int
	}{
		{suspects(true, true), true, 0},
		{suspects(true, false, false), false, 2},
	} {
		ask := &asked{}
		v := NewVerifier(VerifierOptions{Interval: time.Minute, SeeksUnits: func() bool { return false }}, unwatched{}, nil, ask)
		v.Chunks = []Chunk{{Names: []string{"agent0", "agent1", "agent2"}, passCount: 2, checkedAt: now, Suspects: c.suspects}}
		request := new(graphql.Restriction).UserStatsRequest(map[model.Channel][]string{model.Call: {"agent0", "agent1", "agent2"}})
		value, err := graphql.ParseFilter(request.Filter)
		if err != nil {
			t.Fatal(err)
		}
		over := v.StartCheck(0, CoveredRequest{Request: request, Value: value}, 0, now.Add(recheckDelay))
		if over != c.over || ask.names != c.names {
			t.Errorf("over is %v and %d names were queried, want %v and %d", over, ask.names, c.over, c.names)
		}
	}
}
