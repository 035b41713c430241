package proof_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"wallboard/internal/alert"
	"wallboard/internal/alert/forecast"
	"wallboard/internal/lib/testkit"
	"wallboard/internal/simulator/world"
	"wallboard/model"
	"wallboard/model/contact"
)

// Days to forecast: days of one center that differ only by chance and by their total
// traffic.
const (
	opensAt, closesAt = 8, 20
	daysBefore        = 4    // days behind the typical curve
	busier            = 0.12 // standard deviation of the logarithm of a day's traffic
)

// dayOf holds the calls of a day at its end and at each half hour.
type dayOf struct {
	at map[time.Duration]map[string]model.ServiceCalls // by time of day and service; "" means the floor
}

// liveDay simulates a day of a center.
func liveDay(center, day int64) dayOf {
	dice := rand.New(rand.NewPCG(uint64(center), uint64(day)))
	start := time.Date(2026, time.January, 14, 7, 0, 0, 0, time.UTC)
	w := world.New(world.Options{Seed: center, Start: start, Rate: math.Exp(busier * dice.NormFloat64())})
	w.Reseed(day)
	out := dayOf{make(map[time.Duration]map[string]model.ServiceCalls)}
	for at := 7 * time.Hour; at <= closesAt*time.Hour; at += 30 * time.Minute {
		calls := make(map[string]model.ServiceCalls)
		received, inTime, answered, gone := int64(0), int64(0), int64(0), int64(0)
		for _, r := range w.State().Services {
			if r.Channel != world.Call {
				continue
			}
			c := serviceOf(r).ChannelStats
			calls[r.Code] = c
			received += c.ReceivedCalls.Or(0)
			inTime += c.AnsweredCallsUnderSpeedLimit.Or(0)
			answered += c.AnsweredCalls.Or(0)
			gone += c.HangupCalls.Or(0)
		}
		calls[""] = model.ServiceCalls{
			ReceivedCalls: model.IntOf(received), AnsweredCallsUnderSpeedLimit: model.IntOf(inTime),
			AnsweredCalls: model.IntOf(answered), HangupCalls: model.IntOf(gone),
		}
		out.at[at] = calls
		w.Step(30 * time.Minute)
	}
	return out
}

// usualOf returns the typical values by hour of the previous days.
func usualOf(days []dayOf) contact.Baseline {
	u := contact.Baseline{Weekday: time.Wednesday}
	for hour := 7; hour < closesAt; hour++ {
		var n []float64
		for _, d := range days {
			from, to := d.at[time.Duration(hour)*time.Hour][""], d.at[time.Duration(hour+1)*time.Hour][""]
			n = append(n, float64(to.ReceivedCalls.Or(0)-from.ReceivedCalls.Or(0)))
		}
		slices.Sort(n)
		at := func(q float64) float64 {
			x := q * float64(len(n)-1)
			i := int(x)
			return n[i] + (x-float64(i))*(n[min(i+1, len(n)-1)]-n[i])
		}
		u.Hours[hour] = contact.Band{Median: at(0.5), Low: at(0.25), High: at(0.75), Days: len(n)}
	}
	return u
}

// misses holds the errors of forecasts, and how many results were within the band.
type misses struct {
	n, within               int
	forecast, before, plain float64
}

func (e *misses) add(truth float64, b forecast.Band, before, plain float64) {
	e.n++
	if truth >= b.Low && truth <= b.High {
		e.within++
	}
	e.forecast += math.Abs(b.Likely - truth)
	e.before += math.Abs(before - truth)
	e.plain += math.Abs(plain - truth)
}

func (e *misses) String() string {
	n := float64(max(e.n, 1)) / 100
	return fmt.Sprintf("%4d forecasts, off by %4.1f %% (yesterday's value %4.1f %%, run rate %4.1f %%), within the band %3.0f %%",
		e.n, e.forecast/n, e.before/n, e.plain/n, 100*float64(e.within)/float64(max(e.n, 1)))
}

