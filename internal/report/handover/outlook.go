package handover

import (
	"wallboard/internal/alert/forecast"
	"wallboard/internal/words"
	"wallboard/model/contact"
)

// outlook returns the end-of-day forecast for the kind of contact of a comparison, or nil if the
// report has no channel with such contacts. isKnown reports whether it contains a number of contacts.
func (w *writer) outlook(day contact.Comparison) (lines []words.Text, isKnown bool) {
	for i := range w.Channels {
		c := &w.Channels[i]
		if kind, ok := contactKinds[c.Channel]; !ok || kind != day.Day.Kind {
			continue
		}
		f, ok := w.Forecasts[c.Channel]
		if !ok {
			zone := day.Day.Date.Location()
			in := forecast.InputOf(w.At.In(zone), forecast.CurveOf(day.Baseline, zone), w.Goal, &c.Floor.Calls)
			in.IsHoliday = day.IsHoliday
			f = forecast.Compute(in)
		}
		if lines = f.Lines(); f.ContactsKnown {
			lines = lines[:len(lines)-1] // omit the last line, the basis of the forecast, because a common line refers to it
		}
		return lines, f.ContactsKnown
	}
	return nil, false
}
