package statefile

import (
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"wallboard/internal/lib/testkit"
)

// TestUnreadableFileIsLoggedOnce checks that a file of notes or snoozes that stays unreadable is
// logged once, and again after it could be read in between.
func TestUnreadableFileIsLoggedOnce(t *testing.T) {
	t.Parallel()
	dir := testkit.PrivateDir(t)
	var logged strings.Builder
	log := slog.New(slog.NewTextHandler(&logged, nil))
	notes, snoozes := filepath.Join(dir, "notes.jsonl"), filepath.Join(dir, "alerts-snoozed.jsonl")
	book := OpenNotes(notes, log)
	s := NewSnoozes(filepath.Join(dir, "alerts.jsonl"), log)
	for round := 1; round <= 2; round++ {
		for _, path := range []string{notes, snoozes} {
			if err := os.Mkdir(path, 0o700); err != nil { // a folder cannot be read as a file
				t.Fatal(err)
			}
		}
		for range 3 {
			book.refresh()
			s.Refresh()
		}
		for _, what := range []string{"file=notes", "file=snoozes"} {
			if n := strings.Count(logged.String(), what); n != round {
				t.Errorf("round %d: %q is logged %d times:\n%s", round, what, n, logged.String())
			}
		}
		for _, path := range []string{notes, snoozes} {
			if err := os.Remove(path); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, nil, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		book.refresh()
		s.Refresh()
		for _, path := range []string{notes, snoozes} {
			if err := os.Remove(path); err != nil {
				t.Fatal(err)
			}
		}
	}
	n, err := NewNote("IVR down", "", time.Now(), time.Time{})
	if err == nil {
		err = book.Write(n)
	}
	if err != nil || len(book.All()) != 1 {
		t.Errorf("%v, %d notes", err, len(book.All()))
	}
}
