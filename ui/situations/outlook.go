package situations

import (
	"time"

	"wallboard/internal/alert"
	"wallboard/internal/alert/breaks"
	"wallboard/internal/alert/forecast"
	"wallboard/internal/hub"
	"wallboard/model"
	"wallboard/model/contact"
	"wallboard/ui/snapshot"
)

// Outlook computes forecasts and the ends of breaks. It belongs to one goroutine.
type Outlook struct {
	shared       Observations // nil: it observes the floor itself
	own          localObservations
	lastObserved int64 // the second of the last call of Observe
	cache        map[model.ServiceKey]cachedForecast
	rest         cachedRest
}

// Observations holds observations of a floor that all viewers share.
type Observations interface {
	WithBreaks(f func(*breaks.Tracker))
	Forecast(in forecast.Input, k model.ServiceKey, services []string, current bool) forecast.Forecast
	Accuracy() *forecast.Accuracy
	RestOfDay(in *forecast.Input, ch model.Channel, services []string) forecast.RestOfDay
}

// localObservations holds the observations of a board with a floor of its own, such as a recording.
type localObservations struct {
	forecasts forecast.Tracker
	breaks    breaks.Tracker
}

// WithBreaks implements [Observations].
func (w *localObservations) WithBreaks(f func(*breaks.Tracker)) { f(&w.breaks) }

// Forecast implements [Observations] without earlier days.
func (w *localObservations) Forecast(in forecast.Input, k model.ServiceKey, services []string, _ bool) forecast.Forecast {
	return w.forecasts.Forecast(in, k, services, false)
}

// Accuracy implements [Observations]: nothing was recorded.
func (w *localObservations) Accuracy() *forecast.Accuracy { return nil }

// RestOfDay implements [Observations]: earlier days are unknown.
func (w *localObservations) RestOfDay(*forecast.Input, model.Channel, []string) forecast.RestOfDay {
	return forecast.RestOfDay{Missing: "It needs the live board, which records earlier days."}
}

// observations returns the observations of the floor.
func (o *Outlook) observations() Observations {
	if o.shared != nil {
		return o.shared
	}
	return &o.own
}

// cachedForecast is a forecast with its time and the day of its baseline.
type cachedForecast struct {
	forecast.Forecast

	computedAt, baselineDay time.Time
}

// forecastLifetime is how long a forecast is reused, because it costs more to compute than a
// page.
const forecastLifetime = 5 * time.Second

// Use uses the shared observations of an engine if it has any, otherwise own ones with
// the given limits of breaks.
func (o *Outlook) Use(engine any, limits breaks.Limits) {
	o.shared = nil
	if e, ok := engine.(interface{ Observations() hub.Observations }); ok {
		o.shared = e.Observations()
	}
	o.own.breaks.SetLimits(limits)
}

// Restart drops the observations, because the floor belongs to another platform. The
// limits of breaks stay.
func (o *Outlook) Restart() {
	*o = Outlook{shared: o.shared, own: localObservations{breaks: o.own.breaks.WithoutObservations()}}
}

// Observe observes a snapshot at a time of the server's clock, at most once a second.
func (o *Outlook) Observe(s *model.Snapshot, now time.Time, goal func(service string) alert.Goal) {
	if s == nil || o.shared != nil || now.Unix() == o.lastObserved {
		return
	}
	o.lastObserved = now.Unix()
	o.own.forecasts.Observe(s, now, goal)
	o.own.breaks.Update(s, now)
}

// Break returns an agent's current break and its likely end; ok is false if the agent
// is not on a break.
func (o *Outlook) Break(username string, now time.Time) (away breaks.Away, ok bool) {
	o.observations().WithBreaks(func(t *breaks.Tracker) { away, ok = t.Of(username, now) })
	return away, ok
}

// WithBreaks calls f with the breaks of the agents.
func (o *Outlook) WithBreaks(f func(*breaks.Tracker)) { o.observations().WithBreaks(f) }

// Day returns the end-of-day forecast for the calls c of a service, or of the floor if
// service is "", based on the shown snapshot and the baseline. For a frozen snapshot it
// is the forecast of that time.
func (o *Outlook) Day(
	f *snapshot.View, day contact.Comparison, goal alert.Goal, service string, ch model.Channel, c *model.ServiceCalls,
) forecast.Forecast {
	now, key := f.Now().In(zoneOf(day)), model.ServiceKey{Code: service, Channel: ch}
	if cached, ok := o.cache[key]; ok && now.Sub(cached.computedAt).Abs() < forecastLifetime && cached.baselineDay.Equal(day.Day.At) {
		return cached.Forecast
	}
	input := forecast.InputOf(now, forecast.CurveOf(day.Baseline, now.Location()), goal, c)
	out := o.observations().Forecast(input, key, codesOf(f.Shown, service, ch), f.Frozen.IsZero())
	if service != "" && out.ContactsKnown && !out.Learnt {
		out.Basis += "; the curve is that of the whole floor"
	}
	if o.cache == nil {
		o.cache = make(map[model.ServiceKey]cachedForecast)
	}
	o.cache[key] = cachedForecast{out, now, day.Day.At}
	return out
}

// codesOf returns a service, or all shown services of a channel.
func codesOf(s *model.Snapshot, service string, ch model.Channel) []string {
	if service != "" {
		return []string{service}
	}
	var out []string
	for r := range s.Services.All() {
		if r.Channel == ch {
			out = append(out, r.Key().Code)
		}
	}
	return out
}

// zoneOf returns the time zone of the contact center's days.
func zoneOf(day contact.Comparison) *time.Location {
	if day.Day.Date.IsZero() {
		return time.Local
	}
	return day.Day.Date.Location()
}
