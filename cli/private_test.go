//go:build unix

package cli

import (
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"
	"time"

	"wallboard/alert"
	"wallboard/alert/alertfile"
	"wallboard/config"
	"wallboard/internal/flock"
	"wallboard/internal/private"
)

// TestLogFollowsNoLink has somebody put a link where the log is to be: nothing is
// written through it.
func TestLogFollowsNoLink(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	victim := filepath.Join(dir, "victim")
	if err := os.WriteFile(victim, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	at := filepath.Join(dir, "log")
	if err := os.Symlink(victim, at); err != nil {
		t.Fatal(err)
	}
	c := config.Default()
	c.Log.File = at
	b := &board{}
	if _, _, err := b.openLog(&c, new(slog.LevelVar)); err == nil {
		t.Error("the log follows a link")
	}
	if f, _ := os.ReadFile(victim); string(f) != "mine" {
		t.Errorf("the file that it leads to is %q", f)
	}
	if _, err := flock.Hold(at, 0); err == nil {
		t.Error("a lock follows a link")
	}
}

// TestOpenFoldersAreClosed has a folder of ours open to all: it is closed, and
// with a link in its place nothing is kept.
func TestOpenFoldersAreClosed(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	own := filepath.Join(dir, "wallboard")
	if err := os.Mkdir(own, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(own, 0o777); err != nil {
		t.Fatal(err)
	}
	f := alertfile.New(filepath.Join(own, "alerts.jsonl"), slog.New(slog.DiscardHandler))
	if err := f.Add([]alert.Alert{taken(openAlert("1", "S1", 1), "Anna", 2)}); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(own); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("the folder is %v %v", info.Mode(), err)
	}
	linked := filepath.Join(dir, "linked")
	if err := os.Symlink(own, linked); err != nil {
		t.Fatal(err)
	}
	if _, err := private.Folder(linked); err == nil {
		t.Error("a link is taken for a folder of ours")
	}
	if err := private.Replace(filepath.Join(linked, "x"), nil); err == nil {
		t.Error("it is written through a link")
	}
}

// TestMetricsKnowTheirHost has a page of the web, whose name was turned to this
// machine, ask for the figures.
func TestMetricsKnowTheirHost(t *testing.T) {
	t.Parallel()
	own, _ := os.Hostname()
	h := knownHosts("wall.example:9464", http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "figures") }))
	for host, want := range map[string]int{
		"127.0.0.1:9464": 200, "[::1]:9464": 200, "10.0.0.7": 200, "localhost:9464": 200, "LOCALHOST": 200, "wall.example:9464": 200, own: 200,
		"evil.example:9464": 421, "localhost.evil.example": 421, "127.0.0.1.evil.example": 421, "": 421, "x@127.0.0.1": 421,
	} {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/metrics", nil)
		r.Host = host
		w := httptest.NewRecorder()
		if h.ServeHTTP(w, r); w.Code != want {
			t.Errorf("%q is answered with %d, want %d", host, w.Code, want)
		}
	}
}

// TestMetricsBoundConnections opens more connections than there is room for.
func TestMetricsBoundConnections(t *testing.T) {
	t.Parallel()
	l, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	g := newGate(l)
	accepted, done := make(chan net.Conn, 2*mostScrapers), make(chan struct{})
	go func() {
		defer close(done)
		for {
			c, err := g.Accept()
			if err != nil {
				return
			}
			accepted <- c
		}
	}()
	for range mostScrapers + 4 {
		c, err := net.Dial("tcp", l.Addr().String()) //nolint:noctx // to this machine
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close() //nolint:errcheck // of a test
	}
	var first net.Conn
	for range mostScrapers {
		first = <-accepted
	}
	select {
	case <-accepted:
		t.Error("there is no bound")
	case <-time.After(100 * time.Millisecond):
	}
	_ = first.Close()
	_ = first.Close() // twice makes no room for two
	<-accepted
	if err := g.Close(); err != nil {
		t.Error(err)
	}
	<-done
}
