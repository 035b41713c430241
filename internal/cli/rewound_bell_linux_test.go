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

// TestLiveAlarmRingsWhileRewound checks that a live alert rings and is announced during a
// replay.
func TestLiveAlarmRingsWhileRewound(t *testing.T) {
	t.Parallel()
	dir := testkit.PrivateDir(t)
	folder := filepath.Join(dir, "rec")
	fo := platform(t, "--drama=false")
	x := newTerminal(t, dir, "--config", configFile(t, fmt.Sprintf(
		"[rtd]\nurl = %q\nws_url = %q\naccess_token = \"demo-token\"\n[record]\nenabled = true\ndir = %q\n%s\n"+
			"[[alert]]\nname = \"rings\"\nwhen = \"loggedUsers >= 0\"\nseverity = \"critical\"\nfor = \"20s\"\nbell = true\nmessage = \"it rings\"\n",
		fo.URL, fo.WSURL, folder, quiet())))
	bells := func() int {
		x.mu.Lock()
		defer x.mu.Unlock()
		return bytes.Count(titles.ReplaceAll(x.output.Bytes(), nil), []byte{7})
	}
	x.until("LIVE", isLive)
	someRecorded(t, folder)
	x.press("Z")
	x.until("what was", func(screen string) bool { return strings.Contains(screen, "REWOUND") })
	if n := bells(); n != 0 {
		t.Fatalf("%d bells before", n)
	}
	x.until("what began", func(screen string) bool {
		return strings.Contains(screen, "Now: ▲") && strings.Contains(screen, "REWOUND") && bells() > 0
	})
	x.press("Z")
	x.until("LIVE again", isLive)
	x.press("q")
	x.leaves()
}
