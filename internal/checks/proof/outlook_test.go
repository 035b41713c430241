package proof_test

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"wallboard/internal/alert"
	"wallboard/internal/alert/backtest"
	"wallboard/internal/alert/situation"
	"wallboard/internal/lib/testkit"
	"wallboard/internal/simulator/demo"
	"wallboard/internal/simulator/world"
	"wallboard/model"
)

// queueEstimate is what the board said first about when a queue clears.
type queueEstimate struct {
	situation.ClearEstimate

	service model.ServiceKey
	at      time.Time
	took    time.Duration // time until no contact waited; 0: contacts still wait
}

// estimateDay runs a floor for some hours with an incident every 25 minutes, and returns what the board
// said about its queues. Nothing is said in the last hour.
func estimateDay(t *testing.T, seed int64, hours int) (said []*queueEstimate) {
	t.Helper()
	dice, scenarios := rand.New(rand.NewPCG(uint64(seed), 5)), world.Scenarios()
	f := newDirectFeed(world.New(world.Options{
		Seed: seed, Agents: 60 + 30*int(seed%3), Drama: true, Start: time.Date(2026, time.January, 14, 9, 30, 0, 0, time.UTC),
	}))
	engine, err := alert.New(alert.Options{Rules: alert.DefaultRules(), Goal: alert.DefaultGoal()})
	if err != nil {
		t.Fatal(err)
	}
	watch, known := situation.New(situation.Options{Hold: held}), make(map[string]bool)
	for second := range hours * 3600 {
		if second%1500 == 900 {
			_, _, _ = f.world.StartScenario(scenarios[dice.IntN(len(scenarios))].Name, 0) // an error means that a scenario is still running
		}
		s, now := f.runSecond(), f.world.Now()
		changes := engine.Evaluate(s, now)
		live := watch.Update(s, engine.Active(), changes, now).Live
		for i := range live {
			sit := &live[i]
			if e := sit.Help.Estimate; e.Duration > 0 && !known[sit.ID] && second < (hours-1)*3600 {
				known[sit.ID] = true
				said = append(said, &queueEstimate{ClearEstimate: e, service: model.ServiceKey{Code: sit.Place.Key.Code, Channel: sit.Place.Key.Channel}, at: now})
			}
		}
		for _, q := range said {
			if q.took == 0 && s.Services.Get(q.service).ChannelStats.QueuedCalls.Or(0) == 0 {
				q.took = max(now.Sub(q.at), 1)
			}
		}
	}
	return said
}

// TestQueueEstimatesAreRight checks that at least 80 % of what the board says about when a queue clears is
// right. ESTIMATE_FLOORS is the number of floors.
func TestQueueEstimatesAreRight(t *testing.T) {
	t.Parallel()
	if testkit.Race {
		t.Skip("it only computes")
	}
	n := setting(t, "ESTIMATE_FLOORS", 1)
	days := make([][]*queueEstimate, n)
	t.Run("floors", func(t *testing.T) {
		for i := range days {
			t.Run("", func(t *testing.T) {
				t.Parallel()
				days[i] = estimateDay(t, int64(i+1), 3)
			})
		}
	})
	var all, right [2]int // numbers of estimates that state the time itself, and that state a limit
	for _, q := range slices.Concat(days...) {
		kind := 0
		if q.IsUpperLimit {
			kind = 1
		}
		all[kind]++
		if q.took > 0 && q.IsRightAfter(q.took) {
			right[kind]++
		}
	}
	t.Logf("about: %d of %d right; within: %d of %d", right[0], all[0], right[1], all[1])
	if all[0]+all[1] < 5*n || float64(right[0]+right[1]) < 0.8*float64(all[0]+all[1]) {
		t.Errorf("%d of %d estimates are right", right[0]+right[1], all[0]+all[1])
	}
}

// TestMainCausesAreRight counts on simulated days with incidents how often the main cause of queues was right;
// see [backtest.EstimateStats]. CAUSE_DAYS is the number of days; by default it is a morning.
func TestMainCausesAreRight(t *testing.T) {
	t.Parallel()
	if testkit.Race {
		t.Skip("it only computes")
	}
	n, end := setting(t, "CAUSE_DAYS", 0), 18
	if n == 0 {
		n, end = 1, 11
	}
	var total backtest.EstimateStats
	for i := range n {
		start := time.Date(2026, 3, 2+i%5, end, 0, 0, 0, time.UTC)
		day := demo.NewPastDay(world.Options{Seed: int64(i + 1), Agents: 60, Drama: true, Start: start, Clock: start})
		e, err := alert.New(alert.Options{Rules: alert.DefaultRules(), Goal: alert.DefaultGoal()})
		if err != nil {
			t.Fatal(err)
		}
		r, err := backtest.Evaluate(t.Context(), day.Snapshots(t.Context(), day.Start(), backtest.Step), e, backtest.EvaluateOptions{})
		if err != nil {
			t.Fatal(err)
		}
		total.Clears, total.ClearsRight = total.Clears+r.Estimates.Clears, total.ClearsRight+r.Estimates.ClearsRight
		total.Causes, total.CausesRight = total.Causes+r.Estimates.Causes, total.CausesRight+r.Estimates.CausesRight
	}
	t.Log(total.Phrase())
	if total.Causes < 5*n || 10*total.CausesRight < 7*total.Causes {
		t.Errorf("%d of %d main causes are right", total.CausesRight, total.Causes)
	}
}
