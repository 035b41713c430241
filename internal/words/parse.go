package words

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"wallboard/internal/words/catalogue"
)

// translation is a language while its files are read.
type translation struct {
	file     string // the file that is read now
	known    map[string]messageID
	found    map[messageID]template
	places   map[string]catalogue.Problem // by key: the first line that has it
	problems []catalogue.Problem
}

func newTranslation() *translation {
	r := &translation{known: make(map[string]messageID), found: make(map[messageID]template), places: make(map[string]catalogue.Problem)}
	for s := range sections {
		for i := range sections[s] {
			r.known[sections[s][i].key] = messageID{uint8(s), uint16(i)}
		}
	}
	return r
}

// Parse returns a language with the messages of files: UTF-8 texts with a line for each message, such
// as "queue.empty = Niemand wartet." The language base, or English if it is nil, takes the place of messages that are
// missing or broken. Parse returns all problems: those of lines in their order and then, if base is
// English, the missing messages, at their line of the English file.
func Parse(rules Rules, base *Language, files ...catalogue.File) (*Language, []catalogue.Problem) {
	r := newTranslation()
	if base == nil {
		base = English()
	}
	for _, f := range files {
		lines, problems := catalogue.ReadLines(f.Name, f.Text)
		r.addLines(f.Name, lines, problems)
	}
	if base == English() && len(r.found) < CountMessages() {
		r.reportUntranslated(rules.Tag)
	}
	return newLanguage(rules, func(id messageID, m *message) template {
		if t, ok := r.found[id]; ok {
			return t
		}
		return base.makeTemplate(id, m)
	}), r.problems
}

// CheckLines returns the lines of a file that can be used, and the problems of the others.
func CheckLines(file string, lines []catalogue.Line) (good []catalogue.Line, problems []catalogue.Problem) {
	r := newTranslation()
	r.addLines(file, lines, nil)
	wrong := make(map[int]bool, len(r.problems))
	for _, p := range r.problems {
		wrong[p.Line] = true
	}
	return slices.DeleteFunc(slices.Clone(lines), func(l catalogue.Line) bool { return wrong[l.Number] }), r.problems
}

// CountMessages returns the number of messages in the catalogue.
func CountMessages() (n int) {
	for _, s := range sections {
		n += len(s)
	}
	return n
}

// reportUntranslated adds the messages that the translation does not have to the problems.
func (r *translation) reportUntranslated(tag string) {
	for _, section := range catalogue.English() {
		for i := range section.Messages {
			if m := &section.Messages[i]; r.found[r.known[m.Key]].parts == nil {
				r.problems = append(r.problems, catalogue.Problem{File: "en/" + section.File, Line: m.Line, Text: m.Key + ": not translated in " + tag})
			}
		}
	}
}

// addLines adds the lines of a file, which has some problems already.
func (r *translation) addLines(file string, lines []catalogue.Line, problems []catalogue.Problem) {
	r.file = file
	for i := range lines {
		if err := r.add(&lines[i]); err != nil {
			problems = append(problems, catalogue.Problem{File: file, Line: lines[i].Number, Text: lines[i].Key + ": " + err.Error()})
		}
	}
	slices.SortStableFunc(problems, func(a, b catalogue.Problem) int { return a.Line - b.Line })
	r.problems = append(r.problems, problems...)
}

// add adds a line. The key may have a grammatical form of the message at its end, such as "dat" in
// "count.calls.dat"; the basic form must come before it.
func (r *translation) add(l *catalogue.Line) error {
	if first, ok := r.places[l.Key]; ok {
		if first.File != r.file {
			return fmt.Errorf("it is already on line %d of %s", first.Line, first.File)
		}
		return fmt.Errorf("it is already on line %d", first.Line)
	}
	r.places[l.Key] = catalogue.Problem{File: r.file, Line: l.Number}
	if l.Signature != "" {
		return errors.New("a translation has no parameters in parentheses")
	}
	if id, ok := r.known[l.Key]; ok {
		parts, err := parseTemplate(l.Text, messageOf(id).paramNames())
		if err == nil && l.Text == "" {
			err = errors.New("it is empty")
		}
		if err == nil {
			r.found[id] = template{parts: parts, gender: l.Gender}
		}
		return err
	}
	dot := max(strings.LastIndex(l.Key, "."), 0)
	id, ok := r.known[l.Key[:dot]]
	t, told := r.found[id]
	switch {
	case !ok || !slices.Contains(catalogue.Forms(), l.Key[dot+1:]):
		return errors.New("there is no such message")
	case !told:
		return fmt.Errorf("%s must come before its form %s", l.Key[:dot], l.Key[dot+1:])
	}
	parts, err := parseTemplate(l.Text, messageOf(id).paramNames())
	if err != nil {
		return err
	}
	if t.forms == nil {
		t.forms = make(map[string][]part)
	}
	t.forms[l.Key[dot+1:]] = parts
	r.found[id] = t
	return nil
}

// message is a message in English.
type message struct {
	key, text string
	params    string // names of the parameters, separated by spaces
}

func (m *message) paramNames() []string { return strings.Fields(m.params) }

func messageOf(id messageID) *message { return &sections[id.section][id.index] }

// Key returns the key of the message, such as "queue.empty", or "" for the zero Text. Keys are the same
// in all versions of the program that have the message.
func (t Text) Key() string {
	if t.IsZero() {
		return ""
	}
	return messageOf(t.id).key
}
