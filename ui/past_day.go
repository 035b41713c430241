package ui

import (
	"context"
	"errors"
	"math"
	"strconv"
	"time"

	"wallboard/model"
	"wallboard/model/past"
	"wallboard/themes"
	"wallboard/ui/chart"
	"wallboard/ui/look"
)

// dayKind is a day of one kind of contact, or why it is not known.
type dayKind struct {
	past.Comparison
	err string
}

// dayAnswer is a day of all kinds, in their order.
type dayAnswer struct {
	kinds  []dayKind
	change time.Duration // how much longer than others the day is
}

// readDay reads a day of all kinds. When the first cannot be had, nothing can;
// of the others it is said what is wrong.
func readDay(ctx context.Context, r HistoryReader, q pastQuestion, far func(past.Progress)) (dayAnswer, error) {
	a := dayAnswer{change: past.StartOfDay(q.date, 1).Sub(q.date) - 24*time.Hour}
	for i, kind := range past.Kinds() {
		tell := func(p past.Progress) { far(past.Progress{Read: i, Total: len(past.Kinds()), Wait: p.Wait}) }
		tell(past.Progress{})
		c, err := r.Day(past.WithProgress(ctx, tell), q.date, kind)
		if err != nil && (i == 0 || errors.Is(err, context.Canceled)) {
			return a, err //nolint:wrapcheck // a sentence for people
		}
		one := dayKind{Comparison: c}
		if err != nil {
			one.Day.Kind, one.err = kind, look.OneLine(err.Error())
		}
		a.kinds = append(a.kinds, one)
	}
	return a, nil
}

// empty says why there is nothing to see of a day, "" when there is.
func (a dayAnswer) empty(sc *scene) string {
	known := false
	for i := range a.kinds {
		k := &a.kinds[i]
		if k.err != "" || k.Day.Total() > 0 || k.SoFar.High > 0 || k.Usual.Total.High > 0 {
			return ""
		}
		known = known || k.Day.Known()
	}
	text := "The platform knows no number for this day."
	if known {
		text = "The platform has counted no contacts on this day, nor on the same weekdays before it: it may keep no figures of that time."
	}
	return text + sc.hint(" , and . go to other days.")
}

// hourTable is how wide the hours are beside the chart, besideChart the width
// from which on they are.
const (
	hourTable   = 44
	besideChart = 116
)

// drawDay draws the kinds with what is usual, and the present one by the hour.
func (p *pastPage) drawDay(sc *scene, w, h int) []string {
	a, _ := p.panel().value.(dayAnswer)
	out := make([]string, 0, h)
	for i := range a.kinds {
		out = append(out, p.kindLine(sc, &a.kinds[i], w))
	}
	if a.change != 0 {
		hours := strconv.FormatFloat((24*time.Hour + a.change).Hours(), 'f', -1, 64)
		out = append(out, sc.look.Said(themes.Dim, " The clocks change on this day: it has "+hours+" hours.", w)...)
	}
	k := &a.kinds[p.kind]
	if k.err != "" {
		out = append(out, look.Blanks(w))
		return append(out, inParagraph(sc, themes.Warn, k.err, w)...)
	}
	const leastPlot = 7
	room := h - len(out) - 1
	if room < leastPlot {
		return out
	}
	out = append(out, look.Blanks(w))
	if w < besideChart || room < len(k.Day.Hours)+1 {
		return append(out, sc.dayPlot(k.Comparison, w, room)...)
	}
	left := w - hourTable - 2
	plot := sc.dayPlot(k.Comparison, left, min(room, len(k.Day.Hours)+4))
	return append(out, look.Beside(plot, sc.hourLines(k.Comparison), left, hourTable, room)...)
}

