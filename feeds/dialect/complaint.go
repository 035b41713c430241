package dialect

import (
	"regexp"
	"slices"
	"strings"

	"wallboard/feeds/graphql"
	"wallboard/internal/lib/textnorm"
	"wallboard/model"
)

// Document 2 does not show the error for a request that the server does not understand. Every
// GraphQL library words such an error differently, but all of them identify the field: by name, by
// path, or by position in the request.
const (
	quoteChars = "[`'\"‘’“”]"
	quotedWord = quoteChars + `(\w+)` + quoteChars
)

// Patterns of messages about an unknown field or type, and of names in messages.
var (
	unknownFieldPatterns = []textnorm.Pattern{
		textnorm.NewPattern("(?i)cannot query field " + quoteChars + `?(\w+)` + quoteChars + `?(?: on type ` + quoteChars + `?(\w+))?`),
		textnorm.NewPattern("(?i)field " + quoteChars + `?(\w+)` + quoteChars + `? (?:in|on) type:? ` + quoteChars + `?(\w+)` + quoteChars + `? (?:is undefined|does not exist)`),
		textnorm.NewPattern("(?i)field " + quoteChars + `?(\w+)` + quoteChars + `? (?:does not exist|doesn't exist|is not defined|not found)(?: on| in)?(?: the)?(?: type)?:? ?` + quoteChars + `?(\w+)?`),
		textnorm.NewPattern("(?i)unknown field " + quoteChars + `?(\w+)` + quoteChars + `?(?: (?:on|in) type ` + quoteChars + `?(\w+))?`),
	}
	unknownTypePatterns = []textnorm.Pattern{
		textnorm.NewPattern("(?i)unknown type " + quoteChars + `?(\w+)`),
		textnorm.NewPattern("(?i)fragment .*can never be of type " + quoteChars + `?(\w+)`),
	}
	quotedNamePattern     = textnorm.NewPattern(quotedWord)
	bracketPathPattern    = textnorm.NewPattern(`@\[([\w/]+)\]`)
	suggestionPattern     = textnorm.NewPattern(`(?i)did you mean(.*)`)
	inlineFragmentPattern = textnorm.NewPattern(`(?i)inline fragments? on(.*)`)
	namePattern           = textnorm.NewPattern(`^[A-Za-z]\w*$`)
	rootTypePattern       = textnorm.NewPattern(`(?i)^(root)?(query|subscription)s?(root|type)?$`)
)

// Patterns of messages about a filter that is too long or in the wrong form,
// and about other parts of a request.
var (
	tooLongPattern    = textnorm.NewPattern(`(?i)too (many|much|long|large|big|complex)|at most|maximum|exceed|limit`)
	filterFormPattern = textnorm.NewPattern(`(?i)variable|literal|inline`)

	aliasPattern                = textnorm.NewPattern(`(?i)alias`)
	introspectionPattern        = textnorm.NewPattern(`(?i)introspection|__type`)
	tooManySubscriptionsPattern = textnorm.NewPattern(`(?i)(too many|limit|at most|max(imum)?|exceed\w*|quota|no more)\b.*\bsubscriptions?\b|\bsubscriptions?\b.*(limit|quota|exceed|maximum|at most)`)
	unknownArgumentPattern      = textnorm.NewPattern(`(?i)unknown (?:field )?argument ` + quotedWord + `|argument ` + quotedWord + ` does not exist`)
	missingArgumentPattern      = textnorm.NewPattern(`(?i)argument ` + quotedWord + `(?: of type \S+)? is required|missing (?:field )?argument ` + quotedWord)
	defaultFilterArgument       = "filter"
)

// RequestFaults holds the faults of a request that the errors of a server state.
type RequestFaults struct {
	UnknownRoot    bool     // the operation does not exist under this name
	Suggestions    []string // names that the server suggests instead
	missingFields  []string // paths of fields that the server refuses as they were requested
	fragmentTypes  []string // paths of types that need a fragment
	failedFields   []string // paths of fields that the server could not execute
	NeedsOtherForm bool     // some fields exist, but must be requested in another form

	TooLong    bool // the request is too long or selects too much
	FilterForm bool // the error is about the form in which filters are sent

	refusedKeys          []string // key fields that the server refuses as they were requested
	UnknownArgument      bool     // the server has no filter argument of this name
	argumentNames        []string // possible names of the filter argument, taken from the errors
	RefusesAliases       bool     // the server allows no aliases
	TooManySubscriptions bool     // the connection already has too many subscriptions
}

