// Package catalogue reads files of messages: the English ones, which it embeds, and translations. Package
// words has a function for each English message, which the tests of this package generate.
//
// The package has no goroutines and opens no files.
package catalogue

import (
	"embed"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

//go:embed */*.txt
var sources embed.FS

// Message is the declaration of a message: its English line.
type Message struct {
	Key    string // such as "queue.waiting"
	Params []Param
	Text   string // in English
	Note   string // comment for translators
	Line   int
}

// Param is a parameter of a message.
type Param struct{ Name, Kind string }

// ParamNames returns the names of the parameters.
func (m *Message) ParamNames() []string {
	out := make([]string, len(m.Params))
	for i := range m.Params {
		out[i] = m.Params[i].Name
	}
	return out
}

// Section is a file of English messages.
type Section struct {
	File     string // such as "situation.txt"
	Messages []Message
	Problems []Problem
}

// English returns the sections in the order of their files. The result must not be changed.
var English = sync.OnceValue(func() []Section {
	var out []Section
	for _, f := range Files("en") {
		out = append(out, readSection(strings.TrimPrefix(f.Name, "en/"), f.Text))
	}
	return out
})

// File is a file of messages.
type File struct{ Name, Text string }

// Files returns the files of a language that are part of the program, named like "de/time.txt".
func Files(tag string) []File {
	entries, _ := sources.ReadDir(tag) // a language without files has none
	out := make([]File, len(entries))
	for i, f := range entries {
		text, _ := sources.ReadFile(tag + "/" + f.Name())
		out[i] = File{tag + "/" + f.Name(), string(text)}
	}
	return out
}

// Tags returns the languages that are part of the program.
func Tags() []string {
	entries, _ := sources.ReadDir(".") // an embedded folder can always be read
	out := make([]string, len(entries))
	for i, e := range entries {
		out[i] = e.Name()
	}
	return out
}

// Problem is a line of a file of messages that cannot be used as it is.
type Problem struct {
	File string
	Line int
	Text string
}

// String formats the problem as "de.txt:12: queue.empty: there is no such message". The problem of a whole file has
// no line.
func (p Problem) String() string {
	if p.Line == 0 {
		return p.File + ": " + p.Text
	}
	return p.File + ":" + strconv.Itoa(p.Line) + ": " + p.Text
}

// Line is a line of a file of messages.
type Line struct {
	Number    int
	Key       string
	Signature string // between parentheses; only in English
	Gender    string // between brackets, one of [Genders]; only in translations
	Text      string
	Note      string // the comment above the line
}

// Genders returns the marks of grammatical genders.
func Genders() []string { return []string{"m", "f", "n"} }

// ReadLines reads the lines of a file of messages. It leaves out comments and empty lines, and lines
// that it cannot read, which it returns as problems.
func ReadLines(file, text string) (lines []Line, problems []Problem) {
	note := ""
	for i, s := range strings.Split(strings.TrimPrefix(text, "\ufeff"), "\n") {
		switch s = strings.TrimSpace(s); {
		case s == "":
			note = ""
			continue
		case s[0] == '#':
			note = strings.TrimSpace(note + " " + strings.TrimSpace(s[1:]))
			continue
		case !utf8.ValidString(s) || strings.ContainsFunc(s, unicode.IsControl):
			problems = append(problems, Problem{file, i + 1, "it is not UTF-8, or contains control characters"})
			continue
		}
		l := Line{Number: i + 1, Note: note}
		if !l.read(s) {
			problems = append(problems, Problem{file, i + 1, "this is not a message: it must begin with a key, such as: queue.empty = No one waiting now."})
			continue
		}
		lines, note = append(lines, l), ""
	}
	return lines, problems
}

// read reads a line such as "queue.ready(agents Text) = {agents} available." or "count.calls [m] = Anrufe". It
// reports whether the line has this form.
func (l *Line) read(s string) bool {
	head, text, ok := strings.Cut(s, "=")
	head, l.Text = strings.TrimSpace(head), strings.TrimSpace(text)
	if rest, gender, has := strings.Cut(head, "["); has {
		if gender, has = strings.CutSuffix(gender, "]"); !has || !slices.Contains(Genders(), gender) {
			return false
		}
		head, l.Gender = strings.TrimSpace(rest), gender
	}
	if rest, signature, has := strings.Cut(head, "("); has {
		if signature, has = strings.CutSuffix(signature, ")"); !has {
			return false
		}
		head, l.Signature = rest, signature
	}
	l.Key = head
	return ok && head != "" && strings.Trim(head, "abcdefghijklmnopqrstuvwxyz0123456789.-") == ""
}

func readSection(file, text string) Section {
	lines, problems := ReadLines(file, text)
	s := Section{File: file, Problems: problems, Messages: make([]Message, 0, len(lines))}
	for _, l := range lines {
		m := Message{Key: l.Key, Text: l.Text, Note: l.Note, Line: l.Number}
		for p := range strings.SplitSeq(l.Signature, ",") {
			if name, kind, ok := strings.Cut(strings.TrimSpace(p), " "); ok {
				m.Params = append(m.Params, Param{name, kind})
			}
		}
		s.Messages = append(s.Messages, m)
	}
	return s
}
