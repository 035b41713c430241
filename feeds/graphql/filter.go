package graphql

import (
	"errors"
	"slices"
	"strings"
)

// Filters are stored as GraphQL literals, so equal strings mean equal requests. This file parses
// filters, so that they can be sent as variables or in pieces.

// Value is a value in a filter: a scalar, an object or a list. A filter may have thousands of
// scalars. To keep scalars small, the fields for objects and lists are in composite.
type Value struct {
	scalar    string     // as written in the literal
	composite *composite // nil for a scalar
}

// composite is an object or a list.
type composite struct {
	names   []string // names of the members; nil for a list
	members []Value
	isList  bool
}

func objectValue(names []string, members []Value) Value {
	return Value{composite: &composite{names: names, members: members}}
}

func listValue(elements []Value) Value {
	return Value{composite: &composite{members: elements, isList: true}}
}

// IsObject reports whether the value has named members.
func (v Value) IsObject() bool { return v.composite != nil && !v.composite.isList }

// names returns the names of an object's members, or nil for another value.
func (v Value) names() []string {
	if v.composite == nil {
		return nil
	}
	return v.composite.names
}

func (v Value) members() []Value {
	if v.composite == nil {
		return nil
	}
	return v.composite.members
}

// errFilter means that a string is not a filter in the form that this package writes.
var errFilter = errors.New("cannot parse the filter")

// ParseFilter parses a filter.
func ParseFilter(text string) (Value, error) {
	p := filterParser{rest: text}
	v := p.readValue()
	if p.skipSeparators(); p.failed || p.rest != "" {
		return Value{}, errFilter
	}
	return v, nil
}

type filterParser struct {
	rest   string // text not parsed yet
	failed bool   // the input cannot be parsed
}

// skipSeparators skips spaces and commas, which have no meaning in GraphQL.
func (p *filterParser) skipSeparators() { p.rest = strings.TrimLeft(p.rest, " ,") }

// takeByte skips separators and then the byte c. If c is not next, it skips only the separators and
// returns false.
func (p *filterParser) takeByte(c byte) bool {
	p.skipSeparators()
	if p.rest == "" || p.rest[0] != c {
		return false
	}
	p.rest = p.rest[1:]
	return true
}

func (p *filterParser) readValue() Value {
	switch {
	case p.takeByte('{'):
		v := composite{}
		for !p.failed && !p.takeByte('}') {
			v.names = append(v.names, p.readWord())
			p.failed = p.failed || !p.takeByte(':')
			v.members = append(v.members, p.readValue())
		}
		return Value{composite: &v}
	case p.takeByte('['):
		elements := p.allocateElements()
		for !p.failed && !p.takeByte(']') {
			elements = append(elements, p.readValue())
		}
		return listValue(elements)
	default:
		return Value{scalar: p.readWord()}
	}
}

// allocateElements returns an empty slice for the elements of the list that begins here. Its
// capacity is estimated from the input.
func (p *filterParser) allocateElements() []Value {
	list, _, _ := strings.Cut(p.rest, "]")
	if list == "" {
		return nil
	}
	return make([]Value, 0, 1+strings.Count(list, ","))
}

// readWord consumes a name, a number or a quoted string.
func (p *filterParser) readWord() string {
	p.skipSeparators()
	n := 0
	if strings.HasPrefix(p.rest, `"`) {
		for n = 1; n < len(p.rest) && p.rest[n] != '"'; n++ {
			if p.rest[n] == '\\' {
				n++
			}
		}
		n++
	} else if n = strings.IndexAny(p.rest, " ,:{}[]"); n < 0 {
		n = len(p.rest)
	}
	if n == 0 || n > len(p.rest) {
		p.failed = true
		return ""
	}
	w := p.rest[:n]
	p.rest = p.rest[n:]
	return w
}

