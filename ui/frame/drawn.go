package frame

import (
	"bytes"
	"iter"

	"wallboard/ui/style"
)

// Drawn holds the bytes of the frame on the screen. Most lines equal those of the previous frame. A
// line whose source text is unchanged is therefore copied from the previous frame instead of being
// drawn on the base color again.
type Drawn struct {
	drawnLines
	previous  drawnLines
	baseColor string // escape sequence of the base color; "": none
	page      int    // the page on the screen
}

// NewDrawn returns a frame with a text.
func NewDrawn(text string) Drawn { return Drawn{drawnLines: drawnLines{text: []byte(text)}} }

// SetPage stores the page of the frame. It reports whether the previous frame showed another page.
func (f *Drawn) SetPage(page int) bool {
	previous := f.page
	f.page = page
	return previous != page
}

// drawnLines holds the bytes of all lines. For the lines that were drawn on a base color, it also
// holds their source texts.
type drawnLines struct {
	text    []byte
	sources []string    // texts of the lines before they were drawn on the base color
	spans   []byteRange // position in text of the line of each source
}

// byteRange is a range of bytes: from is the first one, to the one after the last.
type byteRange struct{ from, to int }

// Begin starts an empty frame and keeps the last one as the previous frame.
func (f *Drawn) Begin() {
	f.drawnLines, f.previous = f.previous, f.drawnLines
	f.text, f.sources, f.spans = f.text[:0], f.sources[:0], f.spans[:0]
}

// PutLines appends lines to the frame. If the look has a base color, every reset sequence in a line
// is followed by the sequence of the base color.
func (f *Drawn) PutLines(lk *style.Look, lines ...string) {
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

// PutRows appends the lines of a table to the frame, without any change.
func (f *Drawn) PutRows(rows iter.Seq[[]byte]) {
	for l := range rows {
		f.text = append(append(f.text, l...), '\n')
	}
}

// End removes the newline after the last line.
func (f *Drawn) End() { f.text = bytes.TrimSuffix(f.text, []byte("\n")) }

// Bytes returns the bytes of the frame. They are valid until the second call of Begin.
func (f *Drawn) Bytes() []byte { return f.text }
