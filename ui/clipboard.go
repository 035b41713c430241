package ui

import (
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"wallboard/internal/alert/situation"
	"wallboard/internal/phrases"
	"wallboard/ui/dialog"
	"wallboard/ui/panes"
	"wallboard/ui/situations"
	"wallboard/ui/term"
)

// This file copies what is on the screen. The texts are those of the board, so names that the
// viewer must not see are not in them.

// copyText sends a text to the terminal's clipboard. what names it for the viewer.
func (sc *scene) copyText(say func(string) tea.Cmd, what, text string) tea.Cmd {
	cut := ""
	if len(text) > term.MaxClipboard {
		text = text[:term.MaxClipboard]
		text = text[:strings.LastIndexByte(text, '\n')+1]
		cut = ", only the first " + phrases.Count(strings.Count(text, "\n")-1, "row", "rows")
	}
	output := term.Clipboard(sc.environment, text)
	if output == "" {
		return say("This terminal has no clipboard.")
	}
	return tea.Batch(tea.Raw(output), say(what+" sent to the terminal's clipboard"+cut+"."))
}

// copySelected copies the sentence of the selected situation, or else the selected row.
func (m *Model) copySelected() tea.Cmd {
	if p := m.pages.page().Focused(); p != nil {
		if row, ok := m.pages.selectedSituation(); !ok || row == nil {
			return m.copyRow(p)
		}
	}
	if s := m.pages.situation(m.scene.panes()); s != nil {
		return m.copySituation(s)
	}
	return m.say("There is nothing to copy here.")
}

// copySituation copies a situation in sentences: the headline, the causes and what would help.
func (m *Model) copySituation(s *situation.Situation) tea.Cmd {
	text := strings.Join(append([]string{s.Place.Title + ": " + s.Headline}, s.CauseLines()...), " ")
	if label, help := s.HelpPhrases(); len(help) > 0 {
		text += " " + label + ": " + strings.Join(help, "; ") + "."
	}
	return m.scene.copyText(m.say, s.Place.Title, situations.Plain(m.scene.look, text)+"\n")
}

// copyRow copies the selected row of a table, below the titles of its columns.
func (m *Model) copyRow(p *panes.RecordTable) tea.Cmd {
	key, ok := p.Table.Selected()
	if !ok {
		return m.say("No row is selected.")
	}
	rows := p.Table.Texts(key)
	return m.scene.copyText(m.say, strings.Join(rows[len(rows)-1][:1], ""), tabSeparated(rows))
}

// copyTable copies all rows of a table that match its filter.
func (m *Model) copyTable(p *panes.RecordTable) tea.Cmd {
	rows := p.Table.Texts("")
	return m.scene.copyText(m.say, phrases.Count(len(rows)-1, "row", "rows")+" of "+p.Noun, tabSeparated(rows))
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

// copyCommands returns the palette's commands for copying.
func (m *Model) copyCommands(copyKey key.Binding) []dialog.Command {
	var out []dialog.Command
	add := func(name string, run func() tea.Cmd) {
		out = append(out, dialog.Command{Name: name, Keywords: "clipboard yank export", Run: run})
	}
	if p := m.pages.page().Focused(); p != nil {
		add("copy the row", func() tea.Cmd { return m.copyRow(p) })
		add("copy the table: "+p.Noun, func() tea.Cmd { return m.copyTable(p) })
	}
	if s := m.pages.situation(m.scene.panes()); s != nil {
		add("copy the sentence: "+s.Place.Title, func() tea.Cmd { return m.copySituation(s) })
	}
	if len(out) > 0 {
		out[0].Key = copyKey.Help().Key
	}
	return out
}
