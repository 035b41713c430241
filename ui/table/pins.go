package table

import "slices"

// Pins holds the rows that come first, in any order and direction, with a sign. The filter applies to
// them as to others.
type Pins struct {
	keys    []string
	changed bool // the rows have to be listed again
}

// Set sets the keys of the rows. It takes effect with the next source.
func (p *Pins) Set(keys []string) {
	if !slices.Equal(keys, p.keys) {
		p.keys, p.changed = slices.Clone(keys), true
	}
}
