package feeds

import "wallboard/model"

// subscriptionList holds the subscriptions of a feed, one per operation, in the order of
// document 2.
type subscriptionList []*subscription

// byOperation returns the subscription of the operation op, or nil if there is none.
func (all subscriptionList) byOperation(op string) *subscription {
	for _, s := range all {
		if s.doc.Root == op {
			return s
		}
	}
	return nil
}

// byID returns the subscription to which the operation id belongs, or nil if there is none.
func (all subscriptionList) byID(id string) *subscription {
	for _, s := range all {
		if s.owns(id) {
			return s
		}
	}
	return nil
}

// isLive reports whether the link and every subscription are live.
func (all subscriptionList) isLive(link model.Link) bool {
	h := model.Health{Link: link, Subscriptions: make([]model.Subscription, len(all))}
	for i, s := range all {
		h.Subscriptions[i].State = s.status.State
	}
	return h.Live()
}

// isAuthorized reports whether the server has delivered data that needs credentials on this
// connection. The operations version and serverHealth do not count, because their data may be
// public.
func (all subscriptionList) isAuthorized() bool {
	for _, s := range all {
		if s.progress.delivered && s.doc.Filtered {
			return true
		}
	}
	return false
}

// hasDueWork reports whether any subscription has work in progress or soon due.
func (all subscriptionList) hasDueWork() bool {
	for _, s := range all {
		if s.hasDueWork() {
			return true
		}
	}
	return false
}
