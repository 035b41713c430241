package feeds

import (
	"time"

	"wallboard/feeds/dialect"
	"wallboard/feeds/graphqlws"
)

// maxAdaptions limits how often a subscription is retried in a different form
// on one connection.
const maxAdaptions = 32

// answered handles the answer to one of the learner's own queries and reports
// whether id belongs to one.
func (l *learner) answered(id string, payload []byte) bool {
	if id == l.schema.id {
		l.learnSchema(payload)
		return true
	}
	return l.typed(id, payload) || l.searched(id, payload, false) || l.triedAgain(id, payload)
}

// refused is like answered for a query that the server refused.
func (l *learner) refused(id string) bool {
	if id == l.schema.id {
		l.learnSchema(nil)
		return true
	}
	return l.typed(id, nil) || l.searched(id, nil, true) || l.triedAgain(id, nil)
}

// adapt changes the dialect after the server refused an operation and restarts
// the operation. It returns false if nothing is left to change.
func (l *learner) adapt(s *sub, id string, errs []graphqlws.GraphQLError) bool {
	how, known := s.requests.Sent(id)
	if !known || s.adapted.times >= maxAdaptions || s.joined.is(s.requests.Whole(id), s.hand.pending) { // the large subscription uses the same form
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
	l.log.Info("server refused the operation, retrying in another form", "operation", s.doc.Root, "reason", l.clean(reason))
	return s.again(id, wait, l.now())
}

// heed applies what the error message says about the request.
func (l *learner) heed(s *sub, id string, how dialect.Sent, r *dialect.Complaint) (wait time.Duration, ok bool) {
	switch {
	case l.speech.Outdated(&s.doc, how, s.requests.Root()), r.TeachAliases(l.speech):
	case r.Crowded && l.makeRoom(s, id):
	case r.TeachArgument(l.speech, s.doc.Root), r.Root && l.otherRoot(s, id, r.Meant):
	case r.Shape && l.awaitsSchema(): // the schema tells how to ask for the field
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

// tryOther changes things that the error message does not mention but may be
// about.
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

// manyKeys is the number of keys above which a filter may have been refused for
// its length without the server saying so.
const manyKeys = 100

// otherFilters switches between literals and variables for filters, once per
// connection, unless the server has already accepted one filtered operation.
func (l *learner) otherFilters(s *sub) bool {
	return s.doc.Filtered && !l.subs.authorized() && l.speech.OtherFilters()
}

// halveLargest splits the longest running request, which is the one a server
// most likely has no room for. A single lost connection may have other reasons;
// requests are only split after several. It returns false if nothing can be
// split.
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
