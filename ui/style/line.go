package style

import (
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"wallboard/themes"
	"wallboard/ui/table"
)

// Line builds a line of the frame. A Line is never wider than its width: text that does not fit is
// truncated and ends in the ellipsis.
type Line struct {
	buf       []byte
	usedWidth int
	width     int
	ellipsis  string
}

// NewLine returns an empty line of the given width. Truncated text ends in ellipsis.
func NewLine(width int, ellipsis string) *Line {
	return &Line{buf: make([]byte, 0, 2*width+64), width: width, ellipsis: ellipsis}
}

// UsedWidth returns the number of cells in use.
func (l *Line) UsedWidth() int { return l.usedWidth }

// String returns the text of the line so far.
func (l *Line) String() string { return string(l.buf) }

// RemainingWidth returns the number of free cells.
func (l *Line) RemainingWidth() int { return l.width - l.usedWidth }

// Add appends s in the style st, truncated to the free cells.
func (l *Line) Add(st themes.Style, s string) *Line {
	w := Width(s)
	if w > l.RemainingWidth() {
		s = Truncate(s, l.RemainingWidth(), l.ellipsis)
		w = Width(s)
	}
	if s == "" {
		return l
	}
	l.buf = append(l.buf, st.Open...)
	l.buf = append(l.buf, s...)
	l.buf = append(l.buf, st.Close...)
	l.usedWidth += w
	return l
}

// AddRaw appends s, which may contain styles. w is the width of s in cells.
func (l *Line) AddRaw(s string, w int) *Line {
	if w > l.RemainingWidth() {
		s = Truncate(s, l.RemainingWidth(), l.ellipsis)
		w = Width(s) // truncating before a wide character may leave a cell free
	}
	l.buf = append(l.buf, s...)
	l.usedWidth += max(w, 0)
	return l
}

// Space appends n spaces in the style st, or as many as fit.
func (l *Line) Space(st themes.Style, n int) *Line {
	n = min(n, l.RemainingWidth())
	if n <= 0 {
		return l
	}
	return l.Add(st, Blanks(n))
}

// AddNote appends s between two spaces. It appends nothing if no part of s fits.
func (l *Line) AddNote(st themes.Style, s string) {
	if available := l.RemainingWidth() - 2; s != "" && available > 0 {
		l.Space(themes.Style{}, 1).Add(st, Truncate(s, available, l.ellipsis)).Space(themes.Style{}, 1)
	}
}

// Finish fills the rest of the line with spaces in the style st and returns the line.
func (l *Line) Finish(st themes.Style) string {
	l.Space(st, l.RemainingWidth())
	return string(l.buf)
}

// Blanks returns n spaces.
func Blanks(n int) string {
	const blanks = "                                                                                                    " // 100 spaces
	if n <= len(blanks) {
		return blanks[:max(n, 0)]
	}
	return strings.Repeat(" ", n)
}

// Width returns the width of s in cells. Escape sequences have no width.
func Width(s string) int {
	if w, ok := table.PlainWidth(s); ok {
		return w
	}
	if w, ok := paintedWidth(s); ok {
		return w
	}
	return ansi.StringWidth(s)
}

// paintedWidth returns the width of plain text that may contain color sequences, as in most lines.
// ok is false for any other text.
func paintedWidth(s string) (cells int, ok bool) {
	for {
		text, rest, more := strings.Cut(s, "\x1b[")
		w, plain := table.PlainWidth(text)
		if !plain {
			return 0, false
		}
		cells += w
		if !more {
			return cells, true
		}
		end := strings.IndexByte(rest, 'm')
		if end < 0 || strings.Trim(rest[:end], "0123456789;:") != "" {
			return 0, false
		}
		s = rest[end+1:]
	}
}

// FirstFitting returns the first of texts that fits into w cells, or the last one if none fits.
// Callers use it to show a shorter string instead of a truncated one.
func FirstFitting(w int, texts ...string) string {
	for _, t := range texts {
		if Width(t) <= w {
			return t
		}
	}
	return texts[len(texts)-1]
}

// Truncate truncates s to at most width cells. A truncated string ends in ellipsis.
func Truncate(s string, width int, ellipsis string) string {
	switch {
	case width <= 0:
		return ""
	case Width(s) <= width:
		return s
	}
	return ansi.Truncate(s, width, ellipsis)
}

// Fit returns s, truncated or padded to exactly width cells. s may contain styles.
func Fit(s string, width int, ellipsis string) string {
	w := Width(s)
	if w > width {
		s = Truncate(s, width, ellipsis)
		w = Width(s)
	}
	if w < width {
		s += Blanks(width - w)
	}
	return s
}

// FitLines returns exactly height lines of exactly width cells. It drops surplus lines, adds blank
// lines, and truncates or pads each line. It reuses the memory of lines.
func FitLines(lines []string, width, height int, ellipsis string) []string {
	if height < 0 {
		height = 0
	}
	if len(lines) > height {
		lines = lines[:height]
	}
	for i := range lines {
		lines[i] = Fit(lines[i], width, ellipsis)
	}
	for len(lines) < height {
		lines = append(lines, Blanks(width))
	}
	return lines
}

