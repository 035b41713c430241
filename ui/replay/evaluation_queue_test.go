package replay

import (
	"context"
	"slices"
	"testing"
	"testing/synctest"
)

// TestQueue checks that urgent requests come first, even before charts that are being computed, and that
// canceled requests are skipped.
func TestQueue(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		q := NewQueue(nil)
		var order []string
		done := make(chan string, 10)
		ends := make(map[string]context.CancelFunc)
		wait := func(name string, enter func(context.Context) *QueueTurn) {
			ctx, cancel := context.WithCancel(t.Context())
			ends[name] = cancel
			go func() {
				turn := enter(ctx)
				if turn == nil {
					done <- name + " left"
					return
				}
				done <- name
				turn.Release()
				turn.Release() // a second call must not release the turn of another request
			}()
			synctest.Wait()
		}
		running := q.WaitCharts(t.Context())
		wait("chart 1", q.WaitCharts)
		wait("chart 2", q.WaitCharts)
		wait("jump 1", q.WaitUrgent)
		wait("jump 2", q.WaitUrgent)
		wait("jump 3", q.WaitUrgent)
		ends["jump 2"]()
		ends["chart 1"]()
		synctest.Wait()
		if !running.Yield() {
			t.Error("it has not ended")
		}
		done <- "charts go on"
		if !running.Yield() {
			t.Error("it has not ended")
		}
		running.Release()
		synctest.Wait()
		for range len(done) {
			order = append(order, <-done)
		}
		left := []string{"chart 1 left", "jump 2 left"}
		slices.Sort(order[:2])
		if want := append(left, "jump 1", "jump 3", "charts go on", "chart 2"); !slices.Equal(order, want) {
			t.Errorf("%q, want %q", order, want)
		}
		if q.busy || len(q.urgent)+len(q.charts) > 0 {
			t.Error("a request is still in the queue")
		}
	})
}

// TestQueueLeftWhileGivingWay cancels charts that have yielded their turn. The other request keeps the
// turn, which is free afterwards.
func TestQueueLeftWhileGivingWay(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		q := NewQueue(nil)
		ctx, cancel := context.WithCancel(t.Context())
		charts := q.WaitCharts(ctx)
		var jump *QueueTurn
		go func() { jump = q.WaitUrgent(t.Context()) }()
		synctest.Wait()
		went := true
		go func() { went = charts.Yield(); charts.Release() }()
		synctest.Wait()
		cancel()
		synctest.Wait()
		if went || jump == nil || !q.busy {
			t.Fatalf("went on %v, jumped %v, busy %v", went, jump != nil, q.busy)
		}
		if jump.Release(); q.busy {
			t.Error("a request still has the turn")
		}
		var none *EvaluationQueue
		if turn := none.WaitCharts(ctx); turn == nil || turn.Yield() {
			t.Error("without others there is a queue, or it goes on although it was called off")
		}
	})
}
