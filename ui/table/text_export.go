package table

import (
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// exportWidth is the room for a cell of [Model.Texts].
const exportWidth = 80

// Texts returns the titles of the visible columns, and below them the texts of the row with a key,
// or of all rows in their order if key is "".
func (m *Model) Texts(key string) [][]string {
	columns := append(append([]placedColumn(nil), m.placedColumns...), m.secondLine...)
	head := make([]string, len(columns))
	for n, c := range columns {
		head[n] = m.columns[c.col].Title
	}
	out := [][]string{head}
	for _, i := range m.rows {
		if key == "" || m.remembered.keys[i] == key {
			out = append(out, m.rowTexts(int(i), columns))
		}
	}
	return out
}

// rowTexts returns the texts of the cells of row i, or its text if it has no cells.
func (m *Model) rowTexts(i int, columns []placedColumn) []string {
	if m.rowSrc != nil {
		var row Row
		row.reset(exportWidth, m.blank != "")
		if m.rowSrc.Row(i, &row); row.Text != "" {
			return []string{exported(row.Text)}
		}
	}
	out := make([]string, len(columns))
	for n, c := range columns {
		cell := Cell{Width: exportWidth}
		m.src.Cell(i, c.col, &cell)
		if out[n] = exported(string(cell.Text)); m.blank != "" && (m.columns[c.col].Align == Right || m.columns[c.col].Momentary) {
			out[n] = m.blank
		}
	}
	return out
}

// exported returns a text without styles and separators.
func exported(text string) string {
	return strings.Join(strings.Fields(ansi.Strip(text)), " ")
}
