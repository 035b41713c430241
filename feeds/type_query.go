package feeds

import (
	"time"

	"wallboard/feeds/dialect"
	"wallboard/feeds/graphql"
)

// maxTypeKeys limits the keys in the filter of a query for types.
const maxTypeKeys = 2000

// queryTypes queries the types of an operation's records, usually once per connection. If the server hides its
// schema, this query shows the types that document 2 does not mention. queryTypes returns false if no query
// was sent.
func (l *learner) queryTypes(s *subscription) bool {
	if s.adaptation.typesQueried || l.conn == nil || !s.doc.Filtered || !s.filter.wantedRequest.IsWanted {
		return false
	}
	s.adaptation.typesQueried = true
	filter := s.filter.wantedRequest.Filter
	if some := graphql.SplitFilter(filter, maxTypeKeys); s.filter.wantedRequest.Keys > maxTypeKeys && len(some) > 0 {
		filter = some[0]
	}
	text, vars := dialect.TypesRequest(&s.doc, l.dialect, filter)
	id, err := s.requests.SendText(text, vars)
	s.adaptation.typesQueryID = id
	return err == nil
}

// typesRetryDelay is the delay before the types are queried again after an answer that contained no
// records.
const typesRetryDelay = 5 * time.Second

// retryTypes queries the types again for operations that had no records when they were last
// queried.
func (l *learner) retryTypes(now time.Time) {
	for _, s := range l.subs {
		if at := s.adaptation.typesRetryAt; !at.IsZero() && !now.Before(at) {
			s.adaptation.typesRetryAt, s.adaptation.typesQueried = time.Time{}, false
			l.queryTypes(s)
		}
	}
}

// handleTypes handles the answer to a query for types. It returns false if id is not the ID of such
// a query. It treats an answer without data as a refusal.
func (l *learner) handleTypes(id string, payload []byte) bool {
	for _, s := range l.subs {
		if id == "" || s.adaptation.typesQueryID != id {
			continue
		}
		s.adaptation.typesQueryID = ""
		if dialect.HasNoRecords(payload, s.doc.Root) {
			s.adaptation.typesRetryAt = l.now().Add(typesRetryDelay)
			return true
		}
		var bare []string
		if s.adaptation.allRefused { // the server did not accept the key fields either
			bare = dialect.Fields(&s.doc)
		}
		if types := dialect.ReadTypes(payload, s.doc.Root); len(types) > 0 && l.dialect.AddMissingFields(&s.doc, bare, types) {
			l.showMissingFields(s)
			s.adaptation.fieldsSearched = false // the fields that records of these types lack may still have to be found
			s.needsResubscribe = s.needsResubscribe || s.activeID != ""
		}
		s.retryNow(l.now())
		return true
	}
	return false
}
