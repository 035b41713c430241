package dialect

import (
	"errors"
	"regexp"
	"slices"
	"strings"

	"wallboard/feeds/graphqlws"
	"wallboard/feeds/merge"
	"wallboard/feeds/queries"
)

// typeOf returns what document 2 calls the type of a field, "" where it does
// not say.
func typeOf(n *field) string {
	if t := n.fragment(); t != "" {
		return t
	}
	switch n.head {
	case "customStats":
		return "CustomStat"
	case "value": // that of a custom statistic, which holds another
		return "CustomStatValue"
	case "timeInHold":
		return "TimeInHold"
	case "timeInActivityCode", "timeInActivityCodeStateBusy", "timeInActivityCodeStateNotReady":
		return "TimeInActivityCode"
	case "notReadyUsersOnActivityCode", "activityCodeIndicators":
		return "UserProfileInActivityCode"
	}
	if strings.HasSuffix(n.head, "Users") || strings.HasSuffix(n.head, "UsersPrivate") {
		return "UserProfileInStatus"
	}
	return ""
}

// isKey reports whether a field names its record or an element of a list: without
// it nothing can be told apart.
func isKey(path string) bool {
	if of, rest, typed := strings.Cut(path, "."); typed && isType(of) {
		path = rest // of records of that type
	}
	switch path {
	case "username", "code", "channel", "component", "id", "campaignId", "customStats.key":
		return true
	}
	return strings.Contains(path, ".") && strings.HasSuffix(path, ".activityCode")
}

// Lack notes what the server does not take of an operation: fields, and objects
// whose types it wants to be asked for. It reports whether that is news. Of an
// operation that nothing would be left of it lacks all, and its refusal stands.
func (d *Dialect) Lack(doc *queries.Document, fields, types []string) bool {
	op := doc.Root
	news := d.learn(d.known.Types, d.pinned.Types, op, types)
	typed := len(recordTypes(d.Types(op))) > 0
	fields = slices.DeleteFunc(slices.Clone(fields), func(path string) bool {
		return isKey(path) && (!typed || strings.Contains(path, "."))
	})
	some := *d
	some.known.Lacks = map[string][]string{op: slices.Concat(d.known.Lacks[op], fields)}
	if some.selection(doc) == emptySelection {
		return news
	}
	return d.learn(d.known.Lacks, d.pinned.Lacks, op, fields) || news
}

// Heed notes what the server says about the fields of an operation, and reports
// whether that is news.
func (d *Dialect) Heed(doc *queries.Document, r *Complaint) bool {
	lacks := slices.Concat(r.lacks, r.keys)
	for _, path := range r.failed {
		if d.evidence.speaksFor(claim{claimFails, doc.Root, path}) {
			lacks = append(lacks, path)
		}
	}
	return d.Lack(doc, lacks, r.types)
}

// Misread counts the field that a payload was not understood for, if it is one
// alone, and reports whether one of that name is not asked for any more.
func (d *Dialect) Misread(doc *queries.Document, err error) bool {
	var shape *merge.ShapeError
	return errors.As(err, &shape) && d.fail(doc, fieldsOf(parseFields(d.selection(doc)), shape.Field, "", -1))
}

// Failed counts the fields that a server could not execute, and reports whether one
// of them is not asked for any more.
func (d *Dialect) Failed(doc *queries.Document, errs []graphqlws.GraphQLError) bool {
	set := parseFields(d.selection(doc))
	var paths []string
	for _, e := range errs {
		paths = append(paths, executed(set, doc.Root, e.Path)...)
	}
	return d.fail(doc, slices.Compact(slices.Sorted(slices.Values(paths))))
}

// fail counts that fields could not be had. One that cannot be had again and again
// costs itself, and no more than that.
func (d *Dialect) fail(doc *queries.Document, paths []string) (news bool) {
	op := doc.Root
	for _, path := range paths {
		if isKey(path) || !d.evidence.speaksFor(claim{claimFails, op, path}) ||
			prune(d.selection(doc), []string{path}) == emptySelection {
			continue
		}
		news = d.learn(d.known.Lacks, d.pinned.Lacks, op, []string{path}) || news
	}
	return news
}

// AllRight takes back what was counted against the fields of an operation: here is
// a full state with all of them.
func (d *Dialect) AllRight(op string) {
	if name := d.guesses.roots[op]; name != "" { // it was taken
		delete(d.guesses.roots, op)
		d.learnRoot(op, name)
	}
	for c := range d.evidence {
		if c.kind == claimFails && c.op == op {
			d.evidence.speaksAgainst(c)
		}
	}
}

// typeName is a type that may be asked for: what a server calls its types goes
// into a request.
var typeName = regexp.MustCompile(`^[A-Za-z][0-9A-Za-z_]{0,63}$`)

// Strangers returns the types of objects that said nothing else about themselves,
// as they can be asked for, and in words. bare has the field of each type.
func (d *Dialect) Strangers(doc *queries.Document, bare map[string]string) (types, words []string) {
	set := parseFields(d.selection(doc))
	asked := make(map[string]bool)
	walk(set, nil, func(n, _ *field) { asked[n.fragment()] = true })
	walk(set, nil, func(n, _ *field) {
		for typ, field := range bare {
			if n.fragment() == "" && n.head == field && !asked[typ] && typeName.MatchString(typ) {
				types = append(types, joinPath(n.path, typ))
				words = append(words, n.path+" of the type "+typ)
			}
		}
	})
	slices.Sort(words)
	return types, slices.Compact(words)
}

// LearnTypes notes types that are to be asked for, and reports whether one is
// news.
func (d *Dialect) LearnTypes(op string, types []string) bool {
	return d.learn(d.known.Types, d.pinned.Types, op, types)
}
