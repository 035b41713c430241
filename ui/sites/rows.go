package sites

import (
	"cmp"
	"hash/maphash"
	"slices"
	"strings"

	"wallboard/internal/lib/textnorm"
	"wallboard/ui/table"
)

// cell is a text with its style and a sort value that precedes the text.
type cell struct {
	text, style string
	sortKey     float64
}

// row is a row of one of the tables.
type row struct {
	key   string
	cells []cell
}

// rows implements [table.Source].
type rows struct{ list []row }

var seed = maphash.MakeSeed()

func (s *rows) Len() int         { return len(s.list) }
func (s *rows) Key(i int) string { return s.list[i].key }

// Version implements [table.Source].
func (s *rows) Version(i int) uint64 {
	var h maphash.Hash
	h.SetSeed(seed)
	for _, c := range s.list[i].cells {
		_, _ = h.WriteString(c.text + "\x00" + c.style + "\x00") // never fails
	}
	return h.Sum64()
}

// Cell implements [table.Source].
func (s *rows) Cell(i, col int, dst *table.Cell) {
	dst.String(s.list[i].cells[col].text)
	dst.Style = s.list[i].cells[col].style
}

// Compare implements [table.Source].
func (s *rows) Compare(i, j, col int) int {
	a, b := s.list[i].cells[col], s.list[j].cells[col]
	return cmp.Or(cmp.Compare(a.sortKey, b.sortKey), strings.Compare(a.text, b.text))
}

// Matches implements [table.Source].
func (s *rows) Matches(i int, filter string) bool {
	return slices.ContainsFunc(s.list[i].cells, func(c cell) bool {
		return strings.Contains(textnorm.Fold(c.text), textnorm.Fold(filter))
	})
}
