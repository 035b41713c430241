package ui

import (
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"wallboard/themes"
	"wallboard/ui/render"
	"wallboard/ui/table"
)

// line builds one line of the frame. It never grows beyond its width: what
// does not fit is cut and ends in the ellipsis.
type line struct {
	buf      []byte
	used     int
	width    int
	ellipsis string
}

func newLine(width int, ellipsis string) *line {
	return &line{buf: make([]byte, 0, 2*width+64), width: width, ellipsis: ellipsis}
}

// room returns how many cells are free.
func (l *line) room() int { return l.width - l.used }

// add appends s in a style, cut to the room there is.
func (l *line) add(st themes.Style, s string) *line {
	w := textWidth(s)
	if w > l.room() {
		s = cut(s, l.room(), l.ellipsis)
		w = textWidth(s)
	}
	if s == "" {
		return l
	}
	l.buf = append(l.buf, st.Open...)
	l.buf = append(l.buf, s...)
	l.buf = append(l.buf, st.Close...)
	l.used += w
	return l
}

// raw appends s, which holds styles of its own and is w cells wide.
func (l *line) raw(s string, w int) *line {
	if w > l.room() {
		s, w = cut(s, l.room(), l.ellipsis), l.room()
	}
	l.buf = append(l.buf, s...)
	l.used += max(w, 0)
	return l
}

// space appends n blanks, or as many as there is room for.
func (l *line) space(st themes.Style, n int) *line {
	n = min(n, l.room())
	if n <= 0 {
		return l
	}
	return l.add(st, blanks(n))
}

// end fills the line with blanks and returns it.
func (l *line) end(st themes.Style) string {
	l.space(st, l.room())
	return string(l.buf)
}

// kept is a line that is drawn anew only when what it is drawn from, the look
// or the width has changed.
type kept[E comparable] struct {
	from  []E
	look  *render.Options
	width int
	text  string
}

func (k *kept[E]) line(sc *scene, width int, draw func() string, from ...E) string {
	if k.text == "" || k.look != sc.render || k.width != width || !slices.Equal(k.from, from) {
		k.from, k.look, k.width = append(k.from[:0], from...), sc.render, width
		k.text = draw()
	}
	return k.text
}

// blanks returns n spaces.
func blanks(n int) string {
	const many = "                                                                                                    " // 100
	if n <= len(many) {
		return many[:max(n, 0)]
	}
	return strings.Repeat(" ", n)
}

// textWidth returns how many cells s takes; escape sequences take none.
func textWidth(s string) int {
	if w, ok := table.PlainWidth(s); ok {
		return w
	}
	return ansi.StringWidth(s)
}

// cut shortens s to width cells; ellipsis ends what was cut.
func cut(s string, width int, ellipsis string) string {
	switch {
	case width <= 0:
		return ""
	case textWidth(s) <= width:
		return s
	}
	return ansi.Truncate(s, width, ellipsis)
}

// fit makes s exactly width cells wide. s may hold styles.
func fit(s string, width int, ellipsis string) string {
	w := textWidth(s)
	if w > width {
		s = cut(s, width, ellipsis)
		w = textWidth(s)
	}
	if w < width {
		s += blanks(width - w)
	}
	return s
}

// fitLines makes lines exactly height lines of width cells.
func fitLines(lines []string, width, height int, ellipsis string) []string {
	if height < 0 {
		height = 0
	}
	if len(lines) > height {
		lines = lines[:height]
	}
	for i := range lines {
		lines[i] = fit(lines[i], width, ellipsis)
	}
	for len(lines) < height {
		lines = append(lines, blanks(width))
	}
	return lines
}

// fillLines is fitLines for lines that are of the width already: measuring them
// again costs more than drawing them did.
func fillLines(lines []string, width, height int) []string {
	lines = lines[:min(len(lines), max(height, 0))]
	for len(lines) < height {
		lines = append(lines, blanks(width))
	}
	return lines
}

// concealed switches text off. Bubble Tea's renderer erases the blanks at the
// end of a line instead of writing them, and not every terminal erases in the
// colour that is set; concealed blanks look the same and are written.
var concealed = ansi.SGR(ansi.AttrConceal)

// appendOn appends a line of a frame on the base style, which every reset in it
// returns to, if it does not already. An empty base leaves the line as it is.
func appendOn(dst []byte, l, base string) []byte {
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
		at := strings.Index(text, ansi.ResetStyle)
		if at < 0 {
			break
		}
		at += len(ansi.ResetStyle)
		dst = append(dst, text[:at]...)
		text = text[at:]
		if !strings.HasPrefix(text, base) {
			dst = append(dst, base...)
		}
	}
	dst = append(dst, text...)
	if end != "" && !strings.HasSuffix(text, concealed) {
		dst = append(dst, concealed...)
	}
	dst = append(dst, end...)
	return append(dst, ansi.ResetStyle...)
}

// overlay lays box over lines, its top left corner at x, y. Both are blocks of
// lines of equal width.
func overlay(lines, box []string, x, y, width int) {
	for i, b := range box {
		if y+i < 0 || y+i >= len(lines) {
			continue
		}
		w := textWidth(b)
		under := lines[y+i]
		room := width - x - w
		left := fit(ansi.Cut(under, 0, x), x, "")
		right := cut(ansi.Cut(under, x+w, width), room, "")
		gap := room - textWidth(right) // half of a wide character that was cut
		lines[y+i] = left + ansi.ResetStyle + b + ansi.ResetStyle + blanks(gap) + right
	}
}
