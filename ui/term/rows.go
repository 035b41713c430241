package term

import (
	"bytes"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"

	"wallboard/internal/lib/bidi"
	"wallboard/internal/lib/vt"
)

// Rows writes frames to a terminal and remembers only the text of its rows, so that
// remote boards need no cells. Rows with unchanged text are skipped; in changed rows
// only the differing runs are written.
//
// A row is text with sequences that set a style (CSI … m) up to the end of the row, and
// is never wider than the terminal. Package ui draws such rows, and package vt checks
// them.
type Rows struct {
	Width, Height int
	Profile       colorprofile.Profile
	Widths        ansi.Method
	Shared        *RowCache // shared with viewers of the same board; nil: not shared
	Isolate       bool      // right-to-left text is isolated, so that the terminal does not reorder its row

	shown     [][]byte
	own       *styleCache // used if nothing is shared
	out       []byte
	pen       []byte // style of the terminal: the sequences since the last reset
	before    []byte // the pen before a row
	known     bool   // the contents of the terminal are known
	stale     bool   // other programs may have written on the terminal
	x, y      int    // cursor position; y < 0: unknown
	old, on   row
	recording *rowUpdate // the strip being made; nil: none
}

// gap is the number of unchanged characters up to which rewriting them is shorter than
// moving the cursor.
const gap = 5

// typicalOutput is the typical size of the output for a frame. Larger buffers are not kept.
const typicalOutput = 8 << 10

// Forget makes the next [Rows.Paint] paint everything.
func (r *Rows) Forget() { r.known = false }

// Refresh makes the next [Rows.Paint] write every row in full. It does not erase the
// screen first, so a terminal with the right contents does not flicker.
func (r *Rows) Refresh() { r.stale = true }

// Paint returns the output that changes the terminal to a frame; it is valid until the
// next call.
func (r *Rows) Paint(frame []byte) []byte {
	if cap(r.out) > typicalOutput {
		r.out = nil
	}
	r.out = r.out[:0]
	if !r.known || len(r.shown) != r.Height {
		r.shown = make([][]byte, r.Height)
		r.out = append(append(r.out, ansi.ResetStyle...), ansi.EraseEntireScreen...)
		r.pen = r.pen[:0]
		r.known, r.stale = true, false
	}
	if r.stale {
		r.stale = false
		return r.repaint(frame)
	}
	r.y = -1
	for y := range r.shown {
		var text []byte
		text, frame, _ = bytes.Cut(frame, []byte("\n"))
		switch {
		case bytes.Equal(text, r.shown[y]):
		case r.Shared != nil:
			r.applyUpdate(y, text)
		default:
			r.row(y, text)
			r.shown[y] = append(r.shown[y][:0], text...)
		}
	}
	if len(r.pen) > 0 {
		r.use(nil)
	}
	return r.out
}

// resetModes resets the modes that change where and how text appears: the scrolling
// region, origin mode, insert mode, the character set, automatic wrapping.
const resetModes = "\x1b[r\x1b[?6l\x1b[4l\x1b(B\x1b[?7h"

// repaint writes every row of a frame in full.
func (r *Rows) repaint(frame []byte) []byte {
	r.out = append(append(r.out, resetModes...), ansi.ResetStyle...)
	r.pen = r.pen[:0]
	for y := range r.shown {
		var text []byte
		text, frame, _ = bytes.Cut(frame, []byte("\n"))
		r.whole(y, text)
		r.shown[y] = bytes.Clone(text) // the old text may belong to a strip
	}
	r.use(nil)
	return r.out
}

// whole writes a row from its first column to its last.
func (r *Rows) whole(y int, text []byte) {
	if r.uncertain(text) || r.uncertain(r.shown[y]) {
		r.eraseAndWrite(y, text)
		return
	}
	r.y = -1
	r.move(0, y)
	r.on.begin(text, r.Widths)
	r.write()
	if r.on.x < r.Width { // otherwise the cursor is on the last column, which would be erased
		r.use(nil)
		r.out = append(r.out, ansi.EraseLineRight...)
	}
	r.y = -1
}

// uncertain reports whether a terminal may show a row in other columns than expected.
func (r *Rows) uncertain(text []byte) bool {
	r.old.begin(text, r.Widths)
	for r.old.next() {
	}
	return r.old.drifts
}

// eraseAndWrite erases a row and writes it in full.
func (r *Rows) eraseAndWrite(y int, text []byte) {
	r.y = -1
	r.use(nil)
	r.move(0, y)
	r.out = append(r.out, ansi.EraseLineRight...)
	r.on.begin(text, r.Widths)
	r.write()
	r.y = -1
}

