package command

import (
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"

	"wallboard/config"
	"wallboard/internal/private"
)

// errOverBoard is a log that would be written over the board.
var errOverBoard = errors.New("standard error is the terminal that the board is drawn on")

// OpenLog opens the log file, which nobody else may read. A board never logs to the
// terminal.
func (s *Setup) OpenLog(c *config.Config, level *slog.LevelVar) (*slog.Logger, func(), error) {
	f := &logFile{}
	repaired, err := s.moveLog(f, &c.Log)
	if err != nil {
		return nil, nil, err
	}
	s.logging.set(f, "")
	level.Set(c.Log.SlogLevel())
	log := s.NewLogger(f, level)
	if repaired {
		log.Warn("the folder was open to other users and is closed now", "folder", filepath.Dir(c.Log.Path()))
	}
	return log, f.close, nil
}

// StartLog is OpenLog for what goes on without a log: [Setup.LogTrouble] says why there is
// none.
func (s *Setup) StartLog(c *config.Config, level *slog.LevelVar) (*slog.Logger, func()) {
	log, closeLog, err := s.OpenLog(c, level)
	if err == nil {
		return log, closeLog
	}
	f := &logFile{}
	s.logging.set(f, troubleOf(c, err))
	level.Set(c.Log.SlogLevel())
	return s.NewLogger(f, level), f.close
}

// troubleOf says that a log cannot be written. Where it has no place of its own, nothing
// else is kept beside it, either.
func troubleOf(c *config.Config, err error) string {
	if c.Log.File == "" {
		return "Nothing is logged or saved: " + err.Error()
	}
	return "Nothing is logged: " + err.Error()
}

// LogTrouble says why nothing is logged, "" where it is.
func (s *Setup) LogTrouble() string { return s.logging.said() }

// FollowLog applies a changed configuration to the open log. With an error it is
// written on where it was.
func (s *Setup) FollowLog(c *config.Config) error {
	f := s.logging.file()
	if f == nil { // it goes to standard error, whatever the configuration says
		return nil
	}
	if _, err := s.moveLog(f, &c.Log); err != nil {
		return err
	}
	s.logging.set(f, "")
	return nil
}

// ReopenLog opens the log file again, which may have been renamed.
func (s *Setup) ReopenLog() {
	if f := s.logging.file(); f != nil {
		f.reopen()
	}
}

// moveLog has a log written to where the configuration says.
func (s *Setup) moveLog(f *logFile, c *config.Log) (repaired bool, err error) {
	if c.ToStderr() {
		if s.overBoard() {
			return false, fmt.Errorf("log.file: %w; redirect it, or name a file", errOverBoard)
		}
		f.writeTo(s.Streams.Err)
		return false, nil
	}
	if repaired, err = f.open(c); err != nil {
		err = fmt.Errorf("log file: %w; log.file in the configuration names another one", err)
	}
	return repaired, err
}

// overBoard reports whether what is written to standard error stands on a board's screen.
func (s *Setup) overBoard() bool {
	out, isFile := s.Streams.Out.(*os.File)
	errs, alsoFile := s.Streams.Err.(*os.File)
	if !s.Streams.OnTerminal() || !isFile || !alsoFile {
		return false
	}
	a, err := out.Stat()
	if err != nil {
		return false
	}
	b, err := errs.Stat()
	return err == nil && os.SameFile(a, b)
}

// checkLogFile makes a log that only we can read, and no link: who else could make one
// would have us write where they like. A folder of our own is closed to others; one that
// the user has named is theirs.
func checkLogFile(path string, own bool) (repaired bool, err error) {
	dir := filepath.Dir(path)
	if own {
		repaired, err = private.Folder(dir)
	} else if err = os.MkdirAll(dir, 0o700); err == nil {
		if found := private.Exposed(dir); len(found) > 0 {
			err = found[0]
		}
	}
	if err != nil {
		return repaired, err
	}
	f, err := private.Append(path)
	if err != nil {
		return repaired, err //nolint:wrapcheck // as above
	}
	return repaired, f.Close() //nolint:wrapcheck // as above
}

// NewLogger logs to w what holds none of the configuration's secrets, whoever
// wrote it.
func (s *Setup) NewLogger(w io.Writer, level slog.Leveler) *slog.Logger {
	return slog.New(slog.NewTextHandler(s.secrets.Writer(w), &slog.HandlerOptions{Level: level}))
}