// FillLines is like FitLines, but lines must already be width cells wide. Measuring such lines
// again would take longer than drawing them.
func FillLines(lines []string, width, height int) []string {
	lines = lines[:min(len(lines), max(height, 0))]
	for len(lines) < height {
		lines = append(lines, Blanks(width))
	}
	return lines
}

// ConcealSequence is the escape sequence that hides text. The spaces at the end of a line are drawn with
// it, because Bubble Tea's renderer erases ordinary spaces there instead of writing them, and not
// every terminal erases in the current color. Concealed spaces look the same and are always
// written.
var ConcealSequence = ansi.SGR(ansi.AttrConceal)

// AppendOnBase appends the line l to dst in the style base. It restores base after every reset in
// the line, and conceals the spaces at the end of the line. If base is empty, it appends the line
// unchanged.
func AppendOnBase(dst []byte, l, base string) []byte {
	if base == "" {
		return append(dst, l...)
	}
	l = strings.TrimSuffix(l, ansi.ResetStyle)
	text := strings.TrimRight(l, " ")
	end := l[len(text):]
	if !strings.HasPrefix(text, base) {
		dst = append(dst, base...)
	}
	for {
		index := strings.Index(text, ansi.ResetStyle)
		if index < 0 {
			break
		}
		index += len(ansi.ResetStyle)
		dst = append(dst, text[:index]...)
		text = text[index:]
		if !strings.HasPrefix(text, base) {
			dst = append(dst, base...)
		}
	}
	dst = append(dst, text...)
	if end != "" && !strings.HasSuffix(text, ConcealSequence) {
		dst = append(dst, ConcealSequence...)
	}
	dst = append(dst, end...)
	return append(dst, ansi.ResetStyle...)
}

// Overlay draws box over lines, in place. The top left corner of the box is at x, y. All lines are
// width cells wide, and all lines of box have the same width.
func Overlay(lines, box []string, x, y, width int) {
	for i, b := range box {
		if y+i < 0 || y+i >= len(lines) {
			continue
		}
		w := Width(b)
		base := lines[y+i]
		available := width - x - w
		left := Fit(ansi.Cut(base, 0, x), x, "")
		right := Truncate(ansi.Cut(base, x+w, width), available, "")
		gap := available - Width(right) // truncating in the middle of a wide character leaves a gap
		lines[y+i] = left + ansi.ResetStyle + b + ansi.ResetStyle + Blanks(gap) + right
	}
}

// PadLeft returns s, padded on the left with spaces to at least w cells.
func PadLeft(s string, w int) string { return Blanks(w-Width(s)) + s }

// JoinBlocks returns h lines with two blocks side by side, two cells apart. The lines of left are lw
// cells wide, those of right rw cells.
func JoinBlocks(left, right []string, lw, rw, h int) []string {
	h = max(h, 0)
	left, right = FillLines(left, lw, h), FillLines(right, rw, h)
	out := make([]string, h)
	for i := range out {
		out[i] = left[i] + "  " + right[i]
	}
	return out
}

// JoinCache joins two blocks in each frame. It reuses each line whose halves have not changed
// since the last frame.
type JoinCache struct{ left, right, whole []string }

// JoinBlocks returns the two blocks side by side, like the function [JoinBlocks]. Boards with the look lk
// share the lines.
func (p *JoinCache) JoinBlocks(lk *Look, left, right []string, lw, rw, h int) []string {
	h = max(h, 0)
	left, right = FillLines(left, lw, h), FillLines(right, rw, h)
	if len(p.whole) != h {
		p.left, p.right, p.whole = make([]string, h), make([]string, h), make([]string, h)
	}
	for i := range h {
		if p.whole[i] == "" || p.left[i] != left[i] || p.right[i] != right[i] {
			p.left[i], p.right[i] = left[i], right[i]
			p.whole[i] = lk.Cache.Join(left[i], "  ", right[i])
		}
	}
	return slices.Clone(p.whole)
}

// Inset adds a space at both ends of each line, in place.
func Inset(lines []string) {
	for i, l := range lines {
		lines[i] = " " + l + " "
	}
}

// InsetCache insets the same lines in each frame. It reuses each line that has not changed.
type InsetCache struct {
	width        int
	inner, inset []string
}

// InsetLines returns lines, each truncated or padded to w cells, with a space at both ends.
func (c *InsetCache) InsetLines(lines []string, w int) []string {
	out := make([]string, len(lines))
	for i, l := range lines {
		if c.width == w && i < len(c.inner) && c.inner[i] == l {
			out[i] = c.inset[i]
		} else {
			out[i] = " " + Fit(l, w, "") + " "
		}
	}
	c.width, c.inner, c.inset = w, lines, out
	return out
}
