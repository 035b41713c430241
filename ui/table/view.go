package table

import (
	"iter"
	"strings"
)

// View returns the table: exactly Height lines of exactly Width cells.
func (m *Model) View() string {
	if m.draw() || m.joinedLines == "" {
		m.joinedLines = strings.Join(m.Lines(), "\n")
	}
	return m.joinedLines
}

// Lines returns the lines of [Model.View]. The caller owns the slice.
func (m *Model) Lines() []string {
	if m.draw() {
		m.joinedLines = ""
	}
	out := make([]string, len(m.lines))
	for i, l := range m.lines {
		out[i] = l.string()
	}
	return out
}

// All iterates over the lines of [Model.View] without converting them to strings. The
// lines are valid until the table is drawn again, and must not be changed.
func (m *Model) All() iter.Seq[[]byte] {
	if m.draw() {
		m.joinedLines = ""
	}
	return func(yield func([]byte) bool) {
		for _, l := range m.lines {
			if !yield(l.drawn) {
				return
			}
		}
	}
}
