package frame

import (
	"iter"

	"wallboard/ui/style"
)

// DrawnScreen holds the lines of the frame on the screen. Most lines are the same as in the previous
// frame. They are not drawn on the base color again, because that takes longer than comparing them.
type DrawnScreen struct {
	lines     []drawnLine
	count     int    // number of lines of the current frame; further lines are from earlier frames
	baseColor string // escape sequence of the base color; "": there is none
	page      int    // index of the page on the screen

	text       []byte // the frame, see [DrawnScreen.Bytes]
	isComposed bool   // text holds the current frame
}

// drawnLine is a line of the frame.
type drawnLine struct {
	source     string // text of the line before it was drawn on the base color; "": unknown
	sharedText string // the line; "": ownText holds it
	ownText    []byte // buffer for a line that is not shared with other boards
}

// NewDrawnScreen returns a frame that consists of text.
func NewDrawnScreen(text string) DrawnScreen {
	return DrawnScreen{lines: []drawnLine{{sharedText: text}}, count: 1}
}

// SetPage records the page that the frame shows. It reports whether the previous frame showed
// another page.
func (f *DrawnScreen) SetPage(page int) bool {
	previous := f.page
	f.page = page
	return previous != page
}

// Begin starts an empty frame.
func (f *DrawnScreen) Begin() { f.count, f.isComposed = 0, false }

// next returns the next line of the frame, with its contents in an earlier frame.
func (f *DrawnScreen) next() *drawnLine {
	if f.count == len(f.lines) {
		f.lines = append(f.lines, drawnLine{})
	}
	f.count++
	return &f.lines[f.count-1]
}

// AppendLines appends lines to the frame. If the look has a base color, it inserts the sequence of the
// base color after each reset in a line. Boards that share a cache of the look share the lines.
func (f *DrawnScreen) AppendLines(lk *style.Look, lines ...string) {
	if base := lk.Base(); base != f.baseColor {
		f.baseColor = base
		clear(f.lines[f.count:])
	}
	for _, l := range lines {
		switch d := f.next(); {
		case f.baseColor == "": // without a base color, lines are written unchanged
			d.sharedText, d.source, d.ownText = l, l, d.ownText[:0]
		case d.source == l && l != "":
		case lk.Cache != nil:
			d.sharedText, d.source, d.ownText = lk.Cache.StyleOnBase(l, f.baseColor), l, nil
		default:
			d.sharedText, d.source, d.ownText = "", l, style.AppendOnBase(d.ownText[:0], l, f.baseColor)
		}
	}
}

// AppendRows appends the lines of a table to the frame unchanged.
func (f *DrawnScreen) AppendRows(rows iter.Seq[[]byte]) {
	for l := range rows {
		d := f.next()
		d.sharedText, d.source, d.ownText = "", "", append(d.ownText[:0], l...)
	}
}

// Append appends the bytes of the frame to dst.
func (f *DrawnScreen) Append(dst []byte) []byte {
	for i := range f.lines[:f.count] {
		if i > 0 {
			dst = append(dst, '\n')
		}
		dst = append(append(dst, f.lines[i].sharedText...), f.lines[i].ownText...)
	}
	return dst
}

// Bytes returns the bytes of the frame. They are valid until the first call of Bytes after the next
// Begin.
func (f *DrawnScreen) Bytes() []byte {
	if !f.isComposed {
		f.text, f.isComposed = f.Append(f.text[:0]), true
	}
	return f.text
}
