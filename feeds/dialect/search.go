package dialect

import (
	"slices"

	"wallboard/feeds/graphql"
)

// Search finds the fields that make a server refuse a request, if the server does not name them.
// The caller sends one query after another, each with fewer fields, until single fields are
// isolated. If the filter can be split, the queries request only one record.
type Search struct {
	doc           *graphql.Document
	filter        string     // the filter of the next query
	wholeFilter   string     // the filter that the server refused
	Keys          int        // number of keys in wholeFilter
	fields        []string   // paths of all requested fields except keys and objects
	Refused       []string   // paths of the fields found to be refused
	untriedGroups [][]string // groups of fields not tried yet
	currentFields []string   // paths of the fields in the next query
	step          searchStep // what the next query tests
	queryCount    int        // number of queries so far
}

type searchStep int

const (
	stepOneRecord  searchStep = iota // tests all fields of one record: is the selection the cause?
	stepAllRecords                   // tests all fields of all records: is the filter the cause?
	stepKeys                         // tests only the keys: is the operation the cause?
	stepGroups
)

// SearchState is the state of a search.
type SearchState int

// The states of a search.
const (
	SearchContinues    SearchState = iota // another query is needed
	SearchAllAccepted                     // all fields are accepted: something else is the cause
	SearchFewerKeys                       // all fields are accepted with fewer keys in the filter
	SearchNoneAccepted                    // not even the keys are accepted: the cause is not a field
	SearchSomeRefused                     // some fields are refused
)

// MaxSearchQueries limits the queries of one search. A search that reaches the limit treats the
// fields not tested by then as refused.
const MaxSearchQueries = 40

// Search starts a search for the fields that made the server refuse an operation. filter is the
// refused filter and keys its number of keys. refused is true if a query with all fields and all
// keys was refused.
func (d *Dialect) Search(doc *graphql.Document, filter string, keys int, refused bool) *Search {
	x := &Search{doc: doc, filter: filter, wholeFilter: filter, Keys: keys}
	if one := graphql.SplitFilter(filter, 1); keys > 1 && len(one) > 0 {
		x.filter = one[0]
	}
	walk(parseFields(d.selection(doc)), nil, func(n, _ *field) {
		if len(n.children) == 0 && !isKeyField(n.path) {
			x.fields = append(x.fields, n.path)
		}
	})
	x.fields = slices.Compact(slices.Sorted(slices.Values(x.fields)))
	if x.currentFields = x.fields; refused {
		x.step, x.currentFields = stepKeys, nil
	}
	return x
}

// Query renders the next query. ok is false if the query would select nothing; the caller must then
// treat it as refused.
func (s *Search) Query(d *Dialect) (text string, vars map[string]any, ok bool) {
	s.queryCount++
	var left []string
	for _, path := range s.fields {
		if !slices.Contains(s.currentFields, path) {
			left = append(left, path)
		}
	}
	some := *d
	some.profile.MissingFields = cloneLists(some.profile.MissingFields)
	some.profile.MissingFields[s.doc.Root] = append(some.profile.MissingFields[s.doc.Root], left...)
	text, vars, sent := some.Request(s.doc, graphql.KindQuery, "", s.filter)
	return text, vars, sent.selection != emptySelection
}

// Continue evaluates the answer to the last query and returns the state of the search. accepted is
// true if the server accepted the query.
func (s *Search) Continue(accepted bool) SearchState {
	switch {
	case s.step == stepOneRecord && accepted && s.filter != s.wholeFilter:
		s.step, s.filter = stepAllRecords, s.wholeFilter
		return SearchContinues
	case s.step == stepAllRecords && !accepted:
		return SearchFewerKeys
	case s.step == stepOneRecord && accepted, s.step == stepAllRecords:
		return SearchAllAccepted
	case s.step == stepOneRecord:
		s.step, s.currentFields = stepKeys, nil
		return SearchContinues
	case s.step == stepKeys && !accepted:
		return SearchNoneAccepted
	case s.step == stepKeys:
		s.step, s.untriedGroups = stepGroups, splitInHalf(s.fields)
	case accepted:
	case len(s.currentFields) == 1:
		s.Refused = append(s.Refused, s.currentFields[0])
	default:
		s.untriedGroups = append(splitInHalf(s.currentFields), s.untriedGroups...)
	}
	if len(s.untriedGroups) > 0 && s.queryCount < MaxSearchQueries {
		s.currentFields, s.untriedGroups = s.untriedGroups[0], s.untriedGroups[1:]
		return SearchContinues
	}
	for _, group := range s.untriedGroups {
		s.Refused = append(s.Refused, group...)
	}
	return SearchSomeRefused
}

func splitInHalf(list []string) [][]string {
	if len(list) < 2 {
		return [][]string{list}
	}
	return [][]string{list[:len(list)/2], list[len(list)/2:]}
}
