package feeds

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"wallboard/model"
)

// TestCodesAreBounded checks that the number of codes found through users is limited, and that a code is
// dropped when no user has had it for a long time.
func TestCodesAreBounded(t *testing.T) {
	t.Parallel()
	now := time.Unix(1_800_000_000, 0)
	c := newCodeSet(nil, 100)
	for i := range 200_000 {
		c.add([]string{fmt.Sprint("S", i)}, now)
	}
	if n := len(c.list()); n != 100 || !c.overflow {
		t.Fatalf("%d codes, overflow: %v", n, c.overflow)
	}
	c.overflow = false
	c.add([]string{"S1", "new"}, now.Add(2*time.Hour))
	if !c.dropExpired(now.Add(2*time.Hour)) || !slices.Equal(c.list(), []string{"S1"}) {
		t.Errorf("kept: %v", c.list())
	}
	c.overflow = false
	c.add([]string{"night"}, now.Add(3*time.Hour))
	if c.dropExpired(now.Add(3*24*time.Hour)) || len(c.list()) != 2 {
		t.Errorf("dropped after a weekend: %v", c.list())
	}
	if c.dropExpired(now.Add(8 * 24 * time.Hour)); len(c.list()) != 0 {
		t.Errorf("left after a week: %v", c.list())
	}
	pinned := newCodeSet([]string{"a", "b", "c"}, 2)
	pinned.add([]string{"d"}, now)
	if pinned.dropExpired(now.Add(999*time.Hour)) || len(pinned.list()) != 3 {
		t.Errorf("pinned: %v", pinned.list())
	}
}

// bounded returns a floor with more agents than the limit.
func bounded(t *testing.T, agents, most int) *shift {
	t.Helper()
	s := newShift(t, 0)
	s.feed.mu.Lock()
	s.feed.opts.Bounds.Records = most
	s.feed.mu.Unlock()
	for i := range agents {
		s.agents[fmt.Sprintf("u%05d", i)] = true
	}
	s.feed.mu.Lock()
	for _, sub := range s.feed.subs {
		sub.losses.recordLoss(s.now)
	}
	s.feed.mu.Unlock()
	s.pass(5 * time.Minute)
	return s
}

// TestRecordsAreBounded: records beyond the limit are left out of full states
// and updates, and reported; the others stay correct without drift. Freed room
// is used.
func TestRecordsAreBounded(t *testing.T) {
	t.Parallel()
	const most = 300
	s := bounded(t, 1000, most)
	check := func(when string) *model.Snapshot {
		t.Helper()
		s.pass(time.Second)
		s.feed.mu.Lock()
		snap := s.feed.store.Publish(s.now, s.feed.currentHealth(s.now))
		s.feed.mu.Unlock()
		if n := snap.Users.Len() + snap.UserStats.Len(); n > most {
			t.Fatalf("%s %d records are kept", when, n)
		}
		return snap
	}
	snap := check("after the full state")
	h := &snap.Health
	if h.Live() || !strings.Contains(h.Notice, "max_records") || h.Subscription(model.OpUsers).State != model.SubUnverified {
		t.Errorf("notice %q, live: %v", h.Notice, h.Live())
	}
	if d := h.Drift(); d.Total() != 0 {
		t.Errorf("drift: %+v", d)
	}
	var id string
	for _, sub := range s.feed.subs {
		if sub.doc.Root == opUsers {
			id = sub.activeID
		}
	}
	for i := range 1000 {
		name := fmt.Sprintf("late%05d", i)
		s.agents[name] = true
		s.h.Next(id, []byte(`{"data":{"users":[`+agent(name)+`]}}`))
	}
	check("after updates")
	clear(s.agents)
	for i := range 50 {
		s.agents[fmt.Sprintf("u%05d", i)] = true
	}
	s.feed.mu.Lock()
	s.feed.subs.byOperation(opUsers).losses.recordLoss(s.now)
	s.feed.mu.Unlock()
	s.pass(5 * time.Minute)
	snap = check("when most are gone")
	if !snap.Health.Live() || snap.Health.Notice != "" || snap.Users.Len() != 50 || snap.UserStats.Len() != 50 {
		t.Errorf("%d users and %d figures, notice %q, live: %v", snap.Users.Len(), snap.UserStats.Len(), snap.Health.Notice, snap.Health.Live())
	}
}
