package dialect

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"
)

// field is a field or an inline fragment in a selection.
type field struct {
	name      string // the name, or "... on Type"
	alias     string // "": none
	path      string // field names from the root of the selection to this field; for a fragment: the path of the object
	offset    int    // offset in the text of the selection, in characters
	addedType string // type that was added to document 2's types and whose fragment contains the field; "": none
	children  []field
}

// fragmentType returns the type of an inline fragment, or "" for a field.
func (f *field) fragmentType() string {
	t, _ := strings.CutPrefix(f.name, "... on ")
	if t == f.name {
		return ""
	}
	return t
}

// parseFields parses a selection in the format of [graphql.Document], which has single spaces
// between words.
func parseFields(text string) []field {
	p := fieldParser{words: strings.Split(text, " ")}
	p.nextWord() // {
	return p.parseSet("", "")
}

type fieldParser struct {
	words []string
	pos   int // offset of the next word, in characters
}

func (p *fieldParser) nextWord() (word string, at int) {
	if len(p.words) == 0 {
		return "}", p.pos
	}
	word, at = p.words[0], p.pos
	p.words, p.pos = p.words[1:], p.pos+utf8.RuneCountInString(word)+1
	return word, at
}

// parseSet parses the fields of the object at the path parent. addedType is the added type whose
// fragment contains the fields, or "" if no such fragment contains them.
func (p *fieldParser) parseSet(parent, addedType string) []field {
	var set []field
	for {
		w, at := p.nextWord()
		n := field{name: w, offset: at, addedType: addedType, path: joinPath(parent, w)}
		if name, ok := strings.CutSuffix(w, ":"); ok { // only fragments of added types contain aliases
			n.alias = name
			n.name, _ = p.nextWord()
			n.path = joinPath(parent, n.name)
		}
		below, inner := n.path, ""
		switch w {
		case "}":
			return set
		case "...":
			p.nextWord() // on
			t, _ := p.nextWord()
			n.name, n.path, n.addedType, below = "... on "+t, parent, "", parent
			if !slices.Contains(unionTypes(), t) {
				below, inner = joinPath(parent, t), t
			}
		}
		if len(p.words) > 0 && p.words[0] == "{" {
			p.nextWord()
			n.children = p.parseSet(below, inner)
		}
		set = append(set, n)
	}
}

// emptySelection is the text of a selection without fields, which is not valid GraphQL.
const emptySelection = "{ }"

// removeFields returns the selection without the fields at the paths in missing and without objects
// that become empty.
func removeFields(selection string, missing []string) string {
	if len(missing) == 0 {
		return selection
	}
	return writeFields(withoutFields(parseFields(selection), missing))
}

func withoutFields(set []field, missing []string) []field {
	kept := make([]field, 0, len(set))
	for _, n := range set {
		path := n.path
		if of := n.fragmentType(); of != "" {
			path = joinPath(path, of)
		}
		if slices.Contains(missing, path) {
			continue
		}
		if len(n.children) > 0 {
			if n.children = withoutFields(n.children, missing); len(n.children) == 0 {
				continue
			}
		}
		kept = append(kept, n)
	}
	return kept
}

func writeFields(set []field) string {
	var b strings.Builder
	b.WriteByte('{')
	for _, n := range set {
		b.WriteByte(' ')
		if n.alias != "" {
			b.WriteString(n.alias + ": ")
		}
		b.WriteString(n.name)
		if len(n.children) > 0 {
			b.WriteString(" " + writeFields(n.children))
		}
	}
	b.WriteString(" }")
	return b.String()
}

// walk calls f with every field and fragment in set, at any depth, and its parent. The parent is
// nil at the top level.
func walk(set []field, parent *field, f func(n, parent *field)) {
	for i := range set {
		f(&set[i], parent)
		walk(set[i].children, &set[i], f)
	}
}

// responsePath returns the path of a field in the answer, where aliases replace names.
func (f *field) responsePath() string {
	if f.addedType == "" {
		return f.path
	}
	return strings.TrimSuffix(f.path, joinPath(f.addedType, f.name)) + cmp.Or(f.alias, f.name)
}
