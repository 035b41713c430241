package term

import (
	"bytes"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"

	"wallboard/internal/lib/terminal"
	"wallboard/internal/lib/textnorm"
)

// RowPainter generates the output that paints frames on a terminal. It remembers only the text of
// the rows, so that a server stores no cells for its boards. It skips rows with unchanged text. In
// changed rows, it writes only the runs of characters that differ.
//
// A row is a string with sequences (CSI … m) that set the style until the end of the row. It is
// never wider than the terminal. Package ui draws such rows.
type RowPainter struct {
	Width, Height int
	Profile       colorprofile.Profile
	WidthMethod   ansi.Method
	Shared        *RowCache // cache shared with viewers of the same board; nil: not shared
	IsolateRTL    bool      // isolate right-to-left text, so that the terminal does not reorder the row around it

	shownRows        [][]byte    // text of the rows that the terminal shows
	ownStyles        *styleCache // cache of style changes if Shared is nil
	out              []byte
	pen              []byte // current style of the terminal, as the sequences since the last reset
	penBeforeRow     []byte // pen before the update of the current row
	contentsKnown    bool   // the content of the terminal is known
	repaintRequested bool   // the next frame must be written completely, because other programs may have written to the terminal
	x, y             int    // position of the cursor; y < 0: unknown
	oldRow, newRow   rowReader
	recording        *rowUpdate // the update that is being recorded; nil: none
}

// maxRewriteGap is the maximum number of unchanged characters that are written again because moving
// the cursor over them would take more bytes.
const maxRewriteGap = 5

// typicalOutput is the typical size in bytes of the output for a frame. Larger buffers are not
// kept.
const typicalOutput = 8 << 10

// ResetScreen makes the next [RowPainter.Paint] erase the screen and paint every row.
func (r *RowPainter) ResetScreen() { r.contentsKnown = false }

// RequestRepaint makes the next [RowPainter.Paint] write every row completely, but without erasing
// the screen, so that the terminal does not flicker.
func (r *RowPainter) RequestRepaint() { r.repaintRequested = true }

// Paint returns the output that makes the terminal show a frame. The output is valid until the next
// call.
func (r *RowPainter) Paint(frame []byte) []byte {
	if cap(r.out) > typicalOutput {
		r.out = nil
	}
	r.out = r.out[:0]
	if !r.contentsKnown || len(r.shownRows) != r.Height {
		r.shownRows = make([][]byte, r.Height)
		r.out = append(append(r.out, ansi.ResetStyle...), ansi.EraseEntireScreen...)
		r.pen = r.pen[:0]
		r.contentsKnown, r.repaintRequested = true, false
	}
	if r.repaintRequested {
		r.repaintRequested = false
		return r.repaint(frame)
	}
	r.y = -1
	for y := range r.shownRows {
		var text []byte
		text, frame, _ = bytes.Cut(frame, []byte("\n"))
		switch {
		case bytes.Equal(text, r.shownRows[y]):
		case r.Shared != nil:
			r.applyUpdate(y, text)
		default:
			r.updateRow(y, text)
			r.shownRows[y] = append(r.shownRows[y][:0], text...)
		}
	}
	if len(r.pen) > 0 {
		r.setPen(nil)
	}
	return r.out
}

// resetModes resets the modes that determine where and how text appears: the scrolling region,
// origin mode, insert mode, the character set and automatic wrapping.
const resetModes = "\x1b[r\x1b[?6l\x1b[4l\x1b(B\x1b[?7h"

// repaint writes every row of a frame completely.
func (r *RowPainter) repaint(frame []byte) []byte {
	r.out = append(append(r.out, resetModes...), ansi.ResetStyle...)
	r.pen = r.pen[:0]
	for y := range r.shownRows {
		var text []byte
		text, frame, _ = bytes.Cut(frame, []byte("\n"))
		r.writeWholeRow(y, text)
		r.shownRows[y] = bytes.Clone(text) // a copy, because the old slice may belong to a shared update
	}
	r.setPen(nil)
	return r.out
}

