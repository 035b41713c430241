package backtest

import (
	"testing"
	"time"

	"wallboard/internal/alert"
	"wallboard/internal/alert/diagnosis"
	"wallboard/internal/alert/situation"
	"wallboard/model"
)

// TestEstimates judges statements about queues: when they clear, and their main cause.
func TestEstimates(t *testing.T) {
	t.Parallel()
	start := time.Date(2026, 3, 2, 8, 0, 0, 0, time.UTC)
	type state struct {
		after    time.Duration
		contacts float64 // figure of the cause "more contacts", before the queue 2; 0: it is no cause; -1: it is not known
		empty    bool
	}
	for name, tt := range map[string]struct {
		states []state
		want   EstimateStats
	}{
		"right":              {[]state{{0, 6, false}, {time.Minute, 6, false}, {5 * time.Minute, 3, false}, {7 * time.Minute, 3, true}}, EstimateStats{1, 1, 1, 1}},
		"clears too late":    {[]state{{0, 6, false}, {time.Minute, 6, false}, {20 * time.Minute, 2, false}}, EstimateStats{1, 0, 1, 1}},
		"the cause stays":    {[]state{{0, 6, false}, {time.Minute, 7, false}, {6 * time.Minute, 5, true}}, EstimateStats{1, 1, 1, 0}},
		"too short":          {[]state{{0, 6, false}, {30 * time.Second, 2, true}}, EstimateStats{0, 0, 1, 1}},
		"no cause is known":  {[]state{{0, 0, false}, {time.Minute, 0, false}, {6 * time.Minute, 0, true}}, EstimateStats{1, 1, 0, 0}},
		"its figure is lost": {[]state{{0, 6, false}, {30 * time.Second, -1, true}}, EstimateStats{0, 0, 1, 0}},
		"the cause vanishes": {[]state{{0, 6, false}, {30 * time.Second, 0, true}}, EstimateStats{0, 0, 1, 1}},
	} {
		var j EstimateJudge
		end := start
		for _, s := range tt.states {
			one := situation.Situation{ID: "1", Place: situation.Place{Key: alert.Key{Scope: alert.Service, Code: "S1"}}, Since: start, QueueEmpty: s.empty}
			if s.after >= time.Minute { // an estimate has to hold for a minute
				one.Help.Estimate = situation.ClearEstimate{Duration: 5 * time.Minute}
			}
			if s.contacts < 0 {
				one.Causes = []diagnosis.Cause{{Kind: diagnosis.MoreContacts}}
			} else if s.contacts > 0 {
				one.Causes = []diagnosis.Cause{{Kind: diagnosis.MoreContacts, Then: model.FigureOf(2), Now: model.FigureOf(s.contacts)}}
			} else if tt.want.Causes > 0 {
				one.Causes = []diagnosis.Cause{{Kind: diagnosis.FewerAgents}}
			}
			end = start.Add(s.after)
			j.Update([]situation.Situation{one}, end)
		}
		j.Update(nil, end.Add(10*time.Second))
		j.Update(nil, end.Add(2*time.Minute))
		if j.stats != tt.want {
			t.Errorf("%s: %+v, want %+v", name, j.stats, tt.want)
		}
	}
}

// TestReopenedQueueCountsOnce checks that a queue that reopens within a minute is judged once, after its last end.
func TestReopenedQueueCountsOnce(t *testing.T) {
	t.Parallel()
	start := time.Date(2026, 3, 2, 8, 0, 0, 0, time.UTC)
	queue := situation.Situation{ID: "1", Place: situation.Place{Key: alert.Key{Scope: alert.Service, Code: "S1"}}, Since: start}
	queue.Causes = []diagnosis.Cause{{Kind: diagnosis.MoreContacts, Then: model.FigureOf(2), Now: model.FigureOf(6)}}
	var j EstimateJudge
	for second := 0; second < 600; second += 10 {
		var live []situation.Situation
		if second < 200 || second >= 250 && second < 400 {
			live = append(live, queue)
		}
		j.Update(live, start.Add(time.Duration(second)*time.Second))
	}
	if want := (EstimateStats{Causes: 1}); j.stats != want {
		t.Errorf("%+v, want %+v", j.stats, want)
	}
}

// TestEstimateWords leaves out counts of no queues.
func TestEstimateWords(t *testing.T) {
	t.Parallel()
	for stats, want := range map[EstimateStats]string{
		{}:           "",
		{3, 2, 0, 0}: "the board was right about when queues clear in 2 of 3.",
		{0, 0, 4, 3}: "the board was right about the main cause of queues in 3 of 4 (its figure had come back when the queue ended).",
		{3, 2, 4, 3}: "the board was right about when queues clear in 2 of 3, and about their main cause in 3 of 4 (its figure had come back when the queue ended).",
	} {
		if got := stats.Words(); got != want {
			t.Errorf("%+v: %q, want %q", stats, got, want)
		}
	}
}
