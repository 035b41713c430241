package ask

import (
	_ "embed"
	"iter"
	"strings"
	"sync"
)

//go:embed grammar.txt
var grammarText string

// alternatives are the forms of a question or of a figure.
type alternatives struct {
	name  string // a [Kind], or the name of a figure
	forms []string
}

// grammar returns the sections of the grammar. A test reads all of it.
var grammar = sync.OnceValue(func() map[string][]alternatives {
	sections, section := make(map[string][]alternatives), ""
	for line := range strings.Lines(grammarText) {
		line = strings.TrimSpace(line)
		name, forms, ok := strings.Cut(line, ": ")
		switch {
		case line == "" || line[0] == '#':
		case line[0] == '[':
			section = strings.Trim(line, "[]")
		case ok:
			sections[section] = append(sections[section], alternatives{name, strings.Split(forms, "|")})
		}
	}
	return sections
})

// questionOpenings returns the beginnings of questions with their kinds. The longest one that fits counts.
func questionOpenings() iter.Seq2[string, Kind] {
	return func(yield func(string, Kind) bool) {
		for _, o := range grammar()["openings"] {
			for _, form := range o.forms {
				if !yield(form, Kind(o.name)) {
					return
				}
			}
		}
	}
}

// opening returns the usual beginning of a kind of question.
func (k Kind) opening() string {
	for form, kind := range questionOpenings() {
		if kind == k {
			return form
		}
	}
	return ""
}

// Examples returns questions that show the grammar.
func Examples() (out []string) {
	for _, e := range grammar()["examples"] {
		out = append(out, e.forms...)
	}
	return out
}