// MayNeedTypes reports whether the server may have the refused fields only in specific types of
// records, so that the fields must be requested in fragments for these types.
func (c *RequestFaults) MayNeedTypes() bool {
	return len(c.fragmentTypes) == 0 && (len(c.refusedKeys) > 0 || slices.ContainsFunc(c.missingFields, func(p string) bool { return !strings.Contains(p, ".") }))
}

// ParseRequestFaults returns the faults that errs state. errs are the errors that a server returned for
// the operation op. sent describes how the operation was sent.
func ParseRequestFaults(op string, sent SentRequest, errs []graphql.Error) RequestFaults {
	set := parseFields(sent.selection)
	r := RequestFaults{
		TooLong: anyErrorMatches(tooLongPattern(), errs), FilterForm: anyErrorMatches(filterFormPattern(), errs), RefusesAliases: anyErrorMatches(aliasPattern(), errs),
		TooManySubscriptions: sent.Root != "" && anyErrorMatches(tooManySubscriptionsPattern(), errs),
	}
	if anyErrorMatches(introspectionPattern(), errs) {
		r.missingFields = append(r.missingFields, typenamePaths(set)...)
	}
	for _, e := range errs {
		if r.readArgument(op, sent, &e) {
			continue
		}
		name, typ := firstMatch(unknownFieldPatterns, e.Message)
		at := -1
		if e.Column > 0 {
			at = e.Column - 1 - sent.offset
		}
		switch {
		case e.Path != "":
			r.failedFields = append(r.failedFields, fieldsAtAnswerPath(set, op, e.Path)...)
		case name != "" && (e.Column > 0 && at < 0 || rootTypePattern().MatchString(typ) || name == op || name == sent.Root):
			r.UnknownRoot, r.Suggestions = true, append(r.Suggestions, quotedNamesIn(suggestionPattern(), e.Message)...)
		case name != "":
			paths := fieldsByName(set, name, typ, at)
			if len(paths) == 0 && isKeyField(name) && !isBuiltIn(typ) {
				r.refusedKeys = append(r.refusedKeys, name)
				paths = r.refusedKeys[len(r.refusedKeys)-1:]
			}
			r.missingFields = append(r.missingFields, paths...)
			r.fragmentTypes = append(r.fragmentTypes, addTypeNames(set, paths, quotedNamesIn(inlineFragmentPattern(), e.Message))...)
		default:
			about := r.namedFields(set, &e, at)
			r.missingFields, r.NeedsOtherForm = append(r.missingFields, about...), r.NeedsOtherForm || len(about) > 0
		}
	}
	if r.UnknownRoot { // an unknown root field is the cause of the other errors
		return RequestFaults{TooManySubscriptions: r.TooManySubscriptions, RefusesAliases: r.RefusesAliases, UnknownRoot: true, Suggestions: r.Suggestions, TooLong: r.TooLong, FilterForm: r.FilterForm}
	}
	r.refusedKeys = slices.Compact(slices.Sorted(slices.Values(r.refusedKeys)))
	for _, list := range []*[]string{&r.missingFields, &r.fragmentTypes, &r.failedFields} {
		*list = slices.DeleteFunc(slices.Compact(slices.Sorted(slices.Values(*list))), isKeyField)
	}
	return r
}

// ApplyArgument makes the dialect use another name for the filter argument of the operation op: a
// name from the errors or, if the server does not know the current name, the next common one. It
// returns false if the configuration sets the name or if it finds no other name.
func (c *RequestFaults) ApplyArgument(d *Dialect, op string) bool {
	if d.pinned.Argument != "" {
		return false
	}
	if !d.profile.learnArgument(op, c.argumentNames) && (!c.UnknownArgument || !d.profile.learnArgument(op, []string{d.triedNames.nextArgument(op)})) {
		return false
	}
	d.hasUnsavedChanges = true
	return true
}

