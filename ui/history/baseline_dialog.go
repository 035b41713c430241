package history

import (
	"math"
	"slices"

	tea "charm.land/bubbletea/v2"

	"wallboard/internal/alert/forecast"
	"wallboard/internal/textformat"
	"wallboard/internal/words"
	"wallboard/model"
	"wallboard/model/contact"
	"wallboard/themes"
	"wallboard/ui/dialog"
	"wallboard/ui/style"
)

// baselineDialog shows the comparison of today with earlier days, and how it is computed.
type baselineDialog struct {
	*Baseline

	dialogs   *dialog.Stack
	restOfDay RestOfDay
	text      dialog.Scroller
}

// RestOfDay returns the end-of-day forecast in sentences, and the forecast for each remaining half
// hour, which is nil if there is none.
type RestOfDay func() (day []string, rest *forecast.RestOfDay)

// Open opens the dialog for the current channel. If the dialog would be empty, Open shows a message
// instead.
func (b *Baseline) Open(dialogs *dialog.Stack, rest RestOfDay) tea.Cmd {
	_, restOfDay := rest()
	switch _, ok := contact.KindOn(b.floor.Channel); {
	case b.reader == nil && (restOfDay == nil || !restOfDay.MissingReason.IsZero()):
		return dialogs.Say(dialogs.Look().Tell(b.missing))
	case !ok:
		return dialogs.Say(dialogs.Look().Tell(words.HistoryNoHistoryOfChannel()))
	}
	return tea.Batch(dialogs.Open(&baselineDialog{Baseline: b, dialogs: dialogs, restOfDay: rest}), b.Update(dialogs.Context()))
}

// Title implements [dialog.Dialog].
func (d *baselineDialog) Title() string {
	return d.dialogs.Look().Tell(words.HistoryCompared(words.ChannelName(d.floor.Channel)))
}

// Size implements [dialog.Dialog].
func (d *baselineDialog) Size(maxW, maxH int) (w, h int) {
	w = min(dialog.SheetWidth, maxW)
	return w, min(len(d.lines(w))+1, maxH)
}

// Update implements [dialog.Dialog].
func (d *baselineDialog) Update(msg tea.Msg) tea.Cmd {
	d.text.Update(msg)
	return nil
}

// View implements [dialog.Dialog].
func (d *baselineDialog) View(w, h int) []string {
	lk := d.dialogs.Look()
	out := d.text.ViewCounted(lk, d.lines(w), 0, 0, w, max(h-1, 0))
	return append(out, lk.HintLine(w, style.KeyHint{Key: "esc", Description: lk.Tell(words.DialogKeyClose())}))[:h]
}

func (d *baselineDialog) lines(w int) []string {
	p := &dialog.Prose{Look: d.dialogs.Look(), Width: w}
	kinds := d.Kinds(d.floor)
	day, rest := d.restOfDay()
	if len(kinds) == 0 && rest == nil { // the viewer has switched to another channel
		p.Text(themes.Dim, p.Look.Tell(words.HistoryNoHistoryOfChannel()))
	}
	if rest != nil {
		writeRest(p, day, rest)
	}
	for i, kind := range kinds {
		if i > 0 || rest != nil {
			p.Text(themes.Dim, "")
		}
		d.writeKind(p, kind)
	}
	if d.reader == nil {
		p.Text(themes.Dim, "")
		p.Text(themes.Dim, p.Look.Tell(d.missing))
	}
	if len(p.Lines) > 0 {
		p.Text(themes.Dim, "")
		p.Text(themes.Dim, p.Look.Tell(words.HistoryAllServicesNote()))
	}
	return p.Lines
}

