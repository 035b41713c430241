package history

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"wallboard/internal/words"
	"wallboard/model/contact"
	"wallboard/themes"
	"wallboard/ui/chart"
	"wallboard/ui/style"
)

// weeksView shows the mean number of contacts in each hour of the week, over several weeks or a
// month.
type weeksView struct {
	*selection
	scrollableView

	keyMap    *Keys
	shared    SharedKeys
	spanIndex int // index in weekCounts
}

// calendarMonth is the number of weeks that stands for the calendar month of the day.
const calendarMonth = 0

// weekCounts returns the numbers of weeks from which a viewer can choose. The last of them is
// calendarMonth.
func weekCounts() []int { return []int{4, 8, 13, 26, calendarMonth} }

// weeksQuery requests the mean number of contacts in each hour of the week, over the weeks that
// end with a day or over the month of the day.
type weeksQuery struct {
	kind  contact.Kind
	date  time.Time // midnight in the contact center's time zone
	weeks int
}

func (q weeksQuery) equals(other query) bool {
	o, ok := other.(weeksQuery)
	return ok && o.kind == q.kind && o.weeks == q.weeks && o.date.Equal(q.date)
}

// becomesOutdated implements [query]. It returns false, because one more hour hardly changes a
// mean over weeks, and this request is the most expensive one of the page.
func (q weeksQuery) becomesOutdated(time.Time) bool { return false }

// weeksAnswer holds the mean number of contacts in each hour of the week.
type weeksAnswer struct {
	query weeksQuery
	contact.WeeklyAverages
}

func (q weeksQuery) read(ctx context.Context, r Reader, progress func(contact.Progress)) (any, error) {
	ctx = contact.WithProgress(ctx, progress)
	var heat contact.WeeklyAverages
	var err error
	if q.weeks == calendarMonth {
		heat, err = r.WeeklyAveragesOfMonth(ctx, q.date, q.kind)
	} else {
		heat, err = r.WeeklyAverages(ctx, q.date, q.weeks, q.kind)
	}
	return weeksAnswer{q, heat}, err
}

// showsMonth reports whether the view shows a calendar month.
func (v *weeksView) showsMonth() bool { return weekCounts()[v.spanIndex] == calendarMonth }

func (v *weeksView) query() query {
	q := weeksQuery{kind: v.kind, date: v.date(), weeks: weekCounts()[v.spanIndex]}
	if v.showsMonth() {
		q.date = contact.StartOfMonth(q.date, 0)
	}
	return q
}

func (v *weeksView) description(w int) words.Text {
	if v.showsMonth() {
		return v.describe(v.monthText())
	}
	day := v.dayText(w)
	if w < narrowWidth {
		day = words.DateYear(v.date())
	}
	return v.describe(words.HistoryWeeksTo(weekCounts()[v.spanIndex], day))
}

func (v *weeksView) searchHint() words.Text { return words.Text{} }

func (v *weeksView) emptyText(answer any) words.Text {
	a, _ := answer.(weeksAnswer)
	known := false
	for _, row := range a.Cells {
		for _, c := range row {
			known = known || c.Days > 0
		}
	}
	unknown, none := words.HistoryNoDataForWeeks(), words.HistoryNoneInWeeks(kindNamesOf(v.kind).plural)
	if v.showsMonth() {
		unknown, none = words.HistoryNoDataForMonth(), words.HistoryNoneInMonth(kindNamesOf(v.kind).plural)
	}
	switch {
	case !known:
		return v.board.withHint(unknown, words.HistoryPressOthers())
	case a.Max() == 0:
		return v.board.withHint(none, words.HistoryPressNextKind())
	}
	return words.Text{}
}

// step returns the day that is delta periods after day. A period is a month or the selected number
// of weeks.
func (v *weeksView) step(day time.Time, delta int) time.Time {
	if v.showsMonth() {
		return contact.StartOfMonth(day, delta)
	}
	return contact.StartOfDay(day, 7*delta*weekCounts()[v.spanIndex])
}

func (v *weeksView) handleKey(msg tea.KeyPressMsg) bool {
	switch {
	case v.handleDay(v.keyMap, msg, v.step), key.Matches(msg, v.keyMap.Grouping):
	case key.Matches(msg, v.keyMap.PeriodLength):
		v.spanIndex = (v.spanIndex + 1) % len(weekCounts())
	default:
		return v.text.HandleKey(msg)
	}
	return true
}

func (v *weeksView) keys(bool) []key.Binding {
	return []key.Binding{
		v.board.helpOf(v.shared.Kind, words.HistoryKeyKind()), v.keyMap.Earlier, v.keyMap.Later, v.board.helpOf(v.keyMap.PeriodLength, words.HistoryKeyWeeksMonth()),
	}
}

