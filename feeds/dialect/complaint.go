package dialect

import (
	"regexp"
	"slices"
	"strings"

	"wallboard/feeds/graphqlws"
	"wallboard/model"
)

// Document 2 shows no error of a request that is not understood. Every GraphQL
// library words it in its own way; what all of them do is to name the field, in
// quotes, as a path, or by its place in the request.
const (
	quote  = "[`'\"‘’“”]"
	quoted = quote + `(\w+)` + quote
)

// How servers say that they lack a field or a type.
var (
	fieldWords = []*regexp.Regexp{
		regexp.MustCompile("(?i)cannot query field " + quote + `?(\w+)` + quote + `?(?: on type ` + quote + `?(\w+))?`),
		regexp.MustCompile("(?i)field " + quote + `?(\w+)` + quote + `? (?:in|on) type:? ` + quote + `?(\w+)` + quote + `? (?:is undefined|does not exist)`),
		regexp.MustCompile("(?i)field " + quote + `?(\w+)` + quote + `? (?:does not exist|doesn't exist|is not defined|not found)(?: on| in)?(?: the)?(?: type)?:? ?` + quote + `?(\w+)?`),
		regexp.MustCompile("(?i)unknown field " + quote + `?(\w+)` + quote + `?(?: (?:on|in) type ` + quote + `?(\w+))?`),
	}
	typeWords = []*regexp.Regexp{
		regexp.MustCompile("(?i)unknown type " + quote + `?(\w+)`),
		regexp.MustCompile("(?i)fragment .*can never be of type " + quote + `?(\w+)`),
	}
	quotedName   = regexp.MustCompile(quoted)
	bracketPath  = regexp.MustCompile(`@\[([\w/]+)\]`)
	meantWords   = regexp.MustCompile(`(?i)did you mean(.*)`)
	inlineWords  = regexp.MustCompile(`(?i)inline fragments? on(.*)`)
	graphqlName  = regexp.MustCompile(`^[A-Za-z]\w*$`)
	rootTypeName = regexp.MustCompile(`(?i)^(root)?(query|subscription)s?(root|type)?$`)
)

// How servers say that a filter names too much, or that it is not written as
// they want it.
var (
	tooMuchWords = regexp.MustCompile(`(?i)too (many|much|long|large|big|complex)|at most|maximum|exceed|limit`)
	filterWords  = regexp.MustCompile(`(?i)variable|literal|inline`)

	aliasWords     = regexp.MustCompile(`(?i)alias`)
	typenameWords  = regexp.MustCompile(`(?i)introspection|__type`)
	crowdedWords   = regexp.MustCompile(`(?i)(too many|limit|at most|max(imum)?|exceed\w*|quota|no more)\b.*\bsubscriptions?\b|\bsubscriptions?\b.*(limit|quota|exceed|maximum|at most)`)
	unknownArg     = regexp.MustCompile(`(?i)unknown (?:field )?argument ` + quoted + `|argument ` + quoted + ` does not exist`)
	missingArg     = regexp.MustCompile(`(?i)argument ` + quoted + `(?: of type \S+)? is required|missing (?:field )?argument ` + quoted)
	filterArgument = "filter"
)

// Complaint is what a server has against a request, as far as it says so.
type Complaint struct {
	Root   bool     // it has no operation of this name
	Meant  []string // names that it has
	lacks  []string // fields that it does not take as they were asked for
	types  []string // types that it wants to be asked for, behind the path of their object
	failed []string // fields that it could not execute
	Shape  bool     // it has some of the fields, in another shape

	TooMuch bool // it speaks of too many or too long
	Filters bool // it speaks of how filters are written

	keys     []string // fields that name a record, which it does not take as they were asked for
	Argument bool     // it does not know the argument that carries the filter
	argument []string // what that may be called
	Aliases  bool     // it speaks of other names for fields
	Crowded  bool     // it speaks of too many subscriptions
}

// Typed reports whether the records lack fields that their types may have.
func (r *Complaint) Typed() bool {
	return len(r.types) == 0 && (len(r.keys) > 0 || slices.ContainsFunc(r.lacks, func(p string) bool { return !strings.Contains(p, ".") }))
}