// TestForecastOfDays forecasts days at four times of day and compares the forecast
// with the result. FORECAST_DAYS is the number of days of each of two centers,
// FORECAST_SEED the first center; by default it forecasts two days of one center.
func TestForecastOfDays(t *testing.T) {
	t.Parallel()
	if testkit.Race {
		t.Skip("it only computes")
	}
	n, centers, first := setting(t, "FORECAST_DAYS", 0), 2, setting(t, "FORECAST_SEED", 1)
	if n == 0 {
		n, centers = 2, 1
	}
	lived := make([][]dayOf, centers)
	t.Run("days", func(t *testing.T) {
		for center := range lived {
			lived[center] = make([]dayOf, daysBefore+n)
			for day := range lived[center] {
				t.Run(fmt.Sprint(center+first, " ", day+1), func(t *testing.T) {
					t.Parallel()
					lived[center][day] = liveDay(int64(center+first), int64(day+1))
				})
			}
		}
	})
	goal := alert.DefaultGoal()
	within, all := 0, 0
	for _, hour := range []int{10, 12, 14, 16} {
		var floor, services, floorLevel, levels misses
		for _, days := range lived {
			for i := daysBefore; i < len(days); i++ {
				curve := forecast.CurveOf(usualOf(days[i-daysBefore:i]), time.UTC)
				for service, end := range days[i].at[closesAt*time.Hour] {
					contacts, level := &services, &levels
					if service == "" {
						contacts, level = &floor, &floorLevel
					}
					compareDay(days[i], days[i-1], service, hour, curve, goal, end, contacts, level)
				}
			}
		}
		t.Logf("%d:00 contacts of the floor    %s", hour, &floor)
		t.Logf("%d:00 contacts of a service    %s", hour, &services)
		t.Logf("%d:00 service level, floor     %s", hour, &floorLevel)
		t.Logf("%d:00 service level, a service %s", hour, &levels)
		within += floor.within + services.within
		all += floor.n + services.n
		if n := floorLevel.n + levels.n; n == 0 || 10*(floorLevel.within+levels.within) < 7*n {
			t.Errorf("at %d:00 only %d of %d service levels are within the band", hour, floorLevel.within+levels.within, n)
		}
	}
	if all == 0 || 10*within < 6*all {
		t.Errorf("%d of %d within the band", within, all)
	}
}

// compareDay forecasts a day of a service at one time of day.
func compareDay(day, before dayOf, service string, hour int, curve forecast.Curve, goal alert.Goal, end model.ServiceCalls, contacts, level *misses) {
	at := time.Duration(hour) * time.Hour
	midnight := time.Date(2026, time.January, 14, 0, 0, 0, 0, time.UTC)
	c, ago := day.at[at][service], day.at[at-30*time.Minute][service]
	inTime, all, _ := c.Counts(goal.Formula)
	inTimeAgo, allAgo, _ := ago.Counts(goal.Formula)
	f := forecast.Compute(forecast.Input{
		Now: midnight.Add(at), Close: midnight.Add(closesAt * time.Hour), Curve: curve,
		Contacts: c.ReceivedCalls.Figure(), InTime: model.FigureOf(float64(inTime)), Counted: model.FigureOf(float64(all)), Target: goal.ServiceLevel,
		Recent: forecast.Recent{Missed: float64((all - inTime) - (allAgo - inTimeAgo)), Counted: float64(all - allAgo), Over: 30 * time.Minute},
	})
	yesterday := before.at[closesAt*time.Hour][service]
	share := func(c *model.ServiceCalls) (float64, bool) {
		k, n, ok := c.Counts(goal.Formula)
		return float64(k) / float64(max(n, 1)), ok && n > 0
	}
	if truth := float64(end.ReceivedCalls.Or(0)); f.ContactsKnown && truth > 0 {
		b := forecast.Band{Likely: f.Contacts.Likely / truth, Low: f.Contacts.Low / truth, High: f.Contacts.High / truth}
		rate := float64(c.ReceivedCalls.Or(0)) * float64(closesAt-opensAt) / float64(hour-opensAt)
		contacts.add(1, b, float64(yesterday.ReceivedCalls.Or(0))/truth, rate/truth)
	}
	truth, ok := share(&end)
	last, okLast := share(&yesterday)
	if f.LevelKnown && ok && okLast {
		level.add(truth, f.Level, last, float64(inTime)/float64(max(all, 1)))
	}
}
