package style

import (
	"slices"
	"strings"

	"wallboard/themes"
	"wallboard/ui/render"
)

// HeadingStatus is the status text on the right of a heading. Usually it is the viewer's position
// in a list. A text whose shortest form does not fit is left out; a note that does not fit is cut.
type HeadingStatus struct {
	Alarm    string // note about critical rows that are out of view
	Text     string
	Brief    string // shorter form of Text; "": there is none
	Shortest string // shorter form of Brief; "": there is none
}

// width returns the width of Alarm and Text in cells, including a space on both sides of each.
func (s HeadingStatus) width() int {
	n := 0
	for _, part := range []string{s.Alarm, s.Text} {
		if part != "" {
			n += Width(part) + 2
		}
	}
	return n
}

// Prepend puts text and a separator before Text, Brief and Shortest. If Text is "", text replaces it.
func (s *HeadingStatus) Prepend(text, separator string) {
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

// PartFrame describes the heading and the frame of a part of a page.
type PartFrame struct {
	Key, Title string // Key opens the page about the part; "": no key
	Status     HeadingStatus
	Hints      []KeyHint // keys of the part, shown in the lower edge of its frame
	Focused    bool      // the part has the keyboard focus and is drawn with heavy lines
	OnlyPart   bool      // the part has the keyboard focus, but is the only part of the page
}

// Heading returns the line above a block: a title, a rule and a note. The rule is heavy if focused
// is true.
func (lk *Look) Heading(w int, title, note string, focused bool) string {
	return lk.PartHeading(w, PartFrame{Title: title, Status: HeadingStatus{Text: note}, Focused: focused})
}

// PartHeading returns the line above a part of a page: the key, the title, a rule and the status.
func (lk *Look) PartHeading(w int, p PartFrame) string {
	l := NewLine(w, lk.Glyphs.Ellipsis)
	g, rule := lk.frameStyle(p)
	lk.fillHeading(l, g.rule, g.rule, p, rule)
	return l.Finish(themes.Style{})
}

// frameStyle returns the characters and the style of the frame around a part.
func (lk *Look) frameStyle(p PartFrame) (boxChars, themes.Style) {
	switch {
	case p.Focused:
		return heavyBoxChars(lk.ASCII), lk.Style(themes.BorderFocus)
	case p.OnlyPart:
		return lightBoxChars(lk.ASCII), lk.Style(themes.BorderFocus)
	}
	return lightBoxChars(lk.ASCII), lk.Style(themes.Border)
}

// DrawFramed returns a part of a page as h lines of w cells, in a frame with a heading in its upper
// edge. The given lines must be w-2 cells wide. Lines that do not fit are omitted.
func (lk *Look) DrawFramed(w, h int, p PartFrame, lines []string) []string {
	g, rule := lk.frameStyle(p)
	top := NewLine(w-1, lk.Glyphs.Ellipsis)
	lk.fillHeading(top, g.topLeft, g.rule, p, rule)
	return g.frame(rule, top.Finish(themes.Style{})+rule.Render(g.topRight), FillLines(lines, w-2, h-2), lk.lowerEdge(w, g, rule, p.Hints))
}

func (p *PartFrame) equals(q *PartFrame) bool {
	return p.Key == q.Key && p.Title == q.Title && p.Status == q.Status && slices.Equal(p.Hints, q.Hints) &&
		p.Focused == q.Focused && p.OnlyPart == q.OnlyPart
}

// FrameCache draws the same part of a page in each frame of the screen. It reuses the edges of the
// part and each line that has not changed.
type FrameCache struct {
	look         *render.Options
	w, h         int
	part         PartFrame
	inner, whole []string // lines inside the frame, and all lines with the frame
}

// DrawFramed returns the same lines as [Look.DrawFramed]. The caller may change the slice.
func (c *FrameCache) DrawFramed(lk *Look, w, h int, p PartFrame, lines []string) []string {
	if c.look != lk.Render || c.w != w || c.h != h || !c.part.equals(&p) {
		p.Hints = slices.Clone(p.Hints)
		*c = FrameCache{lk.Render, w, h, p, FillLines(nil, w-2, h-2), lk.DrawFramed(w, h, p, nil)}
	}
	g, rule := lk.frameStyle(p)
	side := rule.Render(g.side)
	for i, l := range FillLines(lines, w-2, h-2) {
		if c.inner[i] != l {
			c.inner[i], c.whole[i+1] = l, lk.Cache.Join(side, l, side)
		}
	}
	return slices.Clone(c.whole)
}

// lowerEdge returns the lower line of a frame, with as many key hints as fit.
func (lk *Look) lowerEdge(w int, g boxChars, rule themes.Style, hints []KeyHint) string {
	l := NewLine(w, lk.Glyphs.Ellipsis).Add(rule, g.bottomLeft)
	for _, h := range hints {
		if Width(h.Key)+Width(h.Description)+5 > l.RemainingWidth() { // spaces and the corner must also fit
			break
		}
		l.Add(rule, g.rule).Add(lk.Style(themes.Key), " "+h.Key).Add(lk.Style(themes.KeyText), " "+h.Description+" ")
	}
	return l.Add(rule, strings.Repeat(g.rule, max(l.RemainingWidth()-1, 0))).Add(rule, g.bottomRight).Finish(themes.Style{})
}

// fillHeading fills the empty line l with the character first, the title, a rule made of line, and
// the status.
func (lk *Look) fillHeading(l *Line, first, line string, p PartFrame, rule themes.Style) {
	w, position, number := l.RemainingWidth(), p.Status, ""
	if p.Key != "" {
		number = p.Key + " "
	}
	const decorationWidth = 4 // cells around the title: spaces, and the rule on both sides
	available := max(w-Width(number+p.Title)-decorationWidth, 0)
	for _, shorter := range []string{position.Brief, position.Shortest} {
		if position.width() > available && shorter != "" {
			position.Text = shorter
		}
	}
	if position.width() > available { // a part of a text would be a broken sentence
		position.Text = ""
	}
	if position.width() > available {
		position.Alarm = glyphAndNumber(position.Alarm)
	}
	need := min(position.width(), available)
	left, title := NewLine(w-need, lk.Glyphs.Ellipsis), lk.Style(themes.Title)
	if p.Focused {
		title = lk.Style(themes.Selection)
	}
	left.Add(rule, first).Space(themes.Style{}, 1).Add(lk.Style(themes.Key), number).Add(title, p.Title).Space(themes.Style{}, 1)
	for left.RemainingWidth() > 0 {
		left.Add(rule, strings.Repeat(line, left.RemainingWidth()))
	}
	l.AddRaw(left.String(), left.UsedWidth())
	l.AddNote(lk.Style(themes.Critical), position.Alarm)
	l.AddNote(lk.Style(themes.Dim), position.Text)
}

// glyphAndNumber returns the first two words of a note, such as "▲ 10" of "▲ 10 more below".
func glyphAndNumber(note string) string {
	fields := strings.Fields(note)
	return strings.Join(fields[:min(len(fields), 2)], " ")
}
