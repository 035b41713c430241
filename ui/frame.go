package ui

import (
	"bytes"
	"iter"

	"wallboard/ui/look"
)

// frame is what is on the screen. Most lines are as they were in the frame before: where
// they are drawn on a base, which every reset in them returns to, their bytes are taken
// from there.
type frame struct {
	drawn
	before drawn
	base   string
	page   pageID // that it shows
}

// turned notes the page that the frame shows, and reports whether it is another one
// than that of the frame before.
func (f *frame) turned(to pageID) bool {
	was := f.page
	f.page = to
	return was != to
}

// drawn is the bytes of all lines, and of those that were put on a base, what each was
// drawn from.
type drawn struct {
	text  []byte
	lines []string
	spans []span // in text
}

// span is where a line stands in a text.
type span struct{ from, to int }

// begin empties the frame.
func (f *frame) begin() {
	f.drawn, f.before = f.before, f.drawn
	f.text, f.lines, f.spans = f.text[:0], f.lines[:0], f.spans[:0]
}

// put appends lines.
func (f *frame) put(lk *look.Look, lines ...string) {
	if base := lk.Base(); base != f.base {
		f.base, f.before = base, drawn{}
	}
	for _, l := range lines {
		if f.base == "" { // they are as they were put
			f.text = append(append(f.text, l...), '\n')
			continue
		}
		n, from := len(f.lines), len(f.text)
		if n < len(f.before.lines) && f.before.lines[n] == l {
			was := f.before.spans[n]
			f.text = append(f.text, f.before.text[was.from:was.to]...)
		} else {
			f.text = look.AppendOn(f.text, l, f.base)
		}
		f.lines, f.spans = append(f.lines, l), append(f.spans, span{from, len(f.text)})
		f.text = append(f.text, '\n')
	}
}

// rows appends the rows of a table as they are.
func (f *frame) rows(rows iter.Seq[[]byte]) {
	for l := range rows {
		f.text = append(append(f.text, l...), '\n')
	}
}

// end ends the last line.
func (f *frame) end() { f.text = bytes.TrimSuffix(f.text, []byte("\n")) }
