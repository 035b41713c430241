package handover

import (
	"wallboard/internal/alert/forecast"
	"wallboard/internal/words"
	"wallboard/model/contact"
)

// writeOutlook writes the end-of-day forecast of each channel for which typical days are known.
func (w *writer) writeOutlook() {
	if len(w.Baseline) > 0 {
		w.writeLine("")
	}
	told := false
	for _, day := range w.Baseline {
		for i := range w.Channels {
			if kind, ok := contactKinds[w.Channels[i].Channel]; ok && kind == day.Day.Kind {
				told = w.writeChannelOutlook(&w.Channels[i], day) || told
			}
		}
	}
	if told {
		w.tellLine("- ", words.HandoverRanges())
	}
}

// writeChannelOutlook writes the forecast of a channel. It reports whether the forecast
// contains a number of contacts.
func (w *writer) writeChannelOutlook(c *ChannelFloor, day contact.Comparison) bool {
	f, ok := w.Forecasts[c.Channel]
	if !ok {
		zone := day.Day.Date.Location()
		f = forecast.Compute(forecast.InputOf(w.At.In(zone), forecast.CurveOf(day.Baseline, zone), w.Goal, &c.Floor.Calls))
	}
	lines := f.Lines()
	if f.ContactsKnown {
		lines = lines[:len(lines)-1] // omit the last line, the basis of the forecast, because a common line refers to it
	}
	w.writeLine("- %s: %s", w.escape(words.ChannelInSentence(c.Channel)), w.escape(words.Sentences(lines...)))
	return f.ContactsKnown
}
