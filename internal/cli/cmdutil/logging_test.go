package cmdutil

import (
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"wallboard/internal/config"
)

func logOf(file string) *config.Config {
	c := config.Default()
	c.Log.File = file
	return &c
}

// TestLogIsReopened renames the log, with and without SIGHUP, and moves it by the
// configuration.
func TestLogIsReopened(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	at := filepath.Join(dir, "board.log")
	s := &Setup{Streams: Streams{Err: io.Discard}}
	log, closeLog, err := s.OpenLog(logOf(at), new(slog.LevelVar))
	if err != nil {
		t.Fatal(err)
	}
	defer closeLog()
	log.Info("one")
	for name, asks := range map[string]func(){"moved": func() {}, "asked": s.ReopenLog} {
		if err := os.Rename(at, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
		asks()
		log.Info(name) //nolint:sloglint // of a test
		if text, _ := os.ReadFile(at); strings.Count(string(text), "\n") != 1 || !strings.Contains(string(text), "msg="+name) {
			t.Errorf("%s: the log holds %q", name, text)
		}
		if info, err := os.Stat(at); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v %v", name, info, err)
		}
	}
	elsewhere := filepath.Join(dir, "elsewhere.log")
	if err := s.ApplyLogConfig(logOf(elsewhere)); err != nil {
		t.Fatal(err)
	}
	log.Info("there")
	if text, _ := os.ReadFile(elsewhere); !strings.Contains(string(text), "msg=there") {
		t.Errorf("the other log holds %q", text)
	}
}

// TestLogIsBounded exceeds the size limit: the file is rotated and old ones are removed.
func TestLogIsBounded(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	c := logOf(filepath.Join(dir, "board.log"))
	c.Log.MaxSize, c.Log.Keep = 1<<20, 2
	s := &Setup{Streams: Streams{Err: io.Discard}}
	log, closeLog, err := s.OpenLog(c, new(slog.LevelVar))
	if err != nil {
		t.Fatal(err)
	}
	defer closeLog()
	for text := strings.Repeat("x", 64<<10); ; {
		log.Info(text) //nolint:sloglint // it is to be long
		if all, _ := filepath.Glob(filepath.Join(dir, "*.log")); len(all) > 1 {
			break
		}
		if info, err := os.Stat(c.Log.File); err != nil || info.Size() > 2<<20 {
			t.Fatalf("%v bytes, %v", info.Size(), err)
		}
	}
}

// TestNoLogIsNoObstacle makes the log folder unusable.
func TestNoLogIsNoObstacle(t *testing.T) {
	t.Parallel()
	blocked := filepath.Join(t.TempDir(), "state")
	if err := os.WriteFile(blocked, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	s := &Setup{Streams: Streams{Err: io.Discard}}
	log, closeLog := s.StartLog(logOf(filepath.Join(blocked, "board.log")), new(slog.LevelVar))
	defer closeLog()
	log.Info("nowhere")
	if got := s.LogProblem(); !strings.HasPrefix(got, "Nothing is logged: ") {
		t.Errorf("it says %q", got)
	}
	if err := s.ApplyLogConfig(logOf(blocked)); err != nil || s.LogProblem() != "" {
		t.Errorf("after a change: %v, %q", err, s.LogProblem())
	}
	var said strings.Builder
	s = &Setup{Streams: Streams{Err: &said}}
	log, closeLog = s.StartLog(logOf("stderr"), new(slog.LevelVar))
	defer closeLog()
	if log.Info("there"); !strings.Contains(said.String(), "msg=there") {
		t.Errorf("standard error has %q", said.String())
	}
}