// kindLine is one kind of contact in a line: how many, and what is usual.
func (p *pastPage) kindLine(sc *scene, k *dayKind, w int) string {
	l := look.NewLine(w, sc.look.Glyphs.Ellipsis)
	mark, name := " ", sc.look.Style(themes.Text)
	if k.Day.Kind == p.kind {
		mark, name = sc.look.Glyphs.Pointer, sc.look.Style(themes.Title)
	}
	l.Add(sc.look.Style(themes.Accent), mark+" ").Add(name, look.Fit(look.Capital(k.Day.Kind.String()), 15, ""))
	if k.err != "" {
		return l.Add(sc.look.Style(themes.Unknown), "  not known: "+k.err).End(themes.Style{})
	}
	total := string(sc.look.Format.Unknown(nil))
	if k.Day.Known() {
		total = sc.look.Count(k.Day.Total())
	}
	l.Space(themes.Style{}, 8-look.Width(total)).Add(sc.look.Style(themes.Digits), total)
	token, change := sc.change(k.Comparison)
	l.Add(sc.look.Style(token), "  "+look.PadLeft(change, 7))
	return l.Space(themes.Style{}, 2).Add(sc.look.Style(themes.Dim), sc.usualWords(k.Comparison, l.Room()-2)).End(themes.Style{})
}

// change is how much more than usual there was, with its sign.
func (sc *scene) change(c past.Comparison) (themes.Token, string) {
	share, ok := c.Change()
	if !ok {
		return themes.Unknown, string(sc.look.Format.Unknown(nil))
	}
	token := themes.Dim
	if v := c.Volume(); v == past.More || v == past.Fewer {
		token = themes.Accent
	}
	return token, model.SignedPercent(share)
}

// usualWords says what the day is measured by, as much of it as w cells hold.
func (sc *scene) usualWords(c past.Comparison, w int) string {
	u := c.SoFar
	switch {
	case u.Days == 0:
		return past.NoCompare.String()
	case !c.Day.Known():
		return "usual " + sc.number(u.Median) + sc.over(c)
	}
	text := c.Volume().String()
	median := text + ": " + sc.number(u.Median) + sc.byNow(c)
	mostly := median + ", mostly " + sc.number(u.Low) + " to " + sc.number(u.High)
	return look.Longest(w, mostly+sc.over(c), mostly, median, text, "")
}

// niceCount returns an upper end of a scale of counts that is easy to halve.
func niceCount(v float64) float64 {
	unit := math.Pow(10, math.Floor(math.Log10(max(v, 1))))
	for _, n := range []float64{1, 1.2, 1.6, 2, 3, 4, 5, 6, 8} {
		if top := n * unit; v <= top && top >= 2 && top == math.Trunc(top) {
			return top
		}
	}
	return 10 * unit
}

// byNow says until when a day that is not over is compared.
func (sc *scene) byNow(c past.Comparison) string {
	if n := len(c.Day.Hours); n == 0 || c.Day.Hours[n-1].Known && !c.Day.Hours[n-1].Partial {
		return ""
	}
	return " by " + c.Day.At.Format("15:04")
}

// over says how many days what is usual was made from.
func (sc *scene) over(c past.Comparison) string {
	if c.SoFar.Days == 1 {
		return " on 1 " + c.Usual.Weekday.String()
	}
	return " on " + itoa(c.SoFar.Days) + " " + c.Usual.Weekday.String() + "s"
}

// number is a number as short as it can be said.
func (sc *scene) number(v float64) string {
	if v >= 100 || v == math.Trunc(v) {
		return sc.look.Count(int(math.Round(v)))
	}
	return string(sc.look.Format.Decimal(nil, v))
}

