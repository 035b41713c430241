package handover

import (
	"strings"

	"wallboard/internal/alert/forecast"
	"wallboard/model"
	"wallboard/model/contact"
)

// outlook writes the end-of-day forecast of each channel with a baseline.
func (w *writer) outlook() {
	if len(w.Baseline) > 0 {
		w.line("")
	}
	told := false
	for _, day := range w.Baseline {
		ch, ok := map[contact.Kind]model.Channel{contact.Inbound: model.Call, contact.Video: model.Video, contact.Chat: model.Chat}[day.Day.Kind]
		for i := range w.Channels {
			if c := &w.Channels[i]; ok && c.Channel == ch {
				told = w.channelOutlook(c, day) || told
			}
		}
	}
	if told {
		w.line("- Four of five days end within these ranges; `w` on a service says what they are made from.")
	}
}

// channelOutlook writes the forecast of a channel. It reports whether one is available.
func (w *writer) channelOutlook(c *Channel, day contact.Comparison) bool {
	calls := &c.Floor.Calls
	in := forecast.Input{
		Now: w.At.In(day.Day.Date.Location()), Curve: forecast.CurveOf(day.Baseline, day.Day.Date.Location()),
		Contacts: calls.ReceivedCalls.Figure(), Target: w.Goal.ServiceLevel,
	}
	in.Close, _ = w.Goal.ClosingTime(in.Now)
	if inTime, all, ok := calls.Counts(w.Goal.Formula); ok {
		in.InTime, in.Counted = model.FigureOf(float64(inTime)), model.FigureOf(float64(all))
	}
	f, ok := w.Forecasts[c.Channel]
	if !ok {
		f = forecast.Compute(in)
	}
	lines := f.Lines()
	if f.ContactsKnown {
		lines = lines[:len(lines)-1] // what it is based on: a line below all channels says where to find that
	}
	w.line("- %s: %s", channelName(c.Channel), escapeText(strings.Join(lines, " ")))
	return f.ContactsKnown
}
