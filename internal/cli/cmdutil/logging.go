package cmdutil

import (
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"sync"

	"wallboard/internal/config"
	"wallboard/internal/lib/securefile"
)

// logState holds the open log and the reason why it cannot be written, if any.
type logState struct {
	mu             sync.Mutex
	log            *securefile.LogFile // nil: not open
	currentProblem string
}

func (l *logState) setFile(f *securefile.LogFile, trouble string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.log, l.currentProblem = f, trouble
}

func (l *logState) file() *securefile.LogFile {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.log
}

func (l *logState) problem() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.currentProblem
}

// errLogOnBoard means that the log would appear on the board, because both use the same terminal.
var errLogOnBoard = errors.New("standard error is the terminal that the board is drawn on")

// OpenLog opens the configured log, which is a file with mode 0600 or standard error. It sets level
// to the configured level. It returns an error if the log cannot be opened or would appear on a board.
// The caller must call the returned function, which closes the log.
func (s *Setup) OpenLog(c *config.Config, level *slog.LevelVar) (*slog.Logger, func(), error) {
	f := &securefile.LogFile{}
	repaired, err := s.openLogDestination(f, &c.Log)
	if err != nil {
		return nil, nil, err
	}
	s.logging.setFile(f, "")
	level.Set(c.Log.SlogLevel())
	log := s.NewLogger(f, level)
	if repaired {
		log.Warn("the permissions of the log folder were too wide and have been restricted", "folder", filepath.Dir(c.Log.Path()))
	}
	return log, f.Close, nil
}

// StartLog is like [Setup.OpenLog], but if the log cannot be opened, it returns a logger that
// discards everything. In that case [Setup.LogProblem] returns the reason.
func (s *Setup) StartLog(c *config.Config, level *slog.LevelVar) (*slog.Logger, func()) {
	log, closeLog, err := s.OpenLog(c, level)
	if err == nil {
		return log, closeLog
	}
	f := &securefile.LogFile{}
	s.logging.setFile(f, logProblem(c, err))
	level.Set(c.Log.SlogLevel())
	return s.NewLogger(f, level), f.Close
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
	s.logging.setFile(f, "")
	return nil
}

// ReopenLog reopens the log file by name, after another program has renamed it.
func (s *Setup) ReopenLog() {
	if f := s.logging.file(); f != nil {
		f.Reopen()
	}
}

// openLogDestination switches f to the configured destination. repaired reports whether it has
// restricted the permissions of the log's directory.
func (s *Setup) openLogDestination(f *securefile.LogFile, c *config.Log) (repaired bool, err error) {
	if c.ToStderr() {
		if s.logsOnBoard() {
			return false, fmt.Errorf("log.file: %w; redirect it, or name a file", errLogOnBoard)
		}
		f.Redirect(s.Streams.Err)
		return false, nil
	}
	if repaired, err = f.Open(c.Path(), securefile.LogOptions{OwnFolder: c.File == "", MaxSize: int64(c.MaxSize), Keep: c.Keep}); err != nil {
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

// NewLogger returns a logger that writes to w. It masks the secrets of all configurations read
// so far.
func (s *Setup) NewLogger(w io.Writer, level slog.Leveler) *slog.Logger {
	return slog.New(slog.NewTextHandler(s.secrets.Writer(w), &slog.HandlerOptions{Level: level}))
}
