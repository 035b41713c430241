package graphql

import (
	"encoding/json"
	"slices"
	"strings"

	"wallboard/model"
)

// RecordNames returns the names of the records in the filter root, sorted and without duplicates.
func RecordNames(root Value) []string {
	var names []string
	root.eachKeyList(func(_ string, v Value, i int) {
		for _, e := range v.members()[i].members() {
			names = append(names, unquoteName(e.scalar))
		}
	})
	slices.Sort(names)
	return slices.Compact(names)
}

// eachKeyList calls f for every object v in the filter that lists names of records. channel is the
// channel of the object, or "" in a filter without channels. i is the index of the member of v that
// lists the names.
func (v Value) eachKeyList(f func(channel string, v Value, i int)) {
	if i := v.rootKeyListIndex(); i >= 0 {
		f("", v, i)
		return
	}
	for n, m := range v.members() {
		if i := m.keyListIndex(); i >= 0 {
			f(v.names()[n], m, i)
		}
	}
}

// unquoteName returns the text of a scalar, without quotes and escapes.
func unquoteName(literal string) string {
	n := len(literal)
	switch {
	case n < 2 || literal[0] != '"': // a number
		return literal
	case strings.IndexByte(literal, '\\') < 0:
		return literal[1 : n-1]
	}
	var text string
	if json.Unmarshal([]byte(literal), &text) != nil {
		return literal
	}
	return text
}

// TermsExceptNames returns the terms of a filter without the names of records, sorted and separated
// by spaces. The figures of two requests are comparable only if these strings are equal.
func TermsExceptNames(root Value) string {
	var all []string
	note := func(v Value, but int) {
		for n, m := range v.members() {
			if n != but {
				var b strings.Builder
				m.writeLiteral(&b)
				all = append(all, v.names()[n]+":"+b.String())
			}
		}
	}
	named := false
	root.eachKeyList(func(_ string, v Value, i int) { named = true; note(v, i) })
	if !named {
		note(root, -1)
	}
	slices.Sort(all)
	return strings.Join(slices.Compact(all), " ")
}

// RequestFor returns a request for those records of the filter whose names are in names. names must
// be sorted.
func (v Value) RequestFor(names []string) Request {
	keep := func(v Value, i int) (Value, int) {
		var some []Value
		for _, e := range v.members()[i].members() {
			if _, ok := slices.BinarySearch(names, unquoteName(e.scalar)); ok {
				some = append(some, e)
			}
		}
		return v.withList(i, some), len(some)
	}
	out := Request{IsWanted: true}
	if i := v.rootKeyListIndex(); i >= 0 {
		v, out.Keys = keep(v, i)
	} else {
		part := composite{}
		for n, m := range v.members() {
			i := m.keyListIndex()
			if i < 0 {
				continue
			}
			m, some := keep(m, i)
			if some > 0 {
				part.names, part.members = append(part.names, v.names()[n]), append(part.members, m)
				out.Keys += some
			}
		}
		v = Value{composite: &part}
	}
	var b strings.Builder
	v.writeLiteral(&b)
	out.Filter = b.String()
	return out
}

// FilterForRecord returns the part of the filter that selects one record. name is a literal.
// channel and component are the record's channel and component. It returns false if the filter
// names no records on that channel.
func (v Value) FilterForRecord(name, channel, component string) (string, bool) {
	var b strings.Builder
	one := []Value{{scalar: name}}
	if i := v.rootKeyListIndex(); i >= 0 {
		v.withList(i, one).writeLiteral(&b)
		return b.String(), true
	}
	i := slices.Index(v.names(), channel)
	if i < 0 || v.members()[i].keyListIndex() < 0 {
		return "", false
	}
	m := v.members()[i]
	m = m.withList(m.keyListIndex(), one)
	if c := slices.Index(m.names(), "component"); c >= 0 {
		m = m.withList(c, []Value{{scalar: component}})
	}
	objectValue([]string{channel}, []Value{m}).writeLiteral(&b)
	return b.String(), true
}

// CountKeys returns the number of names in a filter. A name counts once for each of its channels.
func CountKeys(filter string) int {
	root, _ := ParseFilter(filter)
	n := 0
	root.eachKeyList(func(_ string, v Value, i int) { n += len(v.members()[i].members()) })
	return n
}

// ChannelsByName returns, for each name in a filter, a bit set of its channels.
func (v Value) ChannelsByName() map[string]uint32 {
	on := make(map[string]uint32)
	v.eachKeyList(func(channel string, v Value, i int) {
		bit := ChannelBit(channel)
		for _, e := range v.members()[i].members() {
			on[unquoteName(e.scalar)] |= bit
		}
	})
	return on
}

// ChannelBit returns the bit that stands for a channel in a bit set. All unknown names, including
// "", share one bit.
func ChannelBit(name string) uint32 {
	channels := model.Channels()
	return 1 << (slices.Index(channels[:], model.Channel(name)) + 1)
}
