package feeds

import (
	"slices"
	"time"

	"wallboard/feeds/merge"
	"wallboard/feeds/picture"
	"wallboard/feeds/requests"
)

// A subscription that takes the place of another knows nothing of what happened
// before it began, and the other may not have told it yet: servers gather what
// they tell, each subscription for itself. What was told lately is better than
// the full state, which may come from a replica that is behind; so what is still
// to be told would be lost. Therefore the old subscription stays open for a
// moment. What it tells goes below what the new one has told since it began: two
// subscriptions have no common order.

// retiredFor is how long a subscription stays open whose place was taken.
const retiredFor = 3 * time.Second

// retired are the subscriptions whose place another has taken.
type retired struct {
	data interface {
		Late(payload []byte, env *merge.Env) (picture.Applied, error)
	}
	requests *requests.Requests
	env      *merge.Env

	ids   []string // nil: none
	until time.Time
	since picture.Backlog // what the one in their place has told since it began
}

// retire begins to end subscriptions. since is what the one that takes their place
// has told since it began.
func (r *retired) retire(ids []string, since picture.Backlog, now time.Time) {
	r.ids = slices.DeleteFunc(ids, func(id string) bool { return id == "" })
	r.until, r.since = now.Add(retiredFor), since
}

// has reports whether an operation is one whose place was taken.
func (r *retired) has(id string) bool { return slices.Contains(r.ids, id) }

// late takes what one of them still tells.
func (r *retired) late(payload []byte) (picture.Applied, error) {
	return r.data.Late(payload, r.env) //nolint:wrapcheck // it says what there is to say
}

// keepAbove keeps what goes on top of what they still tell. It returns false where
// that is more than so many bytes: then what they had still to tell is lost.
func (r *retired) keepAbove(payload []byte, most int) bool {
	if r.ids == nil || r.since.Add(payload, most) {
		return true
	}
	r.forget()
	return false
}

// step ends them when they have had the time to tell the rest.
func (r *retired) step(now time.Time) {
	if r.ids != nil && !now.Before(r.until) {
		r.end()
	}
}

// end ends them.
func (r *retired) end() {
	above := r.since
	r.forget()
	for p := range above.From(0) {
		_, _ = r.data.Late(p, r.env) // what cannot be merged was counted when it came
	}
}

// forget ends them where what they have told does not matter any more.
func (r *retired) forget() {
	for _, id := range r.ids {
		r.requests.Cancel(id)
	}
	r.ids, r.until, r.since = nil, time.Time{}, picture.Backlog{}
}
