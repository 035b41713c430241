package forecast

import (
	"testing"
	"time"

	"wallboard/internal/alert"
	"wallboard/model"
)

// TestRate gives the forecast of a service and of its floor to an engine whose rules use it.
func TestRate(t *testing.T) {
	t.Parallel()
	var log IntradayLog
	log.Restart(time.UTC)
	key := model.ServiceKey{Code: "S", Channel: model.Call}
	for _, date := range []string{"2026-01-12", "2026-01-13"} {
		c := new(IntradayCalls)
		for slot := range c.Calls {
			n := uint32(200 * slot)
			c.Calls[slot], c.Known[slot] = Calls{Received: n, Counted: n, Missed: n / 4}, true
		}
		log.Merge([]IntradayDay{{Date: date, Services: map[model.ServiceKey]*IntradayCalls{key: c}}})
	}
	engine := func(rules ...alert.Rule) *alert.Engine {
		e, err := alert.New(alert.Options{Goal: alert.DefaultGoal(), Rules: rules})
		if err != nil {
			t.Fatal(err)
		}
		return e
	}
	now := time.Date(2026, 1, 14, 18, 0, 0, 0, time.UTC)
	store := model.NewStore()
	store.Services.Put(&model.Service{Code: model.TextOf("S"), Channel: model.Call, ChannelStats: model.ServiceCalls{
		ReceivedCalls: model.IntOf(7200), AnsweredCalls: model.IntOf(7200), HangupCalls: model.IntOf(0), AnsweredCallsUnderSpeedLimit: model.IntOf(5400),
	}})
	live := model.Health{Link: model.Link{State: model.LinkUp}, Subscriptions: []model.Subscription{{Name: model.OpServices, State: model.SubLive}}}
	s := store.Publish(now, live)
	tracker := Tracker{IntradayLog: &log}
	wanting := engine(
		alert.Rule{Name: "day", Scope: alert.Service, When: "forecastServiceLevel < 0.8", Severity: alert.Warning},
		alert.Rule{Name: "floor", Scope: alert.Floor, When: "missedAt < 60", Severity: alert.Warning},
	)
	tracker.UpdateEngine(wanting, s, now)
	wanting.Evaluate(s, now)
	if n := len(wanting.Active()); n != 2 {
		t.Errorf("%d alerts, want one of the service and one of the floor", n)
	}
	if v, ok := wanting.Value("forecastServiceLevel", alert.Key{Scope: alert.Service, Code: "S", Channel: model.Call}).Get(); !ok || v < 0.74 || v > 0.76 {
		t.Errorf("the forecast is %v", v)
	}
}
