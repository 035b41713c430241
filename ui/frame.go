package ui

import (
	"bytes"
	"iter"

	"wallboard/ui/look"
)

// frame is what is on the screen: the bytes of all lines.
type frame []byte

// begin empties the frame.
func (f *frame) begin() { *f = (*f)[:0] }

// put appends lines.
func (f *frame) put(lk *look.Look, lines ...string) {
	for _, l := range lines {
		*f = append(look.AppendOn(*f, l, lk.Base()), '\n')
	}
}

// rows appends the rows of a table as they are.
func (f *frame) rows(rows iter.Seq[[]byte]) {
	for l := range rows {
		*f = append(append(*f, l...), '\n')
	}
}

// end ends the last line.
func (f *frame) end() { *f = bytes.TrimSuffix(*f, []byte("\n")) }
