package proof_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"sort"
	"strings"
	"testing"
	"time"

	"wallboard/internal/alert"
	"wallboard/internal/alert/diagnosis"
	"wallboard/internal/alert/situation"
	"wallboard/internal/lib/testkit"
	"wallboard/internal/simulator/world"
	"wallboard/model"
)

const (
	// promised is the time within which the recommended agents must clear a queue.
	promised = 5 * time.Minute
	// stagedAfter is how long the board runs before the incident.
	stagedAfter = 15 * time.Minute
	// longest is the maximum time for which the world continues.
	longest = 15 * time.Minute
)

// moment is a moment with waiting contacts, the board's recommendation and the
// result.
type moment struct {
	seed   int64
	staged world.Scenario
	at     time.Duration // since the opening
	key    model.ServiceKey
	load   diagnosis.Load

	needed    int           // recommended number of agents
	low, high int           // recommended range
	itself    time.Duration // predicted time until the queue clears without help
	known     bool          // the prediction is available
	said      situation.ClearEstimate

	least int           // number of agents that clear the queue in time
	took  time.Duration // mean time without help
}

// floor returns the floor of the moment.
func (m *moment) floor() *world.World {
	w := world.New(world.Options{
		Seed: m.seed, Agents: 120, NotReadyElsewhere: notReadyElsewhere(), Start: time.Date(2026, time.January, 14, 9, 30, 0, 0, time.UTC),
	})
	if _, _, err := w.StartScenario(m.staged.Name, stagedAfter); err != nil {
		panic(err)
	}
	return w
}

// randomMoments selects random moments during an incident. Among the services with waiting
// contacts and an alert it takes the one with the longest queue.
func randomMoments(t *testing.T, seed int64, staged world.Scenario, most int) []*moment {
	t.Helper()
	dice := rand.New(rand.NewPCG(uint64(seed), 7))
	f := newDirectFeed((&moment{seed: seed, staged: staged}).floor())
	engine, err := alert.New(alert.Options{Rules: alert.DefaultRules(), Goal: alert.DefaultGoal()})
	if err != nil {
		t.Fatal(err)
	}
	tr, watch := diagnosis.NewHistory(), situation.New(situation.Options{Hold: held})
	var out []*moment
	wait := func(least time.Duration) time.Duration {
		return least + time.Duration(dice.Int64N(int64(4*time.Minute)))
	}
	// The incident must last as long as the promise of the board.
	end := stagedAfter + min(staged.Duration-promised, 20*time.Minute)
	next := stagedAfter + time.Duration(dice.Int64N(int64(min(end-stagedAfter, 4*time.Minute))))
	for at := time.Second; at < end && len(out) < most; at += time.Second {
		s, now := f.runSecond(), f.world.Now()
		changes := engine.Evaluate(s, now)
		view := watch.Update(s, engine.Active(), changes, now)
		tr.Update(s, now)
		if at < next {
			continue
		}
		var found *moment
		for _, a := range engine.Active() {
			r := s.Services.Get(model.ServiceKey{Code: a.Key.Code, Channel: a.Key.Channel})
			if a.Daily || a.Key.Scope != alert.Service || a.Rule == "stranded" || r == nil {
				continue
			}
			l, lacks := diagnosis.LoadOf(tr, r, now)
			if !lacks.IsZero() || l.Waiting < 1 || found != nil && l.Waiting <= found.load.Waiting {
				continue
			}
			m := &moment{seed: seed, staged: staged, at: at, key: r.Key(), load: l}
			m.itself, m.known = l.TimeToClear(0)
			var ok bool
			if m.needed, ok = l.AgentsToClear(promised); ok {
				m.low, m.high = l.AgentRange(m.needed, promised)
				found = m
			}
		}
		if found != nil {
			for i := range view.Live {
				if k := view.Live[i].Place.Key; k.Scope == alert.Service && k.Code == found.key.Code && k.Channel == found.key.Channel {
					found.said = view.Live[i].Help.Estimate
				}
			}
			out = append(out, found)
			next = at + wait(4*time.Minute)
		}
	}
	return out
}

// clears continues the world from a moment with more agents into several random
// futures, and returns the mean time until the queue is empty.
func (m *moment) clears(more, futures int) time.Duration {
	var sum time.Duration
	for future := range int64(futures) {
		w := m.floor()
		w.Step(m.at)
		if err := w.AddAgents(more, m.key.Code, string(m.key.Channel)); err != nil {
			panic(err)
		}
		w.Reseed(future + 1)
		took := time.Duration(0)
		for w.WaitingContacts(m.key.Code, string(m.key.Channel)) > 0 && took < longest {
			w.Step(time.Second)
			took += time.Second
		}
		sum += took
	}
	return sum / time.Duration(futures)
}

// live determines how many more agents clear the queue.
func (m *moment) live(futures int) {
	m.took = m.clears(0, futures)
	in := func(more int) bool { return m.clears(more, futures) <= promised }
	switch {
	case m.took <= promised:
	case m.needed > 12:
		m.least = sort.Search(2*m.needed, in)
	default:
		for m.least = 1; m.least < 2*m.needed+6 && !in(m.least); {
			m.least++
		}
	}
}

