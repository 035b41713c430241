package feeds

import (
	"slices"

	"wallboard/feeds/picture"
	"wallboard/feeds/queries"
)

// parsed are the filters that were taken apart last: thousands of names that
// everything asks about.
type parsed [2]struct {
	filter   string
	value    queries.Value
	channels map[string]uint32 // nil until they are asked for
}

// of returns a filter taken apart, the zero value if that cannot be done.
func (p *parsed) of(filter string) queries.Value { return p[p.find(filter)].value }

// channels returns on which channels a filter has each of its names. The caller
// must not change the map.
func (p *parsed) channels(filter string) map[string]uint32 {
	a := &p[p.find(filter)]
	if a.channels == nil {
		a.channels = a.value.Channels()
	}
	return a.channels
}

// find returns where a filter is, taken apart.
func (p *parsed) find(filter string) int {
	for i, a := range p {
		if a.filter == filter {
			return i
		}
	}
	v, _ := queries.Parse(filter)
	copy(p[1:], p[:])
	p[0].filter, p[0].value, p[0].channels = filter, v, nil
	return 0
}

// has tells of a name whether a filter asks for it.
func (p *parsed) has(filter string) func(string) bool {
	names := queries.Names(p.of(filter))
	return func(name string) bool {
		if len(names) == 0 {
			return true
		}
		_, ok := slices.BinarySearch(names, name)
		return ok
	}
}

// inKeys tells of a record's key whether a filter asks for it.
func (p *parsed) inKeys(filter string) func(key any) bool {
	on := p.channels(filter)
	return func(key any) bool {
		return len(on) == 0 || on[picture.NameOf(key)]&queries.ChannelBit(picture.ChannelOf(key)) != 0
	}
}
