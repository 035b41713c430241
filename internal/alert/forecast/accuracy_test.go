package forecast

import (
	"strings"
	"testing"
	"time"

	"wallboard/model"
)

// TestShownForecastsAreJudged shows forecasts during a day, stores and reads them, and compares them with how the day
// ended. A later change of the forecasts does not change what was shown.
func TestShownForecastsAreJudged(t *testing.T) {
	t.Parallel()
	key, floor := model.ServiceKey{Code: "S", Channel: model.Call}, model.ServiceKey{Channel: model.Call}
	noon := time.Date(2026, 1, 13, 12, 0, 0, 0, time.UTC)
	forecastOf := func(low, high float64, v Verdict) *Forecast {
		return &Forecast{ClosingTime: time.Date(2026, 1, 13, 20, 0, 0, 0, time.UTC), LevelKnown: true, Level: Band{low, low, high}, Target: model.FloatOf(0.8), Verdict: v}
	}
	var log IntradayLog
	log.Restart(time.UTC)
	log.recordShown(key, forecastOf(0.88, 0.92, VerdictProbable), noon)                                               // right
	log.recordShown(key, forecastOf(0.1, 0.15, VerdictProbablyNot), noon.Add(20*time.Minute))                         // not counted: it is the second of this half hour
	log.recordShown(key, forecastOf(0.70, 0.75, VerdictProbablyNot), noon.Add(30*time.Minute))                        // wrong
	log.recordShown(key, forecastOf(0.50, 0.95, VerdictProbable), noon.Add(time.Hour))                                // not counted: its range is too wide to be shown
	log.recordShown(floor, forecastOf(0.85, 0.95, VerdictTooClose), noon.Add(2*time.Hour))                            // right, without a verdict
	log.recordShown(model.ServiceKey{Code: "gone", Channel: model.Call}, forecastOf(0.9, 0.95, VerdictCertain), noon) // its end is unknown
	if !log.ConsumeChange() {
		t.Error("the forecasts would not be stored")
	}
	c := new(IntradayCalls)
	for slot := range c.Calls {
		n := uint32(400 * slot)
		c.Calls[slot], c.Known[slot] = Calls{Received: n, Counted: n, Missed: n / 10}, true
	}
	log.Merge([]IntradayDay{{Date: "2026-01-13", Services: map[model.ServiceKey]*IntradayCalls{key: c}}})
	text, err := EncodeIntradayDays(log.Days())
	if err != nil {
		t.Fatal(err)
	}
	days, err := DecodeIntradayDays(text)
	if err != nil {
		t.Fatal(err)
	}
	var read IntradayLog
	read.Restart(time.UTC)
	read.Merge(days)
	if a := read.CheckAccuracy(noon.Add(time.Hour)); a != (Accuracy{}) || !strings.Contains(a.Text().In(nil), "not known yet") {
		t.Errorf("today is judged: %v", a)
	}
	want := Accuracy{Days: 1, Forecasts: 3, ForecastsInRange: 2, Verdicts: 2, CorrectVerdicts: 1}
	if a := read.CheckAccuracy(noon.Add(24 * time.Hour)); a != want {
		t.Errorf("%+v, want %+v", a, want)
	}
	if a := read.CheckAccuracy(noon.Add(30 * 24 * time.Hour)); a.Forecasts != 0 {
		t.Errorf("an old day is judged: %v", a)
	}
}
