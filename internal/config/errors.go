package config

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"wallboard/internal/lib/safedecode"
)

// Problem describes one mistake in a configuration.
type Problem struct {
	File    string // configuration file; "": the value is not from a file
	Line    int    // line number, from 1; 0: no line
	Key     string // full key, such as rtd.names[1].kind; "": the whole file
	Problem string // description of the problem
	Remedy  string // the allowed values or the remedy
}

// String returns the problem on one line, in the form "file:line: key: problem; remedy". It
// replaces unprintable characters, so the line can be written to a terminal.
func (p Problem) String() string {
	var b strings.Builder
	if p.File != "" {
		b.WriteString(p.File)
		if p.Line > 0 {
			fmt.Fprintf(&b, ":%d", p.Line)
		}
		b.WriteString(": ")
	}
	if p.Key != "" {
		b.WriteString(p.Key + ": ")
	}
	b.WriteString(p.Problem)
	if p.Remedy != "" {
		b.WriteString("; " + p.Remedy)
	}
	return replaceUnprintable(b.String())
}

// Errors holds all problems of a configuration, sorted by file and line.
type Errors []Problem

// Error returns all problems, one on each line.
func (e Errors) Error() string {
	lines := make([]string, len(e))
	for i, p := range e {
		lines[i] = p.String()
	}
	return strings.Join(lines, "\n")
}

// report collects problems while a configuration is read.
type report struct {
	places
	reportedKeys   map[string]bool
	problems       Errors
	unknownKeys    int      // number of unknown keys so far
	platformPath   string   // path of the platform that is being read; "": there is only one platform
	platformTables []string // names of the tables that this platform has of its own
	secretFiles    []string // paths of the files of secrets and certificates
	oldNames       Errors   // names from earlier versions, which are not errors
	// onAllowed receives the allowed values of each key that is checked against a list. It is used
	// to generate the schema and may be nil.
	onAllowed func(key string, allowed []string)
}

func newReport(file string, l safedecode.KeyLines) *report {
	return &report{places: places{file: file, lines: l}, reportedKeys: make(map[string]bool)}
}

// add adds a problem of a key. If the key already has a problem, add does nothing, because further
// problems usually follow from the first.
func (r *report) add(key, problem, remedy string) {
	key = r.keyInFile(key)
	if r.reportedKeys[key] {
		return
	}
	r.reportedKeys[key] = true
	file, line := r.place(key)
	r.problems = append(r.problems, Problem{
		File: file, Line: line, Key: key, Problem: problem, Remedy: remedy,
	})
}

func (r *report) recordAllowed(key string, allowed ...string) {
	if r.onAllowed != nil {
		r.onAllowed(key, allowed)
	}
}

// addOldName records that a key has oldName, a name from an earlier version that is still accepted.
// line is the line to write instead.
func (r *report) addOldName(key, oldName, newName, line string) {
	key = r.keyInFile(key)
	file, at := r.place(key)
	r.oldNames = append(r.oldNames, Problem{
		File: file, Line: at, Key: key, Problem: strconv.Quote(oldName) + " is called " + strconv.Quote(newName) + " now", Remedy: "write " + line,
	})
}

// hasProblemUnder reports whether a key that begins with prefix has a problem.
func (r *report) hasProblemUnder(prefix string) bool {
	prefix = r.keyInFile(prefix)
	for key := range r.reportedKeys {
		if strings.HasPrefix(key, prefix) {
			return true
		}
	}
	return false
}

// err returns the problems as [Errors], sorted by file and line, or nil if there are none.
func (r *report) err() error {
	if len(r.problems) == 0 {
		return nil
	}
	slices.SortStableFunc(r.problems, r.compare)
	r.problems = slices.Compact(r.problems) // keys for all platforms are checked once for each platform
	return r.problems
}

// compare orders problems by file and then by line. The first file comes before the files in conf.d.
func (r *report) compare(a, b Problem) int {
	fileOf := func(p Problem) string {
		if p.File == r.file {
			return ""
		}
		return p.File
	}
	return cmp.Or(strings.Compare(fileOf(a), fileOf(b)), cmp.Compare(a.Line, b.Line), strings.Compare(a.Key, b.Key))
}

// joinKey returns the full key of the key part in the table at path.
func joinKey(path, part string) string { return safedecode.JoinKey(path, part) }

// elementKey returns the full key of element i of a list, counted from 0.
func elementKey(path string, i int) string { return safedecode.ElementKey(path, i) }
