package analysis_test

import (
	"testing"
	"time"

	"wallboard/internal/record/analysis"
	"wallboard/model"
)

// TestMeasureCost checks the counts of an incident, since when contacts had been waiting, and that
// the cost of a time that is not recorded is unknown.
func TestMeasureCost(t *testing.T) {
	t.Parallel()
	from, to := day.Add(2*time.Hour), day.Add(2*time.Hour+20*time.Minute)
	scope := analysis.Scope{Channel: model.Call, Service: "S1"}
	p := lived(day, day.Add(3*time.Hour), func(at time.Time, s *model.Service, _ []*model.UserStat) bool {
		if since := at.Sub(from); since >= -3*time.Minute && since < 10*time.Minute {
			s.ChannelStats.QueuedCalls, s.ChannelStats.MaxTimeCallOnQueue = model.IntOf(4), model.IntOf(90)
		}
		return true
	})
	c, ok, err := analysis.MeasureCost(t.Context(), p, scope, from, to)
	if err != nil || !ok {
		t.Fatal(ok, err)
	}
	if c.Received != 20 || c.Abandoned != 2 || c.Answered != 18 || c.AnsweredInTime != 10 || c.MostWaiting != 4 || c.EarlierReceived != 220 || !c.WaitingSince.Equal(from.Add(-3*time.Minute)) {
		t.Errorf("%+v", c)
	}
	if _, ok, err := analysis.MeasureCost(t.Context(), p, scope, day.Add(4*time.Hour), day.Add(5*time.Hour)); ok || err != nil {
		t.Error("a cost without a recording:", ok, err)
	}
	if _, ok, _ := analysis.MeasureCost(t.Context(), p, analysis.Scope{Channel: model.Call, Service: "S2"}, from, to); ok {
		t.Error("a cost of an unknown service")
	}
	p.broken = from.Add(time.Minute)
	if _, _, err := analysis.MeasureCost(t.Context(), p, scope, from, to); err == nil {
		t.Error("no error")
	}
}
