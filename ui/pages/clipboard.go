package pages

import (
	"slices"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"wallboard/internal/alert/situation"
	"wallboard/internal/words"
	"wallboard/ui/dialog"
	"wallboard/ui/floorview"
	"wallboard/ui/panes"
	"wallboard/ui/style"
	"wallboard/ui/table"
	"wallboard/ui/term"
	"wallboard/ui/widgets"
)

// Clipboard copies parts of the board to the clipboard of the terminal. The copies contain no names
// that the viewer may not see.
type Clipboard struct {
	Environment []string // environment variables of the terminal
	Look        *style.Look
	ShowMessage func(string) tea.Cmd
}

// CopyText copies text to the clipboard of the terminal and shows a message, in which what
// describes the text. If the text is too long, only its first lines are copied.
func (c Clipboard) CopyText(what, text string) tea.Cmd {
	copied := words.PageCopied(words.Name(what))
	if len(text) > term.MaxClipboard {
		text = text[:term.MaxClipboard]
		text = text[:strings.LastIndexByte(text, '\n')+1]
		copied = words.PageCopiedPart(words.Name(what), strings.Count(text, "\n")-1)
	}
	output := term.ClipboardSequence(c.Environment, text)
	if output == "" {
		return c.showText(words.PageNoClipboard())
	}
	return tea.Batch(tea.Raw(output), c.showText(copied))
}

func (c Clipboard) showText(text words.Text) tea.Cmd {
	return c.ShowMessage(text.In(c.Look.Format.Words))
}

// CopySituation copies a description of a situation: the headline, the causes and the remedies.
func (c Clipboard) CopySituation(s *situation.Situation) tea.Cmd {
	return c.CopyText(s.Place.Title, widgets.TerminalText(c.Look, s.Paragraph())+"\n")
}

// CopyRow copies the selected row of a table, preceded by a line with the column titles.
func (c Clipboard) CopyRow(p *panes.RecordTable) tea.Cmd {
	selected, ok := p.Table.Selected()
	if !ok {
		return c.showText(words.PageNoRow())
	}
	rows := rowTexts(p, func(key string) bool { return key == selected })
	if len(rows) == 1 || strings.HasPrefix(selected, "\x00") { // the row is the heading of a group
		return c.showText(words.PageCannotCopy())
	}
	return c.CopyText(rows[1][0], tabSeparated(rows))
}

// copyTable copies all rows of a table that match its filter, in the order on the screen.
func (c Clipboard) copyTable(p *panes.RecordTable) tea.Cmd {
	rows := rowTexts(p, func(string) bool { return true })
	return c.CopyText(words.PageRowsOf(len(rows)-1, panes.Nouns(p)).In(c.Look.Format.Words), tabSeparated(rows))
}

// rowTexts returns the contents of the visible columns of a table: first the column titles, then
// the values of each row for whose key wanted returns true, in the order on the screen.
func rowTexts(p *panes.RecordTable, wanted func(key string) bool) [][]string {
	var head []string
	var columns []int
	all := p.Rows.Columns()
	for _, id := range p.Table.VisibleColumns() {
		i := slices.IndexFunc(all, func(c table.Column) bool { return c.ID == id })
		head, columns = append(head, all[i].Title), append(columns, i)
	}
	out := [][]string{head}
	rows, order := panes.ListedRows(p)
	for _, i := range order {
		if !wanted(rows.Key(int(i))) {
			continue
		}
		line := make([]string, len(columns))
		for n, col := range columns {
			line[n] = floorview.FormatValue(rows.Value(int(i), col))
		}
		out = append(out, line)
	}
	return out
}

// tabSeparated returns a string with a line for each row and tabs between the cells.
func tabSeparated(rows [][]string) string {
	var b strings.Builder
	for _, row := range rows {
		b.WriteString(strings.Join(row, "\t") + "\n")
	}
	return b.String()
}

// Commands returns the palette commands that copy a row or all rows of the table p, and the
// situation s. Both p and s may be nil. The palette shows the key b beside the first command.
func (c Clipboard) Commands(b key.Binding, p *panes.RecordTable, s *situation.Situation) []dialog.Command {
	var out []dialog.Command
	l := c.Look.Format.Words
	add := func(name words.Text, run func() tea.Cmd) {
		out = append(out, dialog.Command{Name: name.In(l), Keywords: words.PageKeywordsCopy().In(l), Run: run})
	}
	if p != nil {
		add(words.KeysCopy(), func() tea.Cmd { return c.CopyRow(p) })
		add(words.PageCommandCopyTable(panes.Nouns(p)), func() tea.Cmd { return c.copyTable(p) })
	}
	if s != nil {
		add(words.PageCommandCopySentence(s.Place.Title), func() tea.Cmd { return c.CopySituation(s) })
	}
	if len(out) > 0 {
		out[0].Key = b.Help().Key
	}
	return out
}