// draw draws the mean number of contacts in each hour of the week. It also names the busiest hour
// and the busiest day.
func (v *weeksView) draw(answer any, x, y, w, h int) []string {
	a, _ := answer.(weeksAnswer)
	lk := v.board.look()
	count := func(n float64) string { return formatNumber(lk, n) }
	const hours, days = 24, 7
	gutter := 5
	for day := range days {
		gutter = max(gutter, style.Width(lk.Translate(words.ShortWeekday(time.Weekday(day))))+2)
	}
	heat := chart.BarGrid{
		Columns: hours, CellWidth: min(max((w-gutter)/hours, 1), 8), LabelWidth: gutter, Max: a.Max(), Label: count,
		Style: lk.Theme.OpenSequence(themes.Sparkline), MaxStyle: lk.Theme.OpenSequence(themes.Accent), LabelStyle: lk.Theme.OpenSequence(themes.Dim),
	}
	heat.ShowValues = heat.CellWidth > 2 && h >= 2*days+4
	heat.Label = func(n float64) string {
		if heat.CellWidth <= 4 {
			return strconv.Itoa(int(math.Round(n)))
		}
		return count(n)
	}
	heat.ShowValues = heat.ShowValues && style.Width(heat.Label(heat.Max)) < heat.CellWidth
	if lk.ASCII {
		heat.Set = chart.ASCII
	}
	head := style.NewLine(w, lk.Glyphs.Ellipsis).Space(themes.Style{}, gutter)
	labelStep := 1
	if heat.CellWidth < 3 {
		labelStep = 6
	}
	for hour := 0; hour < hours; hour += labelStep {
		head.Add(lk.Style(themes.Header), style.Fit(time.Date(2000, 1, 1, hour, 0, 0, 0, time.UTC).Format("15"), heat.CellWidth*labelStep, ""))
	}
	out := []string{head.Finish(themes.Style{})}
	var rows []chart.BarGridRow
	for i := range days {
		day := time.Weekday((i + 1) % days) // the week begins on Monday
		row := chart.BarGridRow{Label: " " + lk.Translate(words.ShortWeekday(day)), Values: make([]float64, hours)}
		for hour := range hours {
			if row.Values[hour] = math.NaN(); a.Cells[day][hour].Days > 0 {
				row.Values[hour] = a.Cells[day][hour].Mean
			}
		}
		rows = append(rows, row)
	}
	busiest := paragraph(lk, themes.Dim, v.busiestText(&a.WeeklyAverages), w)
	if heat.ShowValues {
		heat.BarHeight = max((h-len(out)-1-len(busiest))/days-1, 1)
	}
	body := append(append(heat.Render(rows), ""), busiest...)
	return append(out, v.text.View(body, x, y+1, w, h-1)...)
}

// busiestText returns sentences that name the busiest hour and the busiest day.
func (v *weeksView) busiestText(a *contact.WeeklyAverages) words.Text {
	var days [7]float64
	at, hour, maximum := time.Sunday, 0, -1.0
	day := time.Sunday
	for d := range days {
		for h, c := range a.Cells[d] {
			days[d] += c.Mean
			if c.Days > 0 && c.Mean > maximum {
				at, hour, maximum = time.Weekday(d), h, c.Mean
			}
		}
		if days[d] > days[day] {
			day = time.Weekday(d)
		}
	}
	lk := v.board.look()
	return words.JoinSentences(words.HistoryWeeksAbout(kindNamesOf(v.kind).title), words.HistoryBusiestHour(words.Weekday(at), hour, hour+1, formatNumber(lk, maximum)),
		words.HistoryBusiestDay(words.Weekday(day), formatNumber(lk, days[day])))
}

func (v *weeksView) exportTable(answer any) exportTable {
	a, _ := answer.(weeksAnswer)
	kind := kindFileName(a.query.kind)
	s := exportTable{
		name:   fmt.Sprintf("history-%s-%d-weeks-to-%s", kind, a.query.weeks, a.query.date.Format(time.DateOnly)),
		header: []string{"weekday", "hour", "mean", "days"}, jsonValue: a.WeeklyAverages,
	}
	if a.query.weeks == calendarMonth {
		s.name = "history-" + kind + "-weekdays-" + a.query.date.Format("2006-01")
	}
	for i := range 7 {
		day := time.Weekday((i + 1) % 7)
		for hour, c := range a.Cells[day] {
			if c.Days > 0 {
				mean := strconv.FormatFloat(math.Round(c.Mean*100)/100, 'f', -1, 64)
				s.rows = append(s.rows, []string{day.String(), strconv.Itoa(hour), mean, strconv.Itoa(c.Days)})
			}
		}
	}
	return s
}
