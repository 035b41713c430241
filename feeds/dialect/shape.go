package dialect

import (
	"slices"
	"strings"

	"wallboard/feeds/graphql"
	"wallboard/feeds/merge"
)

// selection returns the selection set of an operation in the form that the server has. It contains
// the fields of document 2 except those that the server lacks, and fragments for added types.
func (d *Dialect) selection(doc *graphql.Document) string {
	lacks, inside, types := d.MissingFields(doc.Root), slices.Concat(d.pinned.ObjectMembers[doc.Root], d.profile.ObjectMembers[doc.Root]), d.Types(doc.Root)
	if len(lacks)+len(inside)+len(types) == 0 {
		return doc.Selection
	}
	set := parseFields(doc.Selection)
	for _, t := range types {
		path, name := splitPath(t)
		set = addedFragment{typ: name, path: path, missingFields: lacks, noAliases: d.profile.NoAliases}.addTo(set, "")
	}
	addObjectMembers(set, inside)
	return writeFields(withoutFields(set, lacks))
}

// splitPath splits a path into the last name and the path of its parent.
func splitPath(path string) (parent, name string) {
	i := strings.LastIndexByte(path, '.')
	return path[:max(i, 0)], path[i+1:]
}

// addedFragment describes a fragment to add to an object, for a type that document 2 does not show.
// The fragment requests all fields of document 2 that the object itself does not have. The fields
// have aliases, because fields of the same name may have different types in two fragments.
type addedFragment struct {
	typ, path     string   // the type, and the path of the object
	missingFields []string // fields that the object itself does not have
	noAliases     bool     // the server allows no aliases
}

// addTo adds the fragment to the object at a.path and returns the changed fields. set holds the
// fields of the object at the path parent: a.path or an object that contains a.path.
func (a addedFragment) addTo(set []field, parent string) []field {
	if parent == a.path {
		if f := a.build(set); len(f.children) > 0 {
			set = append(set, f)
		}
		return set
	}
	for i := range set {
		if n := &set[i]; n.fragmentType() == "" && (n.path == a.path || strings.HasPrefix(a.path, n.path+".")) {
			n.children = a.addTo(n.children, n.path)
		}
	}
	return set
}

func (a addedFragment) build(set []field) field {
	fragment := field{name: "... on " + a.typ, path: a.path}
	walk(set, nil, func(n, parent *field) {
		own := parent == nil && slices.Contains(a.missingFields, n.path) || parent != nil && parent.fragmentType() != "" && parent.path == a.path && n.addedType == ""
		if !own || n.fragmentType() != "" || n.name == "__typename" {
			return
		}
		k := *n
		k.addedType, k.path = a.typ, joinPath(joinPath(a.path, a.typ), n.name)
		if !a.noAliases && !isKeyField(k.path) { // keys have the same type in all fragments
			k.alias = merge.Alias(n.name, a.typ)
		}
		k.children = moveFields(n.children, k.path)
		if !slices.ContainsFunc(fragment.children, func(f field) bool { return f.name == k.name }) {
			fragment.children = append(fragment.children, k)
		}
	})
	return fragment
}

// moveFields returns copies of the fields as fields of the object at path.
func moveFields(fields []field, path string) []field {
	out := slices.Clone(fields)
	for i := range out {
		if out[i].fragmentType() == "" {
			out[i].path = joinPath(path, out[i].name)
		} else {
			out[i].path = path
		}
		out[i].children = moveFields(out[i].children, out[i].path)
	}
	return out
}

// addObjectMembers adds the member to request to each field in set that is an object on this
// server. members holds the paths of the members.
func addObjectMembers(set []field, members []string) {
	for i := range set {
		n := &set[i]
		if len(n.children) > 0 {
			addObjectMembers(n.children, members)
			continue
		}
		for _, path := range members {
			if parent, member := splitPath(path); parent == n.path {
				n.children = []field{{name: member, path: path}}
			}
		}
	}
}

