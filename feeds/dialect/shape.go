package dialect

import (
	"slices"
	"strings"

	"wallboard/feeds/merge"
	"wallboard/feeds/queries"
)

// selection returns the selection for an operation: document 2's fields without
// those that the server lacks, adapted to the form in which it has them, plus
// fragments for added types.
func (d *Dialect) selection(doc *queries.Document) string {
	lacks, inside, types := d.MissingFields(doc.Root), d.inside(doc.Root), d.Types(doc.Root)
	if len(lacks)+len(inside)+len(types) == 0 {
		return doc.Selection
	}
	set := parseFields(doc.Selection)
	for _, t := range types {
		path, name := splitPath(t)
		set = addedFragment{typ: name, path: path, lacks: lacks, plain: d.known.NoAliases}.addTo(set, "")
	}
	withInside(set, inside)
	return writeFields(keepFields(set, lacks))
}

// splitPath splits the last name off a path.
func splitPath(path string) (parent, name string) {
	i := strings.LastIndexByte(path, '.')
	return path[:max(i, 0)], path[i+1:]
}

// addedFragment describes a fragment to add to the object at a path for a type that
// document 2 does not show. The fragment requests all fields of document 2 that
// the object does not have by itself, with aliases, because fields of the same
// name may have different types in two fragments.
type addedFragment struct {
	typ, path string
	lacks     []string // fields that the object itself does not have
	plain     bool     // without aliases
}

// addTo adds the fragment to the object at a.path. set holds the fields of the
// object at here, which is a.path or above it.
func (a addedFragment) addTo(set []field, here string) []field {
	if here == a.path {
		if f := a.fragment(set); len(f.kids) > 0 {
			set = append(set, f)
		}
		return set
	}
	for i := range set {
		if n := &set[i]; n.fragment() == "" && (n.path == a.path || strings.HasPrefix(a.path, n.path+".")) {
			n.kids = a.addTo(n.kids, n.path)
		}
	}
	return set
}

func (a addedFragment) fragment(set []field) field {
	fragment := field{name: "... on " + a.typ, path: a.path}
	walk(set, nil, func(n, parent *field) {
		own := parent == nil && slices.Contains(a.lacks, n.path) || parent != nil && parent.fragment() != "" && parent.path == a.path && n.addedType == ""
		if !own || n.fragment() != "" || n.name == "__typename" {
			return
		}
		k := *n
		k.addedType, k.path = a.typ, joinPath(joinPath(a.path, a.typ), n.name)
		if !a.plain && !isKey(k.path) { // keys have the same type everywhere
			k.alias = merge.Alias(n.name, a.typ)
		}
		k.kids = withPath(n.kids, k.path)
		if !slices.ContainsFunc(fragment.kids, func(f field) bool { return f.name == k.name }) {
			fragment.kids = append(fragment.kids, k)
		}
	})
	return fragment
}

// withPath returns copies of fields below another path.
func withPath(kids []field, path string) []field {
	out := slices.Clone(kids)
	for i := range out {
		if out[i].fragment() == "" {
			out[i].path = joinPath(path, out[i].name)
		} else {
			out[i].path = path
		}
		out[i].kids = withPath(out[i].kids, out[i].path)
	}
	return out
}

// withInside requests a member of each field that is an object on this server.
func withInside(set []field, inside []string) {
	for i := range set {
		n := &set[i]
		if len(n.kids) > 0 {
			withInside(n.kids, inside)
			continue
		}
		for _, path := range inside {
			if parent, member := splitPath(path); parent == n.path {
				n.kids = []field{{name: member, path: path}}
			}
		}
	}
}

// fixes lists the changes that make a selection acceptable to a server.
type fixes struct{ lacks, inside, types []string }

// checkRecords compares the selection of an operation with the type of its
// records.
func (x *serverSchema) checkRecords(set []field, typ string, f *fixes) {
	if x.checkFields(set, typ, f); x.types[typ] != nil {
		x.addTypes(&field{kids: set}, typ, f)
	}
}

// checkFields compares a selection with a type.
func (x *serverSchema) checkFields(set []field, typ string, f *fixes) {
	t := x.types[typ]
	if t == nil {
		return
	}
	for i := range set {
		n := &set[i]
		if of := n.fragment(); of != "" {
			if !x.overlap(of, typ) {
				f.lacks = append(f.lacks, joinPath(n.path, of))
			} else {
				x.checkFields(n.kids, of, f)
			}
			continue
		}
		have, ok := t.fields[n.name]
		target := x.types[have.typ]
		composite := target != nil && target.composite()
		switch {
		case n.name == "__typename":
		case !ok || have.required || len(n.kids) > 0 && !composite:
			f.lacks = append(f.lacks, n.path)
		case len(n.kids) > 0:
			x.checkFields(n.kids, have.typ, f)
			x.addTypes(n, have.typ, f)
		case composite:
			if member := x.member(target, n.name); member != "" {
				f.inside = append(f.inside, joinPath(n.path, member))
			} else {
				f.lacks = append(f.lacks, n.path)
			}
		}
	}
}

// overlap reports whether an object can be of both types.
func (x *serverSchema) overlap(a, b string) bool {
	ta, tb := x.types[a], x.types[b]
	if ta == nil || tb == nil {
		return false
	}
	return a == b || slices.Contains(ta.possible, b) || slices.Contains(tb.possible, a) ||
		slices.ContainsFunc(ta.possible, func(t string) bool { return slices.Contains(tb.possible, t) })
}

// member picks the member of an object that most likely is the value shown in
// document 2, or "".
func (x *serverSchema) member(t *serverType, field string) string {
	var leaves []string
	for name, m := range t.fields {
		if of := x.types[m.typ]; !m.required && (of == nil || !of.composite()) {
			leaves = append(leaves, name)
		}
	}
	for _, likely := range []string{field, "id", "value", "code", "key", "username", "name"} {
		if slices.Contains(leaves, likely) {
			return likely
		}
	}
	if len(leaves) == 1 {
		return leaves[0]
	}
	return ""
}

// addTypes finds possible types of an object that document 2 does not show and
// that have some of the requested fields.
func (x *serverSchema) addTypes(n *field, typ string, f *fixes) {
	var wanted, asked []string
	for i := range n.kids {
		if of := n.kids[i].fragment(); of != "" {
			asked = append(asked, of)
			for j := range n.kids[i].kids {
				wanted = append(wanted, n.kids[i].kids[j].name)
			}
		} else if n.kids[i].name != "__typename" {
			if _, ok := x.types[typ].fields[n.kids[i].name]; !ok {
				wanted = append(wanted, n.kids[i].name)
			}
		}
	}
	possible := x.types[typ].possible
	if len(possible) == 0 {
		possible = []string{typ}
	}
	for _, p := range possible {
		if slices.Contains(asked, p) || slices.Contains(unionTypes(), p) || x.types[p] == nil {
			continue
		}
		has := func(name string) bool { _, ok := x.types[p].fields[name]; return ok }
		if slices.ContainsFunc(wanted, has) {
			f.types = append(f.types, joinPath(n.path, p))
		}
	}
}

// unionTypes lists document 2's union member types.
func unionTypes() []string {
	return []string{"ServiceCcCallAtStat", "ServiceAtStat", "GroupCcCallStat"}
}
