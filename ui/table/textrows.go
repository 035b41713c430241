package table

import (
	"cmp"
	"hash/maphash"
	"slices"
	"strings"

	"wallboard/internal/lib/textnorm"
)

// TextCell is a text with its style and a sort value that precedes the text.
type TextCell struct {
	Text, Style string
	SortKey     float64
}

// TextRow is a row of a [TextTable].
type TextRow struct {
	Key   string
	Cells []TextCell // one for each column
}

// TextTable is a table of few rows that are formatted in advance, with its position on the screen.
type TextTable struct {
	Table *Model
	// X and Y are the position at the last call of Draw.
	X, Y int

	rows textRows
}

// NewTextTable returns an empty table.
func NewTextTable(options ...Option) *TextTable { return &TextTable{Table: New(options...)} }

// SetRows replaces the rows.
func (t *TextTable) SetRows(list []TextRow) {
	t.rows.list = list
	t.Table.SetSource(&t.rows)
}

// Draw returns the lines of the table in an area of the screen. wall, if not nil, scrolls it.
func (t *TextTable) Draw(x, y, w, h int, wall interface{ Scroll(t *Model) }) []string {
	t.X, t.Y = x, y
	t.Table.SetOrigin(x, y)
	t.Table.SetSize(w, h)
	if wall != nil {
		wall.Scroll(t.Table)
	}
	return t.Table.Lines()
}

// textRows implements [Source].
type textRows struct{ list []TextRow }

var textSeed = maphash.MakeSeed()

func (s *textRows) Len() int         { return len(s.list) }
func (s *textRows) Key(i int) string { return s.list[i].Key }

// Version implements [Source].
func (s *textRows) Version(i int) uint64 {
	var h maphash.Hash
	h.SetSeed(textSeed)
	for _, c := range s.list[i].Cells {
		_, _ = h.WriteString(c.Text + "\x00" + c.Style + "\x00") // never fails
	}
	return h.Sum64()
}

// Cell implements [Source].
func (s *textRows) Cell(i, col int, dst *Cell) {
	dst.String(s.list[i].Cells[col].Text)
	dst.Style = s.list[i].Cells[col].Style
}

// Compare implements [Source].
func (s *textRows) Compare(i, j, col int) int {
	a, b := s.list[i].Cells[col], s.list[j].Cells[col]
	return cmp.Or(cmp.Compare(a.SortKey, b.SortKey), strings.Compare(a.Text, b.Text))
}

// Matches implements [Source].
func (s *textRows) Matches(i int, filter string) bool {
	return slices.ContainsFunc(s.list[i].Cells, func(c TextCell) bool {
		return strings.Contains(textnorm.Fold(c.Text), textnorm.Fold(filter))
	})
}
