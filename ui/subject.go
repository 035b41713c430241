package ui

import (
	"wallboard/ui/floor"
)

// subject returns what the viewer points at: what they have opened, or the row that
// is selected. The zero target is nothing that can be acted on.
func (m *Model) subject() floor.Target {
	of, key, _, ok := m.pages.page().Pointed()
	if d := m.pages.detail(); d != nil && d.OnText {
		of, key, ok = d.Kind, d.Key, true
	}
	if !ok {
		return floor.Target{}
	}
	t, ok := m.scene.floor.TargetOf(of, key)
	if !ok {
		return floor.Target{}
	}
	return t
}
