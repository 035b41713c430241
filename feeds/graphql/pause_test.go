package graphql

import (
	"context"
	"net"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// TestPacedReads checks that a session reads data that arrives in quick succession once per frame, or
// more often if much data arrives, that data after a silence is read at once, and that the end of the
// pace ends the pause.
func TestPacedReads(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		near, far := net.Pipe()
		c := &Conn{endPause: make(chan struct{}, 1)}
		c.ctx, c.cancel = context.WithCancelCause(t.Context())
		limited := &limitedConn{Conn: near, pause: c.pauseReading}
		limited.removeLimit()
		c.PaceReads(time.Second)
		began := time.Now() // a full second
		var at []time.Duration
		done := make(chan struct{})
		go func() {
			defer close(done)
			for buf := make([]byte, 2*readBufferSize); ; {
				if _, err := limited.Read(buf); err != nil {
					return
				}
				at = append(at, time.Since(began))
			}
		}()
		write := func(after time.Duration, data string) {
			<-time.After(after - time.Since(began))
			_, _ = far.Write([]byte(data))
		}
		write(50*time.Millisecond, "x")
		write(60*time.Millisecond, "x")
		write(1500*time.Millisecond, strings.Repeat("x", readBufferSize+1))
		write(2*time.Second, "x")
		time.AfterFunc(2600*time.Millisecond-time.Since(began), func() { c.PaceReads(0) })
		write(2500*time.Millisecond, "x")
		_ = far.Close()
		<-done
		ms := time.Millisecond
		want := []time.Duration{50 * ms, 930 * ms, 1930 * ms, 2180 * ms, 2600 * ms}
		if !slices.Equal(at, want) {
			t.Errorf("reads after %v, want %v", at, want)
		}
	})
}

// TestPauseEndsWithTheSession checks that a session that waits for its next read ends at once.
func TestPauseEndsWithTheSession(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := &Conn{endPause: make(chan struct{}, 1)}
		c.ctx, c.cancel = context.WithCancelCause(t.Context())
		c.PaceReads(time.Second)
		began := time.Now()
		c.Abort(ErrClosed)
		if c.pauseReading(1); time.Since(began) > 0 {
			t.Errorf("the pause took %v", time.Since(began))
		}
	})
}

// TestNoPauseAfterFailedWrite checks that the reader looks for the server's close frame at once.
func TestNoPauseAfterFailedWrite(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := &Conn{endPause: make(chan struct{}, 1)}
		c.ctx, c.cancel = context.WithCancelCause(t.Context())
		c.PaceReads(time.Second)
		err := net.ErrClosed
		c.writeErr.Store(&err)
		began := time.Now()
		if c.pauseReading(1); time.Since(began) > 0 {
			t.Errorf("the pause took %v", time.Since(began))
		}
	})
}
