package config

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Problem is one thing that is wrong with the configuration.
type Problem struct {
	File    string // The configuration file; "" if the value did not come from one.
	Line    int    // From 1; 0 if the problem has no line.
	Key     string // Full key, for example rtd.names[1].kind; "" if the whole file is meant.
	Problem string // What is wrong.
	Remedy  string // What is allowed, or what to do.
}

// String returns the problem as one line: file:line: key: problem; remedy. Whatever of the
// file stands in it is safe to print.
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
	return printable(b.String())
}

// Errors is every problem of a configuration, sorted by line.
type Errors []Problem

// Error returns the problems, one per line.
func (e Errors) Error() string {
	lines := make([]string, len(e))
	for i, p := range e {
		lines[i] = p.String()
	}
	return strings.Join(lines, "\n")
}

// report collects problems while one configuration is read.
type report struct {
	file     string
	lines    lines
	seen     map[string]bool
	problems Errors
	under    string   // the platform that is read, of several
	secrets  []string // files that secrets are looked up in
}

func newReport(file string, l lines) *report {
	return &report{file: file, lines: l, seen: make(map[string]bool)}
}

// add notes a problem of a key. A key has one problem at most: what follows
// from the first would only be noise.
func (r *report) add(key, problem, remedy string) {
	key = r.at(key)
	if r.seen[key] {
		return
	}
	r.seen[key] = true
	r.problems = append(r.problems, Problem{
		File: r.file, Line: r.lines.of(key), Key: key, Problem: problem, Remedy: remedy,
	})
}

// seenUnder reports whether a key that begins with prefix has a problem.
func (r *report) seenUnder(prefix string) bool {
	prefix = r.at(prefix)
	for key := range r.seen {
		if strings.HasPrefix(key, prefix) {
			return true
		}
	}
	return false
}

// err returns the problems sorted by line, or nil if there are none.
func (r *report) err() error {
	if len(r.problems) == 0 {
		return nil
	}
	slices.SortStableFunc(r.problems, func(a, b Problem) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), strings.Compare(a.Key, b.Key))
	})
	r.problems = slices.Compact(r.problems) // what all platforms share was looked at for each
	return r.problems
}
