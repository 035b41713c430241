package words

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"wallboard/internal/words/catalogue"
)

// translation is a file of messages in another language, while it is read.
type translation struct {
	file     string
	known    map[string]messageID
	found    map[messageID]template
	lines    map[string]int // by key: the first line that has it
	problems []catalogue.Problem
}

// Parse returns a language with the messages of a file: UTF-8 text with a line for each message, such
// as "queue.empty = Niemand wartet." English takes the place of messages that are missing or
// broken. Parse returns all problems of the file: those of lines in their order, then messages that are
// missing, at their line of the English file.
func Parse(rules Rules, file, text string) (*Language, []catalogue.Problem) {
	lines, problems := catalogue.ReadLines(file, text)
	r := translation{file: file, known: make(map[string]messageID), found: make(map[messageID]template), lines: make(map[string]int), problems: problems}
	for s, section := range catalogue.English() {
		for i := range section.Messages {
			r.known[section.Messages[i].Key] = messageID{uint8(s + 1), uint16(i)}
		}
	}
	for i := range lines {
		if err := r.add(&lines[i]); err != nil {
			r.problems = append(r.problems, catalogue.Problem{File: file, Line: lines[i].Number, Text: lines[i].Key + ": " + err.Error()})
		}
	}
	slices.SortStableFunc(r.problems, func(a, b catalogue.Problem) int { return a.Line - b.Line })
	for s, section := range catalogue.English() {
		for i := range section.Messages {
			m := &section.Messages[i]
			if _, ok := r.found[messageID{uint8(s + 1), uint16(i)}]; !ok {
				r.problems = append(r.problems, catalogue.Problem{File: "en/" + section.File, Line: m.Line, Text: m.Key + ": not translated in " + file})
			}
		}
	}
	return newLanguage(rules, func(id messageID, m *catalogue.Message) template {
		if t, ok := r.found[id]; ok {
			return t
		}
		return english(m)
	}), r.problems
}

// add adds a line. The key may have a grammatical form of the message at its end, such as "dat" in
// "count.calls.dat"; the basic form must come before it.
func (r *translation) add(l *catalogue.Line) error {
	if first := r.lines[l.Key]; first > 0 {
		return fmt.Errorf("it is already on line %d", first)
	}
	r.lines[l.Key] = l.Number
	if l.Signature != "" {
		return errors.New("a translation has no parameters in parentheses")
	}
	if id, ok := r.known[l.Key]; ok {
		parts, err := parseTemplate(l.Text, messageOf(id).ParamNames())
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
	case !ok || !slices.Contains(forms(), l.Key[dot+1:]):
		return errors.New("there is no such message")
	case !told:
		return fmt.Errorf("%s must come before its form %s", l.Key[:dot], l.Key[dot+1:])
	}
	parts, err := parseTemplate(l.Text, messageOf(id).ParamNames())
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

// forms returns the names of grammatical forms: genitive, dative, accusative, with the definite article,
// and within a sentence.
func forms() []string { return []string{"gen", "dat", "acc", "def", "mid"} }

func messageOf(id messageID) *catalogue.Message {
	return &catalogue.English()[id.section-1].Messages[id.index]
}

// Key returns the key of the message, such as "queue.empty", or "" for the zero Text. Keys are the same
// in all versions of the program that have the message.
func (t Text) Key() string {
	if t.IsZero() {
		return ""
	}
	return messageOf(t.id).Key
}
