package feeds

import (
	"strings"
)

// handleUnexpectedTypes handles objects that arrived without fields because the query selects no
// fields for their type. It changes the request to select the fields of the expected type for the
// new type, too. fieldByType maps each unexpected type to the field that holds the object.
func (l *learner) handleUnexpectedTypes(s *subscription, fieldByType map[string]string) {
	newTypes, texts := l.dialect.UnexpectedTypes(&s.doc, fieldByType)
	if len(newTypes) == 0 {
		return
	}
	s.status.Unknown = l.clean(strings.Join(texts, ", "))
	if l.dialect.AddTypePaths(s.doc.Root, newTypes) {
		l.log.Info("server returned unexpected types", "operation", s.doc.Root, "types", s.status.Unknown)
		l.querySchema()
		s.needsResubscribe = true
	}
}

// switchToPolling makes s poll instead of subscribing, after a problem with the subscription id. It
// returns false if id is not a subscription of s or s is already polled.
func (l *learner) switchToPolling(s *subscription, id, reason string) bool {
	if s.requests.StoppedReason() != "" || !s.isSubscription(id) {
		return false
	}
	s.delivery.switchToPolling(reason, l.opts.PollEvery)
	return true
}

// switchRoot switches to another root field after the server refused the name of the subscription
// id. suggested holds the names that the error message suggests. It returns false if there is no
// other name to try or id is not a subscription of s.
func (l *learner) switchRoot(s *subscription, id string, suggested []string) bool {
	if !s.isSubscription(id) {
		return false
	}
	name := l.dialect.NextRoot(s.doc.Root, s.requests.Root(), suggested)
	if name == "" {
		return false
	}
	l.log.Info("trying another root field for the subscription", "operation", s.doc.Root, "root", l.clean(name))
	s.requests.SetRoot(name)
	return true
}
