package handover

import (
	"wallboard/internal/alert/forecast"
	"wallboard/internal/words"
	"wallboard/model/contact"
)

// outlook makes the end-of-day forecasts of a report.
type outlook struct{ report *writer }

// lines describes the end-of-day forecast for the kind of contact of a comparison. It returns nil if the
// report has no channel with such contacts. isKnown reports whether the forecast contains a number of contacts.
func (o outlook) lines(day *contact.Comparison) (lines []words.Text, isKnown bool) {
	f, ok := o.forecast(day)
	if !ok {
		return nil, false
	}
	if lines = f.Lines(); f.ContactsKnown {
		lines = lines[:len(lines)-1] // omit the last line, the basis of the forecast, because a common line refers to it
	}
	return lines, f.ContactsKnown
}

// forecast returns the end-of-day forecast for the kind of contact of a comparison. ok is false if the
// report has no channel with such contacts.
func (o outlook) forecast(day *contact.Comparison) (f forecast.Forecast, ok bool) {
	w := o.report
	for i := range w.Channels {
		c := &w.Channels[i]
		if kind, ok := contactKinds[c.Channel]; !ok || kind != day.Day.Kind {
			continue
		}
		if f, ok = w.Forecasts[c.Channel]; ok {
			return f, true
		}
		zone := day.Day.Date.Location()
		in := forecast.InputOf(w.At.In(zone), forecast.CurveOf(day.Baseline, zone), w.Goal, &c.Floor.Calls)
		in.IsHoliday = day.IsHoliday
		return forecast.Compute(in), true
	}
	return f, false
}
