package history

import (
	"math"
	"strconv"
	"time"

	"wallboard/model"
	"wallboard/model/past"
	"wallboard/themes"
	"wallboard/ui/chart"
	"wallboard/ui/look"
)

// comparison draws a day of one kind of contact against its baseline.
type comparison struct {
	look *look.Look
	past.Comparison

	against time.Time // the one day that it is compared with; zero: with what is usual
}

// than is what the day is compared with, in a word or two.
func (c *comparison) than(usual string) string {
	if c.against.IsZero() {
		return usual
	}
	return c.against.Format("Mon 2 Jan")
}

// change is how much more than usual there was, with its sign.
func (c *comparison) change() (themes.Token, string) {
	share, ok := c.Change()
	if !ok {
		return themes.Unknown, string(c.look.Format.Unknown(nil))
	}
	token := themes.Dim
	if v := c.Volume(); v == past.More || v == past.Fewer {
		token = themes.Accent
	}
	return token, model.SignedPercent(share)
}

// words says what the day is measured by, as much of it as w cells hold.
func (c *comparison) words(w int) string {
	u := c.SoFar
	switch {
	case u.Days == 0:
		if !c.against.IsZero() {
			return "nothing is known of " + c.than("")
		}
		return past.NoCompare.String()
	case !c.against.IsZero():
		return look.Longest(w, c.than("")+": "+c.number(u.Median)+c.byNow(), c.number(u.Median), "")
	case !c.Day.Known():
		return "usual " + c.number(u.Median) + c.over()
	}
	text := c.Volume().String()
	median := text + ": " + c.number(u.Median) + c.byNow()
	mostly := median + ", typically " + c.number(u.Low) + " to " + c.number(u.High)
	return look.Longest(w, mostly+c.over(), mostly, median, text, "")
}

// byNow says until when a day that is not over is compared.
func (c *comparison) byNow() string {
	if n := len(c.Day.Hours); n == 0 || c.Day.Hours[n-1].Known && !c.Day.Hours[n-1].Partial {
		return ""
	}
	return " by " + c.Day.At.Format("15:04")
}

// over says how many days what is usual was made from.
func (c *comparison) over() string {
	if c.SoFar.Days == 1 {
		return " on 1 " + c.Usual.Weekday.String()
	}
	return " on " + strconv.Itoa(c.SoFar.Days) + " " + c.Usual.Weekday.String() + "s"
}

// number writes a number as short as it can be said.
func number(lk *look.Look, v float64) string {
	if v >= 100 || v == math.Trunc(v) {
		return lk.Count(int(math.Round(v)))
	}
	return string(lk.Format.Decimal(nil, v))
}

func (c *comparison) number(v float64) string { return number(c.look, v) }

// plot draws a day by the hour over what is usual: the median, and behind it what
// lies between the quartiles.
func (c *comparison) plot(w, h int) []string {
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
	const axis = 2
	plot := chart.Plot{
		Width: w, Height: h - 1, Scale: chart.Round(0, max(top, 2), max((h-1-axis)/3, 1), chart.Steps(top, true)...),
		Target: math.NaN(), Cursor: -1, Set: chart.Braille,
		Label: c.number, Axis: c.look.Theme.SGR(themes.Dim), CursorStyle: c.look.Theme.SGR(themes.Accent),
		Band: c.look.Band(values[2], values[3]),
	}
	if c.look.ASCII {
		plot.Set = chart.ASCII
	}
	plot.Gutter = max(look.Width(c.number(plot.Max)), look.Width(c.number(plot.Step)), 2) + 1
	every := 3
	if w < 60 {
		every = 6
	}
	for i, hour := range c.Day.Hours {
		if hour.Start.Hour()%every == 0 {
			plot.Ticks = append(plot.Ticks, chart.Tick{At: i, Label: hour.Start.Format("15:04")})
		}
	}
	series := []chart.Series{
		{Values: values[0], Area: c.look.Gradient(themes.Sparkline)},
		{Values: values[1], Glyph: c.look.SeriesGlyph(0), Style: c.look.Theme.SGR(themes.Dim)},
	}
	legend := look.NewLine(w, c.look.Glyphs.Ellipsis).Space(themes.Style{}, 1)
	legend.Add(c.look.Style(themes.Sparkline), c.look.AreaGlyph()).Add(c.look.Style(themes.Text), " "+c.Day.Kind.String()+" an hour   ")
	legend.Add(c.look.Style(themes.Dim), c.look.SeriesGlyph(0)).Add(c.look.Style(themes.Text), " "+c.than("usual (median)")+"   ")
	if !c.against.IsZero() {
		plot.Band = chart.Band{}
	} else if band := look.Longest(legend.Room()-1, " half of the days are between", " quartiles", ""); band != "" {
		legend.Raw(plot.Band.Sample(), 1).Add(c.look.Style(themes.Dim), band)
	}
	return append([]string{legend.End(themes.Style{})}, plot.Render(series)...)
}

// hours are the hours with their figures.
func (c *comparison) hours() []string {
	usually, between := "usual", "typically"
	if !c.against.IsZero() {
		usually, between = "then", ""
	}
	head := " hour " + look.PadLeft("count", 8) + look.PadLeft(usually, 8) + look.PadLeft(between, 11) + look.PadLeft("change", 9)
	out := []string{look.NewLine(hourTable, c.look.Glyphs.Ellipsis).Add(c.look.Style(themes.Header), head).End(themes.Style{})}
	for _, hour := range c.Day.Hours {
		l := look.NewLine(hourTable, c.look.Glyphs.Ellipsis)
		unknown := string(c.look.Format.Unknown(nil))
		count, usual, mostly, change := unknown, unknown, unknown, ""
		u := c.Usual.Hours[hour.Start.Hour()]
		if hour.Known {
			count = c.look.Count(hour.Count)
		}
		if u.Days > 0 {
			usual, mostly = c.number(u.Median), c.number(u.Low)+"-"+c.number(u.High)
		}
		if !c.against.IsZero() {
			mostly = ""
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
		l.Add(c.look.Style(themes.Dim), " "+hour.Start.Format("15:04")).Add(c.look.Style(themes.Digits), look.PadLeft(count, 8))
		l.Add(c.look.Style(themes.Text), look.PadLeft(usual, 8)).Add(c.look.Style(themes.Dim), look.PadLeft(mostly, 11))
		out = append(out, l.Add(c.look.Style(token), look.PadLeft(change, 9)).End(themes.Style{}))
	}
	return out
}
