package table

import (
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// painter builds one line. Its buffers are reused from line to line.
type painter struct {
	out  []byte
	open []byte // what is switched on between the cells

	cell  Cell
	row   Row
	cells []byte // texts of the row being drawn, for [line.cells]
}

// start begins a line whose cells lie on the given styles.
func (p *painter) start(styles ...string) {
	p.out, p.open = p.out[:0], p.open[:0]
	for _, s := range styles {
		p.open = append(p.open, s...)
	}
	p.out = append(p.out, p.open...)
}

// finish ends a line and returns it.
func (p *painter) finish() string { return p.finishBeside("") }

// finishBeside is finish with something more that is finished already.
func (p *painter) finishBeside(bar string) string {
	if len(p.open) > 0 {
		p.out = append(p.out, ansi.ResetStyle...)
	}
	p.out = append(p.out, bar...)
	return string(p.out)
}

// reset returns to the style between the cells.
func (p *painter) reset() {
	p.out = append(p.out, ansi.ResetStyle...)
	p.out = append(p.out, p.open...)
}

// pad appends n blanks.
func (p *painter) pad(n int) {
	const blanks = "                                                                "
	for ; n > len(blanks); n -= len(blanks) {
		p.out = append(p.out, blanks...)
	}
	if n > 0 {
		p.out = append(p.out, blanks[:n]...)
	}
}

// text appends s in exactly width cells. Only the text itself is styled, so
// that an underline or a badge does not run through the padding.
func (p *painter) text(s []byte, width int, align Align, m *Model, styles ...string) {
	if width <= 0 {
		return
	}
	cells, ok := plain(s)
	if !ok {
		p.wide(clean(string(s)), width, align, m, styles)
		return
	}
	if cells <= width {
		before, after := place(width-cells, align)
		p.pad(before)
		styled := p.begin(styles)
		p.out = append(p.out, s...)
		p.end(styled)
		p.pad(after)
		return
	}
	styled := p.begin(styles)
	p.out = append(p.out, s[:prefix(s, width-1)]...)
	p.out = append(p.out, m.glyphs.Ellipsis...)
	p.end(styled)
}

// wide is text for everything that needs grapheme clusters. The escape
// sequences around it keep a stray combining character from joining the blank
// or the ellipsis beside it, which would change the width of the line.
func (p *painter) wide(s string, width int, align Align, m *Model, styles []string) {
	s, cells, whole := cut(s, width, m.method)
	if !whole {
		cells++
	}
	before, after := place(width-cells, align)
	p.pad(before)
	p.reset()
	p.begin(styles)
	p.out = append(p.out, s...)
	if !whole {
		p.reset()
		p.begin(styles)
		p.out = append(p.out, m.glyphs.Ellipsis...)
	}
	p.reset()
	p.pad(after)
}

// raw appends text that carries its own styles, in exactly width cells. A reset
// inside it returns to what lies under the cell. Text that does not fit loses
// its styles.
func (p *painter) raw(s []byte, width int, align Align, m *Model, styles ...string) {
	text := string(s)
	cells := m.method.StringWidth(text)
	if cells > width {
		p.text([]byte(ansi.Strip(text)), width, align, m, styles...)
		return
	}
	before, after := place(width-cells, align)
	p.pad(before)
	p.reset()
	p.begin(styles)
	under := ansi.ResetStyle + string(p.open) + strings.Join(styles, "")
	p.out = append(p.out, strings.ReplaceAll(text, ansi.ResetStyle, under)...)
	p.reset()
	p.pad(after)
}

// onlyStyles tells whether nothing in the text is forbidden but escape sequences
// that set a style. All others could move the cursor or swallow what follows.
func onlyStyles(s []byte) bool {
	for i, n := 0, 0; i < len(s); i += n {
		var r rune
		r, n = utf8.DecodeRune(s[i:])
		if r == '\x1b' {
			if n = styleLen(s[i:]); n == 0 {
				return false
			}
		} else if forbidden(r) {
			return false
		}
	}
	return true
}

// styleLen returns the length of the SGR sequence s starts with, 0 if it does
// not.
func styleLen(s []byte) int {
	if len(s) < 3 || s[1] != '[' {
		return 0
	}
	for i := 2; i < len(s); i++ {
		switch b := s[i]; {
		case b == 'm':
			return i + 1
		case b != ';' && b != ':' && (b < '0' || b > '9'):
			return 0
		}
	}
	return 0
}

func (p *painter) begin(styles []string) (styled bool) {
	for _, s := range styles {
		if s != "" {
			p.out = append(p.out, s...)
			styled = true
		}
	}
	return styled
}

func (p *painter) end(styled bool) {
	if styled {
		p.reset()
	}
}

// place divides the blanks beside a text.
func place(blanks int, align Align) (before, after int) {
	blanks = max(blanks, 0)
	switch align {
	case Right:
		return blanks, 0
	case Center:
		return blanks / 2, blanks - blanks/2
	case AlignDefault, Left:
	}
	return 0, blanks
}
