package safedecode

import (
	"strconv"
	"strings"

	"github.com/BurntSushi/toml"
)

// KeyLines maps the full key of each setting and table in a TOML file to its line, counted
// from 1. It is needed because the TOML library does not provide the positions of decoded keys
// and of array elements.
type KeyLines map[string]int

// NearestKey returns key if it is in the file. Otherwise it returns the key of the closest
// enclosing table, or "" if there is none.
func (l KeyLines) NearestKey(key string) string {
	for key != "" {
		if _, ok := l[key]; ok {
			return key
		}
		key = key[:max(0, strings.LastIndexAny(key, ".["))]
	}
	return ""
}

// addLine stores the line of a key, unless the key already has one.
func (l KeyLines) addLine(key string, line int) {
	if _, ok := l[key]; !ok {
		l[key] = line
	}
}

// FindKeyLines returns the lines of all keys in a valid TOML document. For an invalid document it
// also terminates, but the result is meaningless.
func FindKeyLines(text string) KeyLines {
	for _, mark := range []string{"\ufeff", "\xff\xfe", "\xfe\xff"} { // the TOML library skips each of these byte order marks
		if rest, ok := strings.CutPrefix(text, mark); ok {
			text = rest
			break
		}
	}
	s := &lineScanner{text: text, line: 1, lines: make(KeyLines), tables: make(map[string]int)}
	table := ""
	for s.skipBlank(); !s.atEnd(); s.skipBlank() {
		if s.peek() == '[' {
			table = s.readHeader()
		} else {
			s.readKeyValue(table)
		}
	}
	return s.lines
}

// MaxPathBytes limits the length of a key's path, in bytes, to keep deeply nested values from
// using up the memory.
const MaxPathBytes = 512

// lineScanner scans a TOML document and records the lines of keys.
type lineScanner struct {
	text   string
	pos    int
	line   int
	lines  KeyLines
	tables map[string]int // number of [[tables]] seen, by name
}

func (s *lineScanner) atEnd() bool { return s.pos >= len(s.text) }

func (s *lineScanner) peek() byte {
	if s.atEnd() {
		return 0
	}
	return s.text[s.pos]
}

func (s *lineScanner) advance(n int) {
	end := min(s.pos+n, len(s.text))
	s.line += strings.Count(s.text[s.pos:end], "\n")
	s.pos = end
}

// skipTo advances to the next occurrence of one of chars, or to the end of the text.
func (s *lineScanner) skipTo(chars string) {
	n := strings.IndexAny(s.text[s.pos:], chars)
	if n < 0 {
		n = len(s.text) - s.pos
	}
	s.advance(n)
}

// skipBlank skips white space, newlines and comments.
func (s *lineScanner) skipBlank() {
	for !s.atEnd() {
		switch s.peek() {
		case ' ', '\t', '\r', '\n':
			s.advance(1)
		case '#':
			s.skipTo("\n")
		default:
			return
		}
	}
}

// readHeader reads the header [a.b] or [[a.b]] of a table and returns the path of the table.
func (s *lineScanner) readHeader() string {
	line := s.line
	s.advance(1)
	array := s.peek() == '['
	if array {
		s.advance(1)
	}
	path := ""
	parts := s.readKey("]")
	for i, part := range parts {
		path = JoinKey(path, part)
		s.lines.addLine(path, line)
		n, isArray := s.tables[path]
		if last := i == len(parts)-1; last && array {
			s.tables[path] = n + 1
			path = ElementKey(path, n)
			s.lines.addLine(path, line)
		} else if isArray {
			path = ElementKey(path, n-1)
		}
	}
	s.skipTo("\n")
	return path
}

// readKeyValue reads a key and its value in the given table. It always moves forward, so
// scanning ends even for an invalid document.
func (s *lineScanner) readKeyValue(table string) {
	line, start := s.line, s.pos
	path := table
	for _, part := range s.readKey("=") {
		if len(path) < MaxPathBytes {
			path = JoinKey(path, part)
		}
		s.lines.addLine(path, line)
	}
	s.skipBlank()
	s.readValue(path)
	if s.pos == start {
		s.advance(1)
	}
}

