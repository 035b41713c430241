package alert

import (
	"time"

	"wallboard/model"
)

// Forecast is the forecast of the end of the day for a service or the floor.
type Forecast struct {
	ServiceLevel model.Figure  // at closing time, 0 to 1
	TimeToMiss   time.Duration // time until the service level falls below the target
	WillMiss     bool          // the target is expected to be missed after TimeToMiss
}

// Forecasts holds the forecasts that the expressions of an engine use. The owner of the engine
// computes the forecasts and passes them to [Forecasts.Set]. Without a forecast, figures that
// depend on it are unknown.
type Forecasts struct {
	isNeeded bool
	byKey    map[Key]Forecast
	changed  bool // byKey was replaced since the last evaluation
}

// IsNeeded reports whether a rule or a KPI uses forecasts.
func (f *Forecasts) IsNeeded() bool { return f.isNeeded }

// Set replaces all forecasts.
func (f *Forecasts) Set(byKey map[Key]Forecast) { f.byKey, f.changed = byKey, true }

// consumeChange reports whether Set was called since the last call of consumeChange.
func (f *Forecasts) consumeChange() bool {
	changed := f.changed
	f.changed = false
	return changed
}

// forecastFields returns the fields of the forecast of a service or of the floor.
func forecastFields() []field {
	of := func(f *evalEnv) (Forecast, bool) {
		v, ok := f.forecasts.byKey[f.row.key]
		return v, ok
	}
	return []field{
		{name: "forecastServiceLevel", format: Percent, isForecast: true, number: func(f *evalEnv) model.Figure {
			v, _ := of(f)
			return v.ServiceLevel
		}},
		{name: "missedAt", format: Duration, isForecast: true, number: func(f *evalEnv) model.Figure {
			switch v, ok := of(f); {
			case !ok:
				return model.Figure{}
			case !v.WillMiss:
				return model.NotApplicable()
			default:
				return model.FigureOf(v.TimeToMiss.Seconds())
			}
		}},
	}
}