// dayPlot draws a day by the hour, with the median and the quartiles of what is
// usual.
func (sc *scene) dayPlot(c past.Comparison, w, h int) []string {
	n := len(c.Day.Hours)
	values := make([][]float64, 4) // the day, the median, low and high
	for i := range values {
		values[i] = make([]float64, n)
	}
	top := 0.0
	for i, hour := range c.Day.Hours {
		u := c.Usual.Hours[hour.Start.Hour()]
		of := [4]float64{float64(hour.Count), u.Median, u.Low, u.High}
		for s, v := range of {
			if s == 0 && (!hour.Known || hour.Partial) || s > 0 && u.Days == 0 {
				v = math.NaN() // an hour that is not over would look like a collapse
			} else {
				top = max(top, v)
			}
			values[s][i] = v
		}
	}
	plot := chart.Plot{
		Width: w, Height: h - 1, Max: niceCount(top), Target: math.NaN(), Cursor: -1, Set: chart.Braille,
		Label: sc.number, Axis: sc.look.Theme.SGR(themes.Dim), CursorStyle: sc.look.Theme.SGR(themes.Accent),
	}
	if sc.ASCII {
		plot.Set = chart.ASCII
	}
	plot.Gutter = max(look.Width(sc.number(plot.Max)), look.Width(sc.number(plot.Max/2)), 2) + 1
	every := 3
	if w < 60 {
		every = 6
	}
	for i, hour := range c.Day.Hours {
		if hour.Start.Hour()%every == 0 {
			plot.Ticks = append(plot.Ticks, chart.Tick{At: i, Label: hour.Start.Format("15:04")})
		}
	}
	edge := chart.Series{Glyph: sc.look.Glyphs.Dot, Style: sc.look.Theme.SGR(themes.Faint)}
	low, high := edge, edge
	low.Values, high.Values = values[2], values[3]
	series := []chart.Series{
		low, high,
		{Values: values[1], Glyph: sc.look.SeriesGlyph(1), Style: sc.look.Theme.SGR(themes.Series2)},
		{Values: values[0], Glyph: sc.look.SeriesGlyph(0), Style: sc.look.Theme.SGR(themes.Series1)},
	}
	legend := look.NewLine(w, sc.look.Glyphs.Ellipsis).Space(themes.Style{}, 1)
	legend.Add(sc.look.Style(themes.Series1), sc.look.SeriesGlyph(0)).Add(sc.look.Style(themes.Text), " "+c.Day.Kind.String()+" an hour   ")
	legend.Add(sc.look.Style(themes.Series2), sc.look.SeriesGlyph(1)).Add(sc.look.Style(themes.Text), " usual (median)   ")
	if band := look.Longest(legend.Room()-1, " half of the days are between", " quartiles", ""); band != "" {
		legend.Add(sc.look.Style(themes.Faint), sc.look.Glyphs.Dot).Add(sc.look.Style(themes.Dim), band)
	}
	return append([]string{legend.End(themes.Style{})}, plot.Render(series)...)
}

// hourLines are the hours with their figures.
func (sc *scene) hourLines(c past.Comparison) []string {
	head := " hour " + look.PadLeft("count", 8) + look.PadLeft("usual", 8) + look.PadLeft("mostly", 11) + look.PadLeft("change", 9)
	out := []string{look.NewLine(hourTable, sc.look.Glyphs.Ellipsis).Add(sc.look.Style(themes.Header), head).End(themes.Style{})}
	for _, hour := range c.Day.Hours {
		l := look.NewLine(hourTable, sc.look.Glyphs.Ellipsis)
		unknown := string(sc.look.Format.Unknown(nil))
		count, usual, mostly, change := unknown, unknown, unknown, ""
		u := c.Usual.Hours[hour.Start.Hour()]
		if hour.Known {
			count = sc.look.Count(hour.Count)
		}
		if u.Days > 0 {
			usual, mostly = sc.number(u.Median), sc.number(u.Low)+"-"+sc.number(u.High)
		}
		token := themes.Dim
		switch {
		case hour.Known && hour.Partial:
			change = "so far"
		case hour.Known && u.Days > 0 && u.Median > 0:
			change = model.SignedPercent(float64(hour.Count)/u.Median - 1)
			if n := float64(hour.Count); n > u.High || n < u.Low {
				token = themes.Accent
			}
		}
		l.Add(sc.look.Style(themes.Dim), " "+hour.Start.Format("15:04")).Add(sc.look.Style(themes.Digits), look.PadLeft(count, 8))
		l.Add(sc.look.Style(themes.Text), look.PadLeft(usual, 8)).Add(sc.look.Style(themes.Dim), look.PadLeft(mostly, 11))
		out = append(out, l.Add(sc.look.Style(token), look.PadLeft(change, 9)).End(themes.Style{}))
	}
	return out
}
