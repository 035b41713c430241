package render

import (
	"github.com/charmbracelet/x/ansi"

	"wallboard/internal/words"
	"wallboard/themes"
	"wallboard/ui/table"
	"wallboard/ui/textlayout"
)

// ActionMark marks a row whose record has a pending or just completed action.
type ActionMark struct {
	Glyph string // the mark, one cell wide
	Word  string // short name of the action
	Text  string // sentences about the action
	Token themes.Token
}

// ActionMarks holds the marks of a board's rows by user name and by campaign ID. An ActionMarks in
// use must not be changed. Caches compare pointers, so a change needs a new ActionMarks.
type ActionMarks struct {
	Agents, Campaigns map[string]ActionMark
}

// agent returns the mark on the row of an agent. The bool result is false if there is none.
func (m *ActionMarks) agent(username string) (ActionMark, bool) {
	if m == nil {
		return ActionMark{}, false
	}
	mark, ok := m.Agents[username]
	return mark, ok
}

// campaign returns the mark on the row of a campaign. The bool result is false if there is none.
func (m *ActionMarks) campaign(id string) (ActionMark, bool) {
	if m == nil {
		return ActionMark{}, false
	}
	mark, ok := m.Campaigns[id]
	return mark, ok
}

// actionMarkBlock returns a block with the full text of the mark m. If ok is false, the block is
// empty.
func (v *View) actionMarkBlock(m ActionMark, ok bool) block {
	return block{words.DetailRequested(), func(p *detailWriter) {
		if ok {
			p.Paragraph(textlayout.NewSpan(m.Glyph+" "+m.Text, m.Token))
		}
	}}
}

// drawMarkedState draws a state and, beside it, the mark m. Words that do not fit are abbreviated
// and drawn without spaces. If there is still not enough room, the word of the mark is omitted,
// because the state matters more to viewers.
func (v *View) drawMarkedState(s State, m ActionMark, dst *table.Cell) {
	state, mark := s.Glyph(v.Options.ASCII), " "+m.Glyph
	word, short := v.translate(s.Word), v.translate(s.shortWord())
	const around = 4 // width of the glyphs and spaces of "● Talking ◌" in cells
	text := state + " " + ansi.Truncate(word, max(dst.Width-around, 0), v.Options.glyphOrASCII("…", "~")) + mark
	whole := state + " " + word + mark + " " + m.Word
	dst.WantedWidth = table.TextWidth(v.Options.WidthMethod, whole)
	for _, both := range []string{
		whole,
		state + " " + word + mark + m.Word,
		state + " " + short + mark + m.Word,
		state + short + mark + m.Word,
	} {
		if ansi.StringWidth(both) <= dst.Width {
			text = both
			break
		}
	}
	dst.AppendString(text)
	dst.Style = v.sgr(m.Token)
}
