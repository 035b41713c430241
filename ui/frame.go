package ui

import (
	"bytes"
	"iter"

	"wallboard/ui/style"
)

// drawnFrame holds the screen content. Most lines equal those of the previous frame. A line that
// is drawn on a base color is therefore copied from the previous frame if its source text is
// unchanged.
type drawnFrame struct {
	drawnLines
	previous  drawnLines
	baseColor string // escape sequence of the base color; "": none
	page      pageID // the page on the screen
}

// setPage stores the page of the frame and reports whether it differs from that of the
// previous frame.
func (f *drawnFrame) setPage(page pageID) bool {
	previous := f.page
	f.page = page
	return previous != page
}

// drawnLines holds the bytes of all lines, and the source texts of the lines that were drawn on a
// base color.
type drawnLines struct {
	text    []byte
	sources []string    // source texts
	spans   []byteRange // position of each of these lines in text
}

// byteRange is the byte range of a line, from to to-1.
type byteRange struct{ from, to int }

// begin starts an empty frame.
func (f *drawnFrame) begin() {
	f.drawnLines, f.previous = f.previous, f.drawnLines
	f.text, f.sources, f.spans = f.text[:0], f.sources[:0], f.spans[:0]
}

// putLines appends lines. All resets in a line return to the base color.
func (f *drawnFrame) putLines(lk *style.Look, lines ...string) {
	if base := lk.Base(); base != f.baseColor {
		f.baseColor, f.previous = base, drawnLines{}
	}
	for _, l := range lines {
		if f.baseColor == "" { // no base: lines are written unchanged
			f.text = append(append(f.text, l...), '\n')
			continue
		}
		n, from := len(f.sources), len(f.text)
		if n < len(f.previous.sources) && f.previous.sources[n] == l {
			previous := f.previous.spans[n]
			f.text = append(f.text, f.previous.text[previous.from:previous.to]...)
		} else {
			f.text = style.AppendOnBase(f.text, l, f.baseColor)
		}
		f.sources, f.spans = append(f.sources, l), append(f.spans, byteRange{from, len(f.text)})
		f.text = append(f.text, '\n')
	}
}

// putRows appends the drawn rows of a table unchanged.
func (f *drawnFrame) putRows(rows iter.Seq[[]byte]) {
	for l := range rows {
		f.text = append(append(f.text, l...), '\n')
	}
}

// trimNewline removes the newline after the last line.
func (f *drawnFrame) trimNewline() { f.text = bytes.TrimSuffix(f.text, []byte("\n")) }
