package feeds

import (
	"slices"

	"wallboard/feeds/picture"
	"wallboard/feeds/queries"
)

// parsed are the filters that were taken apart last: thousands of names that
// everything asks about.
type parsed [2]struct {
	filter string
	value  queries.Value
}

// of returns a filter taken apart, the zero value if that cannot be done.
func (p *parsed) of(filter string) queries.Value {
	for _, a := range p {
		if a.filter == filter {
			return a.value
		}
	}
	v, _ := queries.Parse(filter)
	copy(p[1:], p[:])
	p[0].filter, p[0].value = filter, v
	return v
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
func inKeys(filter string) func(key any) bool {
	asked, _ := queries.Parse(filter)
	on := asked.Channels()
	return func(key any) bool {
		return len(on) == 0 || on[picture.NameOf(key)]&queries.ChannelBit(picture.ChannelOf(key)) != 0
	}
}
