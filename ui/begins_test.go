package ui

import (
	"slices"
	"strings"
	"testing"
	"time"

	"wallboard/model"
)

// TestFirstSecondStandsStill opens a board like the demo: the connection, the subscriptions
// and the figures arrive one after another. No line may move, and alerts of that time are
// no news.
func TestFirstSecondStandsStill(t *testing.T) {
	t.Parallel()
	for name, size := range map[string][2]int{"80": {80, 24}, "120": {120, 40}, "160": {160, 45}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			whole := newTestFloor(30)
			start := startTime()
			f := newFloorAt(start, model.Health{})
			f.Health = liveHealth(start)
			f.Health.Link.Since, f.Health.Link.Reconnects = start, 0
			subs := f.Health.Subscriptions
			became := func(s model.SubState, n int) {
				for i := range subs[:n] {
					subs[i].State, subs[i].Since, subs[i].LastData, subs[i].VerifiedAt = s, start, time.Time{}, time.Time{}
					if subs[i].Records = 0; s == model.SubLive {
						subs[i].Records, subs[i].LastData = 10, start
					}
				}
			}
			f.Health.Link.State = model.LinkConnecting
			became(model.SubConnecting, len(subs))
			b := newBoardOn(t, f, size[0], size[1])
			frames := []string{b.text()}
			next := func() {
				b.Now = b.Now.Add(200 * time.Millisecond)
				b.publish()
				b.pass(0)
				frames = append(frames, b.text())
			}
			next()
			f.Health.Link.State = model.LinkUp
			became(model.SubSyncing, len(subs))
			next()
			for _, r := range whole.Campaigns.Rows() {
				f.Campaigns.Put(r)
			}
			last := &subs[len(subs)-1]
			last.State, last.Records, last.LastData = model.SubLive, 3, start
			next()
			whole.Health = f.Health
			became(model.SubLive, len(subs))
			b.floor = whole
			next()
			for range 5 {
				next()
			}
			heads := func(frame string) (out []int) {
				for y, l := range strings.Split(frame, "\n") {
					if strings.HasPrefix(l, "─ ") || strings.HasPrefix(l, "━ ") || strings.Contains(l, "╭ Waiting") || strings.HasPrefix(l, "╭ Overview") {
						out = append(out, y)
					}
				}
				return out
			}
			want := heads(frames[len(frames)-1])
			for i, frame := range frames {
				// The last table takes the remaining lines.
				if got := heads(frame); len(got) != len(want) || !slices.Equal(got[:len(got)-1], want[:len(want)-1]) {
					t.Errorf("frame %d has its parts at %v, the last frame at %v:\n%s", i, got, want, frame)
				}
				if foot := frame[strings.LastIndex(frame, "\n")+1:]; !strings.Contains(foot, "? help") {
					t.Errorf("frame %d shows a situation from before the start: %q", i, foot)
				}
				if strings.Contains(frame, "NO DATA") && i > 0 {
					t.Errorf("frame %d has a banner:\n%s", i, frame)
				}
			}
		})
	}
}

// TestLongStartIsSaid checks the banner if the first figures do not arrive.
func TestLongStartIsSaid(t *testing.T) {
	t.Parallel()
	f := newFloorAt(startTime(), model.Health{})
	f.Health = liveHealth(startTime())
	f.Health.Link.Since, f.Health.Link.Reconnects = startTime(), 0
	for i := range f.Health.Subscriptions {
		s := &f.Health.Subscriptions[i]
		s.State, s.Records, s.LastData, s.VerifiedAt = model.SubSyncing, 0, time.Time{}, time.Time{}
	}
	b := newBoardOn(t, f, 120, 40)
	b.hides("NO DATA YET")
	b.Now = b.Now.Add(11 * time.Second)
	b.publish()
	b.pass(0)
	b.shows("NO DATA YET")
}

// TestLongLoginIsSaid checks that the banner names what is being tried, and what failed before, if a
// login takes long.
func TestLongLoginIsSaid(t *testing.T) {
	t.Parallel()
	f := newFloorAt(startTime(), model.Health{})
	f.Health.Link = model.Link{State: model.LinkConnecting, Since: startTime(), Trying: "logging in with the password; before this: timeout"}
	b := newBoardOn(t, f, 120, 40)
	b.hides("NO DATA YET")
	b.Now = b.Now.Add(14 * time.Second)
	b.publish()
	b.pass(0)
	b.shows("NO DATA YET · connecting for 0:14: logging in with the password; before this: timeout")
}
