package feeds

import (
	"errors"
	"slices"
	"strings"
	"time"

	"wallboard/feeds/graphqlws"
	"wallboard/feeds/merge"
	"wallboard/model"
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

// misread notes why a payload was not understood. A field that is not understood
// again and again costs itself, and no more than that.
func (s *sub) misread(err error) {
	var shape *merge.ShapeError
	if errors.As(err, &shape) && s.speech.Misread(&s.doc, shape.Field) {
		s.doWithout()
	}
}

// failed counts the fields that a server could not execute.
func (s *sub) failed(raw []byte) {
	if s.speech.Failed(&s.doc, graphqlws.ParseErrors(raw)) {
		s.doWithout()
	}
}

// doWithout asks again, without the fields that cannot be had.
func (s *sub) doWithout() {
	s.status.Lacks = s.host.clean(strings.Join(s.speech.Lacks(s.doc.Root), ", "))
	s.renew, s.losses.resync, s.losses.askedAt = true, true, time.Time{}
}

// keyed counts updates that said which records they are for, against the belief
// that they do not.
func (s *sub) keyed(is bool) {
	if is && s.speech.Keyed(s.doc.Root) {
		s.renew = true
		s.respread()
	}
}

// mute asks the query of an operation again and again in the place of its
// subscription, for as long as the connection lasts; the next one tries that again.
func (l *learner) mute(s *sub, id, reason string) bool {
	if s.requests.Muted() != "" || !s.isSubscription(id) {
		return false
	}
	s.requests.Mute(reason)
	s.poll = l.opts.PollEvery
	return true
}

func (s *sub) isSubscription(id string) bool {
	id = s.requests.Whole(id)
	return id != "" && (id == s.active || id == s.hand.pending)
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

// block says of operations that depend on another one, or on a field of it, that
// this cannot be had: they wait for nothing.
func (m *members) block(now time.Time) {
	for _, s := range m.subs {
		trait := traits[s.doc.Root]
		if trait.follows == "" {
			continue
		}
		of := m.subs.named(trait.follows)
		if !s.requests.Connected() || s.filter.want.Ready || s.active != "" || s.hand.pending != "" {
			continue
		}
		why := "the platform refuses " + of.doc.Root + ", which says what to ask for"
		switch {
		case of.status.State == model.SubRefused:
			s.setState(model.SubRefused, why+": "+of.status.Reason, now)
		case of.status.State == model.SubUnverified && of.data.Records() == 0:
			s.setState(model.SubBackoff, "what to ask for is not known: "+of.status.Reason, now)
		case slices.Contains(of.speech.Lacks(of.doc.Root), trait.by):
			instead := ""
			if trait.key != "" {
				instead = "; name them in [rtd] " + trait.key
			}
			s.setState(model.SubRefused, "the platform does not tell "+of.doc.Root+" "+trait.by+", which says what to ask for"+instead, now)
		}
	}
}