// readKey reads a dotted key and the following character, which must be in end. It returns the
// parts of the key.
func (s *lineScanner) readKey(end string) []string {
	var parts []string
	for !s.atEnd() {
		switch c := s.peek(); {
		case strings.IndexByte(end, c) >= 0:
			s.advance(1)
			return parts
		case c == '"' || c == '\'':
			parts = append(parts, s.readQuotedKey(c))
		case c == ' ' || c == '\t' || c == '.':
			s.advance(1)
		case c == '\n':
			return parts
		default:
			start := s.pos
			s.skipTo(" \t.\n" + end)
			parts = append(parts, s.text[start:s.pos])
		}
	}
	return parts
}

func (s *lineScanner) readQuotedKey(quote byte) string {
	start := s.pos
	s.skipQuotedText(quote)
	raw := s.text[start:s.pos]
	// TOML's escapes differ slightly from Go's, so the TOML library decodes the key.
	var key struct{ K string }
	if _, err := toml.Decode("k = "+raw, &key); err != nil {
		return strings.Trim(raw, string(quote))
	}
	return key.K
}

// readValue reads a value. path is the path of the value's key and the beginning of the paths
// of the value's elements.
func (s *lineScanner) readValue(path string) {
	switch c := s.peek(); c {
	case '"', '\'':
		if strings.HasPrefix(s.text[s.pos:], strings.Repeat(string(c), 3)) {
			s.skipLongText(c)
		} else {
			s.skipQuotedText(c)
		}
	case '[':
		s.readArray(path)
	case '{':
		s.readInlineTable(path)
	default:
		s.skipTo(",]}#\n")
	}
}

func (s *lineScanner) readArray(path string) {
	s.advance(1)
	for i := 0; !s.atEnd(); {
		s.skipBlank()
		switch s.peek() {
		case ']':
			s.advance(1)
			return
		case ',', '}':
			s.advance(1)
		default:
			elementPath := path
			if len(path) < MaxPathBytes {
				elementPath = ElementKey(path, i)
			}
			s.lines.addLine(elementPath, s.line)
			s.readValue(elementPath)
			i++
		}
	}
}

func (s *lineScanner) readInlineTable(path string) {
	s.advance(1)
	for !s.atEnd() {
		s.skipBlank()
		switch s.peek() {
		case '}':
			s.advance(1)
			return
		case ',':
			s.advance(1)
		default:
			s.readKeyValue(path)
		}
	}
}

// skipQuotedText skips a single-line string in single or double quotes.
func (s *lineScanner) skipQuotedText(quote byte) {
	s.advance(1)
	for !s.atEnd() {
		c := s.peek()
		if c == '\\' && quote == '"' {
			s.advance(2)
			continue
		}
		s.advance(1)
		if c == quote || c == '\n' {
			return
		}
	}
}

// skipLongText skips a string in triple quotes. One or two more quotes may directly precede
// the closing triple quotes.
func (s *lineScanner) skipLongText(quote byte) {
	end := strings.Repeat(string(quote), 3)
	s.advance(3)
	for !s.atEnd() {
		rest := s.text[s.pos:]
		switch {
		case rest[0] == '\\' && quote == '"':
			s.advance(2)
		case strings.HasPrefix(rest, end):
			s.advance(3)
			for range 2 {
				if s.peek() == quote {
					s.advance(1)
				}
			}
			return
		default:
			s.advance(1)
		}
	}
}

// JoinKey returns path extended by part. It quotes the part unless it is a bare key of TOML.
func JoinKey(path, part string) string {
	bare := part != "" && !strings.ContainsFunc(part, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && r != '_' && r != '-'
	})
	if !bare {
		part = strconv.Quote(part)
	}
	if path == "" {
		return part
	}
	return path + "." + part
}

// ElementKey returns the path of element i of the array at path.
func ElementKey(path string, i int) string {
	return path + "[" + strconv.Itoa(i) + "]"
}
