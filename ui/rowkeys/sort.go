package rowkeys

import (
	"slices"
	"strconv"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"wallboard/ui/panes"
)

// SortChoice lets a digit pick the sort column for a moment after the key that sorts.
type SortChoice struct {
	table   *panes.RecordTable // nil: no choice is open
	columns []string           // IDs of the columns by digit
	until   time.Time
}

// SortTime is how long a digit picks a column instead of a page.
const SortTime = 3 * time.Second

// Open offers the visible columns of a table.
func (c *SortChoice) Open(p *panes.RecordTable, now time.Time) {
	*c = SortChoice{table: p, until: now.Add(SortTime)}
	for _, id := range p.Table.VisibleColumns() {
		if title, ok := sortTitle(p, id); ok && title != "" && len(c.columns) < 10 {
			c.columns = append(c.columns, id)
		}
	}
}

// Press sorts by the column of a digit, and reports whether it did. Any other key ends the choice.
func (c *SortChoice) Press(msg tea.KeyPressMsg, focused *panes.RecordTable, now time.Time) bool {
	i := slices.IndexFunc(c.columns, func(id string) bool { return c.digit(id) == msg.String() })
	if i < 0 || c.table != focused || !now.Before(c.until) {
		*c = SortChoice{}
		return false
	}
	c.table.SortColumn(c.columns[i])
	c.until = now.Add(SortTime)
	return true
}

// digit returns the digit of a column: 1 to 9, then 0.
func (c *SortChoice) digit(id string) string {
	return strconv.Itoa((slices.Index(c.columns, id) + 1) % 10)
}

// Keys returns the digits for the footer, nil if no choice is open for the focused table.
func (c *SortChoice) Keys(focused *panes.RecordTable, now time.Time) []key.Binding {
	if c.table == nil || c.table != focused || !now.Before(c.until) {
		return nil
	}
	out := []key.Binding{key.NewBinding(key.WithHelp("", "Sort by"))}
	for _, id := range c.columns {
		title, _ := sortTitle(c.table, id)
		out = append(out, key.NewBinding(key.WithHelp(c.digit(id), title)))
	}
	return out
}

// sortTitle returns the title of a column; ok is false if the rows cannot be sorted by it.
func sortTitle(p *panes.RecordTable, id string) (title string, ok bool) {
	for _, c := range p.Rows.Columns() {
		if c.ID == id {
			return c.Title, !c.NoSort
		}
	}
	return "", false
}
