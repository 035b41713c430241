package cli

import (
	"encoding/csv"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"wallboard/internal/lib/testkit"
)

// right is the input of the right arrow key.
const right = "\x1b[C"

// TestHistoryOnATerminal uses the page History of the whole program: today, another day, a
// search, the steps of a call, an export, and a slow search that is canceled.
func TestHistoryOnATerminal(t *testing.T) {
	t.Parallel()
	s := newScripts(t, nil, "[ui]\ntheme = \"dark\"\n")
	dir := testkit.PrivateDir(t)
	if err := os.Mkdir(filepath.Join(dir, "Downloads"), 0o700); err != nil {
		t.Fatal(err)
	}
	x := newTerminal(t, dir, "--config", s.config)
	x.shows("LIVE")
	x.press("8")
	x.shows("Today, ", "Inbound calls", "Chats", "typical (median)")
	x.press(",")
	x.until("another day", func(s string) bool { return strings.Contains(s, "typical (median)") && !strings.Contains(s, "Today, ") })

	x.press("v", "v", "v")
	x.shows("Press / to search.")
	x.press("/")
	x.shows("Search past contacts")
	x.press(ctrlS)
	x.shows("Inbound calls · ", "Began", "enter steps")
	x.press("e")
	x.shows("Saved as " + filepath.Join(dir, "Downloads", "history-inbound-calls"))
	files, err := filepath.Glob(filepath.Join(dir, "Downloads", "*.csv"))
	if err != nil || len(files) != 1 {
		t.Fatalf("exported as %v: %v", files, err)
	}
	steps := stepsOf(t, files[0])

	x.press(enter)
	x.shows("inbound call", "step", "ended")
	x.until("a call of the export", func(screen string) bool {
		for id, n := range steps {
			if strings.Contains(screen, id) {
				return strings.Count(screen, ":") > 2*n
			}
		}
		return false
	})
	x.press(esc)
	x.shows("Began", "enter steps")

	s.srv.Statistics().DelayAnswers(time.Hour)
	x.press("/")
	x.shows("Search past contacts")
	x.press(right, ctrlS) // outbound calls
	x.shows("Asking the platform", "esc cancels", "LIVE")
	x.press("1")
	x.shows("Waiting", "Service level", "LIVE")
	x.press("8")
	x.shows("Canceled before there was an answer.")
	x.press("r")
	x.shows("Asking the platform", "esc cancels")
	x.press(esc)
	x.shows("Canceled before there was an answer.")
	s.srv.Statistics().DelayAnswers(0)
	x.press("r")
	x.shows("Outbound calls · ", "Began", "enter steps")
	x.press("q")
	x.leaves()
}

// stepsOf returns the number of steps of each call in an export.
func stepsOf(t *testing.T, path string) map[string]int {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close() //nolint:errcheck // only read from
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil || len(rows) < 2 || strings.Join(rows[0], ",") != "id,step,start,end,seconds" {
		t.Fatalf("%s is not an export of calls: %v, %.3q", path, err, rows)
	}
	steps := make(map[string]int)
	for _, row := range rows[1:] {
		steps[row[0]]++
	}
	return steps
}
