package table

import (
	"iter"
	"strings"
)

// View returns the table as a string of exactly Height lines, each exactly Width cells wide.
func (m *Model) View() string {
	if m.draw() || m.joinedLines == "" {
		m.joinedLines = strings.Join(m.Lines(), "\n")
	}
	return m.joinedLines
}

// Lines returns the lines of [Model.View]. The caller may change the slice.
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

// All returns an iterator over the lines of [Model.View], without converting them to strings. The
// lines are valid until the table is redrawn. The caller must not change them.
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