// ApplyAliases makes the dialect stop using aliases if the server refuses them. It returns true if
// the dialect has used aliases until now.
func (c *RequestFaults) ApplyAliases(d *Dialect) bool {
	if !c.RefusesAliases || d.profile.NoAliases {
		return false
	}
	d.profile.NoAliases, d.hasUnsavedChanges = true, true
	return true
}

// typenamePaths returns the paths of all __typename fields.
func typenamePaths(set []field) (paths []string) {
	walk(set, nil, func(n, _ *field) {
		if n.name == "__typename" {
			paths = append(paths, n.path)
		}
	})
	return paths
}

// readArgument interprets the error e if it is about the filter argument of an operation. Otherwise
// it returns false.
func (c *RequestFaults) readArgument(op string, sent SentRequest, e *graphql.Error) bool {
	if m := unknownArgumentPattern().FindStringSubmatch(e.Message); m != nil {
		c.UnknownArgument = true
		c.argumentNames = append(c.argumentNames, quotedNamesIn(suggestionPattern(), e.Message)...)
		return true
	}
	m := missingArgumentPattern().FindStringSubmatch(e.Message)
	if m == nil {
		return false
	}
	beforeSelection := e.Column > 0 && e.Column-1 < sent.offset
	for _, name := range []string{op, sent.Root} {
		beforeSelection = beforeSelection || name != "" && regexp.MustCompile(`\b`+regexp.QuoteMeta(name)+`\b`).MatchString(e.Message)
	}
	if beforeSelection {
		c.argumentNames = append(c.argumentNames, m[1]+m[2])
	}
	return beforeSelection
}

// namedFields returns the paths of the fields or fragments that e mentions without saying that they are
// missing. offset is the position of the error in the selection, or -1 if unknown.
func (*RequestFaults) namedFields(set []field, e *graphql.Error, offset int) []string {
	if _, of := firstMatch(unknownTypePatterns, e.Message); of != "" {
		return fragmentsOf(set, of)
	}
	var names []string
	if offset >= 0 {
		if atOffset := fieldAt(set, offset); atOffset != "" {
			return []string{atOffset}
		}
	}
	names = append(names, e.Field)
	if m := bracketPathPattern().FindStringSubmatch(e.Message); m != nil {
		names = append(names, m[1][strings.LastIndexByte(m[1], '/')+1:])
	}
	for _, m := range quotedNamePattern().FindAllStringSubmatch(e.Message, maxQuotedNames) {
		names = append(names, m[1])
	}
	for _, name := range names {
		if paths := fieldsByName(set, name, "", -1); name != "" && len(paths) > 0 {
			return paths
		}
	}
	return nil
}

// maxQuotedNames limits how many quoted names are read from one error.
const maxQuotedNames = 16

// firstMatch returns the name and the type that the first matching pattern captures in message. If
// the pattern captures only a type, name is "". If no pattern matches, both are "".
func firstMatch(patterns []textnorm.Pattern, message string) (name, typ string) {
	for _, p := range patterns {
		m := p().FindStringSubmatch(message)
		switch len(m) {
		case 3:
			return m[1], m[2]
		case 2:
			return "", m[1]
		}
	}
	return "", ""
}

// quotedNamesIn returns the quoted names in a part of message: the first submatch of the pattern
// words.
func quotedNamesIn(words *regexp.Regexp, message string) []string {
	var names []string
	if m := words.FindStringSubmatch(message); m != nil {
		for _, q := range quotedNamePattern().FindAllStringSubmatch(m[1], maxQuotedNames) {
			names = append(names, q[1])
		}
	}
	return names
}

