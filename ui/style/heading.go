package style

import (
	"strings"

	"wallboard/themes"
)

// Position is the status text in a heading, mostly the viewer's position.
type Position struct {
	Alarm    string // critical rows out of view
	Text     string
	Brief    string // short form of Text; "": Text is cut
	Shortest string // short form of Brief; "": Brief is cut
}

// width returns the width with blanks around each part.
func (s Position) width() int {
	n := 0
	for _, part := range []string{s.Alarm, s.Text} {
		if part != "" {
			n += Width(part) + 2
		}
	}
	return n
}

// Prepend puts text in front of all forms.
func (s *Position) Prepend(text, separator string) {
	if s.Text == "" {
		s.Text = text
		return
	}
	s.Text = text + separator + s.Text
	if s.Brief != "" {
		s.Brief = text + separator + s.Brief
	}
	if s.Shortest != "" {
		s.Shortest = text + separator + s.Shortest
	}
}

// Heading returns the line above a block: a title, a rule and a note.
func (lk *Look) Heading(w int, title, note string, focused bool) string {
	return lk.HeadingAt(w, title, Position{Text: note}, focused)
}

// HeadingAt is Heading with a position instead of a note.
func (lk *Look) HeadingAt(w int, title string, position Position, focused bool) string {
	l := NewLine(w, lk.Glyphs.Ellipsis)
	lk.heading(l, lk.Glyphs.Rule, title, position, lk.ruleStyle(focused))
	return l.End(themes.Style{})
}

// ruleStyle returns the style of the lines around a block.
func (lk *Look) ruleStyle(focused bool) themes.Style {
	if focused {
		return lk.Style(themes.BorderFocus)
	}
	return lk.Style(themes.Border)
}

// Framed draws a block of w cells and h lines in a frame, with a heading in its upper
// edge. The lines must be two cells narrower; lines that do not fit are left out.
func (lk *Look) Framed(w, h int, title string, position Position, focused bool, lines []string) []string {
	g, rule := boxGlyphs(lk.ASCII), lk.ruleStyle(focused)
	top := NewLine(w-1, lk.Glyphs.Ellipsis)
	lk.heading(top, g.topLeft, title, position, rule)
	return g.frame(rule, top.End(themes.Style{})+rule.Render(g.topRight), FillLines(lines, w-2, h-2),
		lk.edge(w, edgeChars{g.bottomLeft, g.rule, g.bottomRight}, "", "", rule, rule))
}

// heading fills an empty line: its first character, a title, a rule, and the position.
func (lk *Look) heading(l *Line, first, title string, position Position, rule themes.Style) {
	w := l.Room()
	const around = 4 // cells around the title: the rule before and after it, and blanks
	available := max(w-Width(title)-around, 0)
	for _, shorter := range []string{position.Brief, position.Shortest} {
		if position.width() > available && shorter != "" {
			position.Text = shorter
		}
	}
	need := min(position.width(), available)
	left := NewLine(w-need, lk.Glyphs.Ellipsis)
	left.Add(rule, first).Add(lk.Style(themes.Title), " "+title+" ")
	for left.Room() > 0 {
		left.Add(rule, strings.Repeat(lk.Glyphs.Rule, left.Room()))
	}
	l.AddRaw(left.String(), left.Used())
	l.AddNote(lk.Style(themes.Critical), position.Alarm)
	l.AddNote(lk.Style(themes.Dim), position.Text)
}
