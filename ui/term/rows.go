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

// RowPainter makes the output that paints frames on a terminal. It remembers only the text of the
// rows, so that a server stores no cells for its boards. It skips rows with unchanged text. In
// changed rows, it writes only the runs of characters that differ.
//
// A row is text with sequences that set a style (CSI … m) up to the end of the row, and is never
// wider than the terminal. Package ui draws such rows, and package vt checks them.
type RowPainter struct {
	Width, Height int
	Profile       colorprofile.Profile
	WidthMethod   ansi.Method
	Shared        *RowCache // shared with viewers of the same board; nil: not shared
	Isolate       bool      // right-to-left text is isolated, so that the terminal does not reorder its row

	shownRows        [][]byte    // text of the rows on the terminal
	ownStyles        *styleCache // used if Shared is nil
	out              []byte
	pen              []byte // style of the terminal: the sequences since the last reset
	penBeforeRow     []byte // pen before the row being updated
	contentsKnown    bool   // the contents of the terminal are known
	repaintRequested bool   // other programs may have written on the terminal
	x, y             int    // cursor position; y < 0: unknown
	oldRow, newRow   rowReader
	recording        *rowUpdate // the update being recorded; nil: none
}

// maxRewriteGap is the maximum number of unchanged characters for which rewriting them is shorter than
// moving the cursor.
const maxRewriteGap = 5

// typicalOutput is the typical size of the output for a frame. Larger buffers are not kept.
const typicalOutput = 8 << 10

// Forget makes the next [RowPainter.Paint] erase the screen and paint every row.
func (r *RowPainter) Forget() { r.contentsKnown = false }

// RequestRepaint makes the next [RowPainter.Paint] write every row in full. Paint then does not
// erase the screen first, so a terminal with the right contents does not flicker.
func (r *RowPainter) RequestRepaint() { r.repaintRequested = true }

// Paint returns the output that changes the terminal to a frame. The output is valid until the next
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

// resetModes resets the modes that change where and how text appears: the scrolling
// region, origin mode, insert mode, the character set, automatic wrapping.
const resetModes = "\x1b[r\x1b[?6l\x1b[4l\x1b(B\x1b[?7h"

// repaint writes every row of a frame in full.
func (r *RowPainter) repaint(frame []byte) []byte {
	r.out = append(append(r.out, resetModes...), ansi.ResetStyle...)
	r.pen = r.pen[:0]
	for y := range r.shownRows {
		var text []byte
		text, frame, _ = bytes.Cut(frame, []byte("\n"))
		r.writeWholeRow(y, text)
		r.shownRows[y] = bytes.Clone(text) // the old text may belong to a shared update
	}
	r.setPen(nil)
	return r.out
}

// writeWholeRow writes a row from its first column to its last.
func (r *RowPainter) writeWholeRow(y int, text []byte) {
	if r.isUncertain(text) || r.isUncertain(r.shownRows[y]) {
		r.eraseAndWrite(y, text)
		return
	}
	r.y = -1
	r.moveCursor(0, y)
	r.newRow.reset(text, r.WidthMethod)
	r.writeRow()
	if r.newRow.x < r.Width { // otherwise the cursor is on the last column, which would be erased
		r.setPen(nil)
		r.out = append(r.out, ansi.EraseLineRight...)
	}
	r.y = -1
}

// isUncertain reports whether a terminal may show a row in other columns than expected.
func (r *RowPainter) isUncertain(text []byte) bool {
	r.oldRow.reset(text, r.WidthMethod)
	for r.oldRow.next() {
	}
	return r.oldRow.mayDrift
}

// eraseAndWrite erases row y and writes it in full.
func (r *RowPainter) eraseAndWrite(y int, text []byte) {
	r.y = -1
	r.setPen(nil)
	r.moveCursor(0, y)
	r.out = append(r.out, ansi.EraseLineRight...)
	r.newRow.reset(text, r.WidthMethod)
	r.writeRow()
	r.y = -1
}

