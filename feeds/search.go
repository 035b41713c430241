package feeds

import (
	"encoding/json"
	"slices"
	"strings"
	"time"

	"wallboard/feeds/graphqlws"
	"wallboard/feeds/queries"
	"wallboard/model"
)

// search finds which fields a server does not take that refuses a request
// without a word about why: it asks for less and less, one query at a time, until
// what is refused is single fields. The queries are for one record where the
// filter allows that.
type search struct {
	filter  string
	of      string     // the operation that was refused
	reason  string     // as the server put it
	keys    int        // in the filter that was refused
	all     []string   // what was asked for
	good    []string   // what is taken
	bad     []string   // what is refused, alone
	waiting [][]string // groups still to be tried
	trying  []string
	step    searchStep
	tries   int
	id      string // of the query under way
	askedAt time.Time
}

type searchStep int

const (
	stepAll  searchStep = iota // everything: is it the selection at all?
	stepKeys                   // nothing but the keys: is it the operation?
	stepParts
)

// maxSearch bounds the queries of one search; what is not found out with them is
// given up.
const maxSearch = 40

// searchPatience is how long a query of a search may take.
const searchPatience = 15 * time.Second

// searches begins a search, once per connection.
func (f *Feed) searches(s *sub, id string, errs []graphqlws.GraphQLError) bool {
	if s.search != nil || s.searched || s.conn == nil {
		return s.search != nil
	}
	how := s.fans.sent[id]
	x := &search{of: s.whole(id), keys: how.keys, filter: s.want.Filter, reason: "refused"}
	if len(errs) > 0 {
		x.reason = errs[0].Message
	}
	if one := queries.Split(x.filter, 1); x.keys > 1 && len(one) > 0 {
		x.filter = one[0]
	}
	walk(parseFields(f.speech.selection(&s.doc)), nil, func(n, _ *field) {
		if len(n.kids) == 0 && !isKey(n.path) && n.head != "__typename" {
			x.all = append(x.all, n.path)
		}
	})
	x.all = slices.Compact(slices.Sorted(slices.Values(x.all)))
	s.search, s.searched = x, true
	subscription := s.isSubscription(id)
	s.again(id, maxSearch*searchPatience, f.now())
	if !subscription {
		x.of, x.step = "", stepKeys // that everything is refused is known
	}
	f.ask(s, x.group())
	return true
}

// group is what is tried at the present step.
func (x *search) group() []string {
	switch x.step {
	case stepAll:
		return x.all
	case stepKeys, stepParts:
	}
	return nil
}

// ask sends a query for some fields, besides the keys.
func (f *Feed) ask(s *sub, fields []string) {
	x := s.search
	x.trying = fields
	x.tries++
	var left []string
	for _, path := range x.all {
		if !slices.Contains(fields, path) {
			left = append(left, path)
		}
	}
	d := *f.speech
	d.known.Lacks = cloneLists(d.known.Lacks)
	d.known.Lacks[s.doc.Root] = append(d.known.Lacks[s.doc.Root], left...)
	text, vars, how := d.request(&s.doc, queries.KindQuery, "", x.filter)
	if how.selection == emptySelection {
		f.found(s, false)
		return
	}
	id, err := s.conn.Subscribe(text, vars)
	if err != nil {
		s.search = nil
		return // the end of the session is an event of its own
	}
	x.id, x.askedAt = id, f.now()
}

// searched takes the answer to a query of a search, and reports whether an id is
// of one. An answer without data is a refusal.
func (f *Feed) searched(id string, payload []byte, errs []graphqlws.GraphQLError) bool {
	for _, s := range f.subs {
		if s.search == nil || s.search.id != id {
			continue
		}
		var m struct {
			Data map[string]json.RawMessage `json:"data"`
		}
		taken := errs == nil && json.Unmarshal(payload, &m) == nil && len(m.Data[s.doc.Root]) > 0 && string(m.Data[s.doc.Root]) != "null"
		s.search.id = ""
		f.found(s, taken)
		f.dirty = true
		return true
	}
	return false
}

// found goes on with a search after one of its queries.
func (f *Feed) found(s *sub, taken bool) {
	x := s.search
	switch {
	case x.step == stepAll && taken:
		f.notTheFields(s)
		return
	case x.step == stepAll:
		x.step = stepKeys
		f.ask(s, nil)
		return
	case x.step == stepKeys && !taken:
		f.endSearch(s, "")
		return
	case x.step == stepKeys:
		x.step, x.waiting = stepParts, halves(x.all)
	case taken:
		x.good = append(x.good, x.trying...)
	case len(x.trying) == 1:
		x.bad = append(x.bad, x.trying[0])
	default:
		x.waiting = append(halves(x.trying), x.waiting...)
	}
	if len(x.waiting) > 0 && x.tries < maxSearch {
		next := x.waiting[0]
		x.waiting = x.waiting[1:]
		f.ask(s, next)
		return
	}
	for _, group := range x.waiting {
		x.bad = append(x.bad, group...)
	}
	f.lacking(s, &complaint{lacks: x.bad})
	f.endSearch(s, "without "+strings.Join(x.bad, ", "))
}

func halves(list []string) [][]string {
	if len(list) < 2 {
		return [][]string{list}
	}
	return [][]string{list[:len(list)/2], list[len(list)/2:]}
}

// notTheFields goes on where a query for all fields is taken: the filter is what
// the server minds, or it is the subscription.
func (f *Feed) notTheFields(s *sub) {
	x := s.search
	switch {
	case x.keys > 1 && f.speech.halve(s.doc.Root, x.keys):
		s.searched = false // with fewer keys it may still be something else
		f.endSearch(s, "with fewer keys in a filter")
	default:
		if f.speech.evidence.speaksFor(claim{kind: claimMute, op: s.doc.Root}) {
			s.mute = muted{"the platform refuses the subscription (" + f.clean(x.reason) + ")"}
			s.poll = f.opts.PollEvery
		}
		s.searched = false
		s.search = nil
		s.retryAt = f.now().Add(s.backoff())
		s.setState(model.SubRefused, x.reason, f.now())
	}
}

// endSearch tries the operation again; how is "" when nothing was found.
func (f *Feed) endSearch(s *sub, how string) {
	x, now := s.search, f.now()
	s.search = nil
	if how == "" {
		s.retryAt = now.Add(s.backoff())
		if s.active == "" {
			s.setState(model.SubRefused, x.reason, now)
		}
		return
	}
	f.log.Info("what the server did not take is found", "operation", s.doc.Root, "tried_again", how)
	s.retryAt = time.Time{}
	if s.active != "" {
		s.resync, s.resyncAt = true, time.Time{}
	}
	s.since = now.Add(-queryLate)
	s.step(now)
}

// searchOn gives up the searches whose query is not answered.
func (f *Feed) searchOn(now time.Time) {
	for _, s := range f.subs {
		if s.search != nil && s.search.id != "" && now.Sub(s.search.askedAt) > searchPatience {
			s.conn.Unsubscribe(s.search.id)
			f.endSearch(s, "")
		}
	}
}
