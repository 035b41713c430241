package table

import (
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"

	"wallboard/internal/lib/terminal"
)

// painter draws a line. It reuses its buffers for the next line.
type painter struct {
	out           []byte
	activeStyles  []byte // styles that are active between the cells
	baseLength    int    // length of the base style within activeStyles
	pendingBlanks int    // spaces that must be output before the next text

	cell         Cell
	row          Row
	cells        []byte // texts of the current row, for [line.cells]
	wantedWidths []int  // wanted width of each cell
}

// startLine begins a line. base and styles are active below the cells of the line and between them.
func (p *painter) startLine(base string, styles ...string) {
	p.out, p.pendingBlanks = p.out[:0], 0
	p.activeStyles, p.baseLength = append(p.activeStyles[:0], base...), len(base)
	for _, s := range styles {
		p.activeStyles = append(p.activeStyles, s...)
	}
	p.out = append(p.out, p.activeStyles...)
}

// finishLine ends the line and returns it, followed by bar, its part of the scroll bar. The result
// is valid until the next line begins.
func (p *painter) finishLine(bar string) []byte {
	p.flushBlanks()
	switch {
	case bar == "" && len(p.activeStyles) > 0:
		p.out = append(p.out, ansi.ResetStyle...)
	case len(p.activeStyles) > p.baseLength:
		p.out = append(p.out, ansi.ResetStyle...)
		p.out = append(p.out, p.activeStyles[:p.baseLength]...)
	}
	return append(p.out, bar...)
}

// resetStyle restores the style that is active between the cells.
func (p *painter) resetStyle() {
	p.out = append(p.out, ansi.ResetStyle...)
	p.out = append(p.out, p.activeStyles...)
}

// pad adds n blank cells to the line. Adjacent spaces are output together.
func (p *painter) pad(n int) { p.pendingBlanks += max(n, 0) }

// flushBlanks appends the pending spaces.
func (p *painter) flushBlanks() {
	if p.pendingBlanks == 0 {
		return
	}
	const blanks = "                                                                "
	for ; p.pendingBlanks > len(blanks); p.pendingBlanks -= len(blanks) {
		p.out = append(p.out, blanks...)
	}
	p.out = append(p.out, blanks[:p.pendingBlanks]...)
	p.pendingBlanks = 0
}

// fillRest makes the last n cells of a line blank, in the given style.
func (p *painter) fillRest(n int, style string) {
	if n > 0 {
		p.flushBlanks()
		p.out = append(p.out, style...)
		p.pad(n)
	}
}

// writeText outputs s in exactly width cells. Styles apply only to the text itself, so an underline
// or a badge does not extend into the padding.
func (p *painter) writeText(s []byte, width int, align AlignMode, look *appearance, styles ...string) {
	if width <= 0 {
		return
	}
	cells, ok := plainWidth(s)
	if !ok {
		p.writeWideText(cleanText(string(s)), width, align, look, styles)
		return
	}
	if cells <= width {
		before, after := splitBlanks(width-cells, align)
		p.pad(before)
		p.flushBlanks()
		styled := p.openStyles(styles)
		p.out = append(p.out, s...)
		p.closeStyles(styled)
		p.pad(after)
		return
	}
	p.flushBlanks()
	styled := p.openStyles(styles)
	p.out = append(p.out, s[:prefixBytes(s, width-1)]...)
	p.out = append(p.out, look.glyphs.Ellipsis...)
	p.closeStyles(styled)
}

// writeWideText outputs text that must be measured by grapheme clusters. It puts escape sequences
// around the text. Otherwise a combining character at the edge of the text would join the adjacent
// space or ellipsis and change the width of the line.
func (p *painter) writeWideText(s string, width int, align AlignMode, look *appearance, styles []string) {
	s, cells, whole := cutText(s, width, look.method)
	if !whole {
		cells++
	}
	before, after := splitBlanks(width-cells, align)
	p.pad(before)
	p.flushBlanks()
	p.resetStyle()
	p.openStyles(styles)
	p.out = append(p.out, s...)
	if !whole {
		p.resetStyle()
		p.openStyles(styles)
		p.out = append(p.out, look.glyphs.Ellipsis...)
	}
	p.resetStyle()
	p.pad(after)
}

// writeRawText outputs text with its own styles in exactly width cells. After a reset in the text,
// the styles below the cell are active again. Text that does not fit loses its styles.
func (p *painter) writeRawText(s []byte, width int, align AlignMode, look *appearance, styles ...string) {
	text := string(s)
	cells := look.method.StringWidth(text)
	if cells > width {
		p.writeText([]byte(ansi.Strip(text)), width, align, look, styles...)
		return
	}
	before, after := splitBlanks(width-cells, align)
	p.pad(before)
	p.flushBlanks()
	p.resetStyle()
	p.openStyles(styles)
	base := ansi.ResetStyle + string(p.activeStyles) + strings.Join(styles, "")
	p.out = append(p.out, strings.ReplaceAll(text, ansi.ResetStyle, base)...)
	p.resetStyle()
	p.pad(after)
}

// onlyStyles reports whether s contains no control characters except escape sequences that set a
// style. Other control characters could move the cursor or swallow the following text.
func onlyStyles(s []byte) bool {
	for i, n := 0, 0; i < len(s); i += n {
		var r rune
		r, n = utf8.DecodeRune(s[i:])
		if r == '\x1b' {
			if n = terminal.SGRLen(s[i:]); n == 0 {
				return false
			}
		} else if isForbidden(r) {
			return false
		}
	}
	return true
}

func (p *painter) openStyles(styles []string) (styled bool) {
	for _, s := range styles {
		if s != "" {
			p.out = append(p.out, s...)
			styled = true
		}
	}
	return styled
}

func (p *painter) closeStyles(styled bool) {
	if styled {
		p.resetStyle()
	}
}

// splitBlanks returns how many of the spaces come before and after a text with the given alignment.
func splitBlanks(blanks int, align AlignMode) (before, after int) {
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
