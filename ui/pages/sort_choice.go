package pages

import (
	"slices"
	"strconv"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"wallboard/internal/words"
	"wallboard/ui/panes"
)

// SortChoice lets the viewer pick a table's sort column with a digit key. It stays open for
// sortChoiceTime after the sort key or the last digit was pressed.
type SortChoice struct {
	table     *panes.RecordTable // the table to sort; nil: not open
	columns   []string           // IDs of the columns, in the order of their digits
	expiresAt time.Time          // when the choice closes
}

// sortChoiceTime is how long the choice stays open. Then the digit keys select pages again.
const sortChoiceTime = 3 * time.Second

// Open lets the viewer choose one of the visible columns by which the table can be sorted, but at
// most ten.
func (c *SortChoice) Open(p *panes.RecordTable, now time.Time) {
	*c = SortChoice{table: p, expiresAt: now.Add(sortChoiceTime)}
	for _, id := range p.Table.VisibleColumns() {
		if title, ok := sortTitle(p, id); ok && title != "" && len(c.columns) < 10 {
			c.columns = append(c.columns, id)
		}
	}
}

// Press sorts the table by the column of the pressed digit key. It returns false if there is no
// such column. Any other key closes the choice.
func (c *SortChoice) Press(msg tea.KeyPressMsg, focused *panes.RecordTable, now time.Time) bool {
	i := slices.IndexFunc(c.columns, func(id string) bool { return c.columnDigit(id) == msg.String() })
	if i < 0 || c.table != focused || !now.Before(c.expiresAt) {
		*c = SortChoice{}
		return false
	}
	c.table.SortColumn(c.columns[i])
	c.expiresAt = now.Add(sortChoiceTime)
	return true
}

// columnDigit returns the digit of the column with the given ID. The columns have the digits 1 to 9, then
// 0.
func (c *SortChoice) columnDigit(id string) string {
	return strconv.Itoa((slices.Index(c.columns, id) + 1) % 10)
}

// Keys returns a key binding for each column that the viewer can choose, for the footer. It returns
// nil if no choice is open for the focused table.
func (c *SortChoice) Keys(focused *panes.RecordTable, now time.Time, l *words.Language) []key.Binding {
	if c.table == nil || c.table != focused || !now.Before(c.expiresAt) {
		return nil
	}
	out := []key.Binding{key.NewBinding(key.WithHelp("", words.KeysSortChoice().In(l)))}
	for _, id := range c.columns {
		title, _ := sortTitle(c.table, id)
		out = append(out, key.NewBinding(key.WithHelp(c.columnDigit(id), title)))
	}
	return out
}

// sortTitle returns the title of the column with the given ID. ok is false if the table cannot be
// sorted by this column.
func sortTitle(p *panes.RecordTable, id string) (title string, ok bool) {
	for _, c := range p.Rows.Columns() {
		if c.ID == id {
			return c.Title, !c.NoSort
		}
	}
	return "", false
}
