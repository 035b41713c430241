package command

import (
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"

	"wallboard/config"
	"wallboard/internal/private"
)

// OpenLog opens the log file, which nobody else may read; a board never logs to
// the terminal.
func (s *Setup) OpenLog(c *config.Config, level *slog.LevelVar) (*slog.Logger, func(), error) {
	path := c.Log.Path()
	f, repaired, err := openLogFile(path, c.Log.File == "")
	if err != nil {
		return nil, nil, fmt.Errorf("log file: %w; log.file in the configuration names another one", err)
	}
	level.Set(c.Log.SlogLevel())
	log := s.NewLogger(f, level)
	if repaired {
		log.Warn("the folder was open to other users and is closed now", "folder", filepath.Dir(path))
	}
	return log, func() { _ = f.Close() }, nil
}

// openLogFile opens a log that only we can read, and no link: who else could make
// one would have us write where they like. A folder of our own is closed to others;
// one that the user has named is theirs.
func openLogFile(path string, own bool) (f *os.File, repaired bool, err error) {
	dir := filepath.Dir(path)
	if own {
		repaired, err = private.Folder(dir)
	} else if err = os.MkdirAll(dir, 0o700); err == nil {
		if found := private.Exposed(dir); len(found) > 0 {
			err = found[0]
		}
	}
	if err == nil {
		f, err = private.Append(path)
	}
	return f, repaired, err //nolint:wrapcheck // openLog says what it is about
}

// NewLogger logs to w what holds none of the configuration's secrets, whoever
// wrote it.
func (s *Setup) NewLogger(w io.Writer, level slog.Leveler) *slog.Logger {
	return slog.New(slog.NewTextHandler(s.secrets.Writer(w), &slog.HandlerOptions{Level: level}))
}
