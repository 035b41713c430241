// Package safedecode limits the resources needed to decode a text. The TOML library
// stores the full name of every key, so long keys, deeply nested tables, and many keys in a
// table with a long name need memory quadratic in the length of the text. An element of a
// JSON list may take two bytes in a text and a hundred in memory.
package safedecode

import (
	"fmt"
	"strings"

	"github.com/BurntSushi/toml"
)

// The limits, far above what configurations and themes need.
const (
	mostParts = 20  // parts of a key
	mostBytes = 256 // length of a key or a table name
	mostDepth = 8   // nesting of arrays and tables
)

// TOMLError is an exceeded limit.
type TOMLError struct {
	Line int
	Text string
}

// Error implements error.
func (e *TOMLError) Error() string { return fmt.Sprintf("line %d: %s", e.Line, e.Text) }

// CheckTOML scans a text without decoding it and returns an [TOMLError] for the first exceeded
// limit. Texts that are not valid TOML may pass.
func CheckTOML(text string) error {
	s := scanner{text: text, line: 1}
	for s.at < len(text) {
		if problem := s.step(); problem != "" {
			return &TOMLError{s.line, problem}
		}
	}
	return nil
}

// DecodeTOML decodes a text that passes [CheckTOML].
func DecodeTOML(text string, into any) error {
	if err := CheckTOML(text); err != nil {
		return err
	}
	_, err := toml.Decode(text, into)
	return err
}

// scanner is the state of the scan.
type scanner struct {
	text  string
	at    int
	line  int
	begin int  // start of the current key or value
	parts int  // number of dots in it
	head  bool // the line is a table header
	depth int
}

// step processes the next character or string and returns the problem, if any.
func (s *scanner) step() string {
	switch c := s.text[s.at]; c {
	case '"', '\'':
		s.skipString(c)
		return ""
	case '#':
		if n := strings.IndexByte(s.text[s.at:], '\n'); n >= 0 {
			s.at += n
		} else {
			s.at = len(s.text)
		}
		return ""
	case '.':
		if s.parts++; s.parts >= mostParts {
			return fmt.Sprintf("a key of more than %d parts", mostParts)
		}
	case '=':
		if s.at-s.begin > mostBytes {
			return fmt.Sprintf("a key of more than %d bytes", mostBytes)
		}
		s.next()
	case '\n':
		s.line++
		s.head = false
		s.next()
	case ',':
		s.next()
	case '[', '{':
		s.head = s.head || c == '[' && s.depth == 0 && strings.TrimSpace(s.text[s.begin:s.at]) == "" && s.lineBegins()
		if s.depth++; s.depth > mostDepth {
			return fmt.Sprintf("more than %d lists or tables within each other", mostDepth)
		}
		s.next()
	case ']', '}':
		if s.head && s.at-s.begin > mostBytes {
			return fmt.Sprintf("the name of a table of more than %d bytes", mostBytes)
		}
		s.depth = max(s.depth-1, 0)
		s.next()
	}
	s.at++
	return ""
}

// next starts a key or value after the current character.
func (s *scanner) next() { s.begin, s.parts = s.at+1, 0 }

// lineBegins reports whether only blanks and brackets precede on the line.
func (s *scanner) lineBegins() bool {
	before := s.text[max(s.at-mostBytes, 0):s.at]
	return strings.Trim(before[strings.LastIndexByte(before, '\n')+1:], " \t[") == ""
}

// skipString skips a string; an unterminated one ends with its line.
func (s *scanner) skipString(quote byte) {
	three := strings.Repeat(string(quote), 3)
	if strings.HasPrefix(s.text[s.at:], three) {
		s.skipTo(s.at+3, three, quote == '"')
		return
	}
	s.skipTo(s.at+1, string(quote), quote == '"')
}

func (s *scanner) skipTo(from int, end string, escapes bool) {
	for i := from; i < len(s.text); i++ {
		switch {
		case escapes && s.text[i] == '\\':
			i++
		case strings.HasPrefix(s.text[i:], end):
			s.at = i + len(end)
			return
		case s.text[i] == '\n' && len(end) == 1:
			s.at = i
			return
		case s.text[i] == '\n':
			s.line++
		}
	}
	s.at = len(s.text)
}
