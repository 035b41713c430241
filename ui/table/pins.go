package table

import "slices"

// Pins holds the keys of the pinned rows. Pinned rows come first in every sort order and have a
// sign. A pinned row that does not match the filter is not listed.
type Pins struct {
	keys    []string
	changed bool // the rows must be listed again
}

// Set sets the keys of the pinned rows. The change takes effect at the next call of
// [Model.SetSource].
func (p *Pins) Set(keys []string) {
	if !slices.Equal(keys, p.keys) {
		p.keys, p.changed = slices.Clone(keys), true
	}
}
