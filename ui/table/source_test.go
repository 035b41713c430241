package table

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// rec is a row of the source that the tests use.
type rec struct {
	key     string
	version uint64
	cells   []string
	style   string // style of the first cell
}

// list is a source of records; columns are compared by length, then as text.
type list []rec

func (l list) Len() int             { return len(l) }
func (l list) Key(i int) string     { return l[i].key }
func (l list) Version(i int) uint64 { return l[i].version }

func (l list) Cell(i, col int, dst *Cell) {
	dst.AppendString(l[i].text(col))
	if col == 0 {
		dst.Style = l[i].style
	}
}

func (r rec) text(col int) string {
	if col < len(r.cells) {
		return r.cells[col]
	}
	return ""
}

func (l list) Compare(i, j, col int) int {
	a, b := l[i].text(col), l[j].text(col)
	return cmp.Or(cmp.Compare(len(a), len(b)), strings.Compare(a, b))
}

func (l list) Value(i, col int) Value { return Value{Known: true, Text: l[i].text(col)} }

func (l list) Matches(i int, filter string) bool {
	return strings.Contains(strings.Join(l[i].cells, " "), filter)
}

// with returns a copy in which the row with the given key has the given cells.
func (l list) with(key string, cells ...string) list {
	out := slices.Clone(l)
	for i := range out {
		if out[i].key == key {
			out[i].cells = cells
			out[i].version++
		}
	}
	return out
}

// without returns a copy without the row with the given key.
func (l list) without(key string) list {
	return slices.DeleteFunc(slices.Clone(l), func(r rec) bool { return r.key == key })
}

// numbered returns n rows k00, k01 ... with a name and a number each.
func numbered(n int) list {
	l := make(list, n)
	for i := range l {
		l[i] = rec{key: fmt.Sprintf("k%02d", i), cells: []string{fmt.Sprintf("row %02d", i), fmt.Sprint(i)}}
	}
	return l
}

// marked is a source whose rows have markers.
type marked struct{ list }

func (m marked) Row(i int, dst *Row) {
	if i%2 == 0 {
		dst.Marker, dst.MarkerStyle, dst.Style = "!", "\x1b[31m", "\x1b[48;5;52m"
	}
}

func twoColumns() []Column {
	return []Column{
		{ID: "name", Title: "Name", Min: 6, Ideal: 10, Weight: 1, Priority: 9},
		{ID: "n", Title: "N", Min: 4, Align: Right, SortDescending: true},
	}
}

func newTable(l Source, width, height int, opts ...Option) *Model {
	m := New(append([]Option{WithColumns(twoColumns()...)}, opts...)...)
	m.SetSize(width, height)
	m.SetSource(l)
	return m
}
