package statefile

import (
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"wallboard/internal/lib/testkit"
)

// TestLoadMemory reads files of alerts whose lines take much memory to read.
func TestLoadMemory(t *testing.T) { //nolint:paralleltest // it counts what is allocated
	const one = `{"id":"1","rule":"a","scope":"service","level":1,"worst":1,"since":"2026-01-01T00:00:00Z","text":"`
	path := filepath.Join(testkit.PrivateDir(t), "alerts.jsonl")
	testkit.CheckMemory(t, []testkit.Pattern{
		{Repeated: one + "\"}\n"},
		{Repeated: one + strings.Repeat("\\u0000", 4000) + "\"}\n"},
		{Repeated: one + strings.Repeat("é", 20000) + "\"}\n"},
		{Repeated: "{}\n"},
		{Repeated: "\n"},
		{Repeated: "x"},
		{Repeated: "[", After: "\n"},
		{Repeated: "{\"a\":\n"},
	}, 300, func(text string) {
		text = text[:min(len(text), maxAlertFile)] // a longer one is not read
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if n := len(NewAlertFile(path, slog.New(slog.DiscardHandler)).Load()); n > 2*maxStored {
			t.Errorf("%d alerts are kept", n)
		}
	})
}

// TestSnoozesMemory reads a file of as many snoozes as fit, again and again.
func TestSnoozesMemory(t *testing.T) { //nolint:paralleltest // it counts what is allocated
	const one = `{"id":"1","level":1,"from":"2026-01-01T00:00:00Z","until":"2026-01-01T01:00:00Z"`
	testkit.CheckMemory(t, []testkit.Pattern{
		{Repeated: one + "}\n"}, {Repeated: one + `,"about":[` + strings.TrimSuffix(strings.Repeat("{},", 1000), ",") + "]}\n"}, {Repeated: "{}\n"}, {Repeated: "x"},
	}, 300, func(text string) {
		if n := len(parseSnoozes([]byte(text))); n > maxReadSnoozes {
			t.Errorf("%d snoozes are kept", n)
		}
	})
}
