package forecast

import (
	"math"
	"testing"
	"time"

	"wallboard/model"
)

// TestUsualStaff stores the agents of two days, reads them from a file, and splits the forecast of a
// floor over its services as on those days.
func TestUsualStaff(t *testing.T) {
	t.Parallel()
	a, b := model.ServiceKey{Code: "A", Channel: model.Call}, model.ServiceKey{Code: "B", Channel: model.Call}
	var days []IntradayDay
	for i, date := range []string{"2026-01-12", "2026-01-13"} {
		morning, even, agents := new(IntradayCalls), new(IntradayCalls), new(AgentsByHalfHour)
		for slot := range even.Calls {
			n, m := uint32(40*slot), uint32(40*min(slot, 24)+10*max(slot-24, 0))
			even.Calls[slot], even.Known[slot] = Calls{Received: n, Counted: n}, true
			morning.Calls[slot], morning.Known[slot] = Calls{Received: m, Counted: m}, true
		}
		agents[20], agents[21], agents[30] = 10+uint32(2*i), 20+uint32(2*i), 5
		days = append(days, IntradayDay{Date: date, Services: map[model.ServiceKey]*IntradayCalls{a: morning, b: even}, Agents: map[model.Channel]*AgentsByHalfHour{model.Call: agents}})
	}
	text, err := EncodeIntradayDays(days)
	if err != nil {
		t.Fatal(err)
	}
	read, err := DecodeIntradayDays(text)
	if err != nil {
		t.Fatal(err)
	}
	var log IntradayLog
	log.Restart(time.UTC)
	log.Merge(read)
	now := time.Date(2026, 1, 14, 10, 0, 0, 0, time.UTC)
	for after, want := range map[time.Duration]float64{0: 1, 15 * time.Minute: 16. / 11, 5*time.Hour + 10*time.Minute: 5. / 11, 8 * time.Hour: 0} {
		if got := log.UsualStaff(now, now.Add(after), model.Call); math.Abs(got-want) > 1e-9 {
			t.Errorf("%v of the agents %v later, want %v", got, after, want)
		}
	}
	r := log.RestOfDay(now, now.Add(8*time.Hour), model.Call, []string{"A", "B"}, model.FigureOf(1600))
	split := log.SplitByService(&r, model.Call, []string{"A", "B"}, []float64{800, 800})
	if len(r.HalfHours) != 16 {
		t.Fatalf("%d half hours: %s", len(r.HalfHours), r.MissingReason.In(nil))
	}
	for i, want := range map[int]float64{0: 0.5, 3: 0.5, 4: 0.2, 15: 0.2} {
		sum := split[0][i] + split[1][i]
		if math.Abs(sum-r.HalfHours[i].Contacts.Likely) > 1e-6 || math.Abs(split[0][i]/sum-want) > 0.05 {
			t.Errorf("half hour %d: %v and %v of %v, want a share of %v", i, split[0][i], split[1][i], r.HalfHours[i].Contacts.Likely, want)
		}
	}
}
