package feeds

import (
	"strings"
)

// handleUnexpectedTypes handles objects that returned only their type because the query has no
// fields for that type. The fields that document 2 lists for the expected type
// are requested for them too; until then their figures are unknown.
func (l *learner) handleUnexpectedTypes(s *sub, fieldByType map[string]string) {
	strangers, words := l.dialect.UnexpectedTypes(&s.doc, fieldByType)
	if len(strangers) == 0 {
		return
	}
	s.status.Unknown = l.clean(strings.Join(words, ", "))
	if l.dialect.AddTypes(s.doc.Root, strangers) {
		l.log.Info("server returned unexpected types", "operation", s.doc.Root, "types", s.status.Unknown)
		l.querySchema()
		s.needsResubscribe = true
	}
}

// switchToPolling replaces a subscription by polling its query.
func (l *learner) switchToPolling(s *sub, id, reason string) bool {
	if s.requests.StoppedReason() != "" || !s.isSubscription(id) {
		return false
	}
	s.delivery.switchToPolling(reason, l.opts.PollEvery)
	return true
}

// switchRoot switches to another root field after the server refused the name of
// a subscription.
func (l *learner) switchRoot(s *sub, id string, suggested []string) bool {
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
