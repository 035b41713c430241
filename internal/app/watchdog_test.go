package app

import (
	"context"
	"log/slog"
	"net"
	"path/filepath"
	"testing"
	"time"

	"wallboard/internal/lib/testkit"
)

// TestWatchdogSpeaksOnlyWhenTheBoardBeats checks that the watchdog reports a board as ready at its first
// beat, and then reports that it is alive. Without beats it reports nothing except the end.
func TestWatchdogSpeaksOnlyWhenTheBoardBeats(t *testing.T) {
	t.Parallel()
	path := filepath.Join(testkit.PrivateDir(t), "notify")
	systemd, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: path, Net: "unixgram"})
	if err != nil {
		t.Skip(err)
	}
	defer systemd.Close() //nolint:errcheck // nothing is written to it
	env := map[string]string{"NOTIFY_SOCKET": path, "WATCHDOG_USEC": "2000"}
	w := NewWatchdog(func(name string) string { return env[name] }, slog.New(slog.DiscardHandler))
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() { defer close(done); w.Run(ctx) }()
	hears := func(want string) {
		t.Helper()
		buf := make([]byte, 64)
		_ = systemd.SetReadDeadline(time.Now().Add(patienceForSystemd))
		n, err := systemd.Read(buf)
		if got := string(buf[:n]); err != nil || got != want {
			t.Fatalf("systemd hears %q, want %q: %v", got, want, err)
		}
	}
	w.RecordHeartbeat()
	hears("READY=1")
	<-time.After(2 * time.Millisecond)
	w.RecordHeartbeat()
	hears("WATCHDOG=1")
	stop() // without a beat only the end is reported
	hears("STOPPING=1")
	<-done
}

const patienceForSystemd = 30 * time.Second
