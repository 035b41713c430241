package feeds

import (
	"testing"
	"time"

	"wallboard/model"
)

// TestStandstillIsACut suspends the process and checks what is displayed as
// soon as the ticker or the connection runs again.
func TestStandstillIsACut(t *testing.T) {
	t.Parallel()
	for name, wake := range map[string]func(*shift){
		"the ticker": func(s *shift) { s.feed.runDueWork(s.now) },
		"an update":  func(s *shift) { s.tell(agent("u00001")) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newShift(t, 3)
			s.feed.runDueWork(s.now)
			before := s.now
			s.now = s.now.Add(2 * time.Second)
			s.feed.runDueWork(s.now)
			if h := s.feed.Latest().Health; !h.Live() {
				t.Fatal("not live")
			}
			s.now = before.Add(30 * time.Second)
			wake(s)
			h := s.feed.Latest().Health
			if h.Live() || h.Link.State == model.LinkUp || h.Cuts != 1 {
				t.Fatalf("link %s, live %v, %d cuts", h.Link.State, h.Live(), h.Cuts)
			}
			if sub := h.Subscription(model.OpUsers); sub.State.IsFresh() || sub.FreshUntil.After(before.Add(2*time.Second)) {
				t.Errorf("%s, fresh until %v after the gap began", sub.State, sub.FreshUntil.Sub(before))
			}
			s.feed.runDueWork(s.now)
			if s.feed.connection.displayed.State == model.LinkUp || s.feed.connection.lostCount != 1 {
				t.Error("one gap counts as two cuts")
			}
		})
	}
}

// TestGapInEitherClock stops the monotonic clock during sleep, or sets the wall
// clock.
func TestGapInEitherClock(t *testing.T) {
	t.Parallel()
	now := time.Now()
	for name, c := range map[string]struct {
		now time.Time
		gap bool
	}{
		"a second":             {now.Add(time.Second), false},
		"both":                 {now.Add(30 * time.Second), true},
		"the wall's alone":     {now.Add(30 * time.Second).Round(0), true},
		"set back by a minute": {now.Add(-time.Minute).Round(0), false},
	} {
		if got := (&suspendDetector{checkedAt: now}).gap(c.now); (got > 0) != c.gap {
			t.Errorf("%s: %v", name, got)
		}
	}
	if (&suspendDetector{}).gap(now) != 0 {
		t.Error("the first check is a gap")
	}
}
