package dialect

import (
	"slices"

	"wallboard/feeds/queries"
)

// Search finds the fields that make a server refuse a request without saying
// why: it requests less and less, one query at a time, until single fields are
// isolated. The queries are for one record if the filter allows that.
type Search struct {
	doc         *queries.Document
	filter      string
	wholeFilter string     // the refused filter
	Keys        int        // number of keys in whole
	all         []string   // all requested fields
	Refused     []string   // fields found to be refused
	waiting     [][]string // groups not tried yet
	trying      []string
	step        searchStep
	tries       int
}

type searchStep int

const (
	stepAll   searchStep = iota // all fields of one record: is the selection the cause?
	stepWhole                   // all fields of all records: is the filter the cause?
	stepKeys                    // only the keys: is the operation the cause?
	stepParts
)

// Finding is the state of a search.
type Finding int

// The states of a search.
const (
	SearchContinues   Finding = iota // another query is needed
	AllAccepted                      // all fields are accepted: something else is the cause
	FewerKeysAccepted                // all fields are accepted with fewer keys in the filter
	NoneAccepted                     // not even the keys are accepted: nothing was found
	SomeRefused                      // some fields are refused
)

// MaxSearchQueries limits the queries of one search. Fields not cleared by then count
// as refused.
const MaxSearchQueries = 40

// Search starts a search for an operation whose filter has the given number of
// keys. refused is set if the query for everything was already refused.
func (d *Dialect) Search(doc *queries.Document, filter string, keys int, refused bool) *Search {
	x := &Search{doc: doc, filter: filter, wholeFilter: filter, Keys: keys}
	if one := queries.Split(filter, 1); keys > 1 && len(one) > 0 {
		x.filter = one[0]
	}
	walk(parseFields(d.selection(doc)), nil, func(n, _ *field) {
		if len(n.kids) == 0 && !isKey(n.path) {
			x.all = append(x.all, n.path)
		}
	})
	x.all = slices.Compact(slices.Sorted(slices.Values(x.all)))
	if x.trying = x.all; refused {
		x.step, x.trying = stepKeys, nil
	}
	return x
}

// Query renders the next query. It returns false if nothing would be requested,
// which counts as refused.
func (x *Search) Query(d *Dialect) (text string, vars map[string]any, ok bool) {
	x.tries++
	var left []string
	for _, path := range x.all {
		if !slices.Contains(x.trying, path) {
			left = append(left, path)
		}
	}
	some := *d
	some.known.MissingFields = cloneLists(some.known.MissingFields)
	some.known.MissingFields[x.doc.Root] = append(some.known.MissingFields[x.doc.Root], left...)
	text, vars, how := some.Request(x.doc, queries.KindQuery, "", x.filter)
	return text, vars, how.selection != emptySelection
}

// Continue continues after a query that was accepted or refused.
func (x *Search) Continue(taken bool) Finding {
	switch {
	case x.step == stepAll && taken && x.filter != x.wholeFilter:
		x.step, x.filter = stepWhole, x.wholeFilter
		return SearchContinues
	case x.step == stepWhole && !taken:
		return FewerKeysAccepted
	case x.step == stepAll && taken, x.step == stepWhole:
		return AllAccepted
	case x.step == stepAll:
		x.step, x.trying = stepKeys, nil
		return SearchContinues
	case x.step == stepKeys && !taken:
		return NoneAccepted
	case x.step == stepKeys:
		x.step, x.waiting = stepParts, halves(x.all)
	case taken:
	case len(x.trying) == 1:
		x.Refused = append(x.Refused, x.trying[0])
	default:
		x.waiting = append(halves(x.trying), x.waiting...)
	}
	if len(x.waiting) > 0 && x.tries < MaxSearchQueries {
		x.trying, x.waiting = x.waiting[0], x.waiting[1:]
		return SearchContinues
	}
	for _, group := range x.waiting {
		x.Refused = append(x.Refused, group...)
	}
	return SomeRefused
}

func halves(list []string) [][]string {
	if len(list) < 2 {
		return [][]string{list}
	}
	return [][]string{list[:len(list)/2], list[len(list)/2:]}
}
