package panes

import (
	"time"

	"wallboard/themes"
	"wallboard/ui/chart"
	"wallboard/ui/frame"
	"wallboard/ui/plots"
	"wallboard/ui/style"
)

// clockPane shows the time of day and the date, in the platform's time zone if zone is nil.
type clockPane struct{ zone *time.Location }

func (clockPane) Refresh(*Scene) {}
func (clockPane) Want(*Scene, int) frame.SizeHint {
	return frame.SizeHint{MinWidth: 10, MinHeight: 1, WantedHeight: 1, UsefulHeights: []int{1, 2, chart.DigitRows, chart.DigitRows + 2}}
}

// View implements [Pane]. It draws the time in large digits if they fit, with seconds if these fit
// too. The date is below the time.
func (c clockPane) View(sc *Scene, _, _, w, h int) []string {
	now := sc.Floor.ToServerTime(sc.Floor.LocalNow).In(sc.Look.Zone())
	if c.zone != nil {
		now = now.In(c.zone)
	}
	date := now.Format("Monday, 2 January 2006")
	if style.Width(date) > w-2 {
		date = now.Format("Mon 2 Jan")
	}
	if c.zone != nil && style.Width(date)+len(c.zone.String())+4 <= w {
		date += " " + sc.Look.Glyphs.Dot + " " + c.zone.String()
	}
	middle := func(text string, t themes.Token) string {
		l := style.NewLine(w, sc.Look.Glyphs.Ellipsis)
		return l.Space(themes.Style{}, max(w-style.Width(text), 0)/2).Add(sc.Look.Style(t), text).End(themes.Style{})
	}
	if h < chart.DigitRows || w < plots.MinDigitsWidth {
		return style.FitLines([]string{middle(now.Format("15:04:05"), themes.Title), middle(date, themes.Dim)}, w, h, sc.Look.Glyphs.Ellipsis)
	}
	// HH:MM:SS takes 29 cells, or 58 in wide dots. HH:MM takes 17 cells, or 34 in wide dots.
	text, wide := now.Format("15:04"), w >= plots.MinWideDigitsWidth
	if w >= 58 || !wide && w >= 29 {
		text = now.Format("15:04:05")
	}
	d := chart.Digits{Width: w, Style: sc.Look.Theme.SGR(themes.Digits), Set: sc.Look.ChartGlyphs(), WideDots: wide}
	out := d.Render(text)
	if h > chart.DigitRows+1 {
		out = append(out, style.Blanks(w))
	}
	if h > chart.DigitRows {
		out = append(out, middle(date, themes.Dim))
	}
	return style.FitLines(out, w, h, sc.Look.Glyphs.Ellipsis)
}

func clockKind() paneKind {
	return paneKind{
		name: "clock", settings: []string{"zone"},
		make: func(_ *Scene, s PaneSpec) Pane { return clockPane{s.Zone} },
	}
}
