package config

import (
	"log/slog"
	"path/filepath"
	"testing"

	"github.com/adrg/xdg"

	"wallboard/internal/lib/testkit"
)

// Not parallel: the environment and xdg's directories are global.
func TestDefaultPlaces(t *testing.T) {
	dir := testkit.PrivateDir(t)
	t.Cleanup(xdg.Reload) // runs after the changes by Setenv were undone
	t.Setenv("XDG_CONFIG_HOME", filepath.Join(dir, "config"))
	t.Setenv("XDG_STATE_HOME", filepath.Join(dir, "state"))
	xdg.Reload()

	want := filepath.Join(dir, "config", "wallboard", "config.toml")
	if got := DefaultPath(); got != want {
		t.Errorf("DefaultPath() = %s, want %s", got, want)
	}
	if got, want := (Log{}).Path(), filepath.Join(dir, "state", "wallboard", "wallboard.log"); got != want {
		t.Errorf("Log.Path() = %s, want %s", got, want)
	}
	if got, want := (Audit{}).Path(), filepath.Join(dir, "state", "wallboard", "audit.jsonl"); got != want {
		t.Errorf("Audit.Path() = %s, want %s", got, want)
	}
	if got := (Log{File: "x.log"}).Path(); got != "x.log" {
		t.Errorf("Log.Path() = %s, want x.log", got)
	}
	if _, err := Load("", Options{Demo: true}); err != nil {
		t.Errorf("demo without a file: %v", err)
	}
	_, err := Load("", Options{})
	if wantErr := want + ": there is no configuration file; run `wallboard setup` in a terminal, or" +
		" `wallboard config init --url ADDRESS --user NAME`, to create one; `wallboard demo` needs none"; err == nil || err.Error() != wantErr {
		t.Errorf("board without a file:\ngot  %v\nwant %s", err, wantErr)
	}
}

func TestSlogLevel(t *testing.T) {
	t.Parallel()
	for level, want := range map[string]slog.Level{
		"debug": slog.LevelDebug, "info": slog.LevelInfo, "warn": slog.LevelWarn, "error": slog.LevelError, "": slog.LevelInfo,
	} {
		if got := (Log{Level: level}).SlogLevel(); got != want {
			t.Errorf("level %q is %v, want %v", level, got, want)
		}
	}
}

func TestWSURL(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ url, override, want string }{
		{"https://pbx.example.com/rtd", "", "wss://pbx.example.com/rtd"},
		{"http://localhost:8080/rtd/", "", "ws://localhost:8080/rtd/"},
		{"https://[::1]:8443/a%20b", "", "wss://[::1]:8443/a%20b"},
		{"https://pbx.example.com/rtd", "wss://other.example.com/live", "wss://other.example.com/live"},
		{"", "", ""},
		{"ftp://pbx.example.com", "", ""},
		{"https://%zz", "", ""},
	} {
		c := RTD{URL: tt.url, WSOverride: tt.override}
		if got := c.WSURL(); got != tt.want {
			t.Errorf("WSURL of %q and %q is %q, want %q", tt.url, tt.override, got, tt.want)
		}
	}
}

func TestLoopback(t *testing.T) {
	t.Parallel()
	for host, want := range map[string]bool{
		"localhost": true, "LOCALHOST.": true, "board.localhost": true, "127.0.0.1": true, "127.9.9.9": true, "::1": true,
		"localhost.example.com": false, "10.0.0.1": false, "notlocalhost": false, "0.0.0.0": false, "": false,
	} {
		if got := isLoopback(host); got != want {
			t.Errorf("loopback(%q) = %v, want %v", host, got, want)
		}
	}
}
