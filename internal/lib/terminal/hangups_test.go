package terminal

import (
	"testing"
	"testing/synctest"
	"time"
)

// TestHangUpDuringTheStart checks that a SIGHUP is not lost that arrives before its handlers
// are registered, and that later handlers do not repeat it.
func TestHangUpDuringTheStart(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := &Hangups{}
		defer h.MarkService()()
		handled := 0
		handler := func() bool { handled++; return true }
		h.AddHandler(handler)()
		if !h.callHandlers() || handled != 0 {
			t.Fatalf("a removed handler was called %d times, or the service ends", handled)
		}
		stop := h.AddHandler(handler)
		if handled != 1 {
			t.Errorf("a handler of the start was called %d times, want once", handled)
		}
		stop()
		<-time.After(2 * maxStartTime)
		h.AddHandler(handler)()
		if handled != 1 {
			t.Errorf("a later handler was called: %d calls, want 1", handled)
		}
	})
}
