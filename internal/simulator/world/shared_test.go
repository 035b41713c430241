package world

import (
	"testing"
	"testing/synctest"
	"time"
)

// TestFrozenClock freezes and resumes a world. Its clock must not go back, and the
// missed changes must be reported.
func TestFrozenClock(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		told := 0
		s := NewLockedWorld(New(Options{Seed: 1, Agents: 60}), func(c *Changes) { told += len(c.Services) })
		began, last := s.Now(), s.Now()
		pass := func(d time.Duration, runs bool) {
			for range d / time.Second {
				time.Sleep(time.Second) //nolint:forbidigo // on a fake clock
				if runs {
					s.Step(time.Second, 0)
				}
				now := s.Now()
				if passed := now.Sub(last); passed != time.Second {
					t.Fatalf("the clock advanced by %v in a second", passed)
				}
				last = now
			}
		}
		for range 3 {
			pass(30*time.Second, true)
			s.SetFrozen(true)
			s.SetFrozen(true)
			told = 0
			pass(2*time.Minute, false)
			if told > 0 {
				t.Error("the frozen world changed")
			}
			s.SetFrozen(false)
			s.SetFrozen(false)
			if told == 0 {
				t.Error("the missed changes were not reported")
			}
		}
		if want := 3 * 150 * time.Second; last.Sub(began) != want {
			t.Errorf("%v passed, want %v", last.Sub(began), want)
		}
	})
}
