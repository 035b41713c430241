package table

import (
	"cmp"
	"slices"
	"strings"
)

// Marks holds the rows that the viewer has marked, by the keys of their records. The zero Marks is
// empty.
type Marks struct {
	labels   map[string]string // label of each mark, by the key of the record
	vanished []string          // labels of the marked records that have vanished
	changed  bool              // the marks have changed since the table was last drawn
}

// Mark is a marked record.
type Mark struct {
	Key   string
	Label string // label that the record had when it was marked
}

// keySeparator separates the key of a record from the rest of a row's key, if the table lists the
// record more than once.
const keySeparator = "\x00"

// recordKey returns the key of the record in the row with the given key. It returns "" for a row
// without a record.
func recordKey(rowKey string) string {
	key, _, _ := strings.Cut(rowKey, keySeparator)
	return key
}

// Len returns the number of marked records.
func (m *Marks) Len() int { return len(m.labels) }

// Has reports whether the record of a row is marked.
func (m *Marks) Has(rowKey string) bool {
	if len(m.labels) == 0 {
		return false
	}
	_, ok := m.labels[recordKey(rowKey)]
	return ok
}

// Toggle marks the record of a row with a label. If the record is already marked, Toggle removes
// its mark. It ignores rows without a record.
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

// Clear removes all marks. It reports whether there were any.
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

// Vanished returns the labels of marked records that have vanished since they were marked. Clear
// removes these labels.
func (m *Marks) Vanished() []string { return m.vanished }

// Prune removes the marks of records that are not in src. The keys of src must be those of records.
// If src is empty, Prune removes no marks, because rows may arrive again, for example after a
// reconnect.
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
