package resource

import (
	"strings"
	"unicode/utf8"

	"wallboard/model"
)

// MaxBody limits strings of several lines, in runes. It is larger than model.MaxBody because a
// ticket's article is read as a whole, not in a cell.
const MaxBody = 64 << 10

// textForm determines how the strings of a resource are cleaned when the resource is read.
type textForm int8

const (
	singleLine textForm = iota // one line, at most model.MaxName runes
	multiLine                  // several lines, at most MaxBody runes
	verbatim                   // unchanged, for comparison only
)

func (f textForm) clean(s string) string {
	switch f {
	case multiLine:
		return CleanBody(s)
	case verbatim:
		return s
	default:
		return model.CleanText(s, model.MaxName)
	}
}

// CleanBody cleans a string of several lines; model.CleanText does the same for a single line.
// Lines end in a line feed, a tab becomes four spaces, and the result has at most [MaxBody] runes.
func CleanBody(s string) string {
	s = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\t", "    ").Replace(s)
	lines := strings.Split(s, "\n")
	for i, line := range lines {
		lines[i] = model.CleanText(line, MaxBody)
	}
	s = strings.Join(lines, "\n")
	if utf8.RuneCountInString(s) > MaxBody {
		s = string([]rune(s)[:MaxBody-1]) + "…"
	}
	return s
}
