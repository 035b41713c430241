package audit

import (
	"cmp"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"os/user"
	"path/filepath"
	"strconv"
	"sync"
	"time"

	"wallboard/internal/lib/securefile"
)

// Options configures a [Log].
type Options struct {
	Path           string // path of the file; missing directories are created
	MaxSize        int64  // size in bytes at which a file is renamed; default 10 MiB
	MaxGenerations int    // number of renamed files to keep; default 10

	// HeadsPath is the path of a file, preferably on another disk, that receives the [Head] of the
	// chain with each line. "" means none. An error there is logged and does not prevent an action.
	HeadsPath string

	Platform string // address of the platform
	User     string // user of the login, unless an [Intent] names another
	OSUser   string // user who runs the program; default: from the operating system
	Session  string // identifies this run of the program; default: process ID and a random number

	// AllowUnwritable makes Open succeed even if the directory is not writable. Writing a line then
	// fails until the directory becomes writable.
	AllowUnwritable bool

	Now    func() time.Time // default time.Now
	Logger *slog.Logger     // logs problems that do not prevent writing; default none
}

// Log appends the intents and outcomes of actions to the audit file.
type Log struct {
	options Options
	name    string // file name in root

	mu   sync.Mutex
	root *os.Root // the directory; nil until it can be opened
	file *os.File // nil until the first line, and after a rotation
	seq  uint64

	endOffset    int64  // size of the file after the last line of this log
	lastLineHash string // hash of that line; "": unknown
	headsFailed  bool   // the last head could not be stored, and this was logged
}

// Open returns the log of a file. It creates missing directories with mode 0700. The first line
// creates the file with mode 0600. Open also returns an error if other users could replace a file in
// the directory, or if the file is a symbolic link.
func Open(o Options) (*Log, error) {
	if o.Path == "" {
		return nil, errors.New("audit: no path")
	}
	if err := o.setDefaults(); err != nil {
		return nil, err
	}
	l := &Log{options: o, name: filepath.Base(o.Path)}
	if err := l.openFolder(); err != nil {
		if !o.AllowUnwritable {
			return nil, err
		}
		o.Logger.Warn("the audit file cannot be written; actions on the platform are disabled", "error", err)
	}
	return l, nil
}

// openFolder opens the directory of the file, unless it is already open.
func (l *Log) openFolder() error {
	if l.root != nil {
		return nil
	}
	dir := filepath.Dir(l.options.Path)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("audit: %w", err)
	}
	if found := securefile.FindExposures(dir); len(found) > 0 {
		return fmt.Errorf("audit: %w", found[0])
	}
	if info, err := os.Lstat(l.options.Path); err == nil && info.Mode()&fs.ModeSymlink != 0 {
		return fmt.Errorf("audit: %w", securefile.SymlinkProblem(l.options.Path)) // report the link now, not at the first action
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return fmt.Errorf("audit: %w", err)
	}
	l.root = root
	return nil
}

func (o *Options) setDefaults() error {
	if o.MaxSize <= 0 {
		o.MaxSize = 10 << 20
	}
	if o.MaxGenerations <= 0 {
		o.MaxGenerations = 10
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	if o.OSUser == "" {
		o.OSUser = strconv.Itoa(os.Getuid())
		if u, err := user.Current(); err == nil {
			o.OSUser = u.Username
		}
	}
	if o.Session == "" {
		var chance [4]byte
		if _, err := rand.Read(chance[:]); err != nil {
			return fmt.Errorf("audit: %w", err)
		}
		o.Session = strconv.Itoa(os.Getpid()) + "-" + hex.EncodeToString(chance[:])
	}
	return nil
}

// Close closes the file.
func (l *Log) Close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	err := l.closeFile()
	if l.root == nil {
		return err
	}
	if cerr := l.root.Close(); err == nil && cerr != nil {
		err = fmt.Errorf("audit: %w", cerr)
	}
	return err
}

// Intent describes an action that is about to be sent.
type Intent struct {
	User       string // user of the login; "": Options.User
	Platform   string // address of the platform; "": Options.Platform
	Person     string // user who requested the action, if another user runs the program
	Action     string // name of the action, such as "dial"
	Target     string // target of the action
	Parameters map[string]string
}

// Result is the outcome of an action.
type Result struct {
	Outcome  string // "confirmed", "rejected", "not sent" or "unknown"
	Status   int    // HTTP status of the platform's answer; 0 if there was none
	Sentence string // sentence that was shown to the user
	Warning  string
}

// ViewerActionPrefix is the prefix of the actions in the log of visits.
const ViewerActionPrefix = "viewer-"

// Append opens the file, writes an action that is already done, and closes the file.
func Append(o Options, in Intent) error {
	l, err := Open(o)
	if err != nil {
		return err
	}
	finish, err := l.Begin(in)
	if err == nil {
		err = finish(Result{Outcome: "confirmed"})
	}
	return errors.Join(err, l.Close())
}

// Begin writes an intent and returns a function that writes the outcome. If Begin fails, the action
// must not be performed, because it would not be recorded.
func (l *Log) Begin(in Intent) (finish func(Result) error, err error) {
	began := l.options.Now()
	ln := line{
		Phase: phaseIntent, Platform: cmp.Or(in.Platform, l.options.Platform), User: in.User, Person: in.Person, OSUser: l.options.OSUser, Session: l.options.Session,
		Action: in.Action, Target: in.Target, Parameters: in.Parameters,
	}
	if ln.User == "" {
		ln.User = l.options.User
	}
	finish = func(r Result) error {
		now := l.options.Now()
		out := ln
		out.Phase, out.Parameters = phaseOutcome, nil
		out.Outcome, out.Status, out.Sentence, out.Warning = r.Outcome, r.Status, r.Sentence, r.Warning
		out.DurationMS = now.Sub(began).Milliseconds()
		return l.appendLine(&out, now)
	}
	if err := l.appendLine(&ln, began); err != nil {
		// A part of the intent may be in the file and would look like an action with an unknown
		// outcome. So its outcome is written as well.
		_ = finish(Result{Outcome: OutcomeNotSent, Sentence: "The intent could not be written."})
		return nil, err
	}
	return finish, nil
}
