package feeds

import (
	"cmp"
	"slices"

	"wallboard/model"
)

// Some servers allow only a few subscriptions per connection. The feed then polls the least
// important operations instead. It polls as many as necessary to leave room for the others,
// including the second subscription that a change of filter needs for a while.

// subscriptionLimitReason is shown as the reason why an operation is polled.
const subscriptionLimitReason = "the platform takes no more subscriptions on a connection"

// freeSubscription makes room after the server refused the operation id of s because there are too
// many subscriptions. It ends the replaced subscriptions that are still open. If no subscription is
// in this state, it polls an operation instead of subscribing. It reports whether the refused
// operation can be sent again.
func (l *learner) freeSubscription(s *subscription, id string) bool {
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

// pollLeastImportant makes room for a subscription of s. It polls the least important operation
// that still has a subscription, and ends that subscription. If inPieces is true, it polls s
// instead, because s needs several subscriptions. It returns false if no operation is left to poll.
func (l *learner) pollLeastImportant(s *subscription, inPieces bool) bool {
	ops := slices.SortedFunc(slices.Values(model.Operations()), func(a, b model.Operation) int { return cmp.Compare(a.Importance, b.Importance) })
	for _, op := range ops {
		candidate := l.subs.byOperation(string(op.Name))
		own := candidate == s || inPieces
		if own {
			candidate = s
		}
		if candidate == nil || candidate.requests.StoppedReason() != "" || !own && candidate.activeID == "" && candidate.handover.pendingID == "" {
			continue
		}
		candidate.delivery.switchToPolling(subscriptionLimitReason, l.opts.PollEvery)
		l.log.Info("subscription replaced by polling: server limits subscriptions", "operation", candidate.doc.Root)
		if !own {
			l.endSubscription(candidate)
		}
		return true
	}
	return false
}

// endSubscription ends all subscriptions of s, which is polled from now on.
func (l *learner) endSubscription(s *subscription) {
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
