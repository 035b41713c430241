package kiosk

import (
	"testing"
	"time"

	"wallboard/internal/alert"
	"wallboard/internal/alert/situation"
)

// TestCalm checks that the calm time begins when the kiosk starts, and again after a situation and after
// a pause.
func TestCalm(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)
	good, day := &situation.View{AllOnTarget: true}, &situation.View{}
	trouble := &situation.View{Live: []situation.Situation{{Level: alert.Critical}}}
	var c allClearTracker
	pass := func(v *situation.View, d time.Duration) {
		for end := now.Add(d); now.Before(end); now = now.Add(time.Second) {
			c.observe(v, now)
		}
		now = now.Add(-time.Second)
	}
	check := func(what string, onTarget, isClear time.Duration) {
		t.Helper()
		if got := c.duration(true, now).Round(5 * time.Second); got != onTarget {
			t.Errorf("%s: on target for %v, want %v", what, got, onTarget)
		}
		if got := c.duration(false, now).Round(5 * time.Second); got != isClear {
			t.Errorf("%s: clear for %v, want %v", what, got, isClear)
		}
	}
	pass(good, 10*time.Minute)
	check("ten good minutes", 10*time.Minute, 10*time.Minute)
	pass(day, 10*time.Minute)
	check("a day off target", 0, 20*time.Minute)
	pass(trouble, time.Minute)
	check("trouble", 0, 0)
	pass(good, 4*time.Minute)
	check("after it", 4*time.Minute, 4*time.Minute)
	now = now.Add(time.Hour) // the machine slept
	pass(good, 2*time.Minute)
	check("after a pause", 2*time.Minute, 2*time.Minute)
	pass(&situation.View{FiguresUnknown: true}, time.Second)
	check("nothing is known", 0, 0)
}
