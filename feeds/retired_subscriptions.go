package feeds

import (
	"slices"
	"time"

	"wallboard/feeds/dialect"
	"wallboard/feeds/merge"
	"wallboard/feeds/records"
)

// Servers batch updates for each subscription separately. When a subscription replaces another, the
// replaced one may still send an update that the new one never sends. A full state from a lagging
// replica may lack that update, too. The replaced subscription therefore stays open for a moment.
// Two subscriptions have no common order, so its late updates are applied first, and then those of
// the new subscription again.

// retiredLifetime is how long a replaced subscription stays open.
const retiredLifetime = 3 * time.Second

// retiredSubscriptions holds the replaced subscriptions that are still open.
type retiredSubscriptions struct {
	merger interface {
		ApplyLate(payload []byte, env *merge.Env) (records.ApplyResult, error)
	}
	requests *dialect.Requests
	env      *merge.Env

	ids                []string             // IDs of the replaced subscriptions; nil: none
	endAt              time.Time            // when the replaced subscriptions are ended
	replacementUpdates records.UpdateBuffer // updates of the replacement since its subscription was sent
}

// retire keeps the replaced subscriptions ids open for retiredLifetime. since holds the updates of
// the replacement so far.
func (r *retiredSubscriptions) retire(ids []string, since records.UpdateBuffer, now time.Time) {
	r.ids = slices.DeleteFunc(ids, func(id string) bool { return id == "" })
	r.endAt, r.replacementUpdates = now.Add(retiredLifetime), since
}

// contains reports whether id is a replaced subscription.
func (r *retiredSubscriptions) contains(id string) bool { return slices.Contains(r.ids, id) }

// bufferReplacementUpdate buffers an update of the replacement, so that it can be applied again
// after late updates. If the buffer exceeds maxBytes, bufferReplacementUpdate ends the replaced
// subscriptions and returns false.
func (r *retiredSubscriptions) bufferReplacementUpdate(payload []byte, maxBytes int) bool {
	if r.ids == nil || r.replacementUpdates.Add(payload, maxBytes) {
		return true
	}
	r.forget()
	return false
}

// endExpired ends the replaced subscriptions if they have been open for retiredLifetime.
func (r *retiredSubscriptions) endExpired(now time.Time) {
	if r.ids != nil && !now.Before(r.endAt) {
		r.end()
	}
}

// end ends the replaced subscriptions and applies the buffered updates of the replacement again,
// after the late updates.
func (r *retiredSubscriptions) end() {
	above := r.replacementUpdates
	r.forget()
	for p := range above.UpdatesFrom(0) {
		_, _ = r.merger.ApplyLate(p, r.env) // errors were counted when the update arrived
	}
}

// forget ends the replaced subscriptions and drops the buffered updates of the replacement.
func (r *retiredSubscriptions) forget() {
	for _, id := range r.ids {
		r.requests.Cancel(id)
	}
	r.ids, r.endAt, r.replacementUpdates = nil, time.Time{}, records.UpdateBuffer{}
}