func (r *RowPainter) writeWholeRow(y int, text []byte) {
	if r.hasUncertainWidth(text) || r.hasUncertainWidth(r.shownRows[y]) {
		r.eraseAndWrite(y, text)
		return
	}
	r.y = -1
	r.moveCursor(0, y)
	r.newRow.reset(text, r.WidthMethod)
	r.writeRow()
	if r.newRow.x < r.Width { // while the cursor is on the last column, the column must not be erased
		r.setPen(nil)
		r.out = append(r.out, ansi.EraseLineRight...)
	}
	r.y = -1
}

// hasUncertainWidth reports whether a terminal may show characters of the row in unexpected columns.
func (r *RowPainter) hasUncertainWidth(text []byte) bool {
	r.oldRow.reset(text, r.WidthMethod)
	for r.oldRow.next() {
	}
	return r.oldRow.columnUncertain
}

func (r *RowPainter) eraseAndWrite(y int, text []byte) {
	r.y = -1
	r.setPen(nil)
	r.moveCursor(0, y)
	r.out = append(r.out, ansi.EraseLineRight...)
	r.newRow.reset(text, r.WidthMethod)
	r.writeRow()
	r.y = -1
}

// writeRow writes the characters of newRow that fit into the width of the terminal.
func (r *RowPainter) writeRow() {
	var isolate textnorm.Isolation
	for now := &r.newRow; now.next() && now.x+now.width <= r.Width; {
		reversed := r.IsolateRTL && textnorm.IsRightToLeft(now.text())
		r.out = isolate.BeforeCharacter(r.out, now.text(), now.styled, reversed)
		r.setPen(now.pen)
		r.out = append(r.out, now.text()...)
		if reversed {
			isolate.AfterCharacter(r.out)
		}
	}
	r.out = isolate.EndIsolation(r.out)
}

// updateRow appends the output that changes row y to text.
func (r *RowPainter) updateRow(y int, text []byte) {
	begin := len(r.out)
	r.penBeforeRow = append(r.penBeforeRow[:0], r.pen...)
	r.writeDifferences(y, text)
	if !r.oldRow.columnUncertain && !r.newRow.columnUncertain {
		return
	}
	// If a character is not exactly one cell wide or is written from right to left, the terminal
	// may be in an unexpected column. In this case, erase the row and write it completely.
	r.out, r.pen = r.out[:begin], append(r.pen[:0], r.penBeforeRow...)
	if r.recording != nil {
		r.recording.penOffset = -1
	}
	r.eraseAndWrite(y, text)
}

// writeDifferences writes the characters of text that differ from row y of the terminal.
func (r *RowPainter) writeDifferences(y int, text []byte) {
	old, now := &r.oldRow, &r.newRow
	old.reset(r.shownRows[y], r.WidthMethod)
	now.reset(text, r.WidthMethod)
	more := old.next()
	kept := 0 // end of the part of text that is already written
	for now.next() && now.x+now.width <= r.Width {
		for more && old.x < now.x {
			more = old.next()
		}
		if more && old.equals(now) {
			continue
		}
		between := text[kept:now.start]
		if r.y != y || r.x != now.x {
			if r.y == y && now.x-r.x == len(between) && len(between) <= maxRewriteGap && isSimple(between) {
				r.out = append(r.out, between...) // written in the current style of the terminal
			} else {
				r.moveCursor(now.x, y)
			}
		}
		r.setPen(now.pen)
		r.out = append(r.out, now.text()...)
		r.x, r.y = now.x+now.width, y
		if r.x >= r.Width { // the cursor is after the last column, so its position is uncertain
			r.y = -1
		}
		kept = now.end
	}
	end := now.x
	for more && old.x < end {
		more = old.next()
	}
	if more || old.x > end { // the old row was longer than the new one
		r.setPen(nil)
		r.moveCursor(end, y)
		r.out = append(r.out, ansi.EraseLineRight...)
	}
}

// isSimple reports whether each character of b takes one column and one byte.
func isSimple(b []byte) bool {
	return !slices.ContainsFunc(b, func(c byte) bool { return c < ' ' || c >= utf8.RuneSelf-1 })
}

