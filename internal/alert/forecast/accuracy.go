package forecast

import (
	"time"

	"wallboard/internal/words"
)

// Accuracy counts how many of the forecasts that boards showed were right.
type Accuracy struct {
	Days                      int // days on which forecasts could be judged
	Forecasts                 int // forecasts shown, at most one for each service and half hour
	ForecastsInRange          int // number of Forecasts whose range contained the service level at the end of the day
	Verdicts, CorrectVerdicts int // number of verdicts other than "too close to call", and how many of them were right
}

// Text describes the accuracy in one sentence.
func (a Accuracy) Text() words.Text {
	if a.Forecasts == 0 {
		return words.ForecastAccuracyUnknown()
	}
	result := words.ForecastWithin(a.ForecastsInRange, a.Forecasts, a.Days)
	if a.Verdicts > 0 {
		return words.ForecastAccuracyVerdicts(result, a.CorrectVerdicts, a.Verdicts)
	}
	return words.ForecastAccuracy(result)
}

// judgedDays is the number of days whose forecasts are judged.
const judgedDays = 14

// CheckAccuracy compares the forecasts shown on earlier days with the service levels at the end of
// these days.
func (l *IntradayLog) CheckAccuracy(now time.Time) (a Accuracy) {
	today := l.Local(now)
	for _, d := range l.Days() {
		date, err := time.ParseInLocation(time.DateOnly, d.Date, today.Location())
		if err != nil || d.Date >= today.Format(time.DateOnly) || today.Sub(date) > (judgedDays+1)*24*time.Hour {
			continue
		}
		before := a.Forecasts
		for k, of := range d.ShownForecasts {
			for _, shown := range of {
				if level, ok := d.levelAt(k, shown.Closing); ok {
					a.judgeForecast(shown, level)
				}
			}
		}
		if a.Forecasts > before {
			a.Days++
		}
	}
	return a
}

// judgeForecast compares a forecast with level, the service level at the end of its day.
func (a *Accuracy) judgeForecast(shown ShownForecast, level float64) {
	a.Forecasts++
	if level >= shown.Low && level <= shown.High {
		a.ForecastsInRange++
	}
	if shown.Target == 0 || shown.Verdict == VerdictTooClose || shown.Verdict == VerdictNone {
		return
	}
	a.Verdicts++
	if (level >= shown.Target) == (shown.Verdict >= VerdictProbable) {
		a.CorrectVerdicts++
	}
}
