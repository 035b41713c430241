package kiosk

import (
	"strings"

	"wallboard/themes"
	"wallboard/ui/chart"
	"wallboard/ui/frame"
	"wallboard/ui/style"
)

// Screen size for side frames and for a large clock.
const (
	framedWidth    = 100
	largeClockSize = 36 // in lines
)

// Screen size from which all figures have at least three lines.
const (
	afarWidth  = 160
	afarHeight = 45
)

// LargeOnly reports whether the screen is large enough to show only figures that can be read
// from five metres away.
func (w *Kiosk) LargeOnly(width, height int) bool {
	return w != nil && width >= afarWidth && height >= afarHeight
}

// Header draws the ticker, the line with site, feed state and time, and the banners.
func (w *Kiosk) Header(now *frame.Frame, around *frame.Lines) []string {
	out := make([]string, 0, now.Height)
	if !w.Covers() {
		out = append(out, w.ticker(now)...)
	}
	if now.Width+2*beside >= framedWidth && now.Height >= largeClockSize {
		out = append(out, largeHeader(now, around)...)
	} else {
		out = append(out, around.Status(now))
	}
	if w.Covers() {
		return out
	}
	return append(out, now.Banners()...)
}

// largeHeader draws the header with a large clock.
func largeHeader(now *frame.Frame, around *frame.Lines) []string {
	lk := now.Look
	clock := chart.Digits{Width: 19, Style: lk.Theme.SGR(themes.Digits), Set: lk.Chart(), Half: true}
	if now.Height >= 60 && now.Width >= 190 {
		clock.Width, clock.Wide, clock.Half = 36, true, false
	}
	lines := clock.Render(now.Floor.Server(now.Floor.Ours).In(lk.Zone()).Format("15:04"))
	left := now.Width - clock.Width
	state, wide := style.NewLine(left, lk.Glyphs.Ellipsis), 0
	for _, b := range around.States(now) {
		state.Add(lk.Style(b.Token), " "+b.Text+" ").Space(themes.Style{}, 1)
		wide = state.Used() - 1
	}
	name := strings.ToUpper(around.Name(now))
	if spaced := strings.Join(strings.Split(name, ""), " "); style.Width(spaced) < (now.Width-wide)/2-3 {
		name = spaced
	}
	line := style.NewLine(left, lk.Glyphs.Ellipsis).Space(themes.Style{}, 2)
	line.Add(lk.Style(themes.Title), style.Cut(name, left-wide-4, lk.Glyphs.Ellipsis))
	line.Space(themes.Style{}, max((now.Width-wide)/2-line.Used(), 2)).Raw(state.String(), state.Used())
	for i := range lines {
		if i == len(lines)/2 {
			lines[i] = line.End(themes.Style{}) + lines[i]
		} else {
			lines[i] = style.Blanks(left) + lines[i]
		}
	}
	return lines
}

// beside is the width of the frame at each side.
const beside = 1

// Side returns the text at both sides of each line: blanks, or the sides of a frame while
// something is critical. The ticker is the frame's top and the footer its bottom. Without
// colors the frame is drawn with heavy lines.
func (w *Kiosk) Side(now *frame.Frame) string {
	side := " "
	switch {
	case w == nil || now.Width < framedWidth:
		return ""
	case !critical(now):
		return style.Blanks(beside)
	case now.Look.ASCII:
		side = "#"
	case withoutColours(now.Look):
		side = "┃"
	}
	return now.Look.Style(themes.BadgeCritical).Render(side)
}

// withoutColours reports whether the theme has no colors. Blanks in reverse video are invisible
// on some terminals.
func withoutColours(lk *style.Look) bool { return lk.Mono || !lk.Theme.Coloured() }

// heavy returns the horizontal line of a frame without colors.
func heavy(lk *style.Look) string {
	if lk.ASCII {
		return "#"
	}
	return "━"
}

// withRule replaces long runs of blanks by the line of a frame without colors.
func withRule(lk *style.Look, line string) string {
	const least = 4 // minimum length of a run: shorter ones are within texts and digits
	out, blanks := make([]byte, 0, 2*len(line)), 0
	flush := func() {
		if blanks >= least {
			out = append(append(append(out, ' '), strings.Repeat(heavy(lk), blanks-2)...), ' ')
		} else {
			out = append(out, style.Blanks(blanks)...)
		}
		blanks = 0
	}
	for _, r := range line {
		if r == ' ' {
			blanks++
			continue
		}
		flush()
		out = append(out, string(r)...)
	}
	flush()
	return string(out)
}
