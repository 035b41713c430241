package records

import (
	"slices"

	"wallboard/feeds/graphql"
)

// FilterCache caches the two filters that were parsed last. Parsing is slow, because a filter may
// contain thousands of names.
type FilterCache [2]struct {
	filter   string
	value    graphql.Value
	channels map[string]uint32 // nil until requested
}

// Value returns a parsed filter, or the zero value if it cannot be parsed.
func (c *FilterCache) Value(filter string) graphql.Value { return c[c.index(filter)].value }

// Channels returns, for each name in a filter, a bit set of its channels. The caller must not
// modify the map.
func (c *FilterCache) Channels(filter string) map[string]uint32 {
	a := &c[c.index(filter)]
	if a.channels == nil {
		a.channels = a.value.ChannelsByName()
	}
	return a.channels
}

// index returns the index of a filter in the cache. If the cache does not contain the filter, index
// parses it.
func (c *FilterCache) index(filter string) int {
	for i, a := range c {
		if a.filter == filter {
			return i
		}
	}
	v, _ := graphql.ParseFilter(filter)
	copy(c[1:], c[:])
	c[0].filter, c[0].value, c[0].channels = filter, v, nil
	return 0
}

// ContainsName returns a function that reports whether the filter contains a name. If the filter
// lists no names, the function returns true for every name.
func (c *FilterCache) ContainsName(filter string) func(string) bool {
	names := graphql.RecordNames(c.Value(filter))
	return func(name string) bool {
		if len(names) == 0 {
			return true
		}
		_, ok := slices.BinarySearch(names, name)
		return ok
	}
}

// ContainsKey returns a function that reports whether the filter contains the key of a record. If
// the filter lists no names, the function returns true for every key.
func (c *FilterCache) ContainsKey(filter string) func(key any) bool {
	on := c.Channels(filter)
	return func(key any) bool {
		return len(on) == 0 || on[FilterName(key)]&graphql.ChannelBit(KeyChannel(key)) != 0
	}
}