// ReadComplaint reads a server's errors about what was sent of an operation.
func ReadComplaint(op string, how Sent, errs []graphqlws.GraphQLError) Complaint {
	set := parseFields(how.selection)
	r := Complaint{
		TooMuch: speaksOf(tooMuchWords, errs), Filters: speaksOf(filterWords, errs), Aliases: speaksOf(aliasWords, errs),
		Crowded: how.Root != "" && speaksOf(crowdedWords, errs),
	}
	if speaksOf(typenameWords, errs) {
		r.lacks = append(r.lacks, typenames(set)...)
	}
	for _, e := range errs {
		if r.readArgument(op, how, &e) {
			continue
		}
		name, typ := words(fieldWords, e.Message)
		at := -1
		if e.Column > 0 {
			at = e.Column - 1 - how.at
		}
		switch {
		case e.Path != "":
			r.failed = append(r.failed, executed(set, op, e.Path)...)
		case name != "" && (e.Column > 0 && at < 0 || rootTypeName.MatchString(typ) || name == op || name == how.Root):
			r.Root, r.Meant = true, append(r.Meant, namesAfter(meantWords, e.Message)...)
		case name != "":
			paths := fieldsOf(set, name, typ, at)
			if len(paths) == 0 && isKey(name) && !builtIn(typ) {
				r.keys = append(r.keys, name)
				paths = r.keys[len(r.keys)-1:]
			}
			r.lacks = append(r.lacks, paths...)
			r.types = append(r.types, hinted(set, paths, namesAfter(inlineWords, e.Message))...)
		default:
			about := r.about(set, &e, at)
			r.lacks, r.Shape = append(r.lacks, about...), r.Shape || len(about) > 0
		}
	}
	if r.Root { // what else is said follows from that
		return Complaint{Crowded: r.Crowded, Aliases: r.Aliases, Root: true, Meant: r.Meant, TooMuch: r.TooMuch, Filters: r.Filters}
	}
	r.keys = slices.Compact(slices.Sorted(slices.Values(r.keys)))
	for _, list := range []*[]string{&r.lacks, &r.types, &r.failed} {
		*list = slices.DeleteFunc(slices.Compact(slices.Sorted(slices.Values(*list))), isKey)
	}
	return r
}

// TeachArgument has a dialect take another name for the argument of an operation that
// carries the filter: the one that the server says it wants, else a common one. It
// reports whether there is one to try.
func (r *Complaint) TeachArgument(d *Dialect, op string) bool {
	if d.pinned.Argument != "" {
		return false
	}
	if !d.known.learnArgument(op, r.argument) && (!r.Argument || !d.known.learnArgument(op, []string{d.guesses.argument(op)})) {
		return false
	}
	d.dirty = true
	return true
}

// TeachAliases has a dialect ask for every field under its own name where the server
// minds others. It reports whether that is news.
func (r *Complaint) TeachAliases(d *Dialect) bool {
	if !r.Aliases || d.known.NoAliases {
		return false
	}
	d.known.NoAliases, d.dirty = true, true
	return true
}

// typenames returns the paths of all __typename.
func typenames(set []field) (paths []string) {
	walk(set, nil, func(n, _ *field) {
		if n.head == "__typename" {
			paths = append(paths, n.path)
		}
	})
	return paths
}

// readArgument takes note of an error about an argument of the operation itself, and
// reports whether it is one.
func (r *Complaint) readArgument(op string, how Sent, e *graphqlws.GraphQLError) bool {
	if m := unknownArg.FindStringSubmatch(e.Message); m != nil {
		r.Argument = true
		r.argument = append(r.argument, namesAfter(meantWords, e.Message)...)
		return true
	}
	m := missingArg.FindStringSubmatch(e.Message)
	if m == nil {
		return false
	}
	own := e.Column > 0 && e.Column-1 < how.at
	for _, name := range []string{op, how.Root} {
		own = own || name != "" && regexp.MustCompile(`\b`+regexp.QuoteMeta(name)+`\b`).MatchString(e.Message)
	}
	if own {
		r.argument = append(r.argument, m[1]+m[2])
	}
	return own
}

// about finds the field that an error names which is not said to be missing.
func (*Complaint) about(set []field, e *graphqlws.GraphQLError, at int) []string {
	if _, of := words(typeWords, e.Message); of != "" {
		return fragmentsOf(set, of)
	}
	var names []string
	if at >= 0 {
		if here := placed(set, at); here != "" {
			return []string{here}
		}
	}
	names = append(names, e.Field)
	if m := bracketPath.FindStringSubmatch(e.Message); m != nil {
		names = append(names, m[1][strings.LastIndexByte(m[1], '/')+1:])
	}
	for _, m := range quotedName.FindAllStringSubmatch(e.Message, maxQuoted) {
		names = append(names, m[1])
	}
	for _, name := range names {
		if paths := fieldsOf(set, name, "", -1); name != "" && len(paths) > 0 {
			return paths
		}
	}
	return nil
}

// maxQuoted is the most names that are read of one error.
const maxQuoted = 16

// words returns what the first pattern that fits has caught: name and type, or
// a type alone as the second.
func words(patterns []*regexp.Regexp, message string) (name, typ string) {
	for _, p := range patterns {
		m := p.FindStringSubmatch(message)
		switch len(m) {
		case 3:
			return m[1], m[2]
		case 2:
			return "", m[1]
		}
	}
	return "", ""
}

