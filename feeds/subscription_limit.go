package feeds

import "wallboard/model"

// Some servers allow only a few subscriptions per connection. The least important operations are
// then polled instead: as many as necessary for the others, including the temporary subscriptions
// during a change of filter.

// leastImportantFirst lists the operations in the order in which they are switched to polling.
func leastImportantFirst() []string {
	return []string{
		opVersion, opServerHealth, opOperatorProfiles, opOperators, opCampaigns, opAttendants, opProfiles,
		opGroups, opUsers, opUserStats, opServices,
	}
}

// subscriptionLimitReason is the reason shown for an operation that is polled.
const subscriptionLimitReason = "the platform takes no more subscriptions on a connection"

// freeSubscription ends a subscription after the server refused another one because
// there are too many. Subscriptions that were already replaced go first. It
// reports whether to retry the refused operation.
func (l *learner) freeSubscription(s *sub, id string) bool {
	id = s.requests.OperationID(id)
	if s.requests.StoppedReason() != "" || s.retired.contains(id) || !s.isSubscription(id) && !s.newcomers.owns(id, s.handover.pendingID) {
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
	return l.pollLeastImportant(s, len(s.requests.OpenPieces(id)) > 1)
}

// pollLeastImportant starts polling the least important operation and ends its
// subscription to make room for s. If s is split into pieces, s itself is
// polled.
func (l *learner) pollLeastImportant(s *sub, inPieces bool) bool {
	for _, op := range leastImportantFirst() {
		victim := l.subs.byOperation(op)
		own := victim == s || inPieces
		if own {
			victim = s
		}
		if victim == nil || victim.requests.StoppedReason() != "" || !own && victim.activeID == "" && victim.handover.pendingID == "" {
			continue
		}
		victim.delivery.switchToPolling(subscriptionLimitReason, l.opts.PollEvery)
		l.log.Info("subscription replaced by polling: server limits subscriptions", "operation", victim.doc.Root)
		if !own {
			l.endSubscription(victim)
		}
		return true
	}
	return false
}

// endSubscription ends the subscription of an operation that is now polled.
func (l *learner) endSubscription(s *sub) {
	now := l.now()
	for _, id := range []string{s.newcomers.id, s.handover.pendingID, s.activeID} {
		if id != "" {
			s.dropSubscription(id, now)
		}
	}
	s.needsResubscribe = false
	s.status.setState(model.SubConnecting, subscriptionLimitReason, now)
	s.step(now)
}
