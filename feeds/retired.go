package feeds

import (
	"slices"
	"time"

	"wallboard/feeds/dialect"
	"wallboard/feeds/merge"
	"wallboard/feeds/records"
)

// A subscription that replaces another does not know what happened before it
// began, and the other one may not have sent it yet: servers batch updates for
// each subscription separately. The full state may come from a lagging replica,
// and recent updates take precedence over it; so an update still to come would
// be lost. The old subscription therefore stays open for a moment. Its late
// updates are applied below those of the new one, because two subscriptions
// have no common order.

// retiredFor is how long a replaced subscription stays open.
const retiredFor = 3 * time.Second

// retired holds the replaced subscriptions that are still open.
type retired struct {
	data interface {
		ApplyLate(payload []byte, env *merge.Env) (records.Applied, error)
	}
	requests *dialect.Requests
	env      *merge.Env

	ids   []string // nil: none
	until time.Time
	later records.UpdateBuffer // updates of the replacement since it began
}

// retire starts the end of subscriptions. since holds the updates of their
// replacement.
func (r *retired) retire(ids []string, since records.UpdateBuffer, now time.Time) {
	r.ids = slices.DeleteFunc(ids, func(id string) bool { return id == "" })
	r.until, r.later = now.Add(retiredFor), since
}

// contains reports whether id is a replaced subscription.
func (r *retired) contains(id string) bool { return slices.Contains(r.ids, id) }

// applyLate applies a late update of a replaced subscription.
func (r *retired) applyLate(payload []byte) (records.Applied, error) {
	return r.data.ApplyLate(payload, r.env)
}

// bufferAbove buffers an update of the replacement to apply it above late
// updates. If that exceeds most bytes, it returns false and late updates are
// dropped.
func (r *retired) bufferAbove(payload []byte, most int) bool {
	if r.ids == nil || r.later.Add(payload, most) {
		return true
	}
	r.forget()
	return false
}

// endExpired ends the replaced subscriptions when their time is over.
func (r *retired) endExpired(now time.Time) {
	if r.ids != nil && !now.Before(r.until) {
		r.end()
	}
}

// end ends the replaced subscriptions.
func (r *retired) end() {
	above := r.later
	r.forget()
	for p := range above.From(0) {
		_, _ = r.data.ApplyLate(p, r.env) // errors were counted when the update arrived
	}
}

// forget ends the replaced subscriptions without applying their late updates.
func (r *retired) forget() {
	for _, id := range r.ids {
		r.requests.Cancel(id)
	}
	r.ids, r.until, r.later = nil, time.Time{}, records.UpdateBuffer{}
}