// selectionFixes holds the changes that make a selection acceptable to a server, as paths: fields
// to leave out, members to request instead of a single value, and types to add.
type selectionFixes struct{ missingFields, objectMembers, types []string }

// checkRecords compares the selection of an operation with typ, the type of its records in the
// schema. It adds the changes that the selection needs to f.
func (s *serverSchema) checkRecords(set []field, typ string, f *selectionFixes) {
	if s.checkFields(set, typ, f); s.types[typ] != nil {
		s.findTypes(&field{children: set}, typ, f)
	}
}

// checkFields compares the selected fields of an object with typ, its type in the schema. It adds
// the changes that the selection needs to f.
func (s *serverSchema) checkFields(set []field, typ string, f *selectionFixes) {
	t := s.types[typ]
	if t == nil {
		return
	}
	for i := range set {
		n := &set[i]
		if of := n.fragmentType(); of != "" {
			if !s.overlaps(of, typ) {
				f.missingFields = append(f.missingFields, joinPath(n.path, of))
			} else {
				s.checkFields(n.children, of, f)
			}
			continue
		}
		have, ok := t.fields[n.name]
		target := s.types[have.typ]
		composite := target != nil && target.isComposite()
		switch {
		case n.name == "__typename":
		case !ok || have.requiresArgument || len(n.children) > 0 && !composite:
			f.missingFields = append(f.missingFields, n.path)
		case len(n.children) > 0:
			s.checkFields(n.children, have.typ, f)
			s.findTypes(n, have.typ, f)
		case composite:
			if member := s.likelyMember(target, n.name); member != "" {
				f.objectMembers = append(f.objectMembers, joinPath(n.path, member))
			} else {
				f.missingFields = append(f.missingFields, n.path)
			}
		}
	}
}

// overlaps reports whether an object can have both types a and b.
func (s *serverSchema) overlaps(a, b string) bool {
	ta, tb := s.types[a], s.types[b]
	if ta == nil || tb == nil {
		return false
	}
	return a == b || slices.Contains(ta.possibleTypes, b) || slices.Contains(tb.possibleTypes, a) ||
		slices.ContainsFunc(ta.possibleTypes, func(t string) bool { return slices.Contains(tb.possibleTypes, t) })
}

// likelyMember returns the member of the object type t that is most likely the single value that
// document 2 shows for field. It returns "" if no member is likely.
func (s *serverSchema) likelyMember(t *serverType, field string) string {
	var leaves []string
	for name, m := range t.fields {
		if of := s.types[m.typ]; !m.requiresArgument && (of == nil || !of.isComposite()) {
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

// findTypes adds to f the possible types of the object n that document 2 does not show and that
// have some of the fields that n's own type typ lacks or that are requested in fragments.
func (s *serverSchema) findTypes(n *field, typ string, f *selectionFixes) {
	var wanted, asked []string
	for i := range n.children {
		if of := n.children[i].fragmentType(); of != "" {
			asked = append(asked, of)
			for j := range n.children[i].children {
				wanted = append(wanted, n.children[i].children[j].name)
			}
		} else if n.children[i].name != "__typename" {
			if _, ok := s.types[typ].fields[n.children[i].name]; !ok {
				wanted = append(wanted, n.children[i].name)
			}
		}
	}
	possible := s.types[typ].possibleTypes
	if len(possible) == 0 {
		possible = []string{typ}
	}
	for _, p := range possible {
		if slices.Contains(asked, p) || slices.Contains(unionTypes(), p) || s.types[p] == nil {
			continue
		}
		has := func(name string) bool { _, ok := s.types[p].fields[name]; return ok }
		if slices.ContainsFunc(wanted, has) {
			f.types = append(f.types, joinPath(n.path, p))
		}
	}
}

func unionTypes() []string {
	return []string{"ServiceCcCallAtStat", "ServiceAtStat", "GroupCcCallStat"}
}
