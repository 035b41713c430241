package history

import (
	"context"
	"errors"
	"strconv"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"wallboard/internal/words"
	"wallboard/model/contact"
	"wallboard/themes"
	"wallboard/ui/style"
	"wallboard/ui/table"
)

// dayView compares a day with its baseline: in a line for each kind of contact, and by hour for the
// selected kind.
type dayView struct {
	*selection
	scrollableView

	keyMap *Keys
	shared SharedKeys
}

// dayQuery requests the comparison of a day with its baseline, for all kinds of contact.
type dayQuery struct{ date, reference time.Time } // midnights in the contact center's time zone

func (q dayQuery) equals(other query) bool {
	o, ok := other.(dayQuery)
	return ok && o.date.Equal(q.date) && o.reference.Equal(q.reference)
}

func (q dayQuery) becomesOutdated(today time.Time) bool { return !q.date.Before(today) }

// kindComparison is the comparison of a day for one kind of contact, or the error of the request
// for it.
type kindComparison struct {
	contact.Comparison
	err error
}

// dayAnswer holds the comparisons of a day, in the order of the kinds of contact.
type dayAnswer struct {
	query       dayQuery
	kinds       []kindComparison
	clockChange time.Duration // length of the day minus 24 hours; not 0 if the clocks change on this day
}

// read reads the comparison for each kind of contact. If the first kind fails, it returns the
// error. Errors of the other kinds are stored in the answer.
func (q dayQuery) read(ctx context.Context, r Reader, progress func(contact.Progress)) (any, error) {
	a := dayAnswer{query: q, clockChange: contact.StartOfDay(q.date, 1).Sub(q.date) - 24*time.Hour}
	for i, kind := range contact.Kinds() {
		report := func(p contact.Progress) {
			progress(contact.Progress{Read: i, Total: len(contact.Kinds()), Wait: p.Wait})
		}
		report(contact.Progress{})
		c, err := q.compare(contact.WithProgress(ctx, report), r, kind)
		if err != nil && (i == 0 || errors.Is(err, context.Canceled)) {
			return a, err
		}
		day := kindComparison{Comparison: c}
		if err != nil {
			day.Day.Kind, day.err = kind, err
		}
		a.kinds = append(a.kinds, day)
	}
	return a, nil
}

// compare reads the comparison of a day for one kind of contact. The day is compared with the
// reference day or, if there is none, with the last four days with the same weekday.
func (q dayQuery) compare(ctx context.Context, r Reader, kind contact.Kind) (contact.Comparison, error) {
	if q.reference.IsZero() {
		return r.CompareDay(ctx, q.date, kind)
	}
	return r.CompareDays(ctx, q.date, q.reference, kind)
}

func (v *dayView) query() query { return dayQuery{v.date(), v.referenceDay} }

func (v *dayView) description(w int) words.Text {
	day := v.dayText(w)
	if !v.referenceDay.IsZero() {
		day = words.HistoryAgainst(day, words.ShortDateYear(v.referenceDay))
	}
	if !v.date().Before(v.board.today()) {
		return words.HistoryToday(day)
	}
	return day
}

func (v *dayView) searchHint() words.Text { return words.Text{} }

func (v *dayView) emptyText(answer any) words.Text {
	a, _ := answer.(dayAnswer)
	known := false
	for i := range a.kinds {
		k := &a.kinds[i]
		if k.err != nil || k.Day.Total() > 0 || k.SoFar.High > 0 || k.Baseline.Total.High > 0 {
			return words.Text{}
		}
		known = known || k.Day.AnyHourKnown()
	}
	text := words.HistoryNoDataForDay()
	if known {
		text = words.HistoryCountedNothing()
	}
	return v.board.withHint(text, words.HistoryPressOtherDays())
}

func (v *dayView) handleKey(msg tea.KeyPressMsg) bool {
	switch rows := table.DefaultKeyMap(); {
	case v.handleDay(v.keyMap, msg, contact.StartOfDay), key.Matches(msg, v.keyMap.PeriodLength, v.keyMap.Grouping):
	case key.Matches(msg, rows.LineUp):
		v.selectKind(-1)
	case key.Matches(msg, rows.LineDown):
		v.selectKind(1)
	default:
		return false
	}
	return true
}

func (v *dayView) keys(bool) []key.Binding {
	return []key.Binding{
		v.board.helpOf(v.shared.Kind, words.HistoryKeyKind()), v.keyMap.Earlier, v.keyMap.Later, v.board.helpOf(v.keyMap.Search, words.HistoryKeyGoToDay()),
	}
}

