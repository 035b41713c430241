package feeds

import (
	"slices"

	"wallboard/feeds/queries"
	"wallboard/feeds/records"
)

// filterCache caches the two filters parsed last, which may contain thousands of
// names.
type filterCache [2]struct {
	filter   string
	value    queries.Value
	channels map[string]uint32 // nil until requested
}

// value returns a parsed filter, or the zero value if it cannot be parsed.
func (p *filterCache) value(filter string) queries.Value { return p[p.index(filter)].value }

// channels returns the channels of each name in a filter. The caller must not
// modify the map.
func (p *filterCache) channels(filter string) map[string]uint32 {
	a := &p[p.index(filter)]
	if a.channels == nil {
		a.channels = a.value.ChannelsByName()
	}
	return a.channels
}

// index returns the cache index of a filter, parsing it if necessary.
func (p *filterCache) index(filter string) int {
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

// containsName returns a function that reports whether a filter contains a name.
func (p *filterCache) containsName(filter string) func(string) bool {
	names := queries.Names(p.value(filter))
	return func(name string) bool {
		if len(names) == 0 {
			return true
		}
		_, ok := slices.BinarySearch(names, name)
		return ok
	}
}

// containsKey returns a function that reports whether a filter contains a record's
// key.
func (p *filterCache) containsKey(filter string) func(key any) bool {
	on := p.channels(filter)
	return func(key any) bool {
		return len(on) == 0 || on[records.FilterName(key)]&queries.ChannelBit(records.KeyChannel(key)) != 0
	}
}
