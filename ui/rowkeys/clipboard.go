package rowkeys

import (
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"wallboard/internal/alert/situation"
	"wallboard/internal/phrases"
	"wallboard/ui/dialog"
	"wallboard/ui/panes"
	"wallboard/ui/situations"
	"wallboard/ui/style"
	"wallboard/ui/term"
)

// Clipboard copies what is on the screen. The texts are those of the board, so names that the viewer
// must not see are not in them.
type Clipboard struct {
	Environment []string // of the terminal
	Look        *style.Look
	Say         func(string) tea.Cmd
}

// Text sends a text to the terminal's clipboard. what names it for the viewer.
func (c Clipboard) Text(what, text string) tea.Cmd {
	cut := ""
	if len(text) > term.MaxClipboard {
		text = text[:term.MaxClipboard]
		text = text[:strings.LastIndexByte(text, '\n')+1]
		cut = ", only the first " + phrases.Count(strings.Count(text, "\n")-1, "row", "rows")
	}
	output := term.Clipboard(c.Environment, text)
	if output == "" {
		return c.Say("This terminal has no clipboard.")
	}
	return tea.Batch(tea.Raw(output), c.Say(what+" sent to the terminal's clipboard"+cut+"."))
}

// Situation copies a situation in sentences: the headline, the causes and what would help.
func (c Clipboard) Situation(s *situation.Situation) tea.Cmd {
	text := strings.Join(append([]string{s.Place.Title + ": " + s.Headline}, s.CauseLines()...), " ")
	if label, help := s.HelpPhrases(); len(help) > 0 {
		text += " " + label + ": " + strings.Join(help, "; ") + "."
	}
	return c.Text(s.Place.Title, situations.Plain(c.Look, text)+"\n")
}

// Row copies the selected row of a table, below the titles of its columns.
func (c Clipboard) Row(p *panes.RecordTable) tea.Cmd {
	selected, ok := p.Table.Selected()
	if !ok {
		return c.Say("No row is selected.")
	}
	rows := p.Table.Texts(selected)
	return c.Text(rows[len(rows)-1][0], tabSeparated(rows))
}

// Table copies all rows of a table that match its filter.
func (c Clipboard) Table(p *panes.RecordTable) tea.Cmd {
	rows := p.Table.Texts("")
	return c.Text(phrases.Count(len(rows)-1, "row", "rows")+" of "+p.Noun, tabSeparated(rows))
}

// tabSeparated joins rows of cells. A zero that the board shows as a dot is a zero again.
func tabSeparated(rows [][]string) string {
	var b strings.Builder
	for _, row := range rows {
		for i, text := range row {
			if i > 0 {
				b.WriteByte('\t')
			}
			if text == "·" || text == "." {
				text = "0"
			}
			b.WriteString(text)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// Commands returns the palette's commands for copying a table and a situation; nil: there is none.
// Of those, b runs the first.
func (c Clipboard) Commands(b key.Binding, p *panes.RecordTable, s *situation.Situation) []dialog.Command {
	var out []dialog.Command
	add := func(name string, run func() tea.Cmd) {
		out = append(out, dialog.Command{Name: name, Keywords: "clipboard yank export", Run: run})
	}
	if p != nil {
		add("copy the row", func() tea.Cmd { return c.Row(p) })
		add("copy the table: "+p.Noun, func() tea.Cmd { return c.Table(p) })
	}
	if s != nil {
		add("copy the sentence: "+s.Place.Title, func() tea.Cmd { return c.Situation(s) })
	}
	if len(out) > 0 {
		out[0].Key = b.Help().Key
	}
	return out
}
