package audit

import (
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

	"wallboard/internal/private"
)

// Options say where a [Log] writes, and for whom.
type Options struct {
	Path    string // of the file; directories that are missing are made
	MaxSize int64  // bytes at which a file is renamed; default 10 MiB
	Keep    int    // renamed files that are kept; default 10

	Platform string // the address of the platform that is acted on
	User     string // whose login acts, where an [Intent] does not say
	OSUser   string // who runs the program; default the operating system's answer
	Session  string // names this run of the program; default its process id and chance

	// Late says that a folder in which nothing can be written is no error of Open: each line
	// tries again, and fails as long as that is so.
	Late bool

	Now    func() time.Time // default time.Now
	Logger *slog.Logger     // told when a file could not be renamed; default none
}

// Log appends actions to a file.
type Log struct {
	o    Options
	name string // of the file in root

	mu   sync.Mutex
	root *os.Root // of the folder; nil: it could not be opened yet
	file *os.File // nil until the first line, and after a rotation
	seq  uint64
}

// Open returns the log of a file. It makes the directory (mode 0700), and the
// file (0600) with the first line. A directory in which other users could put
// something else in the file's place is refused, and so is a file that is a
// symbolic link.
func Open(o Options) (*Log, error) {
	if o.Path == "" {
		return nil, errors.New("audit: no path")
	}
	if err := o.setDefaults(); err != nil {
		return nil, err
	}
	l := &Log{o: o, name: filepath.Base(o.Path)}
	if err := l.openFolder(); err != nil {
		if !o.Late {
			return nil, err
		}
		o.Logger.Warn("the audit file cannot be written: nothing can be done on the platform", "error", err)
	}
	return l, nil
}

// openFolder opens the folder of the file, unless it is open.
func (l *Log) openFolder() error {
	if l.root != nil {
		return nil
	}
	dir := filepath.Dir(l.o.Path)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("audit: %w", err)
	}
	if found := private.Exposed(dir); len(found) > 0 {
		return fmt.Errorf("audit: %w", found[0])
	}
	if info, err := os.Lstat(l.o.Path); err == nil && info.Mode()&fs.ModeSymlink != 0 {
		return fmt.Errorf("audit: %w", private.Link(l.o.Path)) // said before anybody wants to act
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
	if o.Keep <= 0 {
		o.Keep = 10
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

// Intent is an action about to be asked for.
type Intent struct {
	User       string // whose login acts; "" is that of the options
	Person     string // who asked for it, where that is not who runs the program; "": it is
	Action     string // what is asked for, for example "dial"
	Target     string // whom or what it is for
	Parameters map[string]string
}

// Result is what became of an action.
type Result struct {
	Outcome  string // "confirmed", "rejected", "not sent" or "unknown"
	Status   int    // of the platform's answer; 0 is none
	Sentence string // as the user was told
	Warning  string
}

// Begin writes an intent and returns what writes its outcome. When it fails,
// the action must not be taken: nobody could tell later that it was.
func (l *Log) Begin(in Intent) (finish func(Result) error, err error) {
	began := l.o.Now()
	ln := line{
		Phase: intent, Platform: l.o.Platform, User: in.User, Person: in.Person, OSUser: l.o.OSUser, Session: l.o.Session,
		Action: in.Action, Target: in.Target, Parameters: in.Parameters,
	}
	if ln.User == "" {
		ln.User = l.o.User
	}
	finish = func(r Result) error {
		now := l.o.Now()
		out := ln
		out.Phase, out.Parameters = outcome, nil
		out.Outcome, out.Status, out.Sentence, out.Warning = r.Outcome, r.Status, r.Sentence, r.Warning
		out.DurationMS = now.Sub(began).Milliseconds()
		return l.append(&out, now)
	}
	if err := l.append(&ln, began); err != nil {
		// Part of the intent may be in the file, where it would read as an
		// action nobody knows the end of.
		_ = finish(Result{Outcome: NotSent, Sentence: "The intent could not be written."})
		return nil, err
	}
	return finish, nil
}
