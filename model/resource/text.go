package resource

import (
	"strings"
	"unicode/utf8"

	"wallboard/model"
)

// MaxBody limits texts of several lines, in runes: an article of a ticket is
// read as a whole, unlike what the board shows in a cell (model.MaxBody).
const MaxBody = 64 << 10

// form says what becomes of a text when it is read.
type form int8

const (
	asName   form = iota // one line, at most model.MaxName runes
	asBody               // lines, at most MaxBody runes
	verbatim             // as it came, for comparing only
)

func (f form) clean(s string) string {
	switch f {
	case asBody:
		return CleanBody(s)
	case verbatim:
		return s
	default:
		return model.CleanText(s, model.MaxName)
	}
}

// CleanBody cleans a text of several lines as model.CleanText does one line.
// Its lines end in "\n", its tabs become spaces, and it has at most [MaxBody]
// runes.
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