// write writes the characters of the current row, as many as fit.
func (r *Rows) write() {
	var isolate bidi.Isolation
	for now := &r.on; now.next() && now.x+now.width <= r.Width; {
		reversed := r.Isolate && bidi.RightToLeft(now.text())
		r.out = isolate.Before(r.out, now.text(), now.styled, reversed)
		r.use(now.pen)
		r.out = append(r.out, now.text()...)
		if reversed {
			isolate.After(r.out)
		}
	}
	r.out = isolate.End(r.out)
}

// row changes a row to a text.
func (r *Rows) row(y int, text []byte) {
	begin := len(r.out)
	r.before = append(r.before[:0], r.pen...)
	r.differences(y, text)
	if !r.old.drifts && !r.on.drifts {
		return
	}
	// After such a character the terminal may be in another column than expected: erase
	// the row and write it in full.
	r.out, r.pen = r.out[:begin], append(r.pen[:0], r.before...)
	if r.recording != nil {
		r.recording.first = -1
	}
	r.eraseAndWrite(y, text)
}

// differences writes the characters of a row that differ.
func (r *Rows) differences(y int, text []byte) {
	old, now := &r.old, &r.on
	old.begin(r.shown[y], r.Widths)
	now.begin(text, r.Widths)
	more := old.next()
	kept := 0 // end of the text that is already written
	for now.next() && now.x+now.width <= r.Width {
		for more && old.x < now.x {
			more = old.next()
		}
		if more && old.same(now) {
			continue
		}
		between := text[kept:now.at]
		if r.y != y || r.x != now.x {
			if r.y == y && now.x-r.x == len(between) && len(between) <= gap && simple(between) {
				r.out = append(r.out, between...) // in the current pen of the terminal
			} else {
				r.move(now.x, y)
			}
		}
		r.use(now.pen)
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
		r.use(nil)
		r.move(end, y)
		r.out = append(r.out, ansi.EraseLineRight...)
	}
}

// simple reports whether all characters of a text have one column and one byte.
func simple(b []byte) bool {
	return !slices.ContainsFunc(b, func(c byte) bool { return c < ' ' || c >= utf8.RuneSelf-1 })
}

// move moves the cursor.
func (r *Rows) move(x, y int) {
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

// use sets the style of the terminal.
func (r *Rows) use(pen []byte) {
	if x := r.recording; x != nil && x.first < 0 {
		x.first, x.pen = len(r.out), bytes.Clone(pen)
		r.pen = append(r.pen[:0], pen...)
		return
	}
	if bytes.Equal(pen, r.pen) {
		return
	}
	r.out = append(r.out, r.pens().change(r.Profile, r.pen, pen)...)
	r.pen = append(r.pen[:0], pen...)
}

// pens returns the cache of style changes.
func (r *Rows) pens() *styleCache {
	if r.Shared != nil {
		return &r.Shared.pens
	}
	if r.own == nil {
		r.own = new(styleCache)
	}
	return r.own
}

// row iterates over the characters of a row.
type row struct {
	all    []byte
	widths ansi.Method
	at     int // start of the current character
	end    int
	x      int // its column; after the last character, the column of the end
	width  int
	drifts bool // a character was seen that a terminal may show in another column
	styled bool // a sequence precedes the current character
	pen    []byte
}

// begin resets the iteration to the beginning of a row.
func (r *row) begin(all []byte, widths ansi.Method) {
	r.all, r.widths = all, widths
	r.at, r.end, r.x, r.width, r.drifts = 0, 0, 0, 0, false
	r.pen = r.pen[:0]
}

// text returns the current character with its combining marks.
func (r *row) text() []byte { return r.all[r.at:r.end] }

// same reports whether two characters look the same.
func (r *row) same(o *row) bool {
	return r.x == o.x && r.width == o.width && bytes.Equal(r.text(), o.text()) && bytes.Equal(r.pen, o.pen)
}

// next advances to the next character.
func (r *row) next() bool {
	r.x += r.width
	r.width = 0
	r.at = r.end
	r.styled = false
	for r.at < len(r.all) {
		if n := vt.SGRLen(r.all[r.at:]); n > 0 {
			r.styled = true
			r.style(r.all[r.at : r.at+n])
			r.at += n
			continue
		}
		r.end, r.width = r.cluster(r.at)
		for r.end < len(r.all) { // zero-width characters belong to the one before
			if c := r.all[r.end]; c < utf8.RuneSelf {
				break
			}
			end, width := r.cluster(r.end)
			if width > 0 {
				break
			}
			r.end = end
		}
		return true
	}
	r.end = r.at
	return false
}

// cluster returns the end and the width of the character at a position.
func (r *row) cluster(at int) (end, width int) {
	if c := r.all[at]; c < utf8.RuneSelf {
		return at + 1, 1
	}
	cluster, width := ansi.FirstGraphemeCluster(r.all[at:], r.widths)
	r.drifts = r.drifts || width != 1 || bidi.RightToLeft(r.all[at:])
	return at + max(len(cluster), 1), width
}

// style applies a sequence to the pen.
func (r *row) style(seq []byte) {
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
