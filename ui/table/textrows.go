package table

import (
	"cmp"
	"hash/maphash"
	"slices"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"wallboard/internal/lib/textnorm"
)

// TextCell is the text of a cell and its style. Rows are sorted by SortKey, and rows with equal
// keys by Text.
type TextCell struct {
	Text, Style string
	Brief       string // shown instead if Text does not fit; "": the end of Text is cut
	SortKey     float64
	IsList      bool // Text has parts, separated by commas, of which only those that fit are shown
}

// TextRow is a row of a [TextTable].
type TextRow struct {
	Key   string
	Cells []TextCell // one cell for each column
}

// TextTable is a table with a few rows of formatted text. It remembers its position on the screen.
type TextTable struct {
	Table *Model
	// X and Y are the position of the table on the screen at the last call of Draw.
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

// Draw returns the lines of the table for an area of the screen. If wall is not nil, Draw calls it
// to scroll the table.
func (t *TextTable) Draw(x, y, w, h int, wall interface{ Scroll(t *Model) }) []string {
	t.X, t.Y = x, y
	t.Table.SetOrigin(x, y)
	t.Table.SetSize(w, h)
	if wall != nil {
		wall.Scroll(t.Table)
	}
	return t.Table.Lines()
}

// TextTables is a group of tables on a page. One of the tables has the keyboard focus.
type TextTables struct {
	List    []*TextTable
	Focused int // index of the table that has the keyboard focus
}

// NewTextTables returns an empty table for each element of columns, sorted by its first column. If
// onWall is true, rows cannot be selected.
func NewTextTables(styles Styles, glyphs Glyphs, onWall bool, columns ...[]Column) TextTables {
	var g TextTables
	for _, c := range columns {
		o := []Option{WithKeyMap(MovingKeyMap()), WithGlyphs(glyphs), WithScrollbar(), WithColumns(c...), WithFlash(0), WithFixedColumns()}
		if onWall {
			o = append(o, WithoutSelection())
		}
		t := NewTextTable(o...)
		t.Table.SetStyles(styles)
		t.Table.SortBy(c[0].ID, false)
		g.List = append(g.List, t)
	}
	g.Focus(0)
	return g
}

// Focus gives the keyboard focus to the table with the given index.
func (g *TextTables) Focus(index int) {
	g.Focused = index
	for i, t := range g.List {
		if i == index {
			t.Table.Focus()
		} else {
			t.Table.Blur()
		}
	}
}

// FocusNext gives the keyboard focus to the next visible table if direction is 1, or to the
// previous one if direction is -1.
func (g *TextTables) FocusNext(direction int) {
	n := len(g.List)
	for i := g.Focused + direction; ; i += direction {
		i = (i + n) % n
		if g.List[i].Table.Height() > 0 || i == g.Focused {
			g.Focus(i)
			return
		}
	}
}

// Selected returns the key of the selected row of the focused table. ok is false if no row is
// selected.
func (g *TextTables) Selected() (id string, ok bool) { return g.List[g.Focused].Table.Selected() }

// HandleMoveKey moves the selection if msg is a key for that. It returns false for all other keys.
func (g *TextTables) HandleMoveKey(msg tea.KeyPressMsg) bool {
	t := g.List[g.Focused].Table
	m := t.KeyMap
	if !key.Matches(msg, m.LineUp, m.LineDown, m.PageUp, m.PageDown, m.GotoTop, m.GotoBottom) {
		return false
	}
	t.Update(msg)
	return true
}

// HandleMouse handles clicks and the mouse wheel. A click on the selected row opens that row. In a
// table without selection, a click on any row opens it. If a click opens a row, HandleMouse returns
// the key of the row and true.
func (g *TextTables) HandleMouse(msg tea.Msg) (id string, opens bool) {
	switch msg := msg.(type) {
	case tea.MouseClickMsg:
		for i, t := range g.List {
			hit := t.Table.HitTest(msg.X-t.X, msg.Y-t.Y)
			if msg.Button != tea.MouseLeft || hit.Area == HitOutside {
				continue
			}
			g.Focus(i)
			if selected, ok := t.Table.Selected(); hit.Area == HitRow && (ok && selected == hit.Key || !t.Table.Select(hit.Key)) {
				return hit.Key, true
			}
		}
	case tea.MouseWheelMsg:
		for _, t := range g.List {
			t.Table.Update(msg)
		}
	}
	return "", false
}

// SetStyles sets the styles of all tables.
func (g *TextTables) SetStyles(styles Styles) {
	for _, t := range g.List {
		t.Table.SetStyles(styles)
	}
}

// CopyStateFrom copies the focus and the chosen rows from the tables of another page.
func (g *TextTables) CopyStateFrom(previous *TextTables) {
	g.Focus(previous.Focused)
	for i, t := range g.List {
		if id, ok := previous.List[i].Table.ChosenKey(); ok {
			t.Table.Select(id)
		}
	}
}

// textRows is the [Source] of the rows of a [TextTable].
type textRows struct{ list []TextRow }

var textHashSeed = maphash.MakeSeed()

func (s *textRows) Len() int         { return len(s.list) }
func (s *textRows) Key(i int) string { return s.list[i].Key }

// Version implements [Source].
func (s *textRows) Version(i int) uint64 {
	var h maphash.Hash
	h.SetSeed(textHashSeed)
	for _, c := range s.list[i].Cells {
		_, _ = h.WriteString(c.Text + "\x00" + c.Style + "\x00") // WriteString of a Hash never fails
	}
	return h.Sum64()
}

// Cell implements [Source].
func (s *textRows) Cell(i, col int, dst *Cell) {
	c := &s.list[i].Cells[col]
	text := c.Text
	if c.IsList {
		dst.WantedWidth = ansi.StringWidth(text)
		for end := 0; end >= 0 && ansi.StringWidth(text) > dst.Width; {
			if end = strings.LastIndex(text, ", "); end >= 0 {
				text = text[:end]
			}
		}
	}
	if c.Brief != "" && ansi.StringWidth(text) > dst.Width {
		dst.WantedWidth, text = ansi.StringWidth(text), c.Brief
	}
	dst.AppendString(text)
	dst.Style = c.Style
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
