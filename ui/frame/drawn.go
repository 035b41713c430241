package frame

import (
	"bytes"
	"iter"

	"wallboard/ui/style"
)

// DrawnScreen holds the bytes of the frame on the screen. Most lines are the same as in the
// previous frame. The bytes of a line with the same text are copied from the previous frame,
// because drawing the line on the base color takes longer.
type DrawnScreen struct {
	drawnLines
	previous  drawnLines
	baseColor string // escape sequence of the base color; "": there is none
	page      int    // index of the page on the screen
}

// NewDrawn returns a frame that consists of text.
func NewDrawn(text string) DrawnScreen {
	return DrawnScreen{drawnLines: drawnLines{text: []byte(text)}}
}

// SetPage records the page that the frame shows. It reports whether the previous frame showed
// another page.
func (f *DrawnScreen) SetPage(page int) bool {
	previous := f.page
	f.page = page
	return previous != page
}

// drawnLines holds the bytes of all lines. For lines that were drawn on a base color, it also holds
// the texts from which they were drawn.
type drawnLines struct {
	text    []byte
	sources []string    // texts of the lines before they were drawn on the base color
	spans   []byteRange // position in text of the line for each of sources
}

// byteRange is the range of bytes [from, to).
type byteRange struct{ from, to int }

// Begin starts an empty frame. The last frame becomes the previous frame.
func (f *DrawnScreen) Begin() {
	f.drawnLines, f.previous = f.previous, f.drawnLines
	f.text, f.sources, f.spans = f.text[:0], f.sources[:0], f.spans[:0]
}

// PutLines appends lines to the frame. If the look has a base color, it inserts the sequence of the
// base color after each reset in a line.
func (f *DrawnScreen) PutLines(lk *style.Look, lines ...string) {
	if base := lk.Base(); base != f.baseColor {
		f.baseColor, f.previous = base, drawnLines{}
	}
	for _, l := range lines {
		if f.baseColor == "" { // without a base color, lines are written unchanged
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

// PutRows appends the lines of a table to the frame unchanged.
func (f *DrawnScreen) PutRows(rows iter.Seq[[]byte]) {
	for l := range rows {
		f.text = append(append(f.text, l...), '\n')
	}
}

// End removes the newline after the last line.
func (f *DrawnScreen) End() { f.text = bytes.TrimSuffix(f.text, []byte("\n")) }

// Bytes returns the bytes of the frame. They are valid until Begin has been called twice.
func (f *DrawnScreen) Bytes() []byte { return f.text }
