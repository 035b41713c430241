package dialect

import (
	"slices"

	"wallboard/feeds/queries"
)

// Search finds which fields a server does not take that refuses a request
// without a word about why: it asks for less and less, one query at a time, until
// what is refused is single fields. The queries are for one record where the
// filter allows that.
type Search struct {
	doc     *queries.Document
	filter  string
	whole   string     // the filter that was refused
	Keys    int        // in it
	all     []string   // what was asked for
	Bad     []string   // what is refused, alone
	waiting [][]string // groups still to be tried
	trying  []string
	step    searchStep
	tries   int
}

type searchStep int

const (
	stepAll   searchStep = iota // everything: is it the selection at all?
	stepWhole                   // everything of all: is it the filter?
	stepKeys                    // nothing but the keys: is it the operation?
	stepParts
)

// Finding is what a search has found out so far.
type Finding int

// What a search finds out.
const (
	GoesOn    Finding = iota // the next query says more
	TakesAll                 // all fields are taken: it is something else
	TakesFew                 // all fields are taken, with fewer keys in the filter
	TakesNone                // not even the keys are taken: nothing is found
	TakesSome                // some fields are refused
)

// MaxSearch bounds the queries of one search; what is not found out with them is
// given up.
const MaxSearch = 40

// Search begins to look for what the server does not take of an operation whose
// filter names so many keys. refused tells that a query for all of it was refused.
func (d *Dialect) Search(doc *queries.Document, filter string, keys int, refused bool) *Search {
	x := &Search{doc: doc, filter: filter, whole: filter, Keys: keys}
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

// Query renders the search's next query, false when nothing would be left to ask
// for: that is as good as refused.
func (x *Search) Query(d *Dialect) (text string, vars map[string]any, ok bool) {
	x.tries++
	var left []string
	for _, path := range x.all {
		if !slices.Contains(x.trying, path) {
			left = append(left, path)
		}
	}
	some := *d
	some.known.Lacks = cloneLists(some.known.Lacks)
	some.known.Lacks[x.doc.Root] = append(some.known.Lacks[x.doc.Root], left...)
	text, vars, how := some.Request(x.doc, queries.KindQuery, "", x.filter)
	return text, vars, how.selection != emptySelection
}

// Take goes on after one of the queries, which was taken or refused.
func (x *Search) Take(taken bool) Finding {
	switch {
	case x.step == stepAll && taken && x.filter != x.whole:
		x.step, x.filter = stepWhole, x.whole
		return GoesOn
	case x.step == stepWhole && !taken:
		return TakesFew
	case x.step == stepAll && taken, x.step == stepWhole:
		return TakesAll
	case x.step == stepAll:
		x.step, x.trying = stepKeys, nil
		return GoesOn
	case x.step == stepKeys && !taken:
		return TakesNone
	case x.step == stepKeys:
		x.step, x.waiting = stepParts, halves(x.all)
	case taken:
	case len(x.trying) == 1:
		x.Bad = append(x.Bad, x.trying[0])
	default:
		x.waiting = append(halves(x.trying), x.waiting...)
	}
	if len(x.waiting) > 0 && x.tries < MaxSearch {
		x.trying, x.waiting = x.waiting[0], x.waiting[1:]
		return GoesOn
	}
	for _, group := range x.waiting {
		x.Bad = append(x.Bad, group...)
	}
	return TakesSome
}

func halves(list []string) [][]string {
	if len(list) < 2 {
		return [][]string{list}
	}
	return [][]string{list[:len(list)/2], list[len(list)/2:]}
}
