package audit

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"wallboard/internal/flock"
	"wallboard/internal/private"
)

// The outcomes that this package itself writes or reads into the file.
const (
	NotSent = "not sent"
	Unknown = "unknown"
)

// unfinished is what is said of an intent without an outcome. A program that
// waits for its answer at this moment looks the same.
const unfinished = "The program ended before it heard, or is still waiting."

// Entry is one action. Its texts are fit for a terminal.
type Entry struct {
	ID         string            `json:"id"`
	Session    string            `json:"session"`
	Time       time.Time         `json:"time"`               // of the intent
	Platform   string            `json:"platform,omitempty"` // its address; "" in files from before November 2026
	User       string            `json:"user"`
	Person     string            `json:"person,omitempty"` // who asked for it over SSH; "": who ran the program
	OSUser     string            `json:"osUser"`
	Action     string            `json:"action"`
	Target     string            `json:"target"`
	Parameters map[string]string `json:"parameters,omitempty"`
	Finished   bool              `json:"finished"` // false: there is no outcome in the file
	Outcome    string            `json:"outcome"`  // [Unknown] when it is not finished
	Status     int               `json:"status,omitempty"`
	Sentence   string            `json:"sentence"`
	Warning    string            `json:"warning,omitempty"`
	Duration   time.Duration     `json:"durationNs"`
}

// Filter says which actions are wanted. The zero value wants all.
type Filter struct {
	Since, Until time.Time // of the intents: from Since on, before Until
	Platform     string    // the address of the platform that was acted on; actions without one are kept
	User         string    // whose login acted, who asked for it, or who ran the program
	Action       string    // by its name, or by that which it had before November 2026
	Outcome      string
	Unfinished   bool // only those without an outcome
}

// BrokenError tells of lines that could not be read and were left out.
type BrokenError struct {
	Lines int
	First string // file and line number
}

// Error implements error.
func (e *BrokenError) Error() string {
	return fmt.Sprintf("%d lines of the audit file cannot be read, first %s", e.Lines, e.First)
}

// Read returns the actions in a file and its older generations, in the order of
// their intents. An error beside an empty entry is not the end of what can be
// read: a generation that cannot be opened or, at the very end, a
// [BrokenError]. Without any file the error is fs.ErrNotExist.
//
// All that fits Since, Until, User and Action is in memory while it runs.
func Read(path string, f Filter) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		r := reading{filter: f, byID: make(map[string]*Entry)}
		for _, err := range r.files(path) {
			if !yield(Entry{}, err) {
				return
			}
		}
		for _, e := range r.entries {
			if f.keeps(e) && !yield(*e, nil) {
				return
			}
		}
		if r.broken.Lines > 0 {
			yield(Entry{}, &r.broken)
		}
	}
}

// reading is one run through the files.
type reading struct {
	filter  Filter
	entries []*Entry
	byID    map[string]*Entry
	broken  BrokenError
}

// files reads all generations, the oldest first, and returns what went wrong.
func (r *reading) files(path string) []error {
	files, errs := open(path)
	for _, f := range files {
		if err := r.lines(f); err != nil {
			errs = append(errs, fmt.Errorf("read the audit file: %w", err))
		}
		if err := f.Close(); err != nil {
			errs = append(errs, fmt.Errorf("read the audit file: %w", err))
		}
	}
	return errs
}

// open opens all generations, the oldest first, while nobody renames them. One
// that is a symbolic link is not opened: whoever can make one would have us show
// another file.
func open(path string) ([]*os.File, []error) {
	dir, name := filepath.Split(path)
	root, err := os.OpenRoot(filepath.Clean(dir))
	if err != nil {
		return nil, []error{fmt.Errorf("open the audit file: %w", err)}
	}
	defer root.Close() //nolint:errcheck // it was only read
	var errs []error
	newest, err := private.OpenFile(path, os.O_RDONLY)
	switch {
	case err == nil:
		if err := flock.LockShared(newest, lockWait); err == nil {
			defer flock.Unlock(newest)
		}
	case !errors.Is(err, fs.ErrNotExist):
		errs = append(errs, fmt.Errorf("open the audit file: %w", err))
	}
	var files []*os.File
	for _, old := range generations(root, name) {
		f, err := private.OpenFile(filepath.Join(dir, old), os.O_RDONLY)
		if err != nil {
			errs = append(errs, fmt.Errorf("open the audit file: %w", err))
			continue
		}
		files = append(files, f)
	}
	if newest != nil {
		files = append(files, newest)
	}
	if len(files) == 0 && len(errs) == 0 {
		errs = append(errs, fmt.Errorf("open the audit file: %w", err))
	}
	return files, errs
}

