package cli

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"wallboard/internal/config"
	"wallboard/internal/lib/testkit"
)

// TestRecordedShiftIsPlayed records a platform and replays the recording: whole, in part,
// and without names.
func TestRecordedShiftIsPlayed(t *testing.T) {
	t.Parallel()
	dir := testkit.PrivateDir(t)
	fo := platform(t, "--drama=false")
	folder := filepath.Join(dir, "rec")
	live := newTerminal(t, dir, "--config", configFile(t, fmt.Sprintf(
		"[ui]\npage = \"Agents\"\n[rtd]\nurl = %q\nws_url = %q\naccess_token = \"demo-token\"\n[record]\nenabled = true\ndir = %q\n",
		fo.URL, fo.WSURL, folder)))
	live.until("LIVE", isLive)
	name := firstAgent(live)
	someRecorded(t, folder)
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
	hidden := givenAway(t, dir, folder, name)
	playsAgents(t, folder, true)
	playsAgents(t, hidden, false)
}

// someRecorded waits for the first recorded snapshots in a folder.
func someRecorded(t *testing.T, folder string) {
	t.Helper()
	recorded := func() bool {
		code, out, _ := run(t, "record", "cat", folder, "--every", "1s")
		return code == 0 && strings.Count(out, "\n") > 3
	}
	for end := time.Now().Add(patience); !recorded(); {
		if time.Now().After(end) {
			t.Fatal("nothing was recorded")
		}
		<-time.After(200 * time.Millisecond)
	}
}

// givenAway exports a recording without names and returns the file.
func givenAway(t *testing.T, dir, folder, name string) (hidden string) {
	t.Helper()
	hidden = filepath.Join(dir, "hidden.wbr")
	if code, out, errs := run(t, "record", "cut", folder, "--names", "hidden", "--out", hidden); code != 0 || !strings.Contains(out, "names hidden") {
		t.Fatalf("cut: %d\n%s%s", code, out, errs)
	}
	shared := filepath.Join(dir, "shared.wbr")
	if code, out, errs := run(t, "record", "export", folder, "--out", shared); code != 0 || !containsAll(out, []string{"names hidden", "replaced or removed", "agents"}) {
		t.Errorf("export: %d\n%s%s", code, out, errs)
	}
	if _, _, errs := run(t, "record", "cat", folder, "--from", "8h", "--every", "1h"); !strings.Contains(errs, "the recording begins at ") {
		t.Errorf("cat from before it began: %q", errs)
	}
	if _, _, errs := run(t, "alerts", "try", folder, "--since", "8h"); !strings.Contains(errs, "the recording begins at ") {
		t.Errorf("backtest of a time before the recording: %q", errs)
	}
	if code, out, errs := run(t, "record", "ls", folder); code != 0 || !containsAll(out, []string{"FILE", "closed", "full", ".wbr"}) {
		t.Errorf("ls: %d\n%s%s", code, out, errs)
	}
	if err := os.WriteFile(filepath.Join(dir, "other.wbr"), []byte("what is this?"), 0o600); err != nil {
		t.Fatal(err)
	}
	if code, out, _ := run(t, "record", "ls", dir); code != 0 || !containsAll(out, []string{"shared.wbr", "other.wbr", "not a recording"}) {
		t.Errorf("ls of a folder with another file: %d\n%s", code, out)
	}
	castOf(t, folder, name, true)
	castOf(t, shared, name, false)
	visits := new(config.Audit).VisitsPath()
	if _, out, errs := run(t, "audit", "--file", visits, "--about", folder); !strings.Contains(out, "viewer-cut") {
		t.Errorf("the log of visits does not contain the cut:\n%s%s", out, errs)
	}
	if code, _, errs := run(t, "record", "cut", folder, "--out", hidden); code == 0 || !strings.Contains(errs, "exist") {
		t.Errorf("a file that is there: %d, %s", code, errs)
	}
	if _, out, _ := run(t, "record", "cat", hidden); strings.Contains(out, name) || !strings.Contains(out, "Agent") {
		t.Errorf("%s is named, or no agent is", name)
	}
	return hidden
}

