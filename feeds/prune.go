package feeds

import (
	"regexp"
	"slices"
	"strings"

	"wallboard/feeds/graphqlws"
)

// How servers say that they lack a field or a type. Document 2 shows no error;
// these are the words of the implementations in the field.
var (
	fieldWords = []*regexp.Regexp{
		regexp.MustCompile("(?i)cannot query field [`'\"]?(\\w+)[`'\"]?(?: on type [`'\"]?(\\w+))?"),
		regexp.MustCompile("(?i)field [`'\"]?(\\w+)[`'\"]? (?:in|on) type:? [`'\"]?(\\w+)[`'\"]? (?:is undefined|does not exist)"),
		regexp.MustCompile("(?i)field [`'\"]?(\\w+)[`'\"]? (?:does not exist|doesn't exist|is not defined|not found)(?: on| in)?(?: the)?(?: type)?:? ?[`'\"]?(\\w+)?"),
	}
	typeWords = []*regexp.Regexp{
		regexp.MustCompile("(?i)unknown type [`'\"]?(\\w+)"),
		regexp.MustCompile("(?i)fragment .*can never be of type [`'\"]?(\\w+)"),
	}
)

// lackedBy returns which fields of what was sent a server's errors are about.
func lackedBy(how sent, errs []graphqlws.GraphQLError) []string {
	set := parseFields(how.selection)
	var paths []string
	for _, e := range errs {
		name, typ := words(fieldWords, e.Message)
		if name == "" {
			if _, of := words(typeWords, e.Message); of != "" {
				paths = append(paths, fragmentsOf(set, of)...)
			}
			continue
		}
		if e.Column > 0 && e.Column-1 < how.at || typ == "Subscription" || typ == "Query" {
			return nil // the root field is not known: what else is said follows from that
		}
		paths = append(paths, fieldsOf(set, name, typ, e.Column-1-how.at)...)
	}
	return slices.Compact(slices.Sorted(slices.Values(paths)))
}

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

// fieldsOf finds a field: the one at a place, else those of a type, else those
// that may be of it, else all of that name.
func fieldsOf(set []field, name, typ string, at int) []string {
	var here, typed, maybe, named []string
	walk(set, nil, func(n, parent *field) {
		if n.head != name || isKey(n.path) {
			return
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

// fragmentsOf returns the fields below the fragments of a type.
func fragmentsOf(set []field, typ string) []string {
	var paths []string
	walk(set, nil, func(n, _ *field) {
		if n.fragment() == typ {
			paths = append(paths, n.below()...)
		}
	})
	return paths
}

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

// isKey tells whether a field names its record or an element of a list: without
// it nothing can be told apart.
func isKey(path string) bool {
	switch path {
	case "username", "code", "channel", "component", "id", "campaignId", "customStats.key":
		return true
	}
	return strings.Contains(path, ".") && strings.HasSuffix(path, ".activityCode")
}

// lacking notes that the server lacks fields of a subscription. Of one that
// nothing would be left of it lacks all, and its refusal stands.
func (f *Feed) lacking(s *sub, paths []string) bool {
	paths = slices.DeleteFunc(paths, isKey)
	if prune(s.doc.selection, slices.Concat(f.speech.lacks(s.doc.root), paths)) == emptySelection || !f.speech.learnLacks(s.doc.root, paths) {
		return false
	}
	s.status.Lacks = f.lackText(s.doc.root)
	f.log.Info("the server lacks fields", "operation", s.doc.root, "fields", s.status.Lacks)
	return true
}

// lackText names the fields of an operation that the server lacks.
func (f *Feed) lackText(op string) string {
	return f.clean(strings.Join(f.speech.lacks(op), ", "))
}
