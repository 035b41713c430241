package forecast_test

import (
	"testing"
	"time"

	"wallboard/internal/alert/forecast"
	"wallboard/model"
)

// TestRecentMisses checks the window of half an hour and a reset of counters.
func TestRecentMisses(t *testing.T) {
	t.Parallel()
	var w forecast.MissTracker
	store, now := model.NewStore(), at(12, 0)
	formula := func(string) model.ServiceLevelFormula { return model.SLAllAbandons }
	look := func(answered, inTime int64, state model.SubState) {
		store.Services.Put(&model.Service{
			Code: model.TextOf("S"), Channel: model.Call,
			ChannelStats: model.ServiceCalls{
				AnsweredCalls: model.IntOf(answered), AnsweredCallsUnderSpeedLimit: model.IntOf(inTime), HangupCalls: model.IntOf(0),
			},
		})
		w.Update(store.Publish(now, model.Health{
			Link:          model.Link{State: model.LinkUp},
			Subscriptions: []model.Subscription{{Name: model.OpServices, State: state}},
		}), now, formula)
		now = now.Add(time.Minute)
	}
	if w.RecentCalls(model.Call, "S") != (forecast.RecentCalls{}) {
		t.Error("something is known at first")
	}
	for i := range int64(60) {
		look(100+2*i, 100+i, model.SubLive)
	}
	want := forecast.RecentCalls{Missed: 30, Counted: 60, Period: 30 * time.Minute}
	if got := w.RecentCalls(model.Call, "S"); got != want {
		t.Errorf("recent is %+v, want %+v", got, want)
	}
	look(0, 0, model.SubStale)
	if got := w.RecentCalls(model.Call, "S"); got != want {
		t.Errorf("a stale figure counts: %+v", got)
	}
	look(1, 1, model.SubLive) // midnight
	look(2, 1, model.SubLive)
	if got := (forecast.RecentCalls{Missed: 1, Counted: 1, Period: time.Minute}); w.RecentCalls(model.Call, "S") != got {
		t.Errorf("after a reset of the counters: %+v", w.RecentCalls(model.Call, "S"))
	}
	now = now.Add(-3 * time.Hour)
	look(3, 1, model.SubLive)
	if w.RecentCalls(model.Call, "S") != (forecast.RecentCalls{}) {
		t.Errorf("after the clock was set back: %+v", w.RecentCalls(model.Call, "S"))
	}
}
