// Package safedecode limits the memory and time needed to decode TOML and JSON. The TOML
// library stores the full name of every key, so its memory can be quadratic in the length of
// the input: for long keys, deeply nested tables, and many keys in a table with a long name.
// An element of a JSON list may take two bytes in the input and a hundred bytes in memory.
//
// The package also finds the lines of the keys in a TOML document, which the library does not
// provide, merges JSON documents, and formats JSON for tables and terminals.
package safedecode

import (
	"fmt"
	"strings"

	"github.com/BurntSushi/toml"
)

// Limits of a TOML document, far above the needs of configurations and themes.
const (
	maxKeyParts = 20  // parts of a key, which are separated by dots
	maxKeyBytes = 256 // bytes of a key or a table name
	maxDepth    = 8   // levels of nested arrays and tables
)

// TOMLError reports that a TOML document exceeds a limit.
type TOMLError struct {
	Line int
	Text string
}

// Error implements error.
func (e *TOMLError) Error() string { return fmt.Sprintf("line %d: %s", e.Line, e.Text) }

// CheckTOML scans a TOML document without decoding it. It returns a [*TOMLError] for the first
// limit that the document exceeds. It may return nil for a document that is not valid TOML.
func CheckTOML(text string) error {
	s := scanner{text: text, line: 1}
	for s.pos < len(text) {
		if problem := s.step(); problem != "" {
			return &TOMLError{s.line, problem}
		}
	}
	return nil
}

// DecodeTOML checks text with [CheckTOML] and decodes it into target, which must be a pointer.
func DecodeTOML(text string, target any) error {
	if err := CheckTOML(text); err != nil {
		return err
	}
	_, err := toml.Decode(text, target)
	return err
}

// scanner is the state of [CheckTOML].
type scanner struct {
	text          string
	pos           int
	line          int
	start         int  // start of the current key or value
	dots          int  // number of dots in the current key or value
	isTableHeader bool // the current line is a table header
	depth         int
}

// step scans the next character, or the whole string that begins there. It returns a
// description of the exceeded limit, or "".
func (s *scanner) step() string {
	switch c := s.text[s.pos]; c {
	case '"', '\'':
		s.skipString(c)
		return ""
	case '#':
		if n := strings.IndexByte(s.text[s.pos:], '\n'); n >= 0 {
			s.pos += n
		} else {
			s.pos = len(s.text)
		}
		return ""
	case '.':
		if s.dots++; s.dots >= maxKeyParts {
			return fmt.Sprintf("a key of more than %d parts", maxKeyParts)
		}
	case '=':
		if s.pos-s.start > maxKeyBytes {
			return fmt.Sprintf("a key of more than %d bytes", maxKeyBytes)
		}
		s.beginToken()
	case '\n':
		s.line++
		s.isTableHeader = false
		s.beginToken()
	case ',':
		s.beginToken()
	case '[', '{':
		s.isTableHeader = s.isTableHeader || c == '[' && s.depth == 0 && strings.TrimSpace(s.text[s.start:s.pos]) == "" && s.isAtLineStart()
		if s.depth++; s.depth > maxDepth {
			return fmt.Sprintf("more than %d lists or tables within each other", maxDepth)
		}
		s.beginToken()
	case ']', '}':
		if s.isTableHeader && s.pos-s.start > maxKeyBytes {
			return fmt.Sprintf("the name of a table of more than %d bytes", maxKeyBytes)
		}
		s.depth = max(s.depth-1, 0)
		s.beginToken()
	}
	s.pos++
	return ""
}

// beginToken records that a key or value starts after the current character.
func (s *scanner) beginToken() { s.start, s.dots = s.pos+1, 0 }

// isAtLineStart reports whether the current line has only blanks and opening brackets before
// the current character.
func (s *scanner) isAtLineStart() bool {
	before := s.text[max(s.pos-maxKeyBytes, 0):s.pos]
	return strings.Trim(before[strings.LastIndexByte(before, '\n')+1:], " \t[") == ""
}

// skipString moves past a string that begins with quote. It ends a string without a closing
// quote at the end of the line or, for a multi-line string, at the end of the text.
func (s *scanner) skipString(quote byte) {
	three := strings.Repeat(string(quote), 3)
	if strings.HasPrefix(s.text[s.pos:], three) {
		s.skipTo(s.pos+3, three, quote == '"')
		return
	}
	s.skipTo(s.pos+1, string(quote), quote == '"')
}

// skipTo searches for end from the offset from on and moves past it. If end is missing, skipTo
// moves to the end of the line or, for a multi-line string, to the end of the text. escapes is true
// if a backslash escapes the next character.
func (s *scanner) skipTo(from int, end string, escapes bool) {
	for i := from; i < len(s.text); i++ {
		switch {
		case escapes && s.text[i] == '\\':
			i++
		case strings.HasPrefix(s.text[i:], end):
			s.pos = i + len(end)
			return
		case s.text[i] == '\n' && len(end) == 1:
			s.pos = i
			return
		case s.text[i] == '\n':
			s.line++
		}
	}
	s.pos = len(s.text)
}
