package render

import (
	"github.com/charmbracelet/x/ansi"

	"wallboard/themes"
	"wallboard/ui/sheet"
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
			p.Paragraph(sheet.Say(m.Glyph+" "+m.Text, m.Token))
		}
	}}
}

// markedCell draws a state and a mark beside it. The state is what one acts by:
// where there is no room for both words, even close together and the state's in
// short, the mark goes without its own.
func (v *View) markedCell(s State, m Mark, dst *table.Cell) {
	state, mark := s.Glyph(v.Options.ASCII), " "+m.Glyph
	const around = 4 // the glyphs and their blanks, as in "● Talking ◌"
	text := state + " " + ansi.Truncate(s.Word, max(dst.Width-around, 0), v.pick("…", "~")) + mark
	whole := state + " " + s.Word + mark + " " + m.Word
	dst.Want = v.Options.Width.StringWidth(whole)
	for _, both := range []string{
		whole,
		state + " " + s.Word + mark + m.Word,
		state + " " + s.brief() + mark + m.Word,
		state + s.brief() + mark + m.Word,
	} {
		if ansi.StringWidth(both) <= dst.Width {
			text = both
			break
		}
	}
	dst.String(text)
	dst.Style = v.style(m.Token)
}
