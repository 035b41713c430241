package catalogue

import (
	"fmt"
	"io"
	"strconv"
	"strings"
)

// WritePO writes a translation as a PO file of GNU gettext, for the editors of translators. lines are the lines of the
// translation; messages that are missing in it have an empty text. A gender is in brackets before the text.
func WritePO(w io.Writer, tag string, lines []Line) error {
	told := make(map[string]*Line, len(lines))
	for i := range lines {
		told[lines[i].Key] = &lines[i]
	}
	var b strings.Builder
	fmt.Fprintf(&b, "msgid \"\"\nmsgstr \"\"\n\"Language: %s\\n\"\n\"Content-Type: text/plain; charset=UTF-8\\n\"\n", tag)
	entry := func(m *Message, file, key string) {
		text := ""
		if l := told[key]; l != nil {
			if text = l.Text; l.Gender != "" {
				text = "[" + l.Gender + "] " + text
			}
		}
		b.WriteByte('\n')
		if m.Note != "" {
			fmt.Fprintf(&b, "#. %s\n", m.Note)
		}
		fmt.Fprintf(&b, "#: en/%s:%d\nmsgctxt %q\nmsgid %q\nmsgstr %q\n", file, m.Line, key, m.Text, text)
	}
	for _, s := range English() {
		for i := range s.Messages {
			m := &s.Messages[i]
			entry(m, s.File, m.Key)
			for _, form := range Forms() {
				if key := m.Key + "." + form; told[key] != nil {
					entry(m, s.File, key)
				}
			}
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// ReadPO reads a translation from a PO file. It leaves out entries without a translation, and those that it cannot
// read, which it returns as problems. The result has the same form as that of [ReadLines].
func ReadPO(file, text string) (lines []Line, problems []Problem) {
	var l Line // the entry that is being read
	var field *string
	var unused string
	add := func() {
		if l.Key != "" && l.Text != "" {
			if gender, rest, ok := strings.Cut(strings.TrimPrefix(l.Text, "["), "] "); ok && l.Text[0] == '[' && len(gender) == 1 {
				l.Gender, l.Text = gender, rest
			}
			lines = append(lines, l)
		}
		l, field = Line{}, nil
	}
	for i, s := range strings.Split(strings.TrimPrefix(text, "\ufeff"), "\n") {
		s = strings.TrimSpace(s)
		if s == "" || s[0] == '#' {
			continue
		}
		keyword, quoted, _ := strings.Cut(s, " ")
		switch {
		case s[0] == '"':
			quoted = s
		case keyword == "msgctxt":
			add()
			l.Number, field = i+1, &l.Key
		case keyword == "msgid":
			if l.Text != "" || l.Key == "" { // an entry without a context, such as the head of the file
				add()
			}
			field = &unused
		case keyword == "msgstr":
			field = &l.Text
		default:
			field = nil
		}
		value, err := strconv.Unquote(strings.TrimSpace(quoted))
		if err != nil || field == nil {
			problems = append(problems, Problem{file, i + 1, "this is not a line of a PO file: it must be msgctxt, msgid or msgstr with a text in quotes"})
			continue
		}
		*field += value
	}
	add()
	return lines, problems
}

// Forms returns the names of grammatical forms: genitive, dative, accusative, with the definite article,
// and within a sentence.
func Forms() []string { return []string{"gen", "dat", "acc", "def", "mid"} }

// String formats the line as in a file of messages.
func (l *Line) String() string {
	if l.Gender != "" {
		return l.Key + " [" + l.Gender + "] = " + l.Text
	}
	return l.Key + " = " + l.Text
}