// minPlotWidth is the minimum width in cells of the chart beside the table of hours.
const minPlotWidth = 70

// draw draws a line for each kind of contact and, below, the selected kind by hour.
func (v *dayView) draw(answer any, _, _, w, h int) []string {
	a, _ := answer.(dayAnswer)
	lk := v.board.look()
	out := make([]string, 0, h)
	for i := range a.kinds {
		out = append(out, v.drawKindLine(lk, &a.kinds[i], w))
	}
	if a.clockChange != 0 {
		hours := (24*time.Hour + a.clockChange).Hours()
		out = append(out, lk.Wrap(themes.Dim, " "+lk.Translate(words.HistoryClockChange(hours)), w)...)
	}
	k := &a.kinds[v.kind]
	if k.err != nil {
		out = append(out, style.Blanks(w))
		return append(out, paragraph(lk, themes.Warn, errorText(k.err), w)...)
	}
	const leastPlot = 7
	available := h - len(out) - 1
	if available < leastPlot {
		return out
	}
	out = append(out, style.Blanks(w))
	c := comparison{lk, k.Comparison, v.referenceDay}
	hours := c.newHourTable()
	left := w - hours.width() - 2
	if left < minPlotWidth || available < len(k.Day.Hours)+1 {
		return append(out, c.drawPlot(w, available)...)
	}
	plot := c.drawPlot(left, available)
	return append(out, style.JoinBlocks(plot, c.drawHours(&hours), left, hours.width(), available)...)
}

// drawKindLine draws a line about the day's contacts of one kind: their number, the baseline and
// the change from the baseline.
func (v *dayView) drawKindLine(lk *style.Look, k *kindComparison, w int) string {
	l := style.NewLine(w, lk.Glyphs.Ellipsis)
	mark, name := " ", lk.Style(themes.Text)
	if k.Day.Kind == v.kind {
		mark, name = lk.Glyphs.Pointer, lk.Style(themes.Title)
	}
	l.Add(lk.Style(themes.Accent), mark+" ").Add(name, style.Fit(lk.Translate(kindNamesOf(k.Day.Kind).title), kindWidth(lk), ""))
	if k.err != nil {
		return l.Add(lk.Style(themes.Unknown), "  "+lk.Translate(words.HistoryNoData(errorText(k.err)))).Finish(themes.Style{})
	}
	total := string(lk.Format.Unknown(nil))
	if k.Day.AnyHourKnown() {
		total = lk.FormatCount(k.Day.Total())
	}
	l.Space(themes.Style{}, 8-style.Width(total)).Add(lk.Style(themes.Digits), total)
	c := comparison{lk, k.Comparison, v.referenceDay}
	token, change := c.changeText()
	l.Add(lk.Style(token), "  "+style.PadLeft(change, 7))
	return l.Space(themes.Style{}, 2).Add(lk.Style(themes.Dim), c.describeBaseline(l.RemainingWidth()-2)).Finish(themes.Style{})
}

// kindWidth returns the width in cells of the column with the names of the kinds of contact.
func kindWidth(lk *style.Look) int {
	w := 15
	for _, k := range contact.Kinds() {
		w = max(w, style.Width(lk.Translate(kindNamesOf(k).title))+1)
	}
	return w
}

func (v *dayView) exportTable(answer any) exportTable {
	a, _ := answer.(dayAnswer)
	s := exportTable{
		name:   "history-day-" + a.query.date.Format(time.DateOnly),
		header: []string{"hour", "kind", "count", "so_far", "usual_median", "usual_low", "usual_high"},
	}
	var value []contact.Comparison
	number := func(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }
	for i := range a.kinds {
		k := &a.kinds[i]
		if k.err != nil {
			continue
		}
		value = append(value, k.Comparison)
		for _, hour := range k.Day.Hours {
			row := []string{hour.Start.Format(time.RFC3339), k.Day.Kind.String(), "", strconv.FormatBool(hour.Partial), "", "", ""}
			if hour.Known {
				row[2] = strconv.Itoa(hour.Count)
			}
			if u := k.Baseline.Hours[hour.Start.Hour()]; u.Days > 0 {
				row[4], row[5], row[6] = number(u.Median), number(u.Low), number(u.High)
			}
			s.rows = append(s.rows, row)
		}
	}
	s.jsonValue = value
	return s
}