// TestAgentsNeeded compares the recommended number of agents with the number that
// clears the queue in the continued simulation, for random moments with waiting
// contacts. NEEDED_FLOORS is the number of floors, NEEDED_SEED the first of them,
// and NEEDED_FUTURES the number of futures per moment; by default it tests a few
// moments of one floor.
func TestAgentsNeeded(t *testing.T) {
	t.Parallel()
	if testkit.Race {
		t.Skip("it only computes")
	}
	floors, first, futures := setting(t, "NEEDED_FLOORS", 0), setting(t, "NEEDED_SEED", 1), setting(t, "NEEDED_FUTURES", 5)
	plays := make(map[string][]*moment)
	var names []string
	t.Run("floors", func(t *testing.T) {
		for floor := range max(floors, 1) {
			for _, staged := range world.Scenarios() {
				if slices.Contains([]string{"dry", "routing", "no-skill", "unstaffed"}, staged.Name) {
					continue // more agents of the service would not help, or the number is obvious
				}
				if floors == 0 && !slices.Contains([]string{"lunch", "shift-end"}, staged.Name) {
					continue
				}
				seed := int64(first + floor)
				name := fmt.Sprintf("%d %s", seed, staged.Name)
				names = append(names, name)
				moments := make([]*moment, 2)
				plays[name] = moments
				t.Run(name, func(t *testing.T) {
					t.Parallel()
					for i, m := range randomMoments(t, seed, staged, len(moments)) {
						m.live(futures)
						moments[i] = m
					}
				})
			}
		}
	})
	logMoments(t, plays, names)
}

// kindOfMoment collects the moments of a scenario.
type kindOfMoment struct {
	all, near int
	missed    []string // recommended and actual numbers of agents
}

func (k *kindOfMoment) add(m *moment, near bool) {
	k.all++
	if near {
		k.near++
		return
	}
	k.missed = append(k.missed, fmt.Sprintf("%d/%d", m.needed, m.least))
}

// boolToInt returns 1 for true and 0 for false.
func boolToInt(is bool) int {
	if is {
		return 1
	}
	return 0
}

// logMoments logs the recommendation and the result of each moment.
func logMoments(t *testing.T, plays map[string][]*moment, names []string) {
	t.Helper()
	off := make(map[int]int)
	kinds := make(map[string]*kindOfMoment)
	all, near, helped, nearHelped, told, right, within, saidWithin, said, width := 0, 0, 0, 0, 0, 0, 0, 0, 0, 0
	for _, name := range names {
		for _, m := range plays[name] {
			if m == nil {
				continue
			}
			t.Logf("%-26s %s %s after %v: %.0f wait, %.1f/min come, %.0f s each, %.1f agents, patience %.0f s: recommended %d (%d to %d), needed %d; without help %v (%v), said %q, actually %v",
				name, m.key.Code, m.key.Channel, m.at, m.load.Waiting, m.load.PerSecond*60, m.load.SecondsPerContact, m.load.Agents, m.load.Patience,
				m.needed, m.low, m.high, m.least, m.itself.Round(time.Second), m.known, m.said.String(), m.took.Round(time.Second))
			all++
			by := m.needed - m.least
			off[max(min(by, 4), -4)]++
			is := by >= -1 && by <= 1
			if kinds[m.staged.Name] == nil {
				kinds[m.staged.Name] = &kindOfMoment{}
			}
			kinds[m.staged.Name].add(m, is)
			near += boolToInt(is)
			in := boolToInt(m.low <= m.least && m.least <= m.high)
			within += in
			if m.needed > 0 {
				said, saidWithin, width = said+1, saidWithin+in, width+m.high-m.low
			}
			if m.needed > 0 || m.least > 0 {
				helped, nearHelped = helped+1, nearHelped+boolToInt(is)
			}
			if m.said.Duration > 0 {
				told, right = told+1, right+boolToInt(m.said.IsRightAfter(m.took))
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(kinds)) {
		k := kinds[name]
		t.Logf("%-24s %2d of %2d within one agent; recommended/needed of the others: %s", name, k.near, k.all, strings.Join(k.missed, " "))
	}
	t.Logf("%d moments: %d within one agent (%v); of %d with help needed or recommended, %d", all, near, off, helped, nearHelped)
	t.Logf("%d of %d within the recommended range; of %d with help recommended, %d, mean width %.1f", within, all, said, saidWithin, float64(width)/float64(max(said, 1)))
	if all >= 20 && within*100 < all*80 {
		t.Errorf("only %d of %d within the range", within, all)
	}
	t.Logf("the board says when the queue clears without help in %d moments, %d of them right", told, right)
	if all >= 20 && told == 0 || right*100 < told*80 {
		t.Errorf("only %d of %d statements about when a queue clears are right", right, told)
	}
	if all < 2 || near*100 < all*65 {
		t.Errorf("only %d of %d within one agent", near, all)
	}
}
