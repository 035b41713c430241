package table

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
)

// wheelLines is the number of lines that one notch of the mouse wheel scrolls.
const wheelLines = 3

// Update handles mouse messages. If the table has the keyboard focus, it also handles keys.
func (m *Model) Update(msg tea.Msg) {
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		if m.focused {
			m.press(msg)
		}
	case tea.MouseWheelMsg:
		if hit := m.HitTest(msg.X-m.originX, msg.Y-m.originY); hit.Area != HitOutside {
			m.wheel(msg.Button)
		}
	case tea.MouseClickMsg:
		if msg.Button == tea.MouseLeft {
			m.click(m.HitTest(msg.X-m.originX, msg.Y-m.originY))
		}
	}
}

func (m *Model) press(msg tea.KeyPressMsg) {
	page := max(m.visibleRows-1, 1)
	switch k := &m.KeyMap; {
	case key.Matches(msg, k.LineUp):
		m.move(-1)
	case key.Matches(msg, k.LineDown):
		m.move(1)
	case key.Matches(msg, k.PageUp):
		m.move(-page)
	case key.Matches(msg, k.PageDown):
		m.move(page)
	case key.Matches(msg, k.GotoTop):
		m.move(-len(m.rows))
	case key.Matches(msg, k.GotoBottom):
		m.move(len(m.rows))
	case key.Matches(msg, k.SortPrev):
		m.stepSort(-1)
	case key.Matches(msg, k.SortNext):
		m.stepSort(1)
	case key.Matches(msg, k.SortReverse):
		if m.sortCol != noSortColumn {
			m.sortBy(m.sortCol, !m.sortDesc)
		}
	}
}

func (m *Model) wheel(button tea.MouseButton) {
	switch button { //nolint:exhaustive // other buttons have no wheel
	case tea.MouseWheelUp:
		m.scroll(-wheelLines)
	case tea.MouseWheelDown:
		m.scroll(wheelLines)
	}
}

func (m *Model) click(hit Hit) {
	switch hit.Area {
	case HitHeader:
		m.ToggleSort(hit.Column)
	case HitRow:
		m.Select(hit.Key)
	case HitOutside, HitBlank:
	}
}

// HitArea is a part of a table.
type HitArea uint8

// Values of [HitArea].
const (
	HitOutside HitArea = iota // outside the table
	HitBlank                  // in the table, but neither on a title nor on a row
	HitHeader                 // on the title of Hit.Column
	HitRow                    // on the row Hit.Key
)

// Hit describes the part of a table at a position. [Model.HitTest] returns it.
type Hit struct {
	Area   HitArea
	Key    string // key of the row; "" unless Area is HitRow
	Column string // ID of the column, or "" if the position is not in a column
}
