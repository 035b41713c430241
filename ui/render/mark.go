package render

import (
	"github.com/charmbracelet/x/ansi"

	"wallboard/themes"
	"wallboard/ui/table"
	"wallboard/ui/textlayout"
)

// Mark shows on a row that an action is pending, or how it ended.
type Mark struct {
	Glyph string // one cell wide
	Word  string // short name of the action
	Text  string // sentences about the action
	Token themes.Token
}

// Marks holds the marks of the rows of a board by user name or campaign id. It must not be changed once it is in
// use: a change makes a new Marks, so that caches can compare pointers.
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

// actionMarkBlock returns a block with the full text of a mark.
func (v *View) actionMarkBlock(m Mark, ok bool) block {
	return block{"Asked for", func(p *detailWriter) {
		if ok {
			p.Paragraph(textlayout.NewSpan(m.Glyph+" "+m.Text, m.Token))
		}
	}}
}

// drawMarkedState draws a state and a mark beside it. If there is no room for both words,
// even abbreviated and without blanks, the word of the mark is left out, because
// viewers act on the state.
func (v *View) drawMarkedState(s State, m Mark, dst *table.Cell) {
	state, mark := s.Glyph(v.Options.ASCII), " "+m.Glyph
	const around = 4 // cells of the glyphs and blanks, as in "● Talking ◌"
	text := state + " " + ansi.Truncate(s.Word, max(dst.Width-around, 0), v.Options.glyphOrASCII("…", "~")) + mark
	whole := state + " " + s.Word + mark + " " + m.Word
	dst.Want = v.Options.Width.StringWidth(whole)
	for _, both := range []string{
		whole,
		state + " " + s.Word + mark + m.Word,
		state + " " + s.shortWord() + mark + m.Word,
		state + s.shortWord() + mark + m.Word,
	} {
		if ansi.StringWidth(both) <= dst.Width {
			text = both
			break
		}
	}
	dst.String(text)
	dst.Style = v.sgr(m.Token)
}
