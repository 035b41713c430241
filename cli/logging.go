package cli

import (
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"

	"wallboard/config"
)

// openLog opens the log file, which nobody else may read; a board never logs to
// the terminal.
func (b *board) openLog(c *config.Config, level *slog.LevelVar) (*slog.Logger, func(), error) {
	path := c.Log.Path()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, nil, fmt.Errorf("log file: %w; log.file in the configuration names another one", err)
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600) //nolint:gosec // the user names the file
	if err != nil {
		return nil, nil, fmt.Errorf("log file: %w; log.file in the configuration names another one", err)
	}
	if info, err := f.Stat(); err == nil && info.Mode().IsRegular() {
		_ = f.Chmod(0o600) // it may be older than this program; where modes are not known there is nothing to do
	}
	level.Set(c.Log.SlogLevel())
	return b.newLogger(f, level), func() { _ = f.Close() }, nil
}

// newLogger logs to w what holds none of the configuration's secrets, whoever
// wrote it.
func (b *board) newLogger(w io.Writer, level slog.Leveler) *slog.Logger {
	return slog.New(slog.NewTextHandler(b.secrets.Writer(w), &slog.HandlerOptions{Level: level}))
}
