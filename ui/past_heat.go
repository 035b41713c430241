package ui

import (
	"math"
	"time"

	"wallboard/model/past"
	"wallboard/themes"
	"wallboard/ui/chart"
	"wallboard/ui/look"
)

// aMonth stands among the weeks for a month of the calendar.
const aMonth = 0

// pastWeeks are how many weeks a map may be of.
func pastWeeks() []int { return []int{4, 8, 13, 26, aMonth} }

// drawHeat draws the weekdays by the hour, and names the busiest of them.
func (p *pastPage) drawHeat(sc *scene, x, y, w, h int) []string {
	a, _ := p.panel().value.(past.Heat)
	const hours, days, gutter = 24, 7, 5
	heat := chart.Heat{
		Columns: hours, Cell: min(max((w-gutter)/hours, 1), 8), Gutter: gutter, Max: a.Max(), Label: sc.number,
		Style: sc.look.Theme.SGR(themes.Sparkline), MaxStyle: sc.look.Theme.SGR(themes.Accent), LabelStyle: sc.look.Theme.SGR(themes.Dim),
	}
	heat.Values = heat.Cell > 2 && h >= 2*days+4
	heat.Label = func(v float64) string {
		if heat.Cell <= 4 {
			return itoa(int(math.Round(v)))
		}
		return sc.number(v)
	}
	heat.Values = heat.Values && look.Width(heat.Label(heat.Max)) < heat.Cell
	if sc.ASCII {
		heat.Set = chart.ASCII
	}
	head := look.NewLine(w, sc.look.Glyphs.Ellipsis).Space(themes.Style{}, gutter)
	every := 1
	if heat.Cell < 3 {
		every = 6
	}
	for hour := 0; hour < hours; hour += every {
		head.Add(sc.look.Style(themes.Header), look.Fit(time.Date(2000, 1, 1, hour, 0, 0, 0, time.UTC).Format("15"), heat.Cell*every, ""))
	}
	out := []string{head.End(themes.Style{})}
	var rows []chart.HeatRow
	for i := range days {
		day := time.Weekday((i + 1) % days) // a week begins on Monday
		row := chart.HeatRow{Label: " " + day.String()[:3], Values: make([]float64, hours)}
		for hour := range hours {
			if row.Values[hour] = math.NaN(); a.Cells[day][hour].Days > 0 {
				row.Values[hour] = a.Cells[day][hour].Mean
			}
		}
		rows = append(rows, row)
	}
	body := append(heat.Render(rows), "")
	body = append(body, inParagraph(sc, themes.Dim, p.busiest(sc, a), w)...)
	return append(out, p.text.View(body, x, y+1, w, h-1)...)
}

// busiest says when there is most to do, in words.
func (p *pastPage) busiest(sc *scene, a past.Heat) string {
	var days [7]float64
	at, hour, most := time.Sunday, 0, -1.0
	day := time.Sunday
	for d := range days {
		for h, c := range a.Cells[d] {
			days[d] += c.Mean
			if c.Days > 0 && c.Mean > most {
				at, hour, most = time.Weekday(d), h, c.Mean
			}
		}
		if days[d] > days[day] {
			day = time.Weekday(d)
		}
	}
	return look.Capital(p.kind.String()) + " that began in an hour, on average. Most come on " + at.String() + "s from " + itoa(hour) + " to " +
		itoa(hour+1) + ": " + sc.number(most) + ". The busiest day is " + day.String() + " with " + sc.number(days[day]) +
		"; an empty cell is not known."
}