// writeKind writes to p how today compares with the usual day for one kind of contact.
func (d *baselineDialog) writeKind(p *dialog.Prose, kind contact.Kind) {
	lk := p.Look
	title := namesOf(kind).title
	day, ok := d.todayOf(kind)
	if !ok {
		if err := d.days[kind].err; err != nil {
			p.Text(themes.Warn, lk.Tell(words.HistoryKindState(title, errorText(err))))
		} else {
			p.Text(themes.Dim, lk.Tell(words.HistoryKindState(title, words.HistoryAskingBrief())))
		}
		return
	}
	c := comparison{look: lk, Comparison: day.Comparison}
	_, change := c.changeText()
	p.Text(themes.Title, lk.Tell(words.HistoryKindToday(title, change, words.VolumeText(c.Volume()))))
	p.Heading(lk.Tell(words.DialogComputed()))
	until := words.ClockOf(c.Day.At, nil)
	p.Row(themes.Text, indent+lk.Tell(words.HistoryRowToday(until)), lk.Count(c.Day.Total()))
	u := c.SoFar
	if c.IsHoliday {
		p.Text(themes.Dim, lk.Tell(words.ForecastHoliday()))
		return
	}
	if u.Days == 0 {
		p.Text(themes.Dim, lk.Tell(words.HistoryNoEarlier(words.Weekdays(c.Baseline.Weekday))))
		return
	}
	p.Row(themes.Text, indent+lk.Tell(words.HistoryRowTypical(until)), c.formatNumber(u.Median))
	p.Row(themes.Dim, indent+lk.Tell(words.HistoryMiddleHalf()), lk.Tell(words.HistoryLowHigh(c.formatNumber(u.Low), c.formatNumber(u.High))))
	if share, ok := c.Change(); ok {
		p.Row(themes.Accent, indent+lk.Tell(words.HistoryRowChange()), model.SignedPercent(share))
	} else {
		p.Text(themes.Dim, indent+lk.Tell(words.HistoryNoChange()))
	}
	var dates []words.Text
	for _, t := range c.Baseline.Dates {
		dates = append(dates, words.DayMonth(t))
	}
	p.Text(themes.Dim, "")
	p.Text(themes.Text, lk.Tell(words.HistoryTypicalIs(u.Days, dates)))
	p.Text(themes.Text, lk.Tell(words.HistorySources(until)))
	writeHours(p, &c)
}

// indent is the space before the rows of a table.
const indent = "  "

// writeHours writes to p a line for each hour of the comparison c.
func writeHours(p *dialog.Prose, c *comparison) {
	lk := p.Look
	p.Heading(lk.Tell(words.HistoryByHour()))
	p.Row(themes.Dim, "", lk.Tell(words.HandoverCount()), lk.Tell(words.HistoryColumnTypical()), lk.Tell(words.HistoryColumnRange()))
	for _, h := range c.Day.Hours {
		u := c.Baseline.Hours[h.Start.Hour()]
		if !h.Known || u.Days == 0 || h.Count == 0 && math.Round(u.High) == 0 {
			continue
		}
		count := lk.Count(h.Count)
		if h.Partial {
			count = lk.Tell(words.HistoryCountSoFar(count))
		}
		p.Row(themes.Text, indent+textformat.Clock(h.Start, nil), count, c.formatNumber(u.Median), c.formatNumber(u.Low)+"-"+c.formatNumber(u.High))
	}
}

// writeRest writes to p the end-of-day forecast, and the forecast for each remaining half hour of the
// day.
func writeRest(p *dialog.Prose, day []string, rest *forecast.RestOfDay) {
	lk := p.Look
	p.Text(themes.Title, lk.Tell(words.HistoryRestOfDay()))
	for _, line := range day {
		p.Text(themes.Text, line)
	}
	if len(rest.HalfHours) > 0 {
		p.Row(themes.Dim, "", lk.Tell(words.NounContacts()), lk.Tell(words.HistoryColumnRange()), lk.Tell(words.NounAgents()), lk.Tell(words.HistoryColumnAtWork()))
	}
	for i := range rest.HalfHours {
		h := &rest.HalfHours[i]
		token, needed, atWork := themes.Text, string(lk.Format.Unknown(nil)), string(lk.Format.Unknown(nil))
		if h.Needed > 0 {
			needed, atWork = lk.Count(h.Needed), lk.Count(rest.AgentsAtWork)
		}
		if rest.IsShort(h) {
			token = themes.Warn
		}
		p.Row(token, indent+textformat.Clock(h.From, nil), forecast.FormatEstimate(h.Contacts.Likely), h.Range(), needed, atWork)
	}
	if len(rest.HalfHours) > 0 {
		p.Text(themes.Dim, lk.Tell(words.HistoryRanges()))
	}
	lines := words.AllIn(rest.Lines(), p.Look.Format.Words)
	switch {
	case slices.Equal(lines, day):
		return
	case !rest.MissingReason.IsZero() && len(day) > 0:
		lines = []string{lk.Tell(words.HistoryNoHalfHours(rest.MissingReason))}
	}
	for _, line := range lines {
		p.Text(themes.Dim, line)
	}
}
