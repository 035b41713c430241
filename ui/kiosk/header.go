package kiosk

import (
	"strings"

	"wallboard/internal/textformat"
	"wallboard/themes"
	"wallboard/ui/chart"
	"wallboard/ui/frame"
	"wallboard/ui/style"
)

// Minimum sizes of the screen, in cells or lines.
const (
	framedWidth      = 100 // minimum width for a frame on both sides
	largeClockHeight = 36  // minimum height for a large clock
)

// Minimum size of a screen, in cells and lines, on which every figure is at least three lines high.
const (
	largeFiguresWidth  = 160
	largeFiguresHeight = 45
)

// HasLargeFigures reports whether the screen is large enough to draw all figures so that they can
// be read from a distance of five meters.
func (w *Kiosk) HasLargeFigures(width, height int) bool {
	return w != nil && width >= largeFiguresWidth && height >= largeFiguresHeight
}

// Header draws the ticker, a line with the site, the state of the feed and the time, and the banners.
// If a screen replaces the page, it draws only the line. On a large screen, the time is a large clock.
func (w *Kiosk) Header(frameData *frame.Frame, frameLines *frame.Lines) []string {
	out := make([]string, 0, frameData.Height)
	if !w.ReplacesPage() {
		out = append(out, w.tickerLines(frameData)...)
		if w.HasLargeFigures(frameData.Width+2*frameSideWidth, frameData.Height) {
			out = append(out, style.Blanks(frameData.Width)) // separates the large clock from the ticker
		}
	}
	if frameData.Width+2*frameSideWidth >= framedWidth && frameData.Height >= largeClockHeight {
		out = append(out, largeHeader(frameData, frameLines)...)
	} else {
		out = append(out, frameLines.Status(frameData))
	}
	if w.ReplacesPage() {
		return out
	}
	return append(out, frameData.Banners()...)
}

// largeHeader draws the site, the state of the feed and, on the right, a large clock.
func largeHeader(frameData *frame.Frame, frameLines *frame.Lines) []string {
	lk := frameData.Look
	clock := chart.Digits{Width: 19, Style: lk.Theme.OpenSequence(themes.Digits), Set: lk.ChartGlyphs(), HalfHeight: true}
	if frameData.Height >= 60 && frameData.Width >= 190 {
		clock.Width, clock.WideDots, clock.HalfHeight = 36, true, false
	}
	lines := clock.Render(textformat.Clock(frameData.Floor.ToServerTime(frameData.Floor.LocalNow), lk.Zone()))
	left := frameData.Width - clock.Width
	state, stateWidth := style.NewLine(left, lk.Glyphs.Ellipsis), 0
	for _, b := range frameLines.BadgesWithoutClock(frameData) {
		state.Add(lk.Style(b.Token), " "+b.Text+" ").Space(themes.Style{}, 1)
		stateWidth = state.UsedWidth() - 1
	}
	name := strings.ToUpper(frameLines.SiteAndChannel(frameData))
	if spaced := strings.Join(strings.Split(name, ""), " "); style.Width(spaced) < (frameData.Width-stateWidth)/2-3 {
		name = spaced
	}
	line := style.NewLine(left, lk.Glyphs.Ellipsis).Space(themes.Style{}, 2)
	line.Add(lk.Style(themes.Title), style.Truncate(name, left-stateWidth-4, lk.Glyphs.Ellipsis))
	line.Space(themes.Style{}, max((frameData.Width-stateWidth)/2-line.UsedWidth(), 2)).AddRaw(state.String(), state.UsedWidth())
	for i := range lines {
		if i == len(lines)/2 {
			lines[i] = line.Finish(themes.Style{}) + lines[i]
		} else {
			lines[i] = style.Blanks(left) + lines[i]
		}
	}
	return lines
}

// frameSideWidth is the width of the frame on each side in cells.
const frameSideWidth = 1

// FrameSideText returns the text to draw at the left and right of each line: the side of a frame while a
// critical situation needs action, otherwise spaces. The ticker is the top of the frame, and the
// footer is the bottom. FrameSideText returns "" if the screen is too narrow for a frame.
func (w *Kiosk) FrameSideText(frameData *frame.Frame) string {
	side := " "
	switch {
	case w == nil || frameData.Width < framedWidth:
		return ""
	case !hasCritical(frameData):
		return style.Blanks(frameSideWidth)
	case frameData.Look.ASCII:
		side = "#"
	case hasNoColors(frameData.Look):
		side = "┃"
	}
	return frameData.Look.Style(themes.BadgeCritical).Render(side)
}

// hasNoColors reports whether the theme has no colors. The frame must then be drawn with heavy
// lines, because spaces in reverse video would be invisible on some terminals.
func hasNoColors(lk *style.Look) bool { return lk.Mono || !lk.Theme.HasColors() }

// heavyRule returns the character of the horizontal lines of the frame on a screen without colors.
func heavyRule(lk *style.Look) string {
	if lk.ASCII {
		return "#"
	}
	return "━"
}

// replaceBlanksWithRule replaces long runs of spaces in line with the horizontal line of the frame.
// It is used on a screen without colors.
func replaceBlanksWithRule(lk *style.Look, line string) string {
	const least = 4 // minimum length of a run; shorter runs are within texts and digits
	out, blanks := make([]byte, 0, 2*len(line)), 0
	flush := func() {
		if blanks >= least {
			out = append(append(append(out, ' '), strings.Repeat(heavyRule(lk), blanks-2)...), ' ')
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
