package render

import (
	"github.com/charmbracelet/x/ansi"

	"wallboard/themes"
	"wallboard/ui/table"
	"wallboard/ui/textlayout"
)

// ActionMark shows on a row that an action is pending, or how it ended.
type ActionMark struct {
	Glyph string // one cell wide
	Word  string // short name of the action
	Text  string // sentences about the action
	Token themes.Token
}

// ActionMarks holds the marks of the rows of a board by user name or campaign id. It must not be changed once it is in
// use: a change makes a new Marks, so that caches can compare pointers.
type ActionMarks struct {
	Agents, Campaigns map[string]ActionMark
}

// agent returns the mark of an agent's row.
func (m *ActionMarks) agent(username string) (ActionMark, bool) {
	if m == nil {
		return ActionMark{}, false
	}
	mark, ok := m.Agents[username]
	return mark, ok
}

// campaign returns the mark of a campaign's row.
func (m *ActionMarks) campaign(id string) (ActionMark, bool) {
	if m == nil {
		return ActionMark{}, false
	}
	mark, ok := m.Campaigns[id]
	return mark, ok
}

// actionMarkBlock returns a block with the full text of a mark.
func (v *View) actionMarkBlock(m ActionMark, ok bool) block {
	return block{"Asked for", func(p *detailWriter) {
		if ok {
			p.Paragraph(textlayout.NewSpan(m.Glyph+" "+m.Text, m.Token))
		}
	}}
}

// drawMarkedState draws a state and a mark beside it. If there is no room for both words,
// even abbreviated and without blanks, the word of the mark is left out, because
// viewers act on the state.
func (v *View) drawMarkedState(s State, m ActionMark, dst *table.Cell) {
	state, mark := s.Glyph(v.Options.ASCII), " "+m.Glyph
	const around = 4 // cells of the glyphs and blanks, as in "● Talking ◌"
	text := state + " " + ansi.Truncate(s.Word, max(dst.Width-around, 0), v.Options.glyphOrASCII("…", "~")) + mark
	whole := state + " " + s.Word + mark + " " + m.Word
	dst.WantedWidth = v.Options.WidthMethod.StringWidth(whole)
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
	dst.AppendString(text)
	dst.Style = v.sgr(m.Token)
}
