package history

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"wallboard/internal/phrases"
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

// weeksQuestion requests the mean number of contacts in each hour of the week, over the weeks that
// end with a day or over the month of the day.
type weeksQuestion struct {
	kind  contact.Kind
	date  time.Time // midnight in the contact center's time zone
	weeks int
}

func (q weeksQuestion) equals(other question) bool {
	o, ok := other.(weeksQuestion)
	return ok && o.kind == q.kind && o.weeks == q.weeks && o.date.Equal(q.date)
}

// becomesOutdated implements [question]. It returns false, because one more hour hardly changes a
// mean over weeks, and this request is the most expensive one of the page.
func (q weeksQuestion) becomesOutdated(time.Time) bool { return false }

// weeksAnswer holds the mean number of contacts in each hour of the week.
type weeksAnswer struct {
	question weeksQuestion
	contact.WeeklyAverages
}

func (q weeksQuestion) read(ctx context.Context, r Reader, progress func(contact.Progress)) (any, error) {
	ctx = contact.WithProgress(ctx, progress)
	var heat contact.WeeklyAverages
	var err error
	if q.weeks == calendarMonth {
		heat, err = r.HeatOfMonth(ctx, q.date, q.kind)
	} else {
		heat, err = r.WeeklyAverages(ctx, q.date, q.weeks, q.kind)
	}
	return weeksAnswer{q, heat}, err
}

// showsMonth reports whether the view shows a calendar month.
func (v *weeksView) showsMonth() bool { return weekCounts()[v.spanIndex] == calendarMonth }

func (v *weeksView) question() question {
	q := weeksQuestion{kind: v.kind, date: v.date(), weeks: weekCounts()[v.spanIndex]}
	if v.showsMonth() {
		q.date = contact.StartOfMonth(q.date, 0)
	}
	return q
}

func (v *weeksView) subject(w int) string {
	if v.showsMonth() {
		return v.describe(v.monthText())
	}
	day := v.dayText(w)
	if w < narrowWidth {
		day = v.date().Format("2 Jan 2006")
	}
	return v.describe(strconv.Itoa(weekCounts()[v.spanIndex]) + " weeks to " + day)
}

func (v *weeksView) searchHint() string { return "" }

func (v *weeksView) emptyText(answer any) string {
	a, _ := answer.(weeksAnswer)
	known := false
	for _, row := range a.Cells {
		for _, c := range row {
			known = known || c.Days > 0
		}
	}
	span := "these weeks"
	if v.showsMonth() {
		span = "this month"
	}
	switch {
	case !known:
		return "The platform knows no number for " + span + "." + v.board.hint(" , and . go to others.")
	case a.Max() == 0:
		return "There were no " + v.kind.String() + " in " + span + "." + v.board.hint(" c shows the next kind.")
	}
	return ""
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
	case key.Matches(msg, v.keyMap.Span):
		v.spanIndex = (v.spanIndex + 1) % len(weekCounts())
	default:
		return v.text.HandleKey(msg)
	}
	return true
}

func (v *weeksView) keys(bool) []key.Binding {
	return []key.Binding{style.WithHelp(v.shared.Kind, "kind"), v.keyMap.Earlier, v.keyMap.Later, style.WithHelp(v.keyMap.Span, "weeks, month")}
}

// draw draws the mean number of contacts in each hour of the week. It also names the busiest hour
// and the busiest day.
func (v *weeksView) draw(answer any, x, y, w, h int) []string {
	a, _ := answer.(weeksAnswer)
	lk := v.board.look()
	count := func(n float64) string { return formatNumber(lk, n) }
	const hours, days, gutter = 24, 7, 5
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
	every := 1
	if heat.CellWidth < 3 {
		every = 6
	}
	for hour := 0; hour < hours; hour += every {
		head.Add(lk.Style(themes.Header), style.Fit(time.Date(2000, 1, 1, hour, 0, 0, 0, time.UTC).Format("15"), heat.CellWidth*every, ""))
	}
	out := []string{head.End(themes.Style{})}
	var rows []chart.BarGridRow
	for i := range days {
		day := time.Weekday((i + 1) % days) // the week begins on Monday
		row := chart.BarGridRow{Label: " " + day.String()[:3], Values: make([]float64, hours)}
		for hour := range hours {
			if row.Values[hour] = math.NaN(); a.Cells[day][hour].Days > 0 {
				row.Values[hour] = a.Cells[day][hour].Mean
			}
		}
		rows = append(rows, row)
	}
	busiest := paragraph(lk, themes.Dim, v.busiest(lk, &a.WeeklyAverages), w)
	if heat.ShowValues {
		heat.BarHeight = max((h-len(out)-1-len(busiest))/days-1, 1)
	}
	body := append(append(heat.Render(rows), ""), busiest...)
	return append(out, v.text.View(body, x, y+1, w, h-1)...)
}

// busiest returns sentences that name the busiest hour and the busiest day.
func (v *weeksView) busiest(lk *style.Look, a *contact.WeeklyAverages) string {
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
	return phrases.Capital(v.kind.String()) + " that began in an hour, on average. Most come on " + at.String() + "s from " + strconv.Itoa(hour) + " to " +
		strconv.Itoa(hour+1) + ": " + formatNumber(lk, maximum) + ". The busiest day is " + day.String() + " with " + formatNumber(lk, days[day]) +
		"; an empty cell has no data."
}

func (v *weeksView) sheet(answer any) exportTable {
	a, _ := answer.(weeksAnswer)
	kind := kindFileName(a.question.kind)
	s := exportTable{
		name:   fmt.Sprintf("history-%s-%d-weeks-to-%s", kind, a.question.weeks, a.question.date.Format(time.DateOnly)),
		header: []string{"weekday", "hour", "mean", "days"}, jsonValue: a.WeeklyAverages,
	}
	if a.question.weeks == calendarMonth {
		s.name = "history-" + kind + "-weekdays-" + a.question.date.Format("2006-01")
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
