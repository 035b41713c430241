package table

import (
	"iter"
	"strings"
)

// View returns the table: exactly Height lines of exactly Width cells.
func (m *Model) View() string {
	if m.draw() || m.view == "" {
		m.view = strings.Join(m.Lines(), "\n")
	}
	return m.view
}

// Lines returns the lines of [Model.View]. The slice is the caller's.
func (m *Model) Lines() []string {
	if m.draw() {
		m.view = ""
	}
	out := make([]string, len(m.lines))
	for i, l := range m.lines {
		out[i] = l.string()
	}
	return out
}

// All passes on the lines of [Model.View] without making strings of them. Each
// is good until the table is drawn again, and must not be changed.
func (m *Model) All() iter.Seq[[]byte] {
	if m.draw() {
		m.view = ""
	}
	return func(yield func([]byte) bool) {
		for _, l := range m.lines {
			if !yield(l.drawn) {
				return
			}
		}
	}
}
