package cli

import (
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"wallboard/internal/lib/securefile"
	"wallboard/internal/lib/testkit"
)

// TestBoardWaitsForMetricsAndNotifications starts a board while another process uses the address of the
// metrics and sends the notifications. The board says so, and takes over both as soon as it can.
func TestBoardWaitsForMetricsAndNotifications(t *testing.T) {
	t.Parallel()
	s := newScripts(t, nil, quiet(), "[[notify]]\nname = \"desk\"\ncommand = [\"/bin/true\"]\n")
	unlock, err := securefile.HoldLock(filepath.Join(filepath.Dir(s.log), "notify.lock"), 0)
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0") //nolint:noctx // a port of this machine
	if err != nil {
		t.Fatal(err)
	}
	x := newTerminal(t, testkit.PrivateDir(t), "--config", s.config, "--notify", "--metrics", l.Addr().String())
	x.shows("LIVE", "Trying again: metrics cannot be served at "+l.Addr().String())
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	x.shows("LIVE", "Trying again: another process of this machine sends notifications")
	if code, text, _ := request(t, http.MethodGet, "http://"+l.Addr().String()+"/metrics"); code != http.StatusOK || !strings.Contains(text, "wallboard_link_up") {
		t.Errorf("the metrics are %d: %s", code, text)
	}
	unlock()
	x.until("no trouble", func(screen string) bool {
		return strings.Contains(screen, "LIVE") && !strings.Contains(screen, "Trying again")
	})
	if unlock, err := securefile.HoldLock(filepath.Join(filepath.Dir(s.log), "notify.lock"), 0); err == nil {
		unlock()
		t.Error("the board does not hold the lock")
	}
	x.press(ctrlC)
	x.leaves()
	text, err := os.ReadFile(s.log)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`msg="cannot start yet" part=metrics`, "msg=started part=metrics", `msg="cannot start yet" part=notifications`, "msg=started part=notifications"} {
		if !strings.Contains(string(text), want) {
			t.Errorf("the log has no %q", want)
		}
	}
}
