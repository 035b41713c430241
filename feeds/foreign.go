package feeds

import (
	"strings"
)

// meet takes note of the types of objects that said nothing else about
// themselves: nothing of them was asked for. They are asked for what document 2
// has in their place; until it comes the figures of their records are unknown.
func (l *learner) meet(s *sub, bare map[string]string) {
	strangers, words := l.speech.Strangers(&s.doc, bare)
	if len(strangers) == 0 {
		return
	}
	s.status.Unknown = l.clean(strings.Join(words, ", "))
	if l.speech.LearnTypes(s.doc.Root, strangers) {
		l.log.Info("the server has types that nobody asked for", "operation", s.doc.Root, "types", s.status.Unknown)
		l.askSchema()
		s.renew = true
	}
}

// mute asks the query of an operation again and again in the place of its
// subscription.
func (l *learner) mute(s *sub, id, reason string) bool {
	if s.requests.Muted() != "" || !s.isSubscription(id) {
		return false
	}
	s.delivery.mute(reason, l.opts.PollEvery)
	return true
}

// otherRoot takes another name for a subscription whose name is refused, if one is
// found.
func (l *learner) otherRoot(s *sub, id string, meant []string) bool {
	if !s.isSubscription(id) {
		return false
	}
	name := l.speech.OtherRoot(s.doc.Root, s.requests.Root(), meant)
	if name == "" {
		return false
	}
	l.log.Info("another name of the subscription is tried", "operation", s.doc.Root, "root", l.clean(name))
	s.requests.Rename(name)
	return true
}