// castOf writes a cast, which consists of JSON lines.
func castOf(t *testing.T, path, name string, named bool) {
	t.Helper()
	to := filepath.Join(testkit.PrivateDir(t), "a.cast")
	if code, out, errs := run(t, "record", "cast", path, "--page", "Agents", "--speed", "1", "--out", to); code != 0 || !strings.Contains(out, "frames") {
		t.Fatalf("cast: %d\n%s%s", code, out, errs)
	}
	text, err := os.ReadFile(to)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	var head struct{ Version, Width, Height int }
	if err := json.Unmarshal([]byte(lines[0]), &head); err != nil || head.Version != 2 || head.Width != 120 || head.Height != 40 {
		t.Errorf("%+v, %v", head, err)
	}
	last := -1.0
	for _, line := range lines[1:] {
		var event []any
		if err := json.Unmarshal([]byte(line), &event); err != nil || len(event) != 3 {
			t.Fatalf("%v: %.200s", err, line)
		}
		at, is := event[0].(float64)
		if !is || at < last {
			t.Errorf("%v after %v", event[0], last)
		}
		last = at
	}
	if len(lines) < 3 || strings.Contains(string(text), name) != named {
		t.Errorf("%d lines, named %v is not so: %s", len(lines), named, name)
	}
}

// playsAgents replays a recording whose agents have names or numbers.
func playsAgents(t *testing.T, path string, named bool) {
	t.Helper()
	x := newTerminal(t, testkit.PrivateDir(t), "play", path, "--speed", "0.1", "--at", "8h")
	x.until("where it begins", func(screen string) bool { return strings.Contains(screen, "The recording begins at ") })
	x.until("the recording", func(screen string) bool {
		return strings.Contains(screen, "RECORDING of") && strings.Contains(screen, "feed was live")
	})
	x.press("4")
	x.until("its agents", func(screen string) bool { // wait for a complete page
		return containsAll(screen, []string{"Activity", "● Talking"}) && (named || nameless.MatchString(screen))
	})
	if screen := x.text(); isLive(screen) || nameless.MatchString(screen) == named {
		t.Errorf("played %s:\n%s", path, screen)
	}
	x.press("q")
	x.leaves()
}

// firstAgent returns a word of an agent's name on the page Agents.
func firstAgent(x *testTerminal) (name string) {
	x.until("an agent", func(screen string) bool {
		for line := range strings.Lines(screen) {
			if f := strings.Fields(strings.Trim(line, "│▌ \n")); len(f) > 2 && (strings.Contains(line, "Talking") || strings.Contains(line, "Ready")) && len(f[0]) > 2 {
				name = f[0]
			}
		}
		return name != ""
	})
	return name
}

func TestRecordings(t *testing.T) {
	t.Parallel()
	dir := testkit.PrivateDir(t)
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
		{[]string{"record", "ls", filepath.Join(dir, "none")}, "no such file"},
		{[]string{"record", "export", dir}, "--out is missing"},
		{[]string{"record", "cast", dir}, "--out is missing"},
		{[]string{"record", "cast", dir, "--out", "x", "--size", "wide"}, "want columns and rows"},
		{[]string{"record", "cast", dir, "--out", "x", "--speed", "0"}, "--speed"},
	} {
		if code, out, errs := run(t, c.args...); code == 0 || !strings.Contains(errs, c.want) {
			t.Errorf("%v: %d, %q%q, want %q", c.args, code, out, errs, c.want)
		}
	}
}

// TestBoardWithoutRecording makes recording impossible: the board says so and stays live.
func TestBoardWithoutRecording(t *testing.T) {
	t.Parallel()
	dir := testkit.PrivateDir(t)
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	fo := platform(t, "--drama=false")
	x := newTerminal(t, dir, "--config", configFile(t, fmt.Sprintf(
		"[rtd]\nurl = %q\nws_url = %q\naccess_token = \"demo-token\"\n[record]\nenabled = true\ndir = %q\n", fo.URL, fo.WSURL, file)))
	x.until("why nothing is recorded", func(screen string) bool {
		return isLive(screen) && strings.Contains(screen, "Nothing is being recorded: record to") && strings.Contains(screen, "not a directory")
	})
	x.press("q")
	x.leaves()
}
