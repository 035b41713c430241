package ui

import (
	"slices"
	"strconv"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"wallboard/ui/panes"
)

// sortChoice lets the viewer select the sort column with a digit, for a moment after the key that
// sorts.
type sortChoice struct {
	table     *panes.RecordTable // nil: no choice is open
	columns   []string           // IDs of the columns in the order of their digits
	expiresAt time.Time          // end of the choice
}

// sortChoiceTime is how long a digit selects a column instead of a page.
const sortChoiceTime = 3 * time.Second

// open offers the visible columns of a table.
func (c *sortChoice) open(p *panes.RecordTable, now time.Time) {
	*c = sortChoice{table: p, expiresAt: now.Add(sortChoiceTime)}
	for _, id := range p.Table.VisibleColumns() {
		if title, ok := sortTitle(p, id); ok && title != "" && len(c.columns) < 10 {
			c.columns = append(c.columns, id)
		}
	}
}

// press sorts by the column of a digit, and reports whether it did. Any other key ends the choice.
func (c *sortChoice) press(msg tea.KeyPressMsg, focused *panes.RecordTable, now time.Time) bool {
	i := slices.IndexFunc(c.columns, func(id string) bool { return c.digit(id) == msg.String() })
	if i < 0 || c.table != focused || !now.Before(c.expiresAt) {
		*c = sortChoice{}
		return false
	}
	c.table.SortColumn(c.columns[i])
	c.expiresAt = now.Add(sortChoiceTime)
	return true
}

// digit returns the digit of a column: 1 to 9, then 0.
func (c *sortChoice) digit(id string) string {
	return strconv.Itoa((slices.Index(c.columns, id) + 1) % 10)
}

// keys returns the digits for the footer, nil if no choice is open for the focused table.
func (c *sortChoice) keys(focused *panes.RecordTable, now time.Time) []key.Binding {
	if c.table == nil || c.table != focused || !now.Before(c.expiresAt) {
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
