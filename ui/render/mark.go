package render

import (
	"wallboard/themes"
	"wallboard/ui/table"
)

// Mark says on a row that an action on it is under way, or how it ended.
type Mark struct {
	Glyph string // one cell wide
	Word  string // a short one
	Text  string // the same in sentences
	Token themes.Token
}

// Marks are the marks of a board's rows, by the rows' keys. They must not be
// changed once they are in use: others are another Marks, so that a cache can
// tell by the pointer that what it holds is out of date.
type Marks struct {
	Agents, Campaigns map[string]Mark
}

// agent returns the mark of an agent's row.
func (m *Marks) agent(username string) (Mark, bool) {
	if m == nil {
		return Mark{}, false
	}
	mark, ok := m.Agents[username]
	return mark, ok
}

// campaign returns the mark of a campaign's row.
func (m *Marks) campaign(id string) (Mark, bool) {
	if m == nil {
		return Mark{}, false
	}
	mark, ok := m.Campaigns[id]
	return mark, ok
}

// marked draws a mark in full.
func (v *View) marked(m Mark, ok bool) block {
	return block{"Asked for", func(p *pen) {
		if ok {
			p.paragraph(span{m.Glyph + " " + m.Text, m.Token})
		}
	}}
}

// markedCell draws a state and a mark beside it. Where there is no room for
// both, the state's glyph stays without its word.
func (v *View) markedCell(s State, m Mark, dst *table.Cell) {
	dst.String(s.Glyph(v.Options.ASCII))
	dst.String(" ")
	const gaps = 5 // glyphs and blanks, as in "● Talking ◌ dial"
	if len(s.Word)+len(m.Word)+gaps <= dst.Width {
		dst.String(s.Word)
		dst.String(" ")
	}
	dst.String(m.Glyph)
	dst.String(" ")
	dst.String(m.Word)
	dst.Style = v.style(m.Token)
}
