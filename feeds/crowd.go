package feeds

import "wallboard/model"

// A server may bear a few subscriptions on a connection only. Then the figures that
// matter least are polled in the place of subscribed to: as many as it takes for the
// others, and for those that take the place of a subscription whose filter changes.

// leastFirst are the operations in the order in which they are given up.
func leastFirst() []string {
	return []string{
		opVersion, opServerHealth, opOperatorProfiles, opOperators, opCampaigns, opAttendants, opProfiles,
		opGroups, opUsers, opUserStats, opServices,
	}
}

// crowded says why an operation is polled.
const crowded = "the platform takes no more subscriptions on a connection"

// makeRoom ends a subscription after the server refused another for their number.
// Those whose place was taken go first. It reports whether the one that was refused
// is to be tried again.
func (l *learner) makeRoom(s *sub, id string) bool {
	id = s.requests.Whole(id)
	if s.requests.Muted() != "" || s.retired.has(id) || !s.isSubscription(id) && !s.joined.is(id, s.hand.pending) {
		return false
	}
	room := false
	for _, other := range l.subs {
		if other.retired.ids != nil {
			other.retired.end()
			room = true
		}
	}
	if room {
		return true
	}
	return l.giveUpLeast(s, len(s.requests.Pieces(id)) > 1)
}

// giveUpLeast polls the operation that matters least in the place of its subscription.
// s is the one that needs room, or that is given up itself where its subscription is
// in pieces.
func (l *learner) giveUpLeast(s *sub, pieces bool) bool {
	for _, op := range leastFirst() {
		victim := l.subs.named(op)
		own := victim == s || pieces
		if own {
			victim = s
		}
		if victim == nil || victim.requests.Muted() != "" || !own && victim.active == "" && victim.hand.pending == "" {
			continue
		}
		victim.delivery.mute(crowded, l.opts.PollEvery)
		l.log.Info("polled, because the server takes no more subscriptions", "operation", victim.doc.Root)
		if !own {
			l.release(victim)
		}
		return true
	}
	return false
}

// release ends the subscription of an operation that is polled from now on.
func (l *learner) release(s *sub) {
	now := l.now()
	for _, id := range []string{s.joined.id, s.hand.pending, s.active} {
		if id != "" {
			s.drop(id, now)
		}
	}
	s.renew = false
	s.status.set(model.SubConnecting, crowded, now)
	s.step(now)
}
