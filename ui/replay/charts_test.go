package replay

import (
	"iter"
	"testing"
	"testing/synctest"
	"time"

	"wallboard/internal/alert/situation"
	"wallboard/model"
)

// minutes is a recording with one snapshot per step.
type minutes struct {
	Player
	turn chan struct{}
}

func (f minutes) SampledSnapshots(from, to time.Time, step time.Duration, _ ...model.Op) iter.Seq2[*model.Snapshot, error] {
	return func(yield func(*model.Snapshot, error) bool) {
		for at := from; !at.After(to); at = at.Add(step) {
			f.turn <- struct{}{}
			more := yield(&model.Snapshot{At: at}, nil)
			if <-f.turn; !more {
				return
			}
		}
	}
}

// TestChartsGiveWay checks that a jump does not wait for another viewer's charts, and that the snapshots
// for these charts are neither skipped nor repeated.
func TestChartsGiveWay(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		queue, film := NewQueue(nil), minutes{turn: make(chan struct{}, 1)}
		at := time.Date(2026, 3, 2, 14, 0, 0, 0, time.UTC)
		part := situation.EarlyPart(at)
		turn := queue.WaitCharts(t.Context())
		seen, jumped, next := 0, -1, part.From
		for s := range yieldingSnapshots(turn, film, part) {
			if seen++; !s.At.Equal(next) {
				t.Fatalf("the picture of %v, want that of %v", s.At, next)
			}
			if next = s.At.Add(part.Step); seen == 50 {
				go func() {
					defer queue.WaitUrgent(t.Context()).Release()
					film.turn <- struct{}{} // the jump also reads the recording
					jumped = seen
					<-film.turn
				}()
				synctest.Wait()
			}
		}
		turn.Release()
		if !next.Equal(part.To.Add(part.Step)) || jumped < 50 || jumped > 50+chartBatch {
			t.Errorf("up to %v, the viewer jumped after %d snapshots", next, jumped)
		}
	})
}
