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

	"wallboard/internal/lib/securefile"
)

// Outcomes that this package itself writes.
const (
	NotSent = "not sent"
	Unknown = "unknown"
)

// unfinishedText is the sentence for an intent without an outcome. A program that is still
// waiting for an answer looks the same.
const unfinishedText = "The program ended before it heard, or is still waiting."

// Entry is one action. Its texts are safe for a terminal.
type Entry struct {
	ID         string            `json:"id"`
	Session    string            `json:"session"`
	Time       time.Time         `json:"time"`               // time of the intent
	Platform   string            `json:"platform,omitempty"` // its address; "" in files written before November 2026
	User       string            `json:"user"`
	Person     string            `json:"person,omitempty"` // user who requested it over SSH; "": who ran the program
	OSUser     string            `json:"osUser"`
	Action     string            `json:"action"`
	Target     string            `json:"target"`
	Parameters map[string]string `json:"parameters,omitempty"`
	Finished   bool              `json:"finished"` // false: the file has no outcome
	Outcome    string            `json:"outcome"`  // [Unknown] if it is not finished
	Status     int               `json:"status,omitempty"`
	Sentence   string            `json:"sentence"`
	Warning    string            `json:"warning,omitempty"`
	Duration   time.Duration     `json:"durationNs"`
}

// Filter selects actions. The zero value selects all.
type Filter struct {
	Since, Until   time.Time // times of the intents: from Since (inclusive) to Until (exclusive)
	Platform       string    // address of the platform; actions without one are kept
	User           string    // user of the login, user who requested it, or user who ran the program
	Action         string    // name of the action, current or from before November 2026
	Outcome        string
	OnlyUnfinished bool // selects only actions without an outcome
}

// BrokenError reports lines that could not be read and were skipped.
type BrokenError struct {
	Lines int
	First string // file name and line number
}

// Error implements error.
func (e *BrokenError) Error() string {
	return fmt.Sprintf("%d lines of the audit file cannot be read, first %s", e.Lines, e.First)
}

// Read returns the actions in a file and its older generations, in the order of their
// intents. An error with an empty entry does not end the sequence: it reports a generation
// that cannot be opened or, at the end, a [BrokenError]. If there is no file, the error is
// fs.ErrNotExist.
//
// All actions that match Since, Until, User and Action are kept in memory.
func Read(path string, f Filter) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		r := reader{filter: f, byID: make(map[string]*Entry)}
		for _, err := range r.readFiles(path) {
			if !yield(Entry{}, err) {
				return
			}
		}
		for _, e := range r.entries {
			if f.matchesOutcome(e) && !yield(*e, nil) {
				return
			}
		}
		if r.broken.Lines > 0 {
			yield(Entry{}, &r.broken)
		}
	}
}

// reader is the state of reading all files.
type reader struct {
	filter  Filter
	entries []*Entry
	byID    map[string]*Entry
	broken  BrokenError
}

// readFiles reads all generations, oldest first, and returns the errors.
func (r *reader) readFiles(path string) []error {
	files, errs := openGenerations(path)
	for _, f := range files {
		if err := r.readLines(f); err != nil {
			errs = append(errs, fmt.Errorf("read the audit file: %w", err))
		}
		if err := f.Close(); err != nil {
			errs = append(errs, fmt.Errorf("read the audit file: %w", err))
		}
	}
	return errs
}

// openGenerations opens all generations, oldest first, while no program can rename them. It does not
// follow symbolic links, which could make us show other files.
func openGenerations(path string) ([]*os.File, []error) {
	dir, name := filepath.Split(path)
	root, err := os.OpenRoot(filepath.Clean(dir))
	if err != nil {
		return nil, []error{fmt.Errorf("open the audit file: %w", err)}
	}
	defer root.Close() //nolint:errcheck // it was only read
	var errs []error
	newest, err := securefile.OpenFile(path, os.O_RDONLY)
	switch {
	case err == nil:
		if err := securefile.LockShared(newest, lockWait); err == nil {
			defer securefile.Unlock(newest)
		}
	case !errors.Is(err, fs.ErrNotExist):
		errs = append(errs, fmt.Errorf("open the audit file: %w", err))
	}
	var files []*os.File
	for _, old := range generations(root, name) {
		f, err := securefile.OpenFile(filepath.Join(dir, old), os.O_RDONLY)
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

// generations returns the names of the renamed files, oldest first.
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

// maxLine is the maximum length of a line; a longer one is not valid.
const maxLine = 1 << 20

func (r *reader) readLines(f *os.File) error {
	in := bufio.NewReaderSize(f, maxLine)
	for n, tooLong := 1, false; ; n++ {
		b, err := in.ReadSlice('\n')
		for errors.Is(err, bufio.ErrBufferFull) {
			tooLong = true
			b, err = in.ReadSlice('\n')
		}
		if len(b) > 0 && (tooLong || !r.readLine(b)) {
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
			return err
		}
	}
}

// readLine processes one line; it returns false if the line cannot be read.
func (r *reader) readLine(b []byte) bool {
	ln, at, ok := decodeIfLong(b)
	if !ok {
		return false
	}
	e := r.byID[ln.ID]
	if e == nil {
		e = &Entry{
			ID: clean(ln.ID), Session: clean(ln.Session), Time: at, Platform: clean(ln.Platform), User: clean(ln.User), Person: clean(ln.Person), OSUser: clean(ln.OSUser),
			Action: clean(ln.Action), Target: clean(ln.Target), Outcome: Unknown, Sentence: unfinishedText,
		}
		if ln.Phase == phaseOutcome { // the intent is in a deleted generation, or its line is broken
			e.Time = at.Add(-time.Duration(ln.DurationMS) * time.Millisecond)
		}
		if !r.filter.matchesIntent(e) {
			return true
		}
		r.byID[ln.ID] = e
		r.entries = append(r.entries, e)
	}
	if ln.Phase == phaseOutcome {
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

// matchesIntent reports whether the action's intent matches.
func (f Filter) matchesIntent(e *Entry) bool {
	return (f.Since.IsZero() || !e.Time.Before(f.Since)) &&
		(f.Until.IsZero() || e.Time.Before(f.Until)) &&
		(f.Platform == "" || e.Platform == "" || f.Platform == e.Platform) &&
		(f.User == "" || f.User == e.User || f.User == e.Person || f.User == e.OSUser) &&
		(f.Action == "" || sortedWords(f.Action) == sortedWords(e.Action))
}

// matchesOutcome reports whether the action's outcome matches.
func (f Filter) matchesOutcome(e *Entry) bool {
	return (f.Outcome == "" || f.Outcome == e.Outcome) && (!f.OnlyUnfinished || !e.Finished)
}

// clean replaces characters that could move the cursor, hide text or reorder it.
func clean(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || unicode.In(r, unicode.Cf, unicode.Co, unicode.Zl, unicode.Zp) {
			return unicode.ReplacementChar
		}
		return r
	}, s)
}

// sortedWords sorts the words of an action's name: files from before November 2026 have the
// verb first, "start-campaign", and "hang-up".
func sortedWords(name string) string {
	words := strings.Split(strings.Replace(name, "hang-up", "hangup", 1), "-")
	slices.Sort(words)
	return strings.Join(words, "-")
}
