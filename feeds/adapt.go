package feeds

import (
	"time"

	"wallboard/feeds/dialect"
	"wallboard/feeds/graphql"
)

// maxAdaptations limits how often one subscription is retried with a changed request on one
// connection. It ends the retries if no change helps.
const maxAdaptations = 32

// handleAnswer handles the answer to a query of the learner itself: for the schema, for types, for
// a search or for a trial. It returns false if id does not belong to such a query.
func (l *learner) handleAnswer(id string, payload []byte) bool {
	if id == l.schema.id {
		l.learnSchema(payload)
		return true
	}
	return l.handleTypes(id, payload) || l.handleSearchAnswer(id, payload, false) || l.handleTrial(id, payload)
}

// handleRefusal handles the refusal of a query of the learner itself. It returns false if id does
// not belong to such a query.
func (l *learner) handleRefusal(id string) bool {
	if id == l.schema.id {
		l.learnSchema(nil)
		return true
	}
	return l.handleTypes(id, nil) || l.handleSearchAnswer(id, nil, true) || l.handleTrial(id, nil)
}

// adaptRequest reacts to errs, the errors that the server returned for the operation id of s. It changes
// the form of the request or starts a search for the refused fields, and sends the operation again,
// if necessary after a delay. It returns false if the operation is not sent again.
func (l *learner) adaptRequest(s *subscription, id string, errs []graphql.Error) bool {
	sent, known := s.requests.SentRequest(id)
	if !known || s.adaptation.retries >= maxAdaptations || s.newcomers.owns(s.requests.OperationID(id), s.handover.pendingID) { // newcomers share the form of the large subscription, which adapts to its own refusals
		return false
	}
	s.adaptation.retries++
	if s.requests.RefusesPieces(id, s.handover.pendingID) {
		return s.restartOperation(id, 0, l.now())
	}
	r := dialect.ParseRequestFaults(s.doc.Root, sent, errs)
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

// applyComplaint changes the part of the request sent to which the server objects according to r,
// its error message. ok reports whether to retry the operation. wait is the delay before the retry.
func (l *learner) applyComplaint(s *subscription, id string, sent dialect.SentRequest, r *dialect.RequestFaults) (wait time.Duration, ok bool) {
	switch {
	case l.dialect.IsOutdated(&s.doc, sent, s.requests.Root()), r.ApplyAliases(l.dialect):
	case r.TooManySubscriptions && l.freeSubscription(s, id):
	case r.ApplyArgument(l.dialect, s.doc.Root), r.UnknownRoot && l.switchRoot(s, id, r.Suggestions):
	case r.NeedsOtherForm && l.awaitsSchema(): // the schema shows in which form to request the field
		l.querySchema()
		wait = schemaQueryTimeout
	case r.MayNeedTypes() && l.awaitsSchema():
		l.querySchema()
		wait = schemaQueryTimeout
	case r.MayNeedTypes() && l.applySchema(s):
	case r.MayNeedTypes() && l.queryTypes(s):
		wait = schemaQueryTimeout
	case r.NeedsOtherForm && l.applySchema(s), l.learnMissingFields(s, r):
	case r.TooLong && l.dialect.HalveMaxKeys(s.doc.Root, sent.Keys):
	case r.FilterForm && l.switchFilterForm(s):
	default:
		return 0, false
	}
	return wait, true
}

// tryAlternatives changes a part of the request sent that may have caused the refusal although the
// error message r does not name it. ok reports whether to retry the operation. wait is the delay
// before the retry.
func (l *learner) tryAlternatives(s *subscription, id string, sent dialect.SentRequest, r *dialect.RequestFaults) (wait time.Duration, ok bool) {
	switch {
	case l.applySchema(s):
	case l.awaitsSchema():
		l.querySchema()
		wait = schemaQueryTimeout
	case r.UnknownRoot && l.switchToPolling(s, id, "the platform has no subscription "+s.requests.Root()):
	case l.switchFilterForm(s):
	case sent.Keys > longFilterKeys && l.dialect.HalveMaxKeys(s.doc.Root, sent.Keys):
	default:
		return 0, false
	}
	return wait, true
}

// longFilterKeys is the number of keys above which a refused filter may simply be too long, even if the
// error message does not say so.
const longFilterKeys = 100

// switchFilterForm switches between literals and variables in filters, once per connection. It
// returns false if it changed nothing: the requests of s have no filter, the server has already
// delivered data that needs credentials, or the form cannot be switched.
func (l *learner) switchFilterForm(s *subscription) bool {
	return s.doc.Filtered && !l.subs.isAuthorized() && l.dialect.SwitchFilterForm()
}

// splitLongestRequest is called when a connection was lost, perhaps because a request was too long.
// After several losses it halves the number of keys per filter for the operation with the largest
// open request. It returns false if it should have halved the number but could not.
func (l *learner) splitLongestRequest() bool {
	if !l.dialect.CountConnectionBroken() {
		return true
	}
	var owner *subscription
	var longest dialect.SentRequest
	for _, s := range l.subs {
		if sent := s.requests.LargestOperation(); sent.Size > longest.Size {
			owner, longest = s, sent
		}
	}
	return owner != nil && l.dialect.HalveMaxKeys(owner.doc.Root, longest.Keys)
}
