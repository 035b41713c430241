package ui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"wallboard/themes"
	"wallboard/ui/chart"
	"wallboard/ui/look"
)

// clockPart is the time of day and the date, on the platform's clock.
type clockPart struct{ zone *time.Location }

var _ part = clockPart{}

func (clockPart) title(*scene) string                           { return "" }
func (clockPart) status(*scene) standing                        { return standing{} }
func (clockPart) subs() []string                                { return nil }
func (clockPart) refresh(*scene)                                {}
func (clockPart) restyle(*scene)                                {}
func (clockPart) press(*scene, tea.KeyPressMsg) (tea.Cmd, bool) { return nil, false }
func (clockPart) update(*scene, tea.Msg) tea.Cmd                { return nil }
func (clockPart) hide()                                         {}
func (clockPart) listens() bool                                 { return false }
func (clockPart) focus(bool)                                    {}
func (clockPart) focused() *pane                                { return nil }
func (clockPart) flashing() bool                                { return false }
func (clockPart) want(*scene, int) room {
	return room{width: 10, least: 1, wanted: 1, steps: []int{1, 2, chart.DigitRows, chart.DigitRows + 2}}
}

// view draws the time in large digits where there is room for them, with the
// seconds where there is room for those, and the date below.
func (c clockPart) view(sc *scene, _, _, w, h int) []string {
	now := sc.local(sc.floor.Server(sc.floor.Ours))
	if c.zone != nil {
		now = now.In(c.zone)
	}
	date := now.Format("Monday, 2 January 2006")
	if look.Width(date) > w-2 {
		date = now.Format("Mon 2 Jan")
	}
	if c.zone != nil && look.Width(date)+len(c.zone.String())+4 <= w {
		date += " " + sc.look.Glyphs.Dot + " " + c.zone.String()
	}
	middle := func(text string, t themes.Token) string {
		l := look.NewLine(w, sc.look.Glyphs.Ellipsis)
		return l.Space(themes.Style{}, max(w-look.Width(text), 0)/2).Add(sc.look.Style(t), text).End(themes.Style{})
	}
	if h < chart.DigitRows || w < tallDigits {
		return look.FitLines([]string{middle(now.Format("15:04:05"), themes.Title), middle(date, themes.Dim)}, w, h, sc.look.Glyphs.Ellipsis)
	}
	// HH:MM:SS is 29 cells, or 58 in wide dots; HH:MM is 17 or 34.
	text, wide := now.Format("15:04"), w >= wideDigits
	if w >= 58 || !wide && w >= 29 {
		text = now.Format("15:04:05")
	}
	d := chart.Digits{Width: w, Style: sc.look.Theme.SGR(themes.Digits), Set: sc.look.Chart(), Wide: wide}
	out := d.Render(text)
	if h > chart.DigitRows+1 {
		out = append(out, look.Blanks(w))
	}
	if h > chart.DigitRows {
		out = append(out, middle(date, themes.Dim))
	}
	return look.FitLines(out, w, h, sc.look.Glyphs.Ellipsis)
}

// clockKind is the kind of panes that are clocks.
func clockKind() paneKind {
	return paneKind{
		name: "clock", takes: []string{"zone"},
		make: func(_ *scene, s PaneSpec) part { return clockPart{s.Zone} },
	}
}