// addTypeNames returns paths of types. For each object in set that contains one of the fields in
// paths, the result holds the object's path with each name in types appended.
func addTypeNames(set []field, paths, types []string) []string {
	var out []string
	if len(types) == 0 {
		return nil
	}
	walk(set, nil, func(n, _ *field) {
		for i := range n.children {
			if n.fragmentType() == "" && slices.Contains(paths, n.children[i].path) || n.fragmentType() != "" && slices.Contains(paths, n.children[i].path) {
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

// fieldsAtAnswerPath returns the paths of the fields to which path refers. path is the path of an
// error in an answer, so it may contain aliases.
func fieldsAtAnswerPath(set []field, op, path string) []string {
	path = strings.TrimPrefix(path, op+".")
	var found []string
	walk(set, nil, func(n, _ *field) {
		if n.fragmentType() == "" && (n.path == path || n.responsePath() == path) {
			found = append(found, n.path)
		}
	})
	return found
}

// fieldAt returns the path of the field or fragment that begins at offset in the selection. It
// returns "" if there is none or it is a key field.
func fieldAt(set []field, offset int) string {
	found := ""
	walk(set, nil, func(n, _ *field) {
		switch {
		case n.offset != offset || isKeyField(n.path) && n.fragmentType() == "":
		case n.fragmentType() != "":
			found = joinPath(n.path, n.fragmentType())
		default:
			found = n.path
		}
	})
	return found
}

// fieldsByName returns the paths of the fields with the given name, except key fields. It returns
// the first of these groups that is not empty: the field at offset, the fields of the type typ,
// those whose type is unknown, all fields with the name.
func fieldsByName(set []field, name, typ string, offset int) []string {
	var atOffset, ofType, ofUnknownType, byName []string
	walk(set, nil, func(n, parent *field) {
		if n.name != name || isKeyField(n.path) || parent == nil && isBuiltIn(typ) {
			return // another name, a key, or an error about a member of a scalar
		}
		byName = append(byName, n.path)
		if n.offset == offset {
			atOffset = append(atOffset, n.path)
		}
		of := ""
		if parent != nil {
			of = documentedType(parent)
		}
		switch of {
		case "":
			ofUnknownType = append(ofUnknownType, n.path)
		case typ:
			ofType = append(ofType, n.path)
		}
	})
	switch {
	case len(atOffset) > 0:
		return atOffset
	case len(ofType) > 0:
		return ofType
	case len(ofUnknownType) > 0:
		return ofUnknownType
	}
	return byName
}

// isBuiltIn reports whether typ is a built-in scalar type of GraphQL, which has no fields.
func isBuiltIn(typ string) bool {
	return slices.Contains([]string{"Int", "Float", "String", "Boolean", "ID"}, typ)
}

// fragmentsOf returns the paths of the fragments on the type typ.
func fragmentsOf(set []field, typ string) []string {
	var paths []string
	walk(set, nil, func(n, _ *field) {
		if n.fragmentType() == typ {
			paths = append(paths, joinPath(n.path, typ))
		}
	})
	return paths
}

func joinPath(parent, name string) string { return strings.TrimPrefix(parent+"."+name, ".") }

// SentRequest describes how an operation was sent. It is needed to interpret errors about the operation.
type SentRequest struct {
	selection      string // the selection set as sent
	Root           string // root field of the subscription as sent; "" for a query
	argument       string // name of the filter argument; "": none
	withoutAliases bool   // the operation was sent without aliases
	usesVariables  bool   // the filter was sent as a variable
	offset         int    // offset of the selection in the text, in characters
	Keys           int    // number of keys in the filter
	Size           int    // size of the text and the variables, in bytes
}

// HasCurrentSelection reports whether the operation was sent with the selection that d renders now.
// d may have learned about the fields since.
func (s *SentRequest) HasCurrentSelection(doc *graphql.Document, d *Dialect) bool {
	return s.selection == d.selection(doc)
}

// ResponseKey returns the response key of a subscription that was sent without aliases: its root
// field. Otherwise it returns "", and the response key is document 2's name of the operation.
func (s *SentRequest) ResponseKey() string {
	if s.withoutAliases {
		return s.Root
	}
	return ""
}

// suggestedRoot returns the first valid name in names that contains op, the name of an operation.
// It skips names that contain the longer name of another operation. It returns "" if there is none.
func suggestedRoot(op string, names []string) string {
	has := func(name, part string) bool { return strings.Contains(strings.ToLower(name), strings.ToLower(part)) }
	for _, name := range names {
		if !namePattern().MatchString(name) || !has(name, op) {
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

// anyErrorMatches reports whether the message of one of the errors matches the pattern words.
func anyErrorMatches(words *regexp.Regexp, errs []graphql.Error) bool {
	return slices.ContainsFunc(errs, func(e graphql.Error) bool { return words.MatchString(e.Message) })
}
