package forecast

import (
	"time"

	"wallboard/model"
)

// ShownForecast is a forecast of the service level that was shown in a half hour of a day.
type ShownForecast struct {
	Low, High float64 // range of the service level at closing time, 0 to 1
	Target    float64 // 0: none
	Verdict   Verdict
	Closing   time.Duration // time of day at which the forecast ends
}

// maxShownServices limits the number of services of a day whose forecasts are stored.
const maxShownServices = 50

// recordShown stores a forecast shown at now, unless its range is too wide or the half hour already has
// a forecast. If the code of k is "", the forecast is for all services of the channel.
func (l *IntradayLog) recordShown(k model.ServiceKey, f *Forecast, now time.Time) {
	if !f.IsLevelRangeNarrow() {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	now = l.local(now)
	shown := ShownForecast{Low: f.Level.Low, High: f.Level.High, Target: f.Target.Or(0), Verdict: f.Verdict, Closing: sinceMidnight(l.local(f.ClosingTime))}
	if shown.Closing == 0 {
		shown.Closing = 24 * time.Hour
	}
	if l.dayOf(now.Format(time.DateOnly)).addShown(k, int(sinceMidnight(now)/(30*time.Minute)), shown) {
		l.changed = true
	}
}

// addShown stores a forecast that was shown in a half hour. If the half hour already has a
// forecast, or if too many services have forecasts, it returns false.
func (d *IntradayDay) addShown(k model.ServiceKey, slot int, shown ShownForecast) bool {
	of := d.ShownForecasts[k]
	if _, has := of[slot]; has || of == nil && len(d.ShownForecasts) >= maxShownServices {
		return false
	}
	if of == nil {
		if d.ShownForecasts == nil {
			d.ShownForecasts = make(map[model.ServiceKey]map[int]ShownForecast)
		}
		of = make(map[int]ShownForecast)
		d.ShownForecasts[k] = of
	}
	of[slot] = shown
	return true
}

// mergeShown adds the forecasts that d lacks from more. It reports whether it added any.
func (d *IntradayDay) mergeShown(more map[model.ServiceKey]map[int]ShownForecast) (added bool) {
	for k, of := range more {
		for slot, shown := range of {
			added = d.addShown(k, slot, shown) || added
		}
	}
	return added
}

// levelAt returns the service level of the service k at a time of day. If the code of k is "", it
// is that of all services of the channel. If the service level is unknown, ok is false.
func (d *IntradayDay) levelAt(k model.ServiceKey, timeOfDay time.Duration) (level float64, ok bool) {
	var sum callCounts
	for s, c := range d.Services {
		if s.Channel != k.Channel || k.Code != "" && s.Code != k.Code {
			continue
		}
		if n, known := c.callsAt(timeOfDay); known {
			sum = sum.plus(n, 1)
		}
	}
	return 1 - sum.missed/max(sum.counted, 1), sum.counted > 0
}
