package table

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
)

// ActivateMsg is sent when Enter is pressed on a row, or the selected row is
// clicked again. It carries the key of that moment, so that a row moving in
// between cannot make the action hit another.
type ActivateMsg struct {
	Table *Model
	Key   string
}

// wheelLines is how far one notch of the mouse wheel scrolls.
const wheelLines = 3

// Update obeys keys, if the table is focused, and the mouse.
func (m *Model) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		if m.focused {
			return m.press(msg)
		}
	case tea.MouseWheelMsg:
		if hit := m.HitTest(msg.X-m.originX, msg.Y-m.originY); hit.Area != Outside {
			m.wheel(msg.Button)
		}
	case tea.MouseClickMsg:
		if msg.Button == tea.MouseLeft {
			return m.click(m.HitTest(msg.X-m.originX, msg.Y-m.originY))
		}
	}
	return nil
}

func (m *Model) press(msg tea.KeyPressMsg) tea.Cmd {
	page := max(m.body-1, 1)
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
	case key.Matches(msg, k.ScrollLeft):
		m.scrollSideways(-1)
	case key.Matches(msg, k.ScrollRight):
		m.scrollSideways(1)
	case key.Matches(msg, k.SortPrev):
		m.stepSort(-1)
	case key.Matches(msg, k.SortNext):
		m.stepSort(1)
	case key.Matches(msg, k.SortReverse):
		if m.sortCol != unsorted {
			m.sortBy(m.sortCol, !m.sortDesc)
		}
	case key.Matches(msg, k.Activate):
		return m.activate()
	}
	return nil
}

func (m *Model) wheel(button tea.MouseButton) {
	switch button { //nolint:exhaustive // other buttons have no wheel
	case tea.MouseWheelUp:
		m.scroll(-wheelLines)
	case tea.MouseWheelDown:
		m.scroll(wheelLines)
	case tea.MouseWheelLeft:
		m.scrollSideways(-1)
	case tea.MouseWheelRight:
		m.scrollSideways(1)
	}
}

func (m *Model) click(hit Hit) tea.Cmd {
	switch hit.Area {
	case OnHeader:
		m.ToggleSort(hit.Column)
	case OnRow:
		if key, ok := m.Selected(); ok && key == hit.Key {
			return m.activate()
		}
		m.Select(hit.Key)
	case Outside, OnNothing:
	}
	return nil
}

func (m *Model) activate() tea.Cmd {
	key, ok := m.Selected()
	if !ok {
		return nil
	}
	return func() tea.Msg { return ActivateMsg{Table: m, Key: key} }
}

// Area is a part of a table.
type Area uint8

// The areas of a table.
const (
	Outside   Area = iota // not in the table
	OnNothing             // in the table, but not on a title or row
	OnHeader              // on the title of Hit.Column
	OnRow                 // on the row Hit.Key
)

// Hit is what is at a place.
type Hit struct {
	Area   Area
	Key    string // of the row
	Column string // ID of the column, "" beside all columns
}
