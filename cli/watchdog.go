package cli

import (
	"context"
	"log/slog"
	"net"
	"strconv"
	"time"
)

// watchdog tells systemd that a board is up, and again and again that it is
// alive (sd_notify(3), WatchdogSec= of systemd.service(5)). It speaks only when
// it has heard from the board, so that one that hangs is started anew.
type watchdog struct {
	conn  net.Conn // nil: nobody listens
	every time.Duration
	log   *slog.Logger
	beats chan struct{}
}

// newWatchdog returns the one that the environment asks for.
func newWatchdog(getenv func(string) string, log *slog.Logger) *watchdog {
	w := &watchdog{log: log, beats: make(chan struct{}, 1)}
	path := getenv("NOTIFY_SOCKET")
	if path == "" {
		return w
	}
	conn, err := net.DialUnix("unixgram", nil, &net.UnixAddr{Name: path, Net: "unixgram"})
	if err != nil {
		log.Error("systemd cannot be told that the board is alive", "error", err)
		return w
	}
	w.conn = conn
	if usec, err := strconv.ParseInt(getenv("WATCHDOG_USEC"), 10, 64); err == nil && usec > 0 {
		w.every = time.Duration(usec) * time.Microsecond / 2
	}
	return w
}

// beat notes that the board is alive. It never waits.
func (w *watchdog) beat() {
	select {
	case w.beats <- struct{}{}:
	default:
	}
}

// run passes beats on until the context ends.
func (w *watchdog) run(ctx context.Context) {
	if w.conn == nil {
		return
	}
	defer w.conn.Close() //nolint:errcheck // nothing is read from it
	var last time.Time
	for {
		select {
		case <-ctx.Done():
			w.say("STOPPING=1")
			return
		case <-w.beats:
		}
		switch now := time.Now(); {
		case last.IsZero():
			w.say("READY=1")
			last = now
		case w.every > 0 && now.Sub(last) >= w.every:
			w.say("WATCHDOG=1")
			last = now
		}
	}
}

func (w *watchdog) say(state string) {
	if _, err := w.conn.Write([]byte(state)); err != nil {
		w.log.Warn("systemd cannot be told of the board", "state", state, "error", err)
	}
}
