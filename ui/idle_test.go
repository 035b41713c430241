package ui

import (
	"strconv"
	"testing"
	"time"

	"wallboard/model"
	"wallboard/ui/pages"
)

// TestIdlePicturesWaitForTheClock checks that snapshots without changes are drawn only by
// the clock.
func TestIdlePicturesWaitForTheClock(t *testing.T) {
	t.Parallel()
	b := newBoardOn(t, newTestFloor(0), 120, 40) // with agents, alerts would be raised during the test
	for range 2 {                                // waiting contacts are unattended after some seconds without a ready agent
		b.Now = b.Now.Add(3 * time.Second)
		b.publish()
	}
	for p := range pages.StandardCount {
		b.press(pageKey(p))
		before := b.View().Content
		b.Now = b.Now.Add(time.Second)
		h := &b.floor.Health
		h.Link.LastFrame = b.Now
		h.ClockOffset += 20 * time.Millisecond
		for i := range h.Subscriptions {
			s := &h.Subscriptions[i]
			s.LastData, s.VerifiedAt, s.PerSecond = b.Now, b.Now, 0
			s.Messages++
			s.Bytes += 100
		}
		b.publish()
		if b.View().Content != before {
			t.Errorf("%v: a picture that differs in ages only was drawn", p)
		}
		b.pass(0)
		if b.View().Content == before {
			t.Errorf("%v: the clock did not draw", p)
		}
	}
	b.press("9")
	b.shows("Services", "0:00", "1011") // receives a message on every page
}

func TestNewsIsShownAtOnce(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		change func(*testFloor)
		page   pages.ID
		want   string
	}{
		"record":  {func(f *testFloor) { f.putService(2, model.Call, 77) }, pages.Services, "77"},
		"link":    {func(f *testFloor) { f.Health.Link.State = model.LinkBackoff }, pages.Services, "RETRYING"},
		"reason":  {func(f *testFloor) { f.Health.Link.Reason = "lost once" }, pages.Feed, "lost once"},
		"notice":  {func(f *testFloor) { f.Health.Notice = "Change the password" }, pages.Services, "Change the password"},
		"state":   {func(f *testFloor) { f.Health.Subscription(model.OpServices).State = model.SubSyncing }, pages.Services, "SYNCING"},
		"why":     {func(f *testFloor) { f.Health.Subscription(model.OpServices).Reason = "a gap" }, pages.Feed, "a gap"},
		"clock":   {func(f *testFloor) { f.Health.ClockOffset = time.Hour }, pages.Services, "11:42:17"},
		"version": {func(f *testFloor) { f.Health.Version.Minor = known(9) }, pages.Feed, "1.9.2"},
		"health":  {func(f *testFloor) { f.Health.Server.Status = model.ScalarText("DRAINING") }, pages.Feed, "DRAINING"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBoard(t, 120, 40)
			b.press(strconv.Itoa(int(tt.page) + 1))
			b.hides(tt.want)
			tt.change(b.floor)
			b.publish()
			b.shows(tt.want)
		})
	}
}
