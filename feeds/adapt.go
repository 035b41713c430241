package feeds

import (
	"time"

	"wallboard/feeds/dialect"
	"wallboard/feeds/graphqlws"
)

// maxAdaptions bounds how often a subscription is tried again in another way on
// one connection.
const maxAdaptions = 32

// answered takes an answer to one of the learner's own queries, and reports whether
// it is one.
func (l *learner) answered(id string, payload []byte) bool {
	if id == l.schema.id {
		l.learnSchema(payload)
		return true
	}
	return l.typed(id, payload) || l.searched(id, payload, false) || l.triedAgain(id, payload)
}

// refused is the same for a refusal.
func (l *learner) refused(id string) bool {
	if id == l.schema.id {
		l.learnSchema(nil)
		return true
	}
	return l.typed(id, nil) || l.searched(id, nil, true) || l.triedAgain(id, nil)
}

// adapt changes how the server is spoken to after it refused an operation, and
// starts that again. It returns false when there is nothing left to change.
func (l *learner) adapt(s *sub, id string, errs []graphqlws.GraphQLError) bool {
	how, known := s.requests.Sent(id)
	if !known || s.adapted.times >= maxAdaptions || s.joined.is(s.requests.Whole(id), s.hand.pending) { // the large one is spoken as this is
		return false
	}
	s.adapted.times++
	if s.requests.BearsOne(id, s.hand.pending) {
		return s.again(id, 0, l.now())
	}
	r := dialect.ReadComplaint(s.doc.Root, how, errs)
	wait, ok := l.heed(s, id, how, &r)
	if !ok {
		wait, ok = l.tryOther(s, id, how, &r)
	}
	if !ok {
		return !r.Root && l.searches(s, id, errs)
	}
	reason := ""
	if len(errs) > 0 {
		reason = errs[0].Message
	}
	l.log.Info("trying in another way what the server refused", "operation", s.doc.Root, "reason", l.clean(reason))
	return s.again(id, wait, l.now())
}

// heed does what the server says about a request.
func (l *learner) heed(s *sub, id string, how dialect.Sent, r *dialect.Complaint) (wait time.Duration, ok bool) {
	switch {
	case l.speech.Outdated(&s.doc, how, s.requests.Root()), r.TeachAliases(l.speech):
	case r.Crowded && l.makeRoom(s, id):
	case r.TeachArgument(l.speech, s.doc.Root), r.Root && l.otherRoot(s, id, r.Meant):
	case r.Shape && l.awaitsSchema(): // it tells in which shape a field may be asked for
		l.askSchema()
		wait = introspectionPatience
	case r.Typed() && l.awaitsSchema():
		l.askSchema()
		wait = introspectionPatience
	case r.Typed() && l.schemaSays(s):
	case r.Typed() && l.askTypes(s):
		wait = introspectionPatience
	case r.Shape && l.schemaSays(s), l.lacking(s, r):
	case r.TooMuch && l.speech.Halve(s.doc.Root, how.Keys):
	case r.Filters && l.otherFilters(s):
	default:
		return 0, false
	}
	return wait, true
}

// tryOther changes what the server does not speak of, and may mean.
func (l *learner) tryOther(s *sub, id string, how dialect.Sent, r *dialect.Complaint) (wait time.Duration, ok bool) {
	switch {
	case l.schemaSays(s):
	case l.awaitsSchema():
		l.askSchema()
		wait = introspectionPatience
	case r.Root && l.mute(s, id, "the platform has no subscription "+s.requests.Root()):
	case l.otherFilters(s):
	case how.Keys > manyKeys && l.speech.Halve(s.doc.Root, how.Keys):
	default:
		return 0, false
	}
	return wait, true
}

// manyKeys is how many keys make a filter long enough to be refused for its
// length by a server that does not say why.
const manyKeys = 100

// otherFilters sends filters the other way, once per connection, unless the
// server has taken one as it is.
func (l *learner) otherFilters(s *sub) bool {
	return s.doc.Filtered && !l.subs.authorized() && l.speech.OtherFilters()
}

// halveLargest asks for less at a time in the place of the longest request that
// is under way: it is what a server has no room for that does not say which. One
// such end of a connection may be nonsense; it is done when there were several.
// It returns false when there is nothing to halve.
func (l *learner) halveLargest() bool {
	if !l.speech.BreaksOff() {
		return true
	}
	var of *sub
	var longest dialect.Sent
	for _, s := range l.subs {
		if how := s.requests.Largest(); how.Size > longest.Size {
			of, longest = s, how
		}
	}
	return of != nil && l.speech.Halve(of.doc.Root, longest.Keys)
}
