package cli

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestRecordedShiftIsPlayed has a board record a platform, and plays what it
// recorded: whole, a part, and a part that names nobody.
func TestRecordedShiftIsPlayed(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	fo := platform(t, "--drama=false")
	folder := filepath.Join(dir, "rec")
	live := newTerminal(t, dir, "--config", configFile(t, fmt.Sprintf(
		"[ui]\npage = \"Agents\"\n[rtd]\nurl = %q\nws_url = %q\naccess_token = \"demo-token\"\n[record]\nenabled = true\ndir = %q\n",
		fo.URL, fo.WSURL, folder)))
	live.until("LIVE", isLive)
	name := firstAgent(live)
	recorded := func() bool {
		code, out, _ := run(t, "record", "cat", folder, "--every", "1s")
		return code == 0 && strings.Count(out, "\n") > 3
	}
	for end := time.Now().Add(30 * time.Second); !recorded(); {
		if time.Now().After(end) {
			t.Fatal("nothing was recorded")
		}
		<-time.After(200 * time.Millisecond)
	}
	if code, out, errs := run(t, "record", "info", folder); code != 0 || !strings.Contains(out, "not closed") {
		t.Errorf("info while it is written: %d\n%s%s", code, out, errs)
	}
	live.press("Z")
	live.until("what was", func(screen string) bool { return strings.Contains(screen, "REWOUND") && strings.Contains(screen, name) })
	live.press("Z")
	live.until("LIVE again", isLive)
	live.press("q")
	live.leaves()
	if code, out, errs := run(t, "record", "info", folder); code != 0 || strings.Contains(out, "not closed") || !strings.Contains(out, "names full") {
		t.Errorf("info: %d\n%s%s", code, out, errs)
	}
	hidden := filepath.Join(dir, "hidden.wbr")
	if code, out, errs := run(t, "record", "cut", folder, "--names", "hidden", "--out", hidden); code != 0 || !strings.Contains(out, "names hidden") {
		t.Fatalf("cut: %d\n%s%s", code, out, errs)
	}
	if code, _, errs := run(t, "record", "cut", folder, "--out", hidden); code == 0 || !strings.Contains(errs, "exist") {
		t.Errorf("a file that is there: %d, %s", code, errs)
	}
	if _, out, _ := run(t, "record", "cat", hidden); strings.Contains(out, name) || !strings.Contains(out, "Agent") {
		t.Errorf("%s is named, or nobody", name)
	}
	playsAgents(t, folder, true)
	playsAgents(t, hidden, false)
}

// playsAgents plays a recording, whose agents have names or numbers.
func playsAgents(t *testing.T, path string, named bool) {
	t.Helper()
	x := newTerminal(t, t.TempDir(), "play", path, "--speed", "0.1")
	x.until("the recording", func(screen string) bool {
		return strings.Contains(screen, "RECORDING of") && strings.Contains(screen, "feed was live")
	})
	x.press("4")
	x.until("its agents", func(screen string) bool { return containsAll(screen, []string{"Activity", "● Talking"}) })
	if screen := x.text(); isLive(screen) || strings.Contains(screen, "Agent 1") == named {
		t.Errorf("played %s:\n%s", path, screen)
	}
	x.press("q")
	x.leaves()
}

// firstAgent returns a word of the name of an agent on the page Agents.
func firstAgent(x *terminal) (name string) {
	x.until("an agent", func(screen string) bool {
		for line := range strings.Lines(screen) {
			if f := strings.Fields(line); len(f) > 2 && (strings.Contains(line, "Talking") || strings.Contains(line, "Ready")) && len(f[0]) > 2 {
				name = f[0]
			}
		}
		return name != ""
	})
	return name
}

func TestRecordings(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"record", "info", filepath.Join(dir, "none")}, "no such file"},
		{[]string{"record", "info", dir}, "file does not exist"},
		{[]string{"play", configFile(t, "[ui]\n")}, "not a recording"},
		{[]string{"play", dir, "--speed", "0"}, "--speed"},
		{[]string{"record", "cut", dir}, "--out is missing"},
		{[]string{"record", "cut", dir, "--out", "x", "--names", "some"}, "want full, initials or hidden"},
		{[]string{"record", "cat", dir, "--every", "0s"}, "--every"},
	} {
		if code, out, errs := run(t, c.args...); code == 0 || !strings.Contains(errs, c.want) {
			t.Errorf("%v: %d, %q%q, want %q", c.args, code, out, errs, c.want)
		}
	}
}
