package widgets

import (
	"time"

	"wallboard/internal/alert"
	"wallboard/internal/alert/backtest"
	"wallboard/internal/alert/breaks"
	"wallboard/internal/alert/diagnosis"
	"wallboard/internal/alert/forecast"
	"wallboard/internal/words"
	"wallboard/model"
	"wallboard/model/contact"
	"wallboard/ui/floorview"
)

// Forecaster computes the end-of-day forecasts of a board and the likely ends of breaks. A Forecaster
// belongs to one goroutine.
type Forecaster struct {
	observations Observations
	forecasts    map[model.ServiceKey]cachedForecast
	restOfDay    cachedRestOfDay
}

// Observations gives access to the observations of a floor, which all viewers of the floor share.
type Observations interface {
	ReadBreaks(f func(*breaks.Tracker))
	Forecast(in forecast.Input, k model.ServiceKey, services []string, current bool) forecast.Forecast
	Accuracy() *forecast.Accuracy
	QueueEstimates() backtest.EstimateStats
	RestOfDay(in *forecast.Input, ch model.Channel, services []string) forecast.RestOfDay
	ReleasePlan(now time.Time, ch model.Channel) *diagnosis.ReleasePlan
	LongestWorking(ch model.Channel, n int) (agents []diagnosis.Advice, unknown int)
	IsPartialFloor() bool
}

// Observations returns the observations that the forecasts are based on.
func (o *Forecaster) Observations() Observations { return o.observations }

// cachedForecast is a forecast with the time at which it was computed, and the day of its baseline.
type cachedForecast struct {
	forecast.Forecast

	computedAt, baselineDay time.Time
}

// forecastLifetime is how long a forecast is reused. Computing a forecast takes longer than drawing
// a page.
const forecastLifetime = 5 * time.Second

// UseObservations sets the observations of the floor, which all its viewers share.
func (o *Forecaster) UseObservations(shared Observations) { o.observations = shared }

// DropForecasts drops all forecasts. The board calls it when it switches to another platform.
func (o *Forecaster) DropForecasts() { *o = Forecaster{observations: o.observations} }

// CurrentBreak returns the current break of an agent and its likely end. ok is false if the agent is not
// on a break.
func (o *Forecaster) CurrentBreak(username string, now time.Time) (away breaks.AgentOnBreak, ok bool) {
	o.observations.ReadBreaks(func(t *breaks.Tracker) { away, ok = t.BreakOf(username, now) })
	return away, ok
}

// DayForecast returns the end-of-day forecast for the calls c of a service, or of the floor if
// service is "", based on the shown snapshot and the baseline. For a frozen snapshot, it returns
// the forecast at the time of the snapshot.
func (o *Forecaster) DayForecast(
	f *floorview.View, day contact.Comparison, goal alert.Goal, service string, ch model.Channel, c *model.ServiceCalls,
) forecast.Forecast {
	now, key := f.Now().In(zoneOf(day)), model.ServiceKey{Code: service, Channel: ch}
	if cached, ok := o.forecasts[key]; ok && now.Sub(cached.computedAt).Abs() < forecastLifetime && cached.baselineDay.Equal(day.Day.At) {
		return cached.Forecast
	}
	input := forecast.InputOf(now, forecast.CurveOf(day.Baseline, now.Location()), goal, c)
	if f.Shown != nil {
		input.Unstaffed = f.Shown.Services.Get(key).IsUnstaffed()
	}
	out := o.observations.Forecast(input, key, serviceCodes(f.Shown, service, ch), f.FrozenAt.IsZero())
	if service != "" && out.ContactsKnown && !out.UsesEarlierDays {
		out.Basis = words.ForecastFloorPattern(out.Basis)
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

// zoneOf returns the time zone in which the days of the contact center begin. If it is unknown,
// zoneOf returns the local time zone.
func zoneOf(day contact.Comparison) *time.Location {
	if day.Day.Date.IsZero() {
		return time.Local
	}
	return day.Day.Date.Location()
}
