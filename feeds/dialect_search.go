package feeds

import (
	"encoding/json"
	"strings"
	"time"

	"wallboard/feeds/dialect"
	"wallboard/feeds/graphql"
	"wallboard/model"
)

// searchQueryTimeout is how long a search for refused fields waits for the answer to one query.
const searchQueryTimeout = 15 * time.Second

// startSearch starts a search for the fields that made the server refuse the operation id. If a
// search is already running, the operation waits for its result. startSearch returns false if a
// search has already ended on this connection or the link is down.
func (l *learner) startSearch(s *subscription, id string, errs []graphql.Error) bool {
	if s.adaptation.fieldSearch != nil { // a search is already running: wait for its result
		return s.restartOperation(id, dialect.MaxSearchQueries*searchQueryTimeout, l.now())
	}
	if s.adaptation.fieldsSearched || !s.requests.Connected() {
		return false
	}
	x := &runningSearch{reason: "refused"}
	if len(errs) > 0 {
		x.reason = errs[0].Message
	}
	how, _ := s.requests.SentRequest(id)
	x.search = l.dialect.Search(&s.doc, s.filter.wantedRequest.Filter, how.Keys, !s.isSubscription(id))
	s.adaptation.fieldSearch, s.adaptation.fieldsSearched = x, true
	s.restartOperation(id, dialect.MaxSearchQueries*searchQueryTimeout, l.now())
	l.sendSearchQuery(s)
	return true
}

// sendSearchQuery sends the next query of the running search.
func (l *learner) sendSearchQuery(s *subscription) {
	text, vars, ok := s.adaptation.fieldSearch.search.Query(l.dialect)
	if !ok {
		l.continueSearch(s, false)
		return
	}
	id, err := s.requests.SendText(text, vars)
	if err != nil {
		s.adaptation.fieldSearch = nil
		return // the session has ended and is cleaned up elsewhere
	}
	s.adaptation.fieldSearch.queryID, s.adaptation.fieldSearch.queriedAt = id, l.now()
}

// handleSearchAnswer handles the answer to a query of a search. It returns false if id does not
// belong to such a query. refused is true if the server refused the query. An answer without data
// also counts as a refusal.
func (l *learner) handleSearchAnswer(id string, payload []byte, refused bool) bool {
	for _, s := range l.subs {
		if s.adaptation.fieldSearch == nil || s.adaptation.fieldSearch.queryID != id {
			continue
		}
		var m struct {
			Data map[string]json.RawMessage `json:"data"`
		}
		accepted := !refused && json.Unmarshal(payload, &m) == nil && len(m.Data[s.doc.Root]) > 0 && string(m.Data[s.doc.Root]) != "null"
		s.adaptation.fieldSearch.queryID = ""
		l.continueSearch(s, accepted)
		return true
	}
	return false
}

// continueSearch continues the running search. accepted reports whether the server accepted the
// last query of the search.
func (l *learner) continueSearch(s *subscription, accepted bool) {
	x := s.adaptation.fieldSearch.search
	switch x.Continue(accepted) {
	case dialect.SearchContinues:
		l.sendSearchQuery(s)
	case dialect.SearchFewerKeys:
		if l.dialect.HalveMaxKeys(s.doc.Root, x.Keys) {
			s.adaptation.fieldsSearched = false // a later refusal may have another cause and start a new search
			l.endSearch(s, "with fewer keys in a filter")
		} else {
			l.subscriptionRefused(s)
		}
	case dialect.SearchAllAccepted:
		l.subscriptionRefused(s)
	case dialect.SearchNoneAccepted:
		if l.queryTypes(s) { // the answer to the query for types triggers another try
			s.adaptation.fieldSearch, s.adaptation.fieldsSearched, s.adaptation.allRefused = nil, false, true
			return
		}
		l.endSearch(s, "")
	case dialect.SearchSomeRefused:
		if l.dialect.AddMissingFields(&s.doc, x.Refused, nil) {
			l.showMissingFields(s)
		}
		l.queryTypes(s)
		l.endSearch(s, "without "+strings.Join(x.Refused, ", "))
	}
}

// subscriptionRefused is called when a search cannot explain the refusal by a field. The server may then object
// to the name of the subscription or to the number of subscriptions. subscriptionRefused polls an operation
// instead, changes the name, or schedules a later attempt.
func (l *learner) subscriptionRefused(s *subscription) {
	x, now := s.adaptation.fieldSearch, l.now()
	s.adaptation.fieldsSearched = false                       // a later refusal may have another cause and start a new search
	if s.activeID != "" && s.requests.StoppedReason() == "" { // the server accepted an earlier subscription of this operation
		l.pollLeastImportant(s, false)
		l.endSearch(s, "with fewer subscriptions")
		return
	}
	if name := l.dialect.NextRoot(s.doc.Root, s.requests.Root(), nil); name != "" {
		s.requests.SetRoot(name)
		l.endSearch(s, "under another name")
		return
	}
	if l.dialect.CountSubscriptionRefused(s.doc.Root) {
		s.delivery.switchToPolling("the platform refuses the subscription ("+l.clean(x.reason)+")", l.opts.PollEvery)
	}
	s.adaptation.fieldSearch = nil
	s.retry.notBefore = now.Add(s.retry.countFailure())
	s.status.setState(model.SubRefused, x.reason, now)
}

// endSearch ends the running search. change describes the change that the search made to the
// request, which is then sent again. An empty change means that the search found nothing.
func (l *learner) endSearch(s *subscription, change string) {
	x, now := s.adaptation.fieldSearch, l.now()
	s.adaptation.fieldSearch = nil
	if change == "" {
		s.retry.notBefore = now.Add(s.retry.countFailure())
		if s.activeID == "" {
			s.status.setState(model.SubRefused, x.reason, now)
		}
		return
	}
	l.log.Info("search found what the server refuses", "operation", s.doc.Root, "tried_again", change)
	s.retryNow(now)
}

// retryNow sends the subscription's request again at once, after its form has changed.
func (s *subscription) retryNow(now time.Time) {
	s.retry.notBefore = time.Time{}
	if s.activeID != "" {
		s.losses.needsResync, s.losses.queriedAt = true, time.Time{}
	}
	s.handover.requestedAt = now.Add(-maxFirstMessageWait)
	s.step(now)
}

// expireSearches ends searches whose query was not answered in time. It also repeats due queries
// for types.
func (l *learner) expireSearches(now time.Time) {
	l.retryTypes(now)
	for _, s := range l.subs {
		if s.adaptation.fieldSearch != nil && s.adaptation.fieldSearch.queryID != "" && now.Sub(s.adaptation.fieldSearch.queriedAt) > searchQueryTimeout {
			s.requests.Cancel(s.adaptation.fieldSearch.queryID)
			l.endSearch(s, "")
		}
	}
}