// moveCursor appends the output that moves the cursor to a position. It appends nothing if the
// cursor is already there.
func (r *RowPainter) moveCursor(x, y int) {
	if r.y == y && r.x == x {
		return
	}
	r.out = append(r.out, ansi.ESC, '[')
	if r.y != y {
		r.out = append(strconv.AppendInt(r.out, int64(y+1), 10), ';')
		r.out = append(strconv.AppendInt(r.out, int64(x+1), 10), 'H')
	} else {
		r.out = append(strconv.AppendInt(r.out, int64(x+1), 10), 'G')
	}
	r.x, r.y = x, y
}

// setPen appends the output that changes the style of the terminal to pen. While an update is being
// recorded, the first style is only stored in the update.
func (r *RowPainter) setPen(pen []byte) {
	if x := r.recording; x != nil && x.penOffset < 0 {
		x.penOffset, x.firstPen = len(r.out), bytes.Clone(pen)
		r.pen = append(r.pen[:0], pen...)
		return
	}
	if bytes.Equal(pen, r.pen) {
		return
	}
	r.out = append(r.out, r.styles().changeSequence(r.Profile, r.pen, pen)...)
	r.pen = append(r.pen[:0], pen...)
}

// styles returns the cache of style changes to use.
func (r *RowPainter) styles() *styleCache {
	if r.Shared != nil {
		return &r.Shared.styles
	}
	if r.ownStyles == nil {
		r.ownStyles = new(styleCache)
	}
	return r.ownStyles
}

// rowReader iterates over the characters of a row.
type rowReader struct {
	data            []byte
	widthMethod     ansi.Method
	start           int // start of the current character
	end             int // end of the current character
	x               int // column of the current character or, after the last character, the column of the end
	width           int
	columnUncertain bool   // the terminal may be in an unexpected column, because a character so far is not one cell wide or is right-to-left
	styled          bool   // a sequence directly precedes the current character
	pen             []byte // style of the current character, as the sequences since the last reset
}

// reset moves the reader to the first character of the row all.
func (r *rowReader) reset(all []byte, widths ansi.Method) {
	r.data, r.widthMethod = all, widths
	r.start, r.end, r.x, r.width, r.columnUncertain = 0, 0, 0, 0, false
	r.pen = r.pen[:0]
}

// text returns the current character with its combining marks.
func (r *rowReader) text() []byte { return r.data[r.start:r.end] }

// equals reports whether the current characters of two readers look the same and are in the same
// column.
func (r *rowReader) equals(o *rowReader) bool {
	return r.x == o.x && r.width == o.width && bytes.Equal(r.text(), o.text()) && bytes.Equal(r.pen, o.pen)
}

// next advances to the next character. It returns false at the end of the row.
func (r *rowReader) next() bool {
	r.x += r.width
	r.width = 0
	r.start = r.end
	r.styled = false
	for r.start < len(r.data) {
		if n := terminal.SGRLen(r.data[r.start:]); n > 0 {
			r.styled = true
			r.applyStyle(r.data[r.start : r.start+n])
			r.start += n
			continue
		}
		r.end, r.width = r.clusterAt(r.start)
		for r.end < len(r.data) { // zero-width characters belong to the preceding character
			if c := r.data[r.end]; c < utf8.RuneSelf {
				break
			}
			end, width := r.clusterAt(r.end)
			if width > 0 {
				break
			}
			r.end = end
		}
		return true
	}
	r.end = r.start
	return false
}

// clusterAt returns the end and the width of the character that starts at index.
func (r *rowReader) clusterAt(index int) (end, width int) {
	if c := r.data[index]; c < utf8.RuneSelf {
		return index + 1, 1
	}
	cluster, width := ansi.FirstGraphemeCluster(r.data[index:], r.widthMethod)
	r.columnUncertain = r.columnUncertain || width != 1 || textnorm.IsRightToLeft(r.data[index:])
	return index + max(len(cluster), 1), width
}

// applyStyle adds a style sequence to the pen. A reset clears the pen first.
func (r *rowReader) applyStyle(seq []byte) {
	params := seq[2 : len(seq)-1]
	if len(params) == 0 || len(params) == 1 && params[0] == '0' {
		r.pen = r.pen[:0]
		return
	}
	if len(params) > 1 && params[0] == '0' && params[1] == ';' {
		r.pen = r.pen[:0]
	}
	r.pen = append(r.pen, seq...)
}