// writeRow writes the characters of newRow, as many as fit.
func (r *RowPainter) writeRow() {
	var isolate textnorm.Isolation
	for now := &r.newRow; now.next() && now.x+now.width <= r.Width; {
		reversed := r.Isolate && textnorm.IsRightToLeft(now.text())
		r.out = isolate.Before(r.out, now.text(), now.styled, reversed)
		r.setPen(now.pen)
		r.out = append(r.out, now.text()...)
		if reversed {
			isolate.After(r.out)
		}
	}
	r.out = isolate.End(r.out)
}

// updateRow appends the output that changes row y to a text.
func (r *RowPainter) updateRow(y int, text []byte) {
	begin := len(r.out)
	r.penBeforeRow = append(r.penBeforeRow[:0], r.pen...)
	r.writeDifferences(y, text)
	if !r.oldRow.mayDrift && !r.newRow.mayDrift {
		return
	}
	// After a character of more or less than one cell, or from right to left, the terminal may be
	// in another column than expected. Erase the row and write it in full.
	r.out, r.pen = r.out[:begin], append(r.pen[:0], r.penBeforeRow...)
	if r.recording != nil {
		r.recording.penOffset = -1
	}
	r.eraseAndWrite(y, text)
}

// writeDifferences writes the characters of row y that differ from the text on the terminal.
func (r *RowPainter) writeDifferences(y int, text []byte) {
	old, now := &r.oldRow, &r.newRow
	old.reset(r.shownRows[y], r.WidthMethod)
	now.reset(text, r.WidthMethod)
	more := old.next()
	kept := 0 // end of the text that is already written
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
				r.out = append(r.out, between...) // in the current pen of the terminal
			} else {
				r.moveCursor(now.x, y)
			}
		}
		r.setPen(now.pen)
		r.out = append(r.out, now.text()...)
		r.x, r.y = now.x+now.width, y
		if r.x >= r.Width { // the cursor waits behind the last column
			r.y = -1
		}
		kept = now.end
	}
	end := now.x
	for more && old.x < end {
		more = old.next()
	}
	if more || old.x > end { // the old row was longer
		r.setPen(nil)
		r.moveCursor(end, y)
		r.out = append(r.out, ansi.EraseLineRight...)
	}
}

// isSimple reports whether all characters of a text have one column and one byte.
func isSimple(b []byte) bool {
	return !slices.ContainsFunc(b, func(c byte) bool { return c < ' ' || c >= utf8.RuneSelf-1 })
}

// moveCursor appends the output that moves the cursor to a position, unless the cursor is there
// already.
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

// setPen appends the output that changes the style of the terminal to pen. In an update that is
// being recorded, the first style is only stored.
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

// styles returns the cache of style changes.
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
	data        []byte
	widthMethod ansi.Method
	start       int // start of the current character
	end         int // end of the current character
	x           int // column of the current character; after the last one, the column of the end
	width       int
	mayDrift    bool   // a character so far is not one cell wide, or is right-to-left: a terminal may be in another column than expected
	styled      bool   // a sequence precedes the current character
	pen         []byte // style of the current character: the sequences since the last reset
}

// reset resets the iteration to the beginning of a row.
func (r *rowReader) reset(all []byte, widths ansi.Method) {
	r.data, r.widthMethod = all, widths
	r.start, r.end, r.x, r.width, r.mayDrift = 0, 0, 0, 0, false
	r.pen = r.pen[:0]
}

// text returns the current character with its combining marks.
func (r *rowReader) text() []byte { return r.data[r.start:r.end] }

// equals reports whether the current characters of two readers look the same, in the same column.
func (r *rowReader) equals(o *rowReader) bool {
	return r.x == o.x && r.width == o.width && bytes.Equal(r.text(), o.text()) && bytes.Equal(r.pen, o.pen)
}

// next advances to the next character, and reports whether there is one.
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
		for r.end < len(r.data) { // zero-width characters belong to the one before
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

// clusterAt returns the end and the width of the character that begins at index.
func (r *rowReader) clusterAt(index int) (end, width int) {
	if c := r.data[index]; c < utf8.RuneSelf {
		return index + 1, 1
	}
	cluster, width := ansi.FirstGraphemeCluster(r.data[index:], r.widthMethod)
	r.mayDrift = r.mayDrift || width != 1 || textnorm.IsRightToLeft(r.data[index:])
	return index + max(len(cluster), 1), width
}

// applyStyle appends a sequence to the pen. A reset empties the pen first.
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
