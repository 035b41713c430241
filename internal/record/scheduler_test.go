package record

import (
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// TestTurns runs three goroutines that take turns of 10 ms for three seconds: one at a
// time, a third of the time, and equally often.
func TestTurns(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		turns := NewCPULimiter(nil)
		var all sync.WaitGroup
		var taken [3]int
		end := time.Now().Add(3 * time.Second)
		at := 0 // running turns, guarded by the turns themselves
		for i := range taken {
			all.Go(func() {
				for time.Now().Before(end) {
					done := turns.takeTurn()
					if at++; at != 1 {
						t.Error("two at once")
					}
					time.Sleep(10 * time.Millisecond) //nolint:forbidigo // of a clock that is not real
					at--
					taken[i]++
					done()
					time.Sleep(time.Millisecond) //nolint:forbidigo // the same
				}
			})
		}
		all.Wait()
		if sum := taken[0] + taken[1] + taken[2]; sum < 95 || sum > 103 {
			t.Errorf("%v turns of 10 ms in 3 s", taken)
		}
		for _, n := range taken {
			if n < 30 {
				t.Errorf("%v turns", taken)
			}
		}
	})
}

// TestTurnsGiveWay checks that no turn begins while boards are drawn, here in the first
// third of each second, and that all turns come.
func TestTurnsGiveWay(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		const drawn = 300 * time.Millisecond
		turns := NewCPULimiter(func(now time.Time) time.Duration {
			return max(drawn-now.Sub(now.Truncate(time.Second)), 0)
		})
		taken := 0
		for end := time.Now().Add(3 * time.Second); time.Now().Before(end); taken++ {
			done := turns.takeTurn()
			if in := time.Since(time.Now().Truncate(time.Second)); in < drawn {
				t.Errorf("a turn began %v after the full second", in)
			}
			time.Sleep(10 * time.Millisecond) //nolint:forbidigo // of a clock that is not real
			done()
		}
		if taken < 3*700/30 {
			t.Errorf("%d turns of 10 ms in 3 s", taken)
		}
	})
}