// writeJSON writes the value as JSON. Enum values become strings.
func (v Value) writeJSON(b *strings.Builder) {
	switch {
	case v.composite != nil:
		open, end := "{", "}"
		if v.composite.isList {
			open, end = "[", "]"
		}
		b.WriteString(open)
		for i, m := range v.composite.members {
			if i > 0 {
				b.WriteByte(',')
			}
			if !v.composite.isList {
				b.WriteString(StringLiteral(v.composite.names[i]) + ":")
			}
			m.writeJSON(b)
		}
		b.WriteString(end)
	case strings.IndexByte(`"-0123456789`, v.scalar[0]) >= 0, v.scalar == "true", v.scalar == "false", v.scalar == "null":
		b.WriteString(v.scalar)
	default:
		b.WriteString(StringLiteral(v.scalar))
	}
}

// writeLiteral writes the value as a GraphQL literal.
func (v Value) writeLiteral(b *strings.Builder) {
	switch {
	case v.IsObject():
		b.WriteByte('{')
		for i, m := range v.composite.members {
			if i > 0 {
				b.WriteByte(' ')
			}
			b.WriteString(v.composite.names[i] + ":")
			m.writeLiteral(b)
		}
		b.WriteByte('}')
	case v.composite != nil:
		b.WriteByte('[')
		for i, m := range v.composite.members {
			if i > 0 {
				b.WriteByte(',')
			}
			m.writeLiteral(b)
		}
		b.WriteByte(']')
	default:
		b.WriteString(v.scalar)
	}
}

// VariableJSON returns a filter as JSON, to be used as the value of a variable.
func VariableJSON(filter string) ([]byte, error) {
	v, err := ParseFilter(filter)
	if err != nil {
		return nil, err
	}
	var b strings.Builder
	v.writeJSON(&b)
	return []byte(b.String()), nil
}

// keyListNames lists the members of document 2's filters that contain names or IDs of records.
var keyListNames = []string{"services", "groups", "users", "userProfiles", "campaigns"}

// keyListIndex returns the index of the object member that lists record names, or -1 if there is
// none.
func (v Value) keyListIndex() int {
	return slices.IndexFunc(v.names(), func(n string) bool { return slices.Contains(keyListNames, n) })
}

// rootKeyListIndex is like [Value.keyListIndex] for the outermost object of a filter. In this
// object, only the member campaigns names records. The other members belong to a UserFilter and are
// conditions.
func (v Value) rootKeyListIndex() int {
	if i := v.keyListIndex(); i >= 0 && v.names()[i] == "campaigns" {
		return i
	}
	return -1
}

// withList returns a copy of the object in which member i is a list of the given elements.
func (v Value) withList(i int, elements []Value) Value {
	members := slices.Clone(v.members())
	members[i] = listValue(elements)
	return objectValue(v.names(), members)
}

// SplitFilter splits a filter into filters with at most maxKeys keys each, counting all channels
// together. It returns nil if the filter cannot be parsed, or if it names no records on one of its
// channels.
func SplitFilter(filter string, maxKeys int) []string {
	root, err := ParseFilter(filter)
	if err != nil || !root.IsObject() || maxKeys < 1 {
		return nil
	}
	var out []string
	piece := objectValue(nil, nil)
	room := maxKeys
	flush := func() {
		if len(piece.members()) > 0 {
			var b strings.Builder
			piece.writeLiteral(&b)
			out = append(out, b.String())
		}
		piece, room = objectValue(nil, nil), maxKeys
	}
	cut := func(name string, of Value, i int, wrap bool) {
		for rest := of.members()[i].members(); len(rest) > 0; {
			n := min(room, len(rest))
			part := of.withList(i, rest[:n])
			if wrap {
				piece.composite.names, piece.composite.members = append(piece.composite.names, name), append(piece.composite.members, part)
			} else {
				piece = part
			}
			if rest, room = rest[n:], room-n; room == 0 {
				flush()
			}
		}
	}
	if i := root.rootKeyListIndex(); i >= 0 {
		cut("", root, i, false)
	} else {
		for n, m := range root.members() {
			i := m.keyListIndex()
			if i < 0 {
				return nil
			}
			cut(root.names()[n], m, i, true)
		}
	}
	flush()
	return out
}
