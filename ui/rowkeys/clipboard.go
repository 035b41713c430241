package rowkeys

import (
	"cmp"
	"slices"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"wallboard/internal/alert/situation"
	"wallboard/internal/phrases"
	"wallboard/ui/dialog"
	"wallboard/ui/panes"
	"wallboard/ui/situations"
	"wallboard/ui/style"
	"wallboard/ui/table"
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
	selected, _, _ = strings.Cut(selected, "\x00") // a row in a group
	rows := texts(p, selected)
	if selected == "" || len(rows) == 1 {
		return c.Say("This row cannot be copied.")
	}
	return c.Text(rows[len(rows)-1][0], tabSeparated(rows))
}

// Table copies all rows of a table that match its filter.
func (c Clipboard) Table(p *panes.RecordTable) tea.Cmd {
	rows := texts(p, "")
	return c.Text(phrases.Count(len(rows)-1, "row", "rows")+" of "+p.Noun, tabSeparated(rows))
}

// texts returns the titles of the visible columns of a table, and below them the texts of a row, or of
// all rows that match the filter if key is "". Rows of groups are listed without their groups.
func texts(p *panes.RecordTable, key string) [][]string {
	var head []string
	var columns []int
	sorted, desc := p.Table.Sort()
	by := -1
	for i, c := range p.Rows.Columns() {
		if slices.Contains(p.Table.VisibleColumns(), c.ID) {
			head, columns = append(head, c.Title), append(columns, i)
		}
		if c.ID == sorted {
			by = i
		}
	}
	var rows []int
	for i := range p.Rows.Len() {
		if filter := p.Table.Filter(); p.Rows.Key(i) == key || key == "" && (filter == "" || p.Rows.Matches(i, filter)) {
			rows = append(rows, i)
		}
	}
	slices.SortStableFunc(rows, func(a, b int) int {
		if by < 0 {
			return 0
		}
		c := p.Rows.Compare(a, b, by)
		if desc {
			c = -c
		}
		return cmp.Or(c, strings.Compare(p.Rows.Key(a), p.Rows.Key(b)))
	})
	out := [][]string{head}
	for _, i := range rows {
		line := make([]string, len(columns))
		for n, col := range columns {
			cell := table.Cell{Width: cellWidth}
			p.Rows.Cell(i, col, &cell)
			line[n] = strings.Join(strings.Fields(ansi.Strip(string(cell.Text))), " ")
		}
		out = append(out, line)
	}
	return out
}

// cellWidth is the room for the text of a cell.
const cellWidth = 80

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
