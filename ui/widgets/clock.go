package widgets

import (
	"cmp"
	"time"

	"wallboard/internal/words"
	"wallboard/themes"
	"wallboard/ui/chart"
	"wallboard/ui/style"
)

// DrawClock draws the time of day in large digits, with seconds if they fit. If large digits do not
// fit, it draws the time as text. The date is below the time. If zone is nil, the time is in the
// board's time zone.
func DrawClock(lk *style.Look, now time.Time, zone *time.Location, w, h int) []string {
	now = now.In(cmp.Or(zone, lk.Zone()))
	date := lk.Translate(words.LongDate(now))
	if style.Width(date) > w-2 {
		date = lk.Translate(words.ShortDate(now))
	}
	if zone != nil && style.Width(date)+len(zone.String())+4 <= w {
		date += " " + lk.Glyphs.Dot + " " + zone.String()
	}
	middle := func(text string, t themes.Token) string {
		l := style.NewLine(w, lk.Glyphs.Ellipsis)
		return l.Space(themes.Style{}, max(w-style.Width(text), 0)/2).Add(lk.Style(t), text).Finish(themes.Style{})
	}
	if h < chart.DigitRows || w < MinDigitsWidth {
		return style.FitLines([]string{middle(now.Format(time.TimeOnly), themes.Title), middle(date, themes.Dim)}, w, h, lk.Glyphs.Ellipsis)
	}
	// HH:MM:SS takes 29 cells, or 58 in wide dots. HH:MM takes 17 cells, or 34 in wide dots.
	text, wide := now.Format("15:04"), w >= MinWideDigitsWidth
	if w >= 58 || !wide && w >= 29 {
		text = now.Format(time.TimeOnly)
	}
	d := chart.Digits{Width: w, Style: lk.Theme.OpenSequence(themes.Digits), Set: lk.ChartGlyphs(), WideDots: wide}
	out := d.Render(text)
	if h > chart.DigitRows+1 {
		out = append(out, style.Blanks(w))
	}
	if h > chart.DigitRows {
		out = append(out, middle(date, themes.Dim))
	}
	return style.FitLines(out, w, h, lk.Glyphs.Ellipsis)
}
