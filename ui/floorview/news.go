package floorview

import (
	"slices"
	"time"

	"wallboard/model"
)

// HasChanges reports whether the snapshot s differs from old in anything except ages and counters of
// the feed. Changed ages and counters are drawn with the next clock tick, so an idle board is drawn
// once a second and not twice.
func HasChanges(old, s *model.Snapshot) bool {
	return !slices.Equal(old.Tables(), s.Tables()) || healthChanged(&old.Health, &s.Health)
}

// healthChanged reports whether the connection or a subscription differs in anything except ages and
// counters.
func healthChanged(old, h *model.Health) bool {
	link := h.Link
	link.LastFrame = old.Link.LastFrame
	step := (h.ClockOffset - old.ClockOffset).Abs() // smaller steps come from the inaccuracy of the estimate
	if link != old.Link || h.Version != old.Version || h.Server != old.Server ||
		h.Notice != old.Notice || step >= time.Second {
		return true
	}
	return !slices.EqualFunc(old.Subscriptions, h.Subscriptions, func(a, b model.Subscription) bool {
		return a.Name == b.Name && a.State == b.State && a.Since.Equal(b.Since) && a.Reason == b.Reason
	})
}
