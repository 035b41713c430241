package backtest

import (
	"fmt"
	"testing"
	"time"

	"wallboard/internal/alert"
	"wallboard/internal/alert/diagnosis"
	"wallboard/internal/alert/situation"
	"wallboard/model"
)

// judgeDay holds the minutes at which a queue of a service opens and closes, and the contacts of each minute.
type judgeDay struct {
	queues   [][2]int
	contacts func(minute int) int64
	named    diagnosis.CauseKind
	estimate time.Duration
}

// outages holds the minutes between which the link is down, and between which the judge is not updated.
type outages struct{ down, unseen [2]int }

// judgedStats runs a day of two hours through a judge. The arrivals before a queue are 2 a minute.
func judgedStats(d judgeDay, out outages) EstimateStats {
	start := time.Date(2026, 3, 2, 8, 0, 0, 0, time.UTC)
	store, history, judge := model.NewStore(), diagnosis.NewHistory(), EstimateJudge{}
	received := int64(0)
	for second := 0; second < 2*3600; second += 10 {
		minute, now := second/60, start.Add(time.Duration(second)*time.Second)
		if second%60 == 0 {
			received += d.contacts(minute)
		}
		r := &model.Service{Channel: model.Call}
		r.Code, r.ChannelStats.ReceivedCalls, r.ChannelStats.QueuedCalls = model.TextOf("S1"), model.IntOf(received), model.IntOf(0)
		store.Services.Put(r)
		link := model.Link{State: model.LinkUp}
		if minute >= out.down[0] && minute < out.down[1] {
			link.State = model.LinkBackoff
		}
		history.Update(store.Publish(now, model.Health{Link: link}), now)
		var live []situation.Situation
		for i, q := range d.queues {
			if minute >= q[0] && minute < q[1] {
				one := situation.Situation{ID: fmt.Sprint(i), Place: situation.Place{Key: alert.Key{Scope: alert.Service, Code: "S1", Channel: model.Call}}}
				if one.Help.Estimate = (situation.ClearEstimate{}); minute > q[0] && d.estimate > 0 { // an estimate has to hold for a minute
					one.Help.Estimate.Duration = d.estimate
				}
				if d.named != "" {
					one.Causes = []diagnosis.Cause{{Kind: d.named, Before: model.FigureOf(2), Now: model.FigureOf(6)}}
				}
				live = append(live, one)
			}
		}
		if minute >= out.unseen[0] && minute < out.unseen[1] {
			continue
		}
		judge.Update(live, history, now)
	}
	return judge.Stats()
}

// TestEstimates judges statements about queues: when they clear, and their main cause.
func TestEstimates(t *testing.T) {
	t.Parallel()
	// surge is 6 contacts a minute between two minutes, and 2 otherwise.
	surge := func(from, to int) func(int) int64 {
		return func(minute int) int64 {
			if minute >= from && minute < to {
				return 6
			}
			return 2
		}
	}
	one := [][2]int{{42, 50}}
	for name, tt := range map[string]struct {
		day  judgeDay
		want EstimateStats
	}{
		"right":                                  {judgeDay{one, surge(40, 48), diagnosis.MoreContacts, 6 * time.Minute}, EstimateStats{1, 1, 1, 1}},
		"clears too late":                        {judgeDay{[][2]int{{42, 70}}, surge(40, 68), diagnosis.MoreContacts, 5 * time.Minute}, EstimateStats{1, 0, 1, 1}},
		"the figure comes back, the queue stays": {judgeDay{[][2]int{{42, 75}}, surge(40, 48), diagnosis.MoreContacts, 0}, EstimateStats{0, 0, 1, 0}},
		"the queue ends, the cause stays":        {judgeDay{one, surge(40, 100), diagnosis.MoreContacts, 0}, EstimateStats{0, 0, 1, 0}},
		"several queues of one cause":            {judgeDay{[][2]int{{42, 46}, {52, 54}, {64, 67}}, surge(40, 65), diagnosis.MoreContacts, 0}, EstimateStats{0, 0, 1, 1}},
		"two surges":                             {judgeDay{[][2]int{{42, 46}, {82, 86}}, func(m int) int64 { return max(surge(40, 45)(m), surge(80, 85)(m)) }, diagnosis.MoreContacts, 0}, EstimateStats{0, 0, 2, 2}},
		"no cause":                               {judgeDay{one, surge(40, 48), "", 0}, EstimateStats{}},
		"a cause without a figure":               {judgeDay{one, surge(40, 48), diagnosis.Routing, 0}, EstimateStats{}},
		"not judged yet":                         {judgeDay{[][2]int{{112, 120}}, surge(108, 120), diagnosis.MoreContacts, 0}, EstimateStats{}},
	} {
		if got := judgedStats(tt.day, outages{}); got != tt.want {
			t.Errorf("%s: %+v, want %+v", name, got, tt.want)
		}
	}
}

// TestEstimatesWithOutages checks that a cause does not count if its figure, or the queue, was unknown for
// too long.
func TestEstimatesWithOutages(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		surgeEnd int
		out      outages
	}{
		"the figure is unknown": {48, outages{down: [2]int{45, 120}}},
		"no updates":            {100, outages{unseen: [2]int{46, 70}}},
	} {
		contacts := func(minute int) int64 {
			if minute >= 40 && minute < tt.surgeEnd {
				return 6
			}
			return 2
		}
		if got := judgedStats(judgeDay{[][2]int{{42, 50}}, contacts, diagnosis.MoreContacts, 0}, tt.out); got != (EstimateStats{}) {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

// TestReopenedQueueCountsOnce checks that a queue that reopens within a minute is judged once, after its last end.
func TestReopenedQueueCountsOnce(t *testing.T) {
	t.Parallel()
	start := time.Date(2026, 3, 2, 8, 0, 0, 0, time.UTC)
	queue := situation.Situation{ID: "1", Place: situation.Place{Key: alert.Key{Scope: alert.Service, Code: "S1"}}}
	queue.Help.Estimate = situation.ClearEstimate{Duration: 5 * time.Minute}
	var j EstimateJudge
	for second := 0; second < 600; second += 10 {
		var live []situation.Situation
		if second < 200 || second >= 250 && second < 400 {
			live = append(live, queue)
		}
		j.Update(live, diagnosis.NewHistory(), start.Add(time.Duration(second)*time.Second))
	}
	if want := (EstimateStats{Clears: 1, ClearsRight: 1}); j.stats != want {
		t.Errorf("%+v, want %+v", j.stats, want)
	}
}

// TestEstimateWords leaves out counts of no queues.
func TestEstimateWords(t *testing.T) {
	t.Parallel()
	for stats, want := range map[EstimateStats]string{
		{}:           "",
		{3, 2, 0, 0}: "the board was right about when queues clear in 2 of 3.",
		{0, 0, 4, 3}: "the board was right about the main cause of queues in 3 of 4 (the queues ended when its figure came back).",
		{3, 2, 4, 3}: "the board was right about when queues clear in 2 of 3, and about their main cause in 3 of 4 (the queues ended when its figure came back).",
	} {
		if got := stats.Phrase(); got != want {
			t.Errorf("%+v: %q, want %q", stats, got, want)
		}
	}
}
