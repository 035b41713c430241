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
		contacts float64 // figure of the cause "more contacts", before the queue 2; 0: it is no cause
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
		"the cause vanishes": {[]state{{0, 6, false}, {30 * time.Second, 0, true}}, EstimateStats{0, 0, 1, 1}},
	} {
		var j estimateJudge
		end := start
		for _, s := range tt.states {
			one := situation.Situation{ID: "1", Place: situation.Place{Key: alert.Key{Scope: alert.Service, Code: "S1"}}, Since: start, QueueEmpty: s.empty}
			one.Help.ClearsIn, one.Help.ClearsInKnown = 5*time.Minute, true
			if s.contacts > 0 {
				one.Causes = []diagnosis.Cause{{Kind: diagnosis.MoreContacts, Then: model.FigureOf(2), Now: model.FigureOf(s.contacts)}}
			} else if tt.want.Causes > 0 {
				one.Causes = []diagnosis.Cause{{Kind: diagnosis.FewerAgents}}
			}
			end = start.Add(s.after)
			j.update([]situation.Situation{one}, end)
		}
		j.update(nil, end.Add(10*time.Second))
		if j.stats != tt.want {
			t.Errorf("%s: %+v, want %+v", name, j.stats, tt.want)
		}
	}
}