// generations returns the names of the renamed files, the oldest first.
func generations(root *os.Root, name string) []string {
	all, err := fs.ReadDir(root.FS(), ".")
	if err != nil {
		return nil
	}
	numbers := make(map[string]int)
	var names []string
	for _, e := range all {
		suffix, ok := strings.CutPrefix(e.Name(), name+".")
		if n, err := strconv.Atoi(suffix); ok && err == nil && n > 0 {
			names = append(names, e.Name())
			numbers[e.Name()] = n
		}
	}
	slices.SortFunc(names, func(a, b string) int { return cmp.Compare(numbers[b], numbers[a]) })
	return names
}

// maxLine bounds a line that is read; what is longer is none of ours.
const maxLine = 1 << 20

func (r *reading) lines(f *os.File) error {
	in := bufio.NewReaderSize(f, maxLine)
	for n, tooLong := 1, false; ; n++ {
		b, err := in.ReadSlice('\n')
		for errors.Is(err, bufio.ErrBufferFull) {
			tooLong = true
			b, err = in.ReadSlice('\n')
		}
		if len(b) > 0 && (tooLong || !r.line(b)) {
			r.broken.Lines++
			if r.broken.First == "" {
				r.broken.First = fmt.Sprintf("line %d of %s", n, filepath.Base(f.Name()))
			}
		}
		tooLong = false
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err //nolint:wrapcheck // the caller says what was done
		}
	}
}

// line takes one line in; it returns false when it cannot be read.
func (r *reading) line(b []byte) bool {
	ln, at, ok := decode(b)
	if !ok {
		return false
	}
	e := r.byID[ln.ID]
	if e == nil {
		e = &Entry{
			ID: clean(ln.ID), Session: clean(ln.Session), Time: at, Platform: clean(ln.Platform), User: clean(ln.User), Person: clean(ln.Person), OSUser: clean(ln.OSUser),
			Action: clean(ln.Action), Target: clean(ln.Target), Outcome: Unknown, Sentence: unfinished,
		}
		if ln.Phase == outcome { // the intent is in a generation that is gone, or broken
			e.Time = at.Add(-time.Duration(ln.DurationMS) * time.Millisecond)
		}
		if !r.filter.mayKeep(e) {
			return true
		}
		r.byID[ln.ID] = e
		r.entries = append(r.entries, e)
	}
	if ln.Phase == outcome {
		e.Finished, e.Outcome, e.Status = true, clean(ln.Outcome), ln.Status
		e.Sentence, e.Warning = clean(ln.Sentence), clean(ln.Warning)
		e.Duration = time.Duration(ln.DurationMS) * time.Millisecond
		delete(r.byID, ln.ID)
		return true
	}
	for k, v := range ln.Parameters {
		if e.Parameters == nil {
			e.Parameters = make(map[string]string, len(ln.Parameters))
		}
		e.Parameters[clean(k)] = clean(v)
	}
	return true
}

// mayKeep reports whether the action is wanted as far as its intent tells.
func (f Filter) mayKeep(e *Entry) bool {
	return (f.Since.IsZero() || !e.Time.Before(f.Since)) &&
		(f.Until.IsZero() || e.Time.Before(f.Until)) &&
		(f.Platform == "" || e.Platform == "" || f.Platform == e.Platform) &&
		(f.User == "" || f.User == e.User || f.User == e.Person || f.User == e.OSUser) &&
		(f.Action == "" || actionWords(f.Action) == actionWords(e.Action))
}

// keeps reports whether the action is wanted as far as its outcome tells.
func (f Filter) keeps(e *Entry) bool {
	return (f.Outcome == "" || f.Outcome == e.Outcome) && (!f.Unfinished || !e.Finished)
}

// clean replaces what could move a terminal's cursor, hide or reorder text.
func clean(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || unicode.In(r, unicode.Cf, unicode.Co, unicode.Zl, unicode.Zp) {
			return unicode.ReplacementChar
		}
		return r
	}, s)
}

// actionWords returns the words of an action's name in one order: files of before
// November 2026 have the verb first, "start-campaign", and "hang-up".
func actionWords(name string) string {
	words := strings.Split(strings.Replace(name, "hang-up", "hangup", 1), "-")
	slices.Sort(words)
	return strings.Join(words, "-")
}
