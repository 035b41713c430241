package ui

import (
	"wallboard/ui/floor"
)

// subject returns what the viewer points at: what he has opened, or the row
// that is selected.
func (m *Model) subject() (floor.Target, bool) {
	if d := m.detail(); d != nil && d.onText {
		return m.scene.floor.TargetOf(d.kind, d.key)
	}
	k, key, _, ok := m.page().pointed()
	if !ok {
		return floor.Target{}, false
	}
	return m.scene.floor.TargetOf(k, key)
}
