package app

import (
	"context"
	"log/slog"
	"net"
	"strconv"
	"time"
)

// Watchdog tells systemd that a board has started and is alive (sd_notify(3), WatchdogSec= of
// systemd.service(5)). It reports only while the board calls RecordHeartbeat. So systemd restarts a
// board that hangs.
type Watchdog struct {
	conn       net.Conn // connection to systemd; nil: there is none
	interval   time.Duration
	log        *slog.Logger
	heartbeats chan struct{}
}

// NewWatchdog returns the watchdog that the environment variables of systemd configure. getenv
// returns the value of a variable.
func NewWatchdog(getenv func(string) string, log *slog.Logger) *Watchdog {
	w := &Watchdog{log: log, heartbeats: make(chan struct{}, 1)}
	path := getenv("NOTIFY_SOCKET")
	if path == "" {
		return w
	}
	conn, err := net.DialUnix("unixgram", nil, &net.UnixAddr{Name: path, Net: "unixgram"})
	if err != nil {
		log.Error("systemd watchdog: cannot connect", "error", err)
		return w
	}
	w.conn = conn
	if usec, err := strconv.ParseInt(getenv("WATCHDOG_USEC"), 10, 64); err == nil && usec > 0 {
		w.interval = time.Duration(usec) * time.Microsecond / 2
	}
	return w
}

// RecordHeartbeat records that the board is alive. It must be called regularly. It never blocks.
func (w *Watchdog) RecordHeartbeat() {
	select {
	case w.heartbeats <- struct{}{}:
	default:
	}
}

// Run tells systemd at the first heartbeat that the board has started, then once per interval with a
// heartbeat that it is alive, and when ctx ends that it stops.
func (w *Watchdog) Run(ctx context.Context) {
	if w.conn == nil {
		return
	}
	defer w.conn.Close() //nolint:errcheck // write-only
	var last time.Time
	for {
		select {
		case <-ctx.Done():
			w.notifySystemd("STOPPING=1")
			return
		case <-w.heartbeats:
		}
		switch now := time.Now(); {
		case last.IsZero():
			w.notifySystemd("READY=1")
			last = now
		case w.interval > 0 && now.Sub(last) >= w.interval:
			w.notifySystemd("WATCHDOG=1")
			last = now
		}
	}
}

func (w *Watchdog) notifySystemd(state string) {
	if _, err := w.conn.Write([]byte(state)); err != nil {
		w.log.Warn("systemd watchdog: cannot notify", "state", state, "error", err)
	}
}
