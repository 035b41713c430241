package cli

import (
	"bytes"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"wallboard/internal/lib/testkit"
)

// titles matches sequences that set a title, whose terminator is not a bell.
var titles = regexp.MustCompile("\x1b\\][^\x07\x1b]*(\x07|\x1b\\\\)")

// TestLiveAlarmRingsWhileRewound checks that a live alert rings and is announced during a replay. On a
// slow machine the test is repeated with an alert that begins later.
func TestLiveAlarmRingsWhileRewound(t *testing.T) {
	t.Parallel()
	for _, after := range []string{"20s", "50s"} {
		if ringsWhileRewound(t, after) {
			return
		}
	}
	t.Error("the alert always began before the board was rewound")
}

// ringsWhileRewound rewinds a board before a live alert begins. It returns false if the alert
// began too early.
func ringsWhileRewound(t *testing.T, after string) bool {
	t.Helper()
	dir := testkit.PrivateDir(t)
	folder := filepath.Join(dir, "rec")
	fo := platform(t, "--drama=false")
	x := newTerminal(t, dir, "--config", configFile(t, fmt.Sprintf(
		"[rtd]\nurl = %q\nws_url = %q\naccess_token = \"demo-token\"\n[record]\nenabled = true\ndir = %q\n%s\n"+
			"[[alert]]\nname = \"rings\"\nwhen = \"loggedUsers >= 0\"\nseverity = \"critical\"\nfor = %q\nbell = true\nmessage = \"it rings\"\n",
		fo.URL, fo.WSURL, folder, quiet(), after)))
	bells := func() int {
		x.mu.Lock()
		defer x.mu.Unlock()
		return bytes.Count(titles.ReplaceAll(x.output.Bytes(), nil), []byte{7})
	}
	x.until("LIVE", isLive)
	someRecorded(t, folder)
	x.press("Z")
	x.until("what was", func(screen string) bool { return strings.Contains(screen, "REWOUND") })
	inTime := bells() == 0
	if inTime {
		x.until("what began", func(screen string) bool {
			return strings.Contains(screen, "Now: ▲") && strings.Contains(screen, "REWOUND") && bells() > 0
		})
	}
	x.press("Z")
	x.until("LIVE again", isLive)
	x.press("q")
	x.leaves()
	return inTime
}
