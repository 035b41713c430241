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
	"wallboard/internal/textformat"
)

// Outcomes that this package writes by itself.
const (
	OutcomeNotSent = "not sent"
	OutcomeUnknown = "unknown"
)

// unfinishedText is the sentence for an action without an outcome. Its program has ended or is
// still waiting. The file does not show which.
const unfinishedText = "The program ended before it heard, or is still waiting."

// Entry is one action in the audit file. Its texts are safe to print on a terminal.
type Entry struct {
	ID         string            `json:"id"`
	Session    string            `json:"session"`
	Time       time.Time         `json:"time"`               // time of the intent
	Platform   string            `json:"platform,omitempty"` // address of the platform; "" in files written before November 2026
	User       string            `json:"user"`
	Person     string            `json:"person,omitempty"` // user who requested the action over SSH; "": the user who ran the program
	OSUser     string            `json:"osUser"`
	Action     string            `json:"action"`
	Target     string            `json:"target"`
	Parameters map[string]string `json:"parameters,omitempty"`
	Finished   bool              `json:"finished"` // false: the file has no outcome
	Outcome    string            `json:"outcome"`  // [OutcomeUnknown] if the action is not finished
	Status     int               `json:"status,omitempty"`
	Sentence   string            `json:"sentence"`
	Warning    string            `json:"warning,omitempty"`
	Duration   time.Duration     `json:"durationNs"`
}

// Filter selects actions. The zero value selects all of them.
type Filter struct {
	Since, Until   time.Time // times of the intents: from Since (inclusive) to Until (exclusive)
	Platform       string    // address of the platform; actions without an address are also selected
	User           string    // user of the login, user who requested the action, or user who ran the program
	Target         string    // text in the target or in a parameter
	Action         string    // name of the action, current or from before November 2026
	Outcome        string
	OnlyUnfinished bool // selects only actions without an outcome
}

// UnreadableLinesError reports lines that could not be read and were skipped.
type UnreadableLinesError struct {
	Lines int
	First string // number of the first such line and name of its file
}

// Error returns the number of lines and the position of the first one.
func (e *UnreadableLinesError) Error() string {
	return textformat.CountWithNoun(e.Lines, "line", "lines") + " of the audit file cannot be read, the first is " + e.First
}

// Read returns the actions in a file and its older generations, in the order of their intents. All
// actions that match Since, Until, Platform, User and Action are in memory at the same time.
//
// An error comes with an empty entry and does not end the sequence. It reports a generation that
// cannot be opened or, at the end, the lines that could not be read, as a [UnreadableLinesError]. If there
// is no file, the error is fs.ErrNotExist.
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

// reader collects the entries and errors of one call of Read.
type reader struct {
	filter  Filter
	entries []*Entry
	byID    map[string]*Entry
	broken  UnreadableLinesError
}

// readFiles reads the file and all its older generations, oldest first. It returns the errors of
// opening and reading them.
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

// openGenerations opens the file and all its older generations, oldest first. It locks the newest
// one, so that no program can rename the files meanwhile. It does not follow symbolic links,
// because they could lead to other files.
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
		if err := securefile.LockShared(newest, lockTimeout); err == nil {
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

// generations returns the names of the older generations of the file with the given name, oldest
// first.
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

// maxLine is the maximum length of a line in bytes. Longer lines are not valid.
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

// readLine parses a line and adds its intent or outcome to the entries. It returns false if the
// line is not valid.
func (r *reader) readLine(b []byte) bool {
	ln, at, ok := decodeIfLong(b)
	if !ok {
		return false
	}
	e := r.byID[ln.ID]
	if e == nil {
		e = &Entry{
			ID: cleanText(ln.ID), Session: cleanText(ln.Session), Time: at, Platform: cleanText(ln.Platform), User: cleanText(ln.User), Person: cleanText(ln.Person), OSUser: cleanText(ln.OSUser),
			Action: cleanText(ln.Action), Target: cleanText(ln.Target), Outcome: OutcomeUnknown, Sentence: unfinishedText,
		}
		if ln.Phase == phaseOutcome { // the intent is in a deleted generation or in a damaged line
			e.Time = at.Add(-time.Duration(ln.DurationMS) * time.Millisecond)
		}
		if ln.Phase == phaseIntent {
			for k, v := range ln.Parameters {
				if e.Parameters == nil {
					e.Parameters = make(map[string]string, len(ln.Parameters))
				}
				e.Parameters[cleanText(k)] = cleanText(v)
			}
		}
		if !r.filter.matchesIntent(e) {
			return true
		}
		r.byID[ln.ID] = e
		r.entries = append(r.entries, e)
	}
	if ln.Phase == phaseOutcome {
		e.Finished, e.Outcome, e.Status = true, cleanText(ln.Outcome), ln.Status
		e.Sentence, e.Warning = cleanText(ln.Sentence), cleanText(ln.Warning)
		e.Duration = time.Duration(ln.DurationMS) * time.Millisecond
		delete(r.byID, ln.ID)
	}
	return true
}

// mentions reports whether text occurs in the target or in the name or value of a parameter.
func (e *Entry) mentions(text string) bool {
	if strings.Contains(e.Target, text) {
		return true
	}
	for k, v := range e.Parameters {
		if strings.Contains(k, text) || strings.Contains(v, text) {
			return true
		}
	}
	return false
}

// matchesIntent reports whether an action matches the filter's conditions on intents.
func (f Filter) matchesIntent(e *Entry) bool {
	return (f.Since.IsZero() || !e.Time.Before(f.Since)) &&
		(f.Until.IsZero() || e.Time.Before(f.Until)) &&
		(f.Platform == "" || e.Platform == "" || f.Platform == e.Platform) &&
		e.mentions(f.Target) &&
		(f.User == "" || f.User == e.User || f.User == e.Person || f.User == e.OSUser) &&
		(f.Action == "" || sortedWords(f.Action) == sortedWords(e.Action))
}

// matchesOutcome reports whether an action matches the filter's conditions on outcomes.
func (f Filter) matchesOutcome(e *Entry) bool {
	return (f.Outcome == "" || f.Outcome == e.Outcome) && (!f.OnlyUnfinished || !e.Finished)
}

// cleanText replaces control characters and characters that hide or reorder text. The result is safe to
// print on a terminal.
func cleanText(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || unicode.In(r, unicode.Cf, unicode.Co, unicode.Zl, unicode.Zp) {
			return unicode.ReplacementChar
		}
		return r
	}, s)
}

// sortedWords returns the words of an action's name in alphabetical order, so old and current names
// can be compared. Files from before November 2026 have the verb first, as in "start-campaign", and
// "hang-up" instead of "hangup".
func sortedWords(name string) string {
	words := strings.Split(strings.Replace(name, "hang-up", "hangup", 1), "-")
	slices.Sort(words)
	return strings.Join(words, "-")
}
