package cmdutil

import (
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"

	"wallboard/internal/config"
	"wallboard/internal/lib/securefile"
)

// errLogOnBoard means that the log would appear on the board, because both use the same terminal.
var errLogOnBoard = errors.New("standard error is the terminal that the board is drawn on")

// OpenLog opens the configured log, which is a file with mode 0600 or standard error. It sets level
// to the configured level. It returns an error if the log would appear on a board. The caller must
// call the returned function, which closes the log.
func (s *Setup) OpenLog(c *config.Config, level *slog.LevelVar) (*slog.Logger, func(), error) {
	f := &logFile{}
	repaired, err := s.openLogDestination(f, &c.Log)
	if err != nil {
		return nil, nil, err
	}
	s.logging.set(f, "")
	level.Set(c.Log.SlogLevel())
	log := s.NewLogger(f, level)
	if repaired {
		log.Warn("the permissions of the log folder were too wide and have been restricted", "folder", filepath.Dir(c.Log.Path()))
	}
	return log, f.close, nil
}

// StartLog is like [Setup.OpenLog], but if the log cannot be opened, it returns a logger that
// discards everything. In that case [Setup.LogProblem] returns the reason.
func (s *Setup) StartLog(c *config.Config, level *slog.LevelVar) (*slog.Logger, func()) {
	log, closeLog, err := s.OpenLog(c, level)
	if err == nil {
		return log, closeLog
	}
	f := &logFile{}
	s.logging.set(f, logProblem(c, err))
	level.Set(c.Log.SlogLevel())
	return s.NewLogger(f, level), f.close
}

// logProblem returns a message for users about a log that cannot be written. If the log is in
// the default directory, the message also says that nothing can be saved there.
func logProblem(c *config.Config, err error) string {
	if c.Log.File == "" {
		return "Nothing is logged or saved: " + err.Error()
	}
	return "Nothing is logged: " + err.Error()
}

// LogProblem returns a message that says why there is no log, or "" if there is one.
func (s *Setup) LogProblem() string { return s.logging.problem() }

// ApplyLogConfig switches the open log to the destination in a changed configuration. After an
// error, the log keeps its destination.
func (s *Setup) ApplyLogConfig(c *config.Config) error {
	f := s.logging.file()
	if f == nil { // the log goes to standard error, which the configuration cannot change
		return nil
	}
	if _, err := s.openLogDestination(f, &c.Log); err != nil {
		return err
	}
	s.logging.set(f, "")
	return nil
}

// ReopenLog reopens the log file by name, after another program has renamed it.
func (s *Setup) ReopenLog() {
	if f := s.logging.file(); f != nil {
		f.reopen()
	}
}

// openLogDestination switches f to the configured destination. repaired reports whether it has
// restricted the permissions of the log's directory.
func (s *Setup) openLogDestination(f *logFile, c *config.Log) (repaired bool, err error) {
	if c.ToStderr() {
		if s.logsOnBoard() {
			return false, fmt.Errorf("log.file: %w; redirect it, or name a file", errLogOnBoard)
		}
		f.writeTo(s.Streams.Err)
		return false, nil
	}
	if repaired, err = f.open(c); err != nil {
		err = fmt.Errorf("log file: %w; log.file in the configuration names another one", err)
	}
	return repaired, err
}

// logsOnBoard reports whether standard error and the board share a terminal.
func (s *Setup) logsOnBoard() bool {
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

// checkLogFile creates a log file and its directory if they are missing. It returns an error
// if other users can read the file, or if the file is a link, because another user's link
// could redirect the log.
//
// If the permissions of the directory are too wide, checkLogFile returns an error. If
// ownFolder is true, it restricts the permissions instead and returns true for repaired.
func checkLogFile(path string, ownFolder bool) (repaired bool, err error) {
	dir := filepath.Dir(path)
	if ownFolder {
		repaired, err = securefile.CreateFolder(dir)
	} else if err = os.MkdirAll(dir, 0o700); err == nil {
		if found := securefile.FindExposures(dir); len(found) > 0 {
			err = found[0]
		}
	}
	if err != nil {
		return repaired, err
	}
	f, err := securefile.OpenAppend(path)
	if err != nil {
		return repaired, err
	}
	return repaired, f.Close()
}

// NewLogger returns a logger that writes to w. It masks the secrets of all configurations read
// so far.
func (s *Setup) NewLogger(w io.Writer, level slog.Leveler) *slog.Logger {
	return slog.New(slog.NewTextHandler(s.secrets.Writer(w), &slog.HandlerOptions{Level: level}))
}
