package graphql

import (
	"context"
	"net"
	"testing"
	"testing/synctest"
	"time"
)

// TestPacedReads checks that a session reads data that arrives in quick succession together, at the end
// of an interval, and that data after a silence is read at once.
func TestPacedReads(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		near, far := net.Pipe()
		c := &Conn{}
		c.ctx, c.cancel = context.WithCancelCause(t.Context())
		limited := &limitedConn{Conn: near, pause: c.pauseReading}
		limited.removeLimit()
		c.PaceReads(true)
		began := time.Now() // a full second
		var at []time.Duration
		done := make(chan struct{})
		go func() {
			defer close(done)
			for buf := make([]byte, 10); ; {
				if _, err := limited.Read(buf); err != nil {
					return
				}
				at = append(at, time.Since(began))
			}
		}()
		write := func(after time.Duration) {
			<-time.After(after)
			_, _ = far.Write([]byte("x"))
		}
		write(50 * time.Millisecond)
		write(10 * time.Millisecond)
		write(time.Second - time.Since(began))
		c.PaceReads(false)
		_ = far.Close()
		<-done
		want := []time.Duration{50 * time.Millisecond, 180 * time.Millisecond, time.Second}
		if len(at) != len(want) || at[0] != want[0] || at[1] != want[1] || at[2] != want[2] {
			t.Errorf("reads after %v, want %v", at, want)
		}
	})
}

// TestPauseEndsWithTheSession checks that a session that waits for its next read ends at once.
func TestPauseEndsWithTheSession(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := &Conn{}
		c.ctx, c.cancel = context.WithCancelCause(t.Context())
		c.PaceReads(true)
		began := time.Now()
		c.Abort(ErrClosed)
		if c.pauseReading(); time.Since(began) > 0 {
			t.Errorf("the pause took %v", time.Since(began))
		}
	})
}

// TestNoPauseAfterFailedWrite checks that the reader looks for the server's close frame at once.
func TestNoPauseAfterFailedWrite(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := &Conn{}
		c.ctx, c.cancel = context.WithCancelCause(t.Context())
		c.PaceReads(true)
		err := net.ErrClosed
		c.writeErr.Store(&err)
		began := time.Now()
		if c.pauseReading(); time.Since(began) > 0 {
			t.Errorf("the pause took %v", time.Since(began))
		}
	})
}
