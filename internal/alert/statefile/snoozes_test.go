package statefile

import (
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"wallboard/internal/alert"
	"wallboard/internal/lib/testkit"
	"wallboard/model"
)

func snoozed(code string, span time.Duration) alert.Snooze {
	at := time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)
	key := alert.Key{Scope: alert.Service, Code: code, Channel: model.Chat}
	return alert.NewSnooze([]alert.Alert{{Key: key, Level: alert.Warning}}, "Sales", "Anna", span, at)
}

// opened returns a silencer that uses a file.
func opened(t *testing.T, k *Store) *alert.Silencer {
	t.Helper()
	e, err := alert.New(alert.Options{})
	if err != nil {
		t.Fatal(err)
	}
	k.RestoreEngine(e)
	return e.Silencer()
}

// TestSnoozesAreShared checks that the boards of a user share snoozes across restarts,
// and that a kiosk reads them.
func TestSnoozesAreShared(t *testing.T) {
	t.Parallel()
	path := filepath.Join(testkit.PrivateDir(t), "alerts-0.jsonl")
	log := slog.New(slog.DiscardHandler)
	one, kiosk := NewAlertFile(path, log).Open(), NewAlertFile(path, log).OpenReadOnly()
	opened(t, kiosk)
	want := snoozed("S1", time.Hour)
	opened(t, one).Snooze(want)
	one.Stop()
	two := NewAlertFile(path, log).Open()
	second := opened(t, two)
	ended := want
	ended.Until = ended.From.Add(time.Minute)
	if n := second.EndSnoozes(nil, ended.Until); n != 1 {
		t.Errorf("the next board has %d snoozes, want 1", n)
	}
	second.Snooze(snoozed("S2", time.Hour))
	two.Stop()
	kiosk.Stop()
	last := NewSnoozes(path, log)
	if diff := cmp.Diff([]alert.Snooze{ended, snoozed("S2", time.Hour)}, last.List()); diff != "" {
		t.Errorf("the file has others:\n%s", diff)
	}
}

// TestSnoozesFollow checks that snoozes of another board are picked up.
func TestSnoozesFollow(t *testing.T) {
	t.Parallel()
	path := filepath.Join(testkit.PrivateDir(t), "alerts-0.jsonl")
	log := slog.New(slog.DiscardHandler)
	mine, other := NewSnoozes(path, log), NewSnoozes(path, log)
	if err := other.write([]alert.Snooze{snoozed("S1", time.Hour)}); err != nil {
		t.Fatal(err)
	}
	if len(mine.List()) != 0 {
		t.Fatal("it is known already")
	}
	if mine.Refresh(); len(mine.List()) != 1 {
		t.Errorf("after a look there are %+v", mine.List())
	}
}

// TestForeignSnoozes checks that invalid snoozes are ignored: none is endless or about
// everything by mistake.
func TestForeignSnoozes(t *testing.T) {
	t.Parallel()
	path := filepath.Join(testkit.PrivateDir(t), "alerts-0.jsonl")
	good := `{"id":"a","about":[{"scope":"service","code":"S1"}],"level":1,"from":"2026-03-02T12:00:00Z","until":"2026-03-02T12:15:00Z"}`
	lines := []string{
		"no JSON", `{"id":"b"}`, good,
		strings.NewReplacer("2026-03-02T12:15", "2036-03-02T12:15", `"a"`, `"endless"`).Replace(good),
		strings.NewReplacer("service", "planet", `"a"`, `"foreign"`).Replace(good),
		strings.NewReplacer(`"level":1`, `"level":7`, `"a"`, `"high"`).Replace(good),
	}
	if err := os.WriteFile(strings.TrimSuffix(path, ".jsonl")+"-snoozed.jsonl", []byte(strings.Join(lines, "\n")), 0o600); err != nil {
		t.Fatal(err)
	}
	got := NewSnoozes(path, slog.New(slog.DiscardHandler)).List()
	if len(got) != 1 || got[0].ID != "a" || len(got[0].Keys) != 1 {
		t.Errorf("it reads %+v", got)
	}
}
