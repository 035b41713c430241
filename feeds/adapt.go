package feeds

import (
	"time"

	"wallboard/feeds/dialect"
	"wallboard/feeds/graphqlws"
)

// maxAdaptations limits how often a subscription is retried in a different form
// on one connection.
const maxAdaptations = 32

// handleAnswer handles the answer to one of the learner's own queries and reports
// whether id belongs to one.
func (l *learner) handleAnswer(id string, payload []byte) bool {
	if id == l.schema.id {
		l.learnSchema(payload)
		return true
	}
	return l.handleTypes(id, payload) || l.handleSearchAnswer(id, payload, false) || l.handleTrial(id, payload)
}

// handleRefusal is like [learner.handleAnswer], for a query that the server refused.
func (l *learner) handleRefusal(id string) bool {
	if id == l.schema.id {
		l.learnSchema(nil)
		return true
	}
	return l.handleTypes(id, nil) || l.handleSearchAnswer(id, nil, true) || l.handleTrial(id, nil)
}

// adapt changes the dialect after the server refused an operation and restarts
// the operation. It returns false if nothing is left to change.
func (l *learner) adapt(s *sub, id string, errs []graphqlws.GraphQLError) bool {
	sent, known := s.requests.Sent(id)
	if !known || s.adaptation.retries >= maxAdaptations || s.newcomers.owns(s.requests.OperationID(id), s.handover.pendingID) { // the subscription for newcomers uses the same form as the large one
		return false
	}
	s.adaptation.retries++
	if s.requests.RefusesPieces(id, s.handover.pendingID) {
		return s.restartOperation(id, 0, l.now())
	}
	r := dialect.ReadComplaint(s.doc.Root, sent, errs)
	wait, ok := l.applyComplaint(s, id, sent, &r)
	if !ok {
		wait, ok = l.tryAlternatives(s, id, sent, &r)
	}
	if !ok {
		return !r.UnknownRoot && l.startSearch(s, id, errs)
	}
	reason := ""
	if len(errs) > 0 {
		reason = errs[0].Message
	}
	l.log.Info("server refused the operation, retrying in another form", "operation", s.doc.Root, "reason", l.clean(reason))
	return s.restartOperation(id, wait, l.now())
}

// applyComplaint changes what the error message names and reports whether to retry, and after which
// delay.
func (l *learner) applyComplaint(s *sub, id string, sent dialect.Sent, r *dialect.Complaint) (wait time.Duration, ok bool) {
	switch {
	case l.dialect.IsOutdated(&s.doc, sent, s.requests.Root()), r.ApplyAliases(l.dialect):
	case r.TooManySubscriptions && l.freeSubscription(s, id):
	case r.ApplyArgument(l.dialect, s.doc.Root), r.UnknownRoot && l.switchRoot(s, id, r.Suggestions):
	case r.OtherForm && l.awaitsSchema(): // the schema tells how to ask for the field
		l.querySchema()
		wait = schemaPatience
	case r.MayNeedTypes() && l.awaitsSchema():
		l.querySchema()
		wait = schemaPatience
	case r.MayNeedTypes() && l.applySchema(s):
	case r.MayNeedTypes() && l.queryTypes(s):
		wait = schemaPatience
	case r.OtherForm && l.applySchema(s), l.learnMissingFields(s, r):
	case r.TooLong && l.dialect.HalveMaxKeys(s.doc.Root, sent.Keys):
	case r.FilterForm && l.switchFilterForm(s):
	default:
		return 0, false
	}
	return wait, true
}

// tryAlternatives changes parts of the request that the error message does not mention but that may
// be the cause.
func (l *learner) tryAlternatives(s *sub, id string, sent dialect.Sent, r *dialect.Complaint) (wait time.Duration, ok bool) {
	switch {
	case l.applySchema(s):
	case l.awaitsSchema():
		l.querySchema()
		wait = schemaPatience
	case r.UnknownRoot && l.switchToPolling(s, id, "the platform has no subscription "+s.requests.Root()):
	case l.switchFilterForm(s):
	case sent.Keys > manyKeys && l.dialect.HalveMaxKeys(s.doc.Root, sent.Keys):
	default:
		return 0, false
	}
	return wait, true
}

// manyKeys is the number of keys above which a filter may have been refused for
// its length without the server saying so.
const manyKeys = 100

// switchFilterForm switches between literals and variables for filters, once per
// connection, unless the server has already accepted one filtered operation.
func (l *learner) switchFilterForm(s *sub) bool {
	return s.doc.Filtered && !l.subs.isAuthorized() && l.dialect.SwitchFilterForm()
}

// splitLongestRequest splits the longest of the running requests, which the server
// most likely cannot take. It does so only after several lost connections, because a
// single one may have other reasons. It returns false if nothing can be split.
func (l *learner) splitLongestRequest() bool {
	if !l.dialect.CountConnectionBroken() {
		return true
	}
	var owner *sub
	var longest dialect.Sent
	for _, s := range l.subs {
		if sent := s.requests.LargestOperation(); sent.Size > longest.Size {
			owner, longest = s, sent
		}
	}
	return owner != nil && l.dialect.HalveMaxKeys(owner.doc.Root, longest.Keys)
}