// namesAfter returns the quoted names that stand behind some words.
func namesAfter(words *regexp.Regexp, message string) []string {
	var names []string
	if m := words.FindStringSubmatch(message); m != nil {
		for _, q := range quotedName.FindAllStringSubmatch(m[1], maxQuoted) {
			names = append(names, q[1])
		}
	}
	return names
}

// hinted puts types behind the paths of the objects that some fields are in.
func hinted(set []field, paths, types []string) []string {
	var out []string
	if len(types) == 0 {
		return nil
	}
	walk(set, nil, func(n, _ *field) {
		for i := range n.kids {
			if n.fragment() == "" && slices.Contains(paths, n.kids[i].path) || n.fragment() != "" && slices.Contains(paths, n.kids[i].path) {
				for _, t := range types {
					out = append(out, joinPath(n.path, t))
				}
			}
		}
	})
	for i := range set {
		if slices.Contains(paths, set[i].path) {
			out = append(out, types...)
		}
	}
	return out
}

// executed finds the field that a path in the answer leads to.
func executed(set []field, op, path string) []string {
	path = strings.TrimPrefix(path, op+".")
	var found []string
	walk(set, nil, func(n, _ *field) {
		if n.fragment() == "" && (n.path == path || n.response() == path) {
			found = append(found, n.path)
		}
	})
	return found
}

// placed returns what stands at a place of the text, "" when nothing does.
func placed(set []field, at int) string {
	found := ""
	walk(set, nil, func(n, _ *field) {
		switch {
		case n.at != at || isKey(n.path) && n.fragment() == "":
		case n.fragment() != "":
			found = joinPath(n.path, n.fragment())
		default:
			found = n.path
		}
	})
	return found
}

// fieldsOf finds a field: the one at a place, else those of a type, else those
// that may be of it, else all of that name.
func fieldsOf(set []field, name, typ string, at int) []string {
	var here, typed, maybe, named []string
	walk(set, nil, func(n, parent *field) {
		if n.head != name || isKey(n.path) || parent == nil && builtIn(typ) {
			return // the records are no numbers
		}
		named = append(named, n.path)
		if n.at == at {
			here = append(here, n.path)
		}
		of := ""
		if parent != nil {
			of = typeOf(parent)
		}
		switch of {
		case "":
			maybe = append(maybe, n.path)
		case typ:
			typed = append(typed, n.path)
		}
	})
	switch {
	case len(here) > 0:
		return here
	case len(typed) > 0:
		return typed
	case len(maybe) > 0:
		return maybe
	}
	return named
}

// builtIn reports whether a type is one of GraphQL's own, which have no fields.
func builtIn(typ string) bool {
	return slices.Contains([]string{"Int", "Float", "String", "Boolean", "ID"}, typ)
}

// fragmentsOf returns the fragments of a type.
func fragmentsOf(set []field, typ string) []string {
	var paths []string
	walk(set, nil, func(n, _ *field) {
		if n.fragment() == typ {
			paths = append(paths, joinPath(n.path, typ))
		}
	})
	return paths
}

func joinPath(parent, name string) string { return strings.TrimPrefix(parent+"."+name, ".") }

// Sent is what has to be known of an operation that is under way, to understand
// what the server has against it.
type Sent struct {
	selection string // as it was sent
	Root      string // the subscription's name, as it was sent; "" for a query
	argument  string // that carried the filter, "" for none
	plain     bool   // without other names for fields
	variables bool
	at        int // where it began in the text, in characters
	Keys      int // in its filter
	Size      int // of the text, in bytes
}

// Key returns the response key of a subscription that has no alias, "" where document
// 2's name is the key.
func (s *Sent) Key() string {
	if s.plain {
		return s.Root
	}
	return ""
}

// suggested picks the name that is the operation's own with something around it,
// "" when none is. One that holds the name of another operation is that one's.
func suggested(op string, names []string) string {
	has := func(name, part string) bool { return strings.Contains(strings.ToLower(name), strings.ToLower(part)) }
	for _, name := range names {
		if !graphqlName.MatchString(name) || !has(name, op) {
			continue
		}
		if !slices.ContainsFunc(model.Operations(), func(o model.Operation) bool {
			other := string(o.Name)
			return other != op && len(other) > len(op) && has(name, other)
		}) {
			return name
		}
	}
	return ""
}

// speaksOf reports whether one of the errors has some words.
func speaksOf(words *regexp.Regexp, errs []graphqlws.GraphQLError) bool {
	return slices.ContainsFunc(errs, func(e graphqlws.GraphQLError) bool { return words.MatchString(e.Message) })
}
