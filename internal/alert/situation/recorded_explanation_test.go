package situation

import (
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"wallboard/internal/alert"
	"wallboard/internal/alert/diagnosis"
	"wallboard/model"
)

// TestFewExplanations counts the explanations that are recorded of a situation of eight hours whose causes
// or number of agents change every five seconds.
func TestFewExplanations(t *testing.T) {
	t.Parallel()
	start := time.Date(2026, 3, 2, 8, 0, 0, 0, time.UTC)
	for name, tt := range map[string]struct {
		change      func(sit *Situation, n int)
		least, most int
	}{
		"kinds": {func(sit *Situation, n int) {
			sit.Causes = []diagnosis.Cause{{Kind: []diagnosis.CauseKind{diagnosis.MoreContacts, diagnosis.FewerAgents}[n%2], Text: "why"}}
		}, 100, 320},
		"texts": {func(sit *Situation, n int) {
			sit.Causes = []diagnosis.Cause{{Kind: diagnosis.MoreContacts, Text: strconv.Itoa(n)}}
		}, 60, 120},
		"agents": {func(sit *Situation, n int) {
			sit.Causes = []diagnosis.Cause{{Kind: diagnosis.MoreContacts, Text: "why"}}
			sit.Help.Needed.MoreAgents = n % 7
		}, 60, 120},
		"nothing": {func(sit *Situation, _ int) {
			sit.Causes = []diagnosis.Cause{{Kind: diagnosis.MoreContacts, Text: "why"}}
		}, 1, 1},
	} {
		sit, recorded, first := &Situation{Since: start, Alerts: make([]alert.Alert, 1)}, 0, 0
		for n := range 8 * 720 {
			now, was := start.Add(time.Duration(5*n)*time.Second), sit.explanation.at
			tt.change(sit, n)
			if sit.updateExplanation(now); !sit.explanation.at.Equal(was) {
				if recorded++; now.Sub(start) < 10*time.Minute {
					first = recorded
				}
			}
		}
		if recorded < tt.least || recorded > tt.most || name != "nothing" && first < 10 {
			t.Errorf("%s: %d explanations, %d of them in ten minutes; want %d to %d", name, recorded, first, tt.least, tt.most)
		}
	}
}

// journalOf returns a journal of situations at five places, one after the other, with n explanations each.
// Every seventh situation reopens after its end, and some have no end.
func journalOf(situations, n int) *Journal {
	start, dice := time.Date(2026, 3, 2, 8, 0, 0, 0, time.UTC), rand.New(rand.NewPCG(1, 2))
	var marks []model.Mark
	for i := range situations {
		began := start.Add(time.Duration(i/5) * time.Hour)
		in := model.Incident{ID: strconv.Itoa(i), Scope: "service", Code: strconv.Itoa(i % 5), Channel: model.Call, Level: 1, Began: began}
		mark := func(after time.Duration, ends bool, causes ...model.IncidentCause) {
			m := in
			if m.Causes = causes; ends {
				m.Ended = began.Add(after)
			}
			marks = append(marks, model.Mark{At: began.Add(after), Kind: model.MarkIncident, Incident: &m})
		}
		mark(0, false)
		for k := range n {
			mark(time.Duration(k+1)*time.Second, false, model.IncidentCause{Kind: string(diagnosis.MoreContacts), Text: strconv.Itoa(k)})
		}
		if dice.IntN(5) > 0 {
			mark(50*time.Minute, true)
		}
		if i%7 == 0 {
			mark(51*time.Minute, false, model.IncidentCause{Kind: string(diagnosis.FewerAgents), Text: "again"})
			mark(55*time.Minute, true)
		}
	}
	return NewJournal(marks, nil)
}

// TestJournalGoesOn checks that a follower that advances entry by entry, over midnight and sometimes
// backwards, has the same state as a follower that starts at that time.
func TestJournalGoesOn(t *testing.T) {
	t.Parallel()
	j := journalOf(100, 3)
	dice, r := rand.New(rand.NewPCG(3, 4)), journalFollower{journal: j}
	for now := j.Start(); now.Before(j.Start().Add(21 * time.Hour)); now = now.Add(time.Minute) {
		if dice.IntN(100) == 0 {
			now = now.Add(-time.Hour)
		}
		midnight := now.Truncate(24 * time.Hour)
		fresh := journalFollower{journal: j}
		fresh.advanceTo(now, midnight, now.YearDay())
		r.advanceTo(now, midnight, now.YearDay())
		ids := func(s *journalState) (out []string) {
			for _, e := range s.open {
				out = append(out, e.ID+" "+e.at.String())
			}
			slices.Sort(out)
			for _, e := range s.ended {
				out = append(out, e.ID+" "+e.Ended.String())
			}
			return out
		}
		if diff := cmp.Diff(ids(&fresh.state), ids(&r.state)); diff != "" || !maps.Equal(fresh.state.places, r.state.places) {
			t.Fatalf("at %v: %s\n%v\n%v", now, diff, fresh.state.places, r.state.places)
		}
	}
	ended := 0
	for _, of := range r.state.places {
		ended += of.count
	}
	if ended < 10 || len(r.state.ended) < 50 {
		t.Errorf("%d ended today, %d in all", ended, len(r.state.ended))
	}
}

// TestJournalStepsAreCheap checks that the work of a step does not grow with the journal.
func TestJournalStepsAreCheap(t *testing.T) { //nolint:paralleltest // it counts allocations
	j := journalOf(2000, 5)
	r, n := journalFollower{journal: j}, len(j.entries)/2
	step := func() {
		n++
		r.advanceTo(j.entries[n].at, j.Start(), 1)
	}
	step()
	if a := testing.AllocsPerRun(100, step); a > 3 {
		t.Errorf("%.0f allocations a step", a)
	}
}
