package situations

import (
	"time"

	"wallboard/internal/alert"
	"wallboard/internal/alert/breaks"
	"wallboard/internal/alert/diagnosis"
	"wallboard/internal/alert/forecast"
	"wallboard/internal/hub"
	"wallboard/model"
	"wallboard/model/contact"
	"wallboard/ui/snapshot"
)

// Outlook computes the end-of-day forecasts of a board and the likely ends of breaks. An Outlook
// belongs to one goroutine.
type Outlook struct {
	sharedObservations Observations // observations of the alert engine; nil: ownObservations is used
	ownObservations    localObservations
	lastObserved       int64 // time of the last call of Observe, as a Unix time
	forecasts          map[model.ServiceKey]cachedForecast
	restOfDay          cachedRestOfDay
}

// Observations gives access to observations of a floor, which all viewers of the floor share.
type Observations interface {
	WithBreaks(f func(*breaks.Tracker))
	Forecast(in forecast.Input, k model.ServiceKey, services []string, current bool) forecast.Forecast
	Accuracy() *forecast.Accuracy
	RestOfDay(in *forecast.Input, ch model.Channel, services []string) forecast.RestOfDay
	ReleasePlan(now time.Time, ch model.Channel) *diagnosis.ReleasePlan
	LongestWorking(ch model.Channel, n int) (agents []diagnosis.Advice, unknown int)
	IsPart() bool
}

// localObservations holds the observations of a board that does not share observations with other
// boards, as during a replay.
type localObservations struct {
	forecasts forecast.Tracker
	breaks    breaks.Tracker
}

// WithBreaks implements [Observations].
func (w *localObservations) WithBreaks(f func(*breaks.Tracker)) { f(&w.breaks) }

// Forecast implements [Observations]. It does not use earlier days.
func (w *localObservations) Forecast(in forecast.Input, k model.ServiceKey, services []string, _ bool) forecast.Forecast {
	return w.forecasts.Forecast(in, k, services, false)
}

// Accuracy implements [Observations]. It returns nil, because no earlier forecasts are known.
func (w *localObservations) Accuracy() *forecast.Accuracy { return nil }

// RestOfDay implements [Observations]. The result contains only the reason why there is no
// forecast, because earlier days are unknown.
func (w *localObservations) RestOfDay(*forecast.Input, model.Channel, []string) forecast.RestOfDay {
	return forecast.RestOfDay{MissingReason: "It needs the live board, which records earlier days."}
}

// ReleasePlan implements [Observations]. The result contains only the reason why there is no plan.
func (w *localObservations) ReleasePlan(time.Time, model.Channel) *diagnosis.ReleasePlan {
	return &diagnosis.ReleasePlan{MissingReason: "It needs the live board."}
}

// LongestWorking implements [Observations].
func (w *localObservations) LongestWorking(model.Channel, int) (agents []diagnosis.Advice, unknown int) {
	return nil, 0
}

// IsPart implements [Observations].
func (w *localObservations) IsPart() bool { return false }

// Shared returns the observations from which the outlook computes its forecasts.
func (o *Outlook) Shared() Observations { return o.observations() }

// observations returns the shared observations. If there are none, it returns the outlook's own
// observations.
func (o *Outlook) observations() Observations {
	if o.sharedObservations != nil {
		return o.sharedObservations
	}
	return &o.ownObservations
}

// cachedForecast is a forecast with the time at which it was computed, and the day of its baseline.
type cachedForecast struct {
	forecast.Forecast

	computedAt, baselineDay time.Time
}

// forecastLifetime is how long a forecast is reused, because computing a forecast takes longer than
// drawing a page.
const forecastLifetime = 5 * time.Second

// UseObservations makes the outlook use the shared observations of an engine. If the engine has
// none, the outlook makes observations of its own. limits are the limits of breaks.
func (o *Outlook) UseObservations(engine any, limits breaks.Limits) {
	o.sharedObservations = nil
	if e, ok := engine.(interface{ Observations() hub.Observations }); ok {
		o.sharedObservations = e.Observations()
	}
	o.ownObservations.breaks.SetLimits(limits)
}

// Restart drops the forecasts and the outlook's own observations. It is called when the board shows
// another platform. The limits of breaks stay the same.
func (o *Outlook) Restart() {
	*o = Outlook{sharedObservations: o.sharedObservations, ownObservations: localObservations{breaks: o.ownObservations.breaks.WithoutObservations()}}
}

// Observe records a snapshot at the time now, on the server's clock, at most once a second. goal
// returns the targets of a service. Observe does nothing while the outlook uses shared
// observations.
func (o *Outlook) Observe(s *model.Snapshot, now time.Time, goal func(service string) alert.Goal) {
	if s == nil || o.sharedObservations != nil || now.Unix() == o.lastObserved {
		return
	}
	o.lastObserved = now.Unix()
	o.ownObservations.forecasts.Observe(s, now, goal)
	o.ownObservations.breaks.Update(s, now)
}

// Break returns the current break of an agent and its likely end. ok is false if the agent is not
// on a break.
func (o *Outlook) Break(username string, now time.Time) (away breaks.Away, ok bool) {
	o.observations().WithBreaks(func(t *breaks.Tracker) { away, ok = t.BreakOf(username, now) })
	return away, ok
}

// WithBreaks calls f with the breaks of the agents.
func (o *Outlook) WithBreaks(f func(*breaks.Tracker)) { o.observations().WithBreaks(f) }

// DayForecast returns the end-of-day forecast for c, the calls of a service so far. If service is
// "", c are the calls of the floor. The forecast is computed from the shown snapshot and the
// baseline. For a frozen snapshot, it is the forecast at the time of the snapshot.
func (o *Outlook) DayForecast(
	f *snapshot.View, day contact.Comparison, goal alert.Goal, service string, ch model.Channel, c *model.ServiceCalls,
) forecast.Forecast {
	now, key := f.Now().In(zoneOf(day)), model.ServiceKey{Code: service, Channel: ch}
	if cached, ok := o.forecasts[key]; ok && now.Sub(cached.computedAt).Abs() < forecastLifetime && cached.baselineDay.Equal(day.Day.At) {
		return cached.Forecast
	}
	input := forecast.InputOf(now, forecast.CurveOf(day.Baseline, now.Location()), goal, c)
	out := o.observations().Forecast(input, key, serviceCodes(f.Shown, service, ch), f.FrozenAt.IsZero())
	if service != "" && out.ContactsKnown && !out.UsesEarlierDays {
		out.Basis += "; the curve is that of the whole floor"
	}
	if o.forecasts == nil {
		o.forecasts = make(map[model.ServiceKey]cachedForecast)
	}
	o.forecasts[key] = cachedForecast{out, now, day.Day.At}
	return out
}

// serviceCodes returns the code of a service. If service is "", it returns the codes of all
// services of a channel.
func serviceCodes(s *model.Snapshot, service string, ch model.Channel) []string {
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

// zoneOf returns the time zone in which the days of the contact center begin. If this zone is
// unknown, it returns the local time zone.
func zoneOf(day contact.Comparison) *time.Location {
	if day.Day.Date.IsZero() {
		return time.Local
	}
	return day.Day.Date.Location()
}
