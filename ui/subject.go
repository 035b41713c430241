package ui

import (
	"wallboard/model"
	"wallboard/ui/floor"
)

// subject returns what the viewer points at: what he has opened, or the row
// that is selected.
func (m *Model) subject() (floor.Target, bool) {
	if s := m.opened[m.current]; len(s) > 0 {
		if d := s[len(s)-1]; d.onText {
			return m.scene.floor.TargetOf(d.kind, d.key)
		}
	}
	k, key, _, ok := m.pointed()
	if !ok {
		return floor.Target{}, false
	}
	return m.scene.floor.TargetOf(k, key)
}

// pointed returns what the selected row is about, or the agent under the cursor
// of a map, and the channel that it is shown on; "" is the one on the screen.
func (m *Model) pointed() (of floor.Kind, key string, on model.Channel, ok bool) {
	if page, is := m.page().(*mosaic); is {
		if agents := page.mapHeld(); agents != nil {
			return floor.Agent, agents.cursor, agents.pane.channel, agents.selected() >= 0
		}
	}
	p := m.page().focused()
	if p == nil || p.target == nil {
		return 0, "", "", false
	}
	row, ok := p.table.Selected()
	if !ok {
		return 0, "", "", false
	}
	of, key, ok = p.target(row)
	return of, key, p.channel, ok
}
