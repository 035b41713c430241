package feeds

import (
	"slices"
	"time"

	"wallboard/feeds/picture"
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
	ids   []string // nil: none
	until time.Time
	since picture.Backlog // what the one in their place has told since it began
}

// retire begins to end subscriptions: what was kept of the one that takes their
// place is what came since that began.
func (s *sub) retire(ids []string, now time.Time) {
	ids = slices.DeleteFunc(ids, func(id string) bool { return id == "" })
	s.retired = retired{ids: ids, until: now.Add(retiredFor), since: s.hand.kept}
}

// isRetired reports whether an operation is one whose place was taken.
func (s *sub) isRetired(id string) bool { return slices.Contains(s.retired.ids, id) }

// late takes what a retired subscription still tells.
func (s *sub) late(payload []byte, now time.Time) {
	a, err := s.data.Late(payload, s.env)
	s.count(a, err, now)
}

// keepAbove keeps what goes on top of what the retired ones still tell.
func (s *sub) keepAbove(payload []byte, now time.Time) {
	if s.retired.ids == nil || s.retired.since.Add(payload, s.maxKept()) {
		return
	}
	s.forgetRetired()
	s.losses.note(now) // what they had still to tell
}

// stepRetired ends them when they have had the time to tell the rest.
func (s *sub) stepRetired(now time.Time) {
	if s.retired.ids != nil && !now.Before(s.retired.until) {
		s.endRetired()
	}
}

// endRetired ends the subscriptions whose place was taken.
func (s *sub) endRetired() {
	above := s.retired.since.List
	s.forgetRetired()
	for _, p := range above {
		_, _ = s.data.Late(p, s.env) // what cannot be merged was counted when it came
	}
}

// forgetRetired ends them where what they have told does not matter any more.
func (s *sub) forgetRetired() {
	for _, id := range s.retired.ids {
		s.requests.Cancel(id)
	}
	s.retired = retired{}
}
