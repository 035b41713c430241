package history

import (
	"math"
	"slices"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"wallboard/internal/alert/forecast"
	"wallboard/internal/phrases"
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
	case b.reader == nil && (restOfDay == nil || restOfDay.MissingReason != ""):
		return dialogs.Say(noReaderText)
	case !ok:
		return dialogs.Say("The platform keeps no history of this channel.")
	}
	return tea.Batch(dialogs.Open(&baselineDialog{Baseline: b, dialogs: dialogs, restOfDay: rest}), b.Update(dialogs.Context()))
}

// noReaderText is the message on a board without the configuration section [history].
const noReaderText = "[history] is not configured, so there is no typical day. The page History says what to do."

// Title implements [dialog.Dialog].
func (d *baselineDialog) Title() string {
	return d.floor.ChannelName() + " compared with a typical day"
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
	out := d.text.View(d.lines(w), 0, 0, w, max(h-1, 0))
	return append(out, d.dialogs.Look().HintLine(w, style.KeyHint{Key: "esc", Description: "close"}))[:h]
}

func (d *baselineDialog) lines(w int) []string {
	p := &dialog.Prose{Look: d.dialogs.Look(), Width: w}
	kinds := d.Kinds(d.floor)
	day, rest := d.restOfDay()
	if len(kinds) == 0 && rest == nil { // the viewer has switched to another channel
		p.Text(themes.Dim, "The platform keeps no history of this channel.")
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
		p.Text(themes.Dim, noReaderText)
	}
	if len(p.Lines) > 0 {
		p.Text(themes.Dim, "")
		p.Text(themes.Dim, "This is about all services together, whatever is selected.")
	}
	return p.Lines
}

// writeKind writes to p how today compares with the usual day for one kind of contact.
func (d *baselineDialog) writeKind(p *dialog.Prose, kind contact.Kind) {
	lk := p.Look
	day, ok := d.todayOf(kind)
	if !ok {
		if err := d.days[kind].err; err != "" {
			p.Text(themes.Warn, phrases.Capital(kind.String())+": "+err)
		} else {
			p.Text(themes.Dim, phrases.Capital(kind.String())+": asking the platform"+lk.Glyphs.Ellipsis)
		}
		return
	}
	c := comparison{look: lk, Comparison: day.Comparison}
	_, change := c.changeText()
	p.Text(themes.Title, phrases.Capital(kind.String())+" today: "+change+", "+words.VolumeText(c.Volume()).In(lk.Format.Words))
	p.Heading("How it is computed")
	until := phrases.Clock(c.Day.At, nil)
	p.Row(themes.Text, "  today until "+until, lk.Count(c.Day.Total()))
	u := c.SoFar
	if u.Days == 0 {
		p.Text(themes.Dim, "No data for earlier "+c.Baseline.Weekday.String()+"s.")
		return
	}
	p.Row(themes.Text, "  typical by "+until+" (median)", c.formatNumber(u.Median))
	p.Row(themes.Dim, "  middle half of days", c.formatNumber(u.Low)+" and "+c.formatNumber(u.High))
	if share, ok := c.Change(); ok {
		p.Row(themes.Accent, "  change: today / typical - 1", model.SignedPercent(share))
	} else {
		p.Text(themes.Dim, "  Typically there are none by now, so no change can be computed.")
	}
	var dates []string
	for _, t := range c.Baseline.Dates {
		dates = append(dates, t.Format("2 January"))
	}
	p.Text(themes.Dim, "")
	p.Text(themes.Text, "Typical is the median of the same weekday in the last weeks, by the same time of day ("+strconv.Itoa(u.Days)+" days: "+strings.Join(dates, ", ")+
		"). Of the current hour, only the part that has passed counts.")
	p.Text(themes.Text, "Both figures come from the statistical data service, as of "+until+". The real-time service counts by its own rules, so "+
		"the figure on the tile may differ.")
	writeHours(p, &c)
}

// writeHours writes to p a line for each hour of the comparison c.
func writeHours(p *dialog.Prose, c *comparison) {
	p.Heading("By the hour")
	p.Row(themes.Dim, "", "count", "typical", "range")
	for _, h := range c.Day.Hours {
		u := c.Baseline.Hours[h.Start.Hour()]
		if !h.Known || u.Days == 0 || h.Count == 0 && math.Round(u.High) == 0 {
			continue
		}
		count := p.Look.Count(h.Count)
		if h.Partial {
			count += " so far"
		}
		p.Row(themes.Text, "  "+phrases.Clock(h.Start, nil), count, c.formatNumber(u.Median), c.formatNumber(u.Low)+"-"+c.formatNumber(u.High))
	}
}

// writeRest writes to p the end-of-day forecast, and the forecast for each remaining half hour of the
// day.
func writeRest(p *dialog.Prose, day []string, rest *forecast.RestOfDay) {
	p.Text(themes.Title, "The rest of the day")
	for _, line := range day {
		p.Text(themes.Text, line)
	}
	if len(rest.HalfHours) > 0 {
		p.Row(themes.Dim, "", "contacts", "range", "agents", "at work")
	}
	for i := range rest.HalfHours {
		h := &rest.HalfHours[i]
		token, needed, atWork := themes.Text, string(p.Look.Format.Unknown(nil)), string(p.Look.Format.Unknown(nil))
		if h.Needed > 0 {
			needed, atWork = p.Look.Count(h.Needed), p.Look.Count(rest.AgentsAtWork)
		}
		if rest.IsShort(h) {
			token = themes.Warn
		}
		p.Row(token, "  "+phrases.Clock(h.From, nil), forecast.FormatEstimate(h.Contacts.Likely), h.Range(), needed, atWork)
	}
	if len(rest.HalfHours) > 0 {
		p.Text(themes.Dim, "80 % ranges: four of five half hours are within them.")
	}
	lines := rest.Lines()
	switch {
	case slices.Equal(lines, day):
		return
	case rest.MissingReason != "" && len(day) > 0:
		lines = []string{"No forecast by half hour. " + rest.MissingReason}
	}
	for _, line := range lines {
		p.Text(themes.Dim, line)
	}
}
