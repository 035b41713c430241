package forecast

import (
	"math"
	"strings"
	"testing"
	"time"

	"wallboard/internal/words"
	"wallboard/model"
)

// TestRestOfDay forecasts the half hours after 10:10 from days that had 20 contacts in each half
// hour of the morning and 40 in each of the afternoon.
func TestRestOfDay(t *testing.T) {
	t.Parallel()
	var log IntradayLog
	log.Restart(time.UTC)
	key := model.ServiceKey{Code: "S", Channel: model.Call}
	var days []IntradayDay
	for _, date := range []string{"2026-01-12", "2026-01-13"} {
		c := new(IntradayCalls)
		for slot := range c.Calls {
			n := uint32(20*slot + 20*max(slot-24, 0))
			c.Calls[slot], c.Known[slot] = Calls{Received: n, Counted: n}, true
		}
		days = append(days, IntradayDay{Date: date, Services: map[model.ServiceKey]*IntradayCalls{key: c}})
	}
	now := time.Date(2026, 1, 14, 10, 10, 0, 0, time.UTC)
	closing := time.Date(2026, 1, 14, 18, 15, 0, 0, time.UTC)
	soFar := model.FigureOf(2 * 20 * (20 + 1.0/3)) // twice as many as on those days
	if r := log.RestOfDay(now, closing, model.Call, []string{"S"}, soFar); !strings.Contains(r.MissingReason.In(nil), "2 earlier days") {
		t.Errorf("without days it says %q", r.MissingReason.In(nil))
	}
	log.SetReading(true)
	if r := log.RestOfDay(now, closing, model.Call, []string{"S"}, soFar); !r.MissingReason.Equal(words.ForecastReadingDays()) {
		t.Errorf("while days are read it says %q", r.MissingReason.In(nil))
	}
	log.Merge(days)
	r := log.RestOfDay(now, closing, model.Call, []string{"S"}, soFar)
	if !r.MissingReason.IsZero() || len(r.HalfHours) != 17 {
		t.Fatalf("%d half hours, %q", len(r.HalfHours), r.MissingReason.In(nil))
	}
	for i, want := range map[int]float64{0: 2 * 20 * 2 / 3.0, 1: 40, 3: 40, 4: 80, 15: 80, 16: 40} {
		h := r.HalfHours[i]
		if math.Abs(h.Contacts.Likely-want) > 1e-6 || h.Contacts.Low >= want || h.Contacts.High <= want {
			t.Errorf("%v: %v contacts, want %v", h.From.Format("15:04"), h.Contacts, want)
		}
	}
	if h := r.HalfHours[16]; !h.To.Equal(closing) || !r.HalfHours[0].To.Equal(now.Add(20*time.Minute)) {
		t.Errorf("the last half hour is %v", h)
	}
	r.AddAgents(2.6, 90, 20*time.Second, model.FloatOf(0.8), func(perSecond, _ float64) int { return int(math.Ceil(perSecond * 90)) })
	if r.AgentsAtWork != 3 || r.HalfHours[1].NeededAgents != 2 || r.IsShort(&r.HalfHours[1]) || !r.IsShort(&r.HalfHours[4]) {
		t.Errorf("agents: %d at work, %d and %d needed", r.AgentsAtWork, r.HalfHours[1].NeededAgents, r.HalfHours[4].NeededAgents)
	}
	if r.AddAgents(3, 0, 0, model.FloatOf(0.8), nil); r.NoAgentsReason.IsZero() {
		t.Error("it does not say why no agents are needed")
	}
	for reason, r := range map[string]RestOfDay{
		"Too few contacts": log.RestOfDay(now, closing, model.Call, []string{"S"}, model.FigureOf(19)),
		"is unknown":       log.RestOfDay(now, closing, model.Call, []string{"S"}, model.Figure{}),
		"is over":          log.RestOfDay(closing, closing, model.Call, []string{"S"}, soFar),
	} {
		if !strings.Contains(r.Lines()[0].In(nil), reason) {
			t.Errorf("%q does not say %q", r.Lines()[0].In(nil), reason)
		}
	}
}
