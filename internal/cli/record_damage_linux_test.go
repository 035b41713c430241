package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"wallboard/internal/lib/testkit"
)

// TestDamagedRecording flips a byte: the commands report what is missing, and a replay
// shows a gap.
func TestDamagedRecording(t *testing.T) {
	t.Parallel()
	dir := testkit.PrivateDir(t)
	from := time.Date(2026, 3, 2, 8, 0, 0, 0, time.Local)
	taped(t, dir, "floor", from, 0)
	paths, err := filepath.Glob(filepath.Join(dir, "*.wbr"))
	if err != nil || len(paths) != 1 {
		t.Fatal(paths, err)
	}
	whole, err := os.ReadFile(paths[0])
	if err != nil {
		t.Fatal(err)
	}
	whole[len(whole)/2] ^= 1
	if err := os.WriteFile(paths[0], whole, 0o600); err != nil {
		t.Fatal(err)
	}
	_, out, errs := run(t, "record", "info", dir)
	line := ""
	for l := range strings.Lines(out) {
		if strings.HasPrefix(l, "damaged between") {
			line = l
		}
	}
	at := strings.Fields(strings.TrimPrefix(line, "damaged between"))
	if len(at) != 5 || at[0] != "2026-03-02" || strings.Count(out, "nothing between") != 1 {
		t.Fatalf("info:\n%s%s", out, errs)
	}
	if code, out, _ := run(t, "record", "ls", dir); code != 0 || !strings.Contains(out, "damaged: see info") {
		t.Errorf("ls: %d\n%s", code, out)
	}
	given := filepath.Join(testkit.PrivateDir(t), "given.wbr")
	for _, args := range [][]string{{"record", "export", dir, "--out", given}, {"record", "cat", dir}} {
		if code, _, errs := run(t, args...); code != 0 || !strings.Contains(errs, "missing: 2026-03-02 "+at[1]+" to "+at[4]+": the recording is damaged") {
			t.Errorf("%v: %d, %s", args, code, errs)
		}
	}
	_, out, _ = run(t, "record", "info", given) // in the export, the damage is a gap
	if !strings.Contains(out, "nothing between  2026-03-02 "+at[1]) || strings.Contains(out, "damaged") {
		t.Errorf("info of what was exported:\n%s", out)
	}
	to, err := time.ParseInLocation(time.DateTime, at[3]+" "+at[4], time.Local)
	if err != nil {
		t.Fatal(err)
	}
	x := newTerminal(t, testkit.PrivateDir(t), "play", dir, "--at", to.Add(-5*time.Second).Format("2006-01-02T15:04:05"), "--speed", "0.1")
	x.until("why nothing is shown", func(screen string) bool {
		return strings.Contains(screen, "the recording is damaged here")
	})
	x.press("q")
	x.leaves()
}
