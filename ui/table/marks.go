package table

import (
	"cmp"
	"slices"
	"strings"
)

// Marks holds the marks of the viewer, by the keys of the marked records. The zero Marks is empty.
type Marks struct {
	labels   map[string]string // label of each mark, by the key of the record
	vanished []string          // labels of marks whose record has vanished
	changed  bool              // the marks have changed since the last drawing
}

// Mark is a marked record.
type Mark struct {
	Key   string
	Label string // label of the record when it was marked
}

// keySeparator ends the key of a record within the key of its row, if the table lists the record
// more than once.
const keySeparator = "\x00"

// recordKey returns the key of the record in a row, "" for a row without one.
func recordKey(rowKey string) string {
	key, _, _ := strings.Cut(rowKey, keySeparator)
	return key
}

// Len returns the number of marks.
func (m *Marks) Len() int { return len(m.labels) }

// Has reports whether the record of a row is marked.
func (m *Marks) Has(rowKey string) bool {
	if len(m.labels) == 0 {
		return false
	}
	_, ok := m.labels[recordKey(rowKey)]
	return ok
}

// Toggle marks the record of a row, or removes its mark.
func (m *Marks) Toggle(rowKey, label string) {
	key := recordKey(rowKey)
	if key == "" {
		return
	}
	m.changed = true
	if m.Has(key) {
		delete(m.labels, key)
		return
	}
	if m.labels == nil {
		m.labels = make(map[string]string)
	}
	m.labels[key] = label
}

// Clear removes all marks, and reports whether rows were marked.
func (m *Marks) Clear() bool {
	had := len(m.labels) > 0
	*m = Marks{changed: had || m.changed}
	return had
}

// All returns the marks, sorted by label.
func (m *Marks) All() []Mark {
	out := make([]Mark, 0, len(m.labels))
	for key, label := range m.labels {
		out = append(out, Mark{key, label})
	}
	slices.SortFunc(out, func(a, b Mark) int { return cmp.Or(CompareFold(a.Label, b.Label), strings.Compare(a.Key, b.Key)) })
	return out
}

// Vanished returns the labels of the marks that were removed because their record has vanished. The
// labels are kept until the marks are cleared.
func (m *Marks) Vanished() []string { return m.vanished }

// Prune removes the marks of records that are not among the rows. An empty source removes none,
// because the source may be filled again, as after a reconnect.
func (m *Marks) Prune(src Source) {
	if len(m.labels) == 0 || src.Len() == 0 {
		return
	}
	found := make(map[string]bool, len(m.labels))
	for i := 0; i < src.Len() && len(found) < len(m.labels); i++ {
		if key := src.Key(i); m.Has(key) {
			found[key] = true
		}
	}
	if len(found) == len(m.labels) {
		return
	}
	for _, mark := range m.All() {
		if !found[mark.Key] {
			delete(m.labels, mark.Key)
			m.vanished, m.changed = append(m.vanished, mark.Label), true
		}
	}
}
