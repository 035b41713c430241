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
	switch _, ok := contact.KindForChannel(b.floor.Channel); {
	case b.reader == nil && (restOfDay == nil || !restOfDay.MissingReason.IsZero()):
		return dialogs.ShowMessage(dialogs.Look().Translate(b.missingReason))
	case !ok:
		return dialogs.ShowMessage(dialogs.Look().Translate(words.HistoryNoHistoryOfChannel()))
	}
	return tea.Batch(dialogs.Open(&baselineDialog{Baseline: b, dialogs: dialogs, restOfDay: rest}), b.Update(dialogs.Context()))
}

// Title implements [dialog.Dialog].
func (d *baselineDialog) Title() string {
	return d.dialogs.Look().Translate(words.HistoryCompared(words.ChannelName(d.floor.Channel)))
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
	return append(out, lk.HintLine(w, style.KeyHint{Key: "esc", Description: lk.Translate(words.DialogKeyClose())}))[:h]
}

func (d *baselineDialog) lines(w int) []string {
	p := &dialog.TextBuilder{Look: d.dialogs.Look(), Width: w}
	kinds := d.Kinds(d.floor)
	day, rest := d.restOfDay()
	if len(kinds) == 0 && rest == nil { // the viewer has switched to another channel
		p.Text(themes.Dim, p.Look.Translate(words.HistoryNoHistoryOfChannel()))
	}
	if rest != nil {
		writeRestOfDay(p, day, rest)
	}
	for i, kind := range kinds {
		if i > 0 || rest != nil {
			p.Text(themes.Dim, "")
		}
		d.writeKind(p, kind)
	}
	if d.reader == nil {
		p.Text(themes.Dim, "")
		p.Text(themes.Dim, p.Look.Translate(d.missingReason))
	}
	if len(p.Lines) > 0 {
		p.Text(themes.Dim, "")
		p.Text(themes.Dim, p.Look.Translate(words.HistoryAllServicesNote()))
	}
	return p.Lines
}

// writeKind writes to p how today compares with the usual day for one kind of contact.
func (d *baselineDialog) writeKind(p *dialog.TextBuilder, kind contact.Kind) {
	lk := p.Look
	title := kindNamesOf(kind).title
	day, ok := d.comparisonOfToday(kind)
	if !ok {
		if err := d.days[kind].err; err != nil {
			p.Text(themes.Warn, lk.Translate(words.HistoryKindState(title, errorText(err))))
		} else {
			p.Text(themes.Dim, lk.Translate(words.HistoryKindState(title, words.HistoryAskingBrief())))
		}
		return
	}
	c := comparison{look: lk, Comparison: day.Comparison}
	_, change := c.changeText()
	p.Text(themes.Title, lk.Translate(words.HistoryKindToday(title, change, words.VolumeText(c.Volume()))))
	p.Heading(lk.Translate(words.DialogComputed()))
	until := words.ClockOf(c.Day.At, nil)
	p.Row(themes.Text, tableIndent+lk.Translate(words.HistoryRowToday(until)), lk.FormatCount(c.Day.Total()))
	u := c.SoFar
	if c.IsHoliday {
		p.Text(themes.Dim, lk.Translate(words.ForecastHoliday()))
		return
	}
	if u.Days == 0 {
		p.Text(themes.Dim, lk.Translate(words.HistoryNoEarlier(words.Weekdays(c.Baseline.Weekday))))
		return
	}
	p.Row(themes.Text, tableIndent+lk.Translate(words.HistoryRowTypical(until)), c.formatNumber(u.Median))
	p.Row(themes.Dim, tableIndent+lk.Translate(words.HistoryMiddleHalf()), lk.Translate(words.HistoryLowHigh(c.formatNumber(u.Low), c.formatNumber(u.High))))
	if share, ok := c.Change(); ok {
		p.Row(themes.Accent, tableIndent+lk.Translate(words.HistoryRowChange()), model.SignedPercent(share))
	} else {
		p.Text(themes.Dim, tableIndent+lk.Translate(words.HistoryNoChange()))
	}
	var dates []words.Text
	for _, t := range c.Baseline.Dates {
		dates = append(dates, words.DayMonth(t))
	}
	p.Text(themes.Dim, "")
	p.Text(themes.Text, lk.Translate(words.HistoryTypicalIs(u.Days, dates)))
	p.Text(themes.Text, lk.Translate(words.HistorySources(until)))
	writeHours(p, &c)
}

// tableIndent is the space before the rows of a table.
const tableIndent = "  "

// writeHours writes to p a line for each hour of the comparison c with a known count and a typical range.
func writeHours(p *dialog.TextBuilder, c *comparison) {
	lk := p.Look
	p.Heading(lk.Translate(words.HistoryByHour()))
	p.Row(themes.Dim, "", lk.Translate(words.HandoverCount()), lk.Translate(words.HistoryColumnTypical()), lk.Translate(words.HistoryColumnRange()))
	for _, h := range c.Day.Hours {
		u := c.Baseline.Hours[h.Start.Hour()]
		if !h.Known || u.Days == 0 || h.Count == 0 && math.Round(u.High) == 0 {
			continue
		}
		count := lk.FormatCount(h.Count)
		if h.Partial {
			count = lk.Translate(words.HistoryCountSoFar(count))
		}
		p.Row(themes.Text, tableIndent+textformat.Clock(h.Start, nil), count, c.formatNumber(u.Median), c.formatNumber(u.Low)+"-"+c.formatNumber(u.High))
	}
}

// writeRestOfDay writes to p the end-of-day forecast, and the forecast for each remaining half hour of the
// day.
func writeRestOfDay(p *dialog.TextBuilder, day []string, rest *forecast.RestOfDay) {
	lk := p.Look
	p.Text(themes.Title, lk.Translate(words.HistoryRestOfDay()))
	for _, line := range day {
		p.Text(themes.Text, line)
	}
	if len(rest.HalfHours) > 0 {
		p.Row(themes.Dim, "", lk.Translate(words.NounContacts()), lk.Translate(words.HistoryColumnRange()), lk.Translate(words.NounAgents()), lk.Translate(words.HistoryColumnAtWork()))
	}
	for i := range rest.HalfHours {
		h := &rest.HalfHours[i]
		token, needed, atWork := themes.Text, string(lk.Format.Unknown(nil)), string(lk.Format.Unknown(nil))
		if h.NeededAgents > 0 {
			needed, atWork = lk.FormatCount(h.NeededAgents), lk.FormatCount(rest.AgentsAtWork)
		}
		if rest.IsShort(h) {
			token = themes.Warn
		}
		p.Row(token, tableIndent+textformat.Clock(h.From, nil), forecast.FormatEstimate(h.Contacts.Likely), h.Range(), needed, atWork)
	}
	if len(rest.HalfHours) > 0 {
		p.Text(themes.Dim, lk.Translate(words.HistoryRanges()))
	}
	lines := words.AllIn(rest.Lines(), p.Look.Format.Words)
	switch {
	case slices.Equal(lines, day):
		return
	case !rest.MissingReason.IsZero() && len(day) > 0:
		lines = []string{lk.Translate(words.HistoryNoHalfHours(rest.MissingReason))}
	}
	for _, line := range lines {
		p.Text(themes.Dim, line)
	}
}
