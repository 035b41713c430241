package merge

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math/bits"
	"strconv"
)

// Limits that protect against malicious input.
const (
	maxDepth     = 32     // nesting of objects and lists
	maxList      = 50_000 // elements of a list
	maxKeyedList = 4_096  // elements of a keyed list
)

var (
	errUnexpectedEnd    = errors.New("unexpected end of data")
	errTooDeep          = fmt.Errorf("nested deeper than %d", maxDepth)
	errListTooLong      = fmt.Errorf("list longer than %d", maxList)
	errKeyedListTooLong = fmt.Errorf("keyed list longer than %d", maxKeyedList)
)

// decoder scans JSON. Its methods read from the current position and advance it.
type decoder struct {
	data  []byte
	pos   int
	env   *Env
	depth int

	wrappedNull bool // the last value was an object whose only member was null
}

// ShapeError means that a value does not have the form that document 2 shows.
type ShapeError struct {
	Field string // response key
	Want  string // expected form
	Got   string // beginning of the value, as received
}

// Error implements error.
func (e *ShapeError) Error() string {
	return fmt.Sprintf("field %q: %s expected, got %.40q", e.Field, e.Want, e.Got)
}

// shapeError returns a [ShapeError] for the value at the current position.
func (d *decoder) shapeError(name, want string) error {
	if d.pos >= len(d.data) {
		return errUnexpectedEnd
	}
	return &ShapeError{Field: name, Want: want, Got: string(d.data[d.pos:min(len(d.data), d.pos+48)])}
}

// peek skips white space and returns the next byte without consuming it. It returns 0 at the end.
func (d *decoder) peek() byte {
	if d.pos < len(d.data) && d.data[d.pos] > ' ' {
		return d.data[d.pos]
	}
	return d.skipSpace()
}

func (d *decoder) skipSpace() byte {
	for d.pos < len(d.data) {
		switch c := d.data[d.pos]; c {
		case ' ', '\t', '\n', '\r':
			d.pos++
		default:
			return c
		}
	}
	return 0
}

// expect skips white space and consumes the byte c. If another byte is next, it returns an error.
func (d *decoder) expect(c byte) error {
	got := d.peek()
	if got != c {
		if d.pos >= len(d.data) {
			return errUnexpectedEnd
		}
		return fmt.Errorf("%q at offset %d where %q is expected", got, d.pos, c)
	}
	d.pos++
	return nil
}

// consumeNull consumes null if it is next, and reports whether it did.
func (d *decoder) consumeNull() bool {
	if d.pos+4 <= len(d.data) && string(d.data[d.pos:d.pos+4]) == "null" {
		d.pos += 4
		return true
	}
	return false
}

// readString consumes a string and returns its content between the quotes, still escaped. plain is
// true if the content is printable ASCII without escapes.
func (d *decoder) readString() (raw []byte, plain bool, err error) {
	if d.pos >= len(d.data) {
		return nil, false, errUnexpectedEnd
	}
	if c := d.data[d.pos]; c != '"' {
		return nil, false, fmt.Errorf("%q at offset %d where a string is expected", c, d.pos)
	}
	plain = true
	for i := d.pos + 1; ; i++ {
		if i += plainRunLength(d.data[i:]); i >= len(d.data) {
			return nil, false, errUnexpectedEnd
		}
		switch c := d.data[i]; {
		case c == '"':
			raw = d.data[d.pos+1 : i]
			d.pos = i + 1
			return raw, plain, nil
		case c == '\\':
			plain = false
			n := escapeLength(d.data[i+1:])
			if n == 0 {
				return nil, false, fmt.Errorf("bad escape at offset %d", i)
			}
			i += n
		case c < ' ':
			return nil, false, fmt.Errorf("control character in the string at offset %d", i)
		default:
			plain = false
		}
	}
}

// everyByte is a 64-bit word in which each byte has the value 1.
const everyByte = 0x0101010101010101

// plainRunLength returns how many bytes at the start of b are plain: printable ASCII except quote
// and backslash. It checks eight bytes at a time. A carry may mark a plain byte as not plain, but
// only after a byte that is not plain.
func plainRunLength(b []byte) int {
	i := 0
	for ; i <= len(b)-8; i += 8 {
		x := binary.LittleEndian.Uint64(b[i : i+8])
		low, quote, backslash := x-everyByte*' ', (x^everyByte*'"')-everyByte, (x^everyByte*'\\')-everyByte
		if marks := (x | (x + everyByte) | low | quote | backslash) & (everyByte << 7); marks != 0 {
			return i + bits.TrailingZeros64(marks)/8
		}
	}
	for i < len(b) && b[i] >= ' ' && b[i] <= '~' && b[i] != '"' && b[i] != '\\' {
		i++
	}
	return i
}

// escapeLength returns how many bytes at the start of b belong to an escape whose backslash
// precedes b. It returns 0 if the escape is invalid.
func escapeLength(b []byte) int {
	if len(b) == 0 {
		return 0
	}
	switch b[0] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return 1
	case 'u':
		if _, err := strconv.ParseUint(string(b[1:min(5, len(b))]), 16, 16); err == nil && len(b) >= 5 {
			return 5
		}
	}
	return 0
}

// unquote decodes a string that is not plain. Invalid UTF-8 becomes U+FFFD.
func unquote(raw []byte) (string, error) {
	q := make([]byte, 0, len(raw)+2)
	q = append(append(append(q, '"'), raw...), '"')
	var s string
	if err := json.Unmarshal(q, &s); err != nil {
		return "", fmt.Errorf("string: %w", err)
	}
	return s, nil
}

// commonPrefix returns the length of the longest common prefix of a and b. The loops are written so
// that the compiler omits bounds checks.
func commonPrefix(a, b []byte) int {
	i := 0
	for ; i <= len(a)-8 && i <= len(b)-8; i += 8 {
		if x := binary.LittleEndian.Uint64(a[i:i+8]) ^ binary.LittleEndian.Uint64(b[i:i+8]); x != 0 {
			return i + bits.TrailingZeros64(x)/8
		}
	}
	for i < len(a) && i < len(b) && a[i] == b[i] {
		i++
	}
	return i
}

func (d *decoder) skipValue() error {
	switch c := d.peek(); {
	case c == '"':
		_, _, err := d.readString()
		return err
	case c == '{':
		return d.readMembers("", func([]byte) error { return d.skipValue() })
	case c == '[':
		return d.readElements(d.skipValue)
	case c == 't' || c == 'f' || c == 'n':
		return d.consumeLiteral()
	case c == '-' || c >= '0' && c <= '9':
		if n := d.readNumber(); !isValidNumber(n) {
			return fmt.Errorf("bad number %.20q", n)
		}
		return nil
	case d.pos >= len(d.data):
		return errUnexpectedEnd
	default:
		return fmt.Errorf("%q at offset %d where a value is expected", c, d.pos)
	}
}

// consumeLiteral consumes true, false or null.
func (d *decoder) consumeLiteral() error {
	for _, w := range [...]string{"null", "true", "false"} {
		if d.pos+len(w) <= len(d.data) && string(d.data[d.pos:d.pos+len(w)]) == w {
			d.pos += len(w)
			return nil
		}
	}
	return fmt.Errorf("bad literal at offset %d", d.pos)
}

// readMembers consumes an object. It calls value with each key. value must consume the value of the
// member.
func (d *decoder) readMembers(name string, value func(key []byte) error) error {
	if d.peek() != '{' {
		return d.shapeError(name, "an object")
	}
	if err := d.enter('{'); err != nil {
		return err
	}
	defer d.leave()
	if d.peek() == '}' {
		d.pos++
		return nil
	}
	for {
		d.peek()
		key, plain, err := d.readString()
		if err != nil {
			return err
		}
		if !plain {
			s, err := unquote(key)
			if err != nil {
				return err
			}
			key = []byte(s)
		}
		if err := d.expect(':'); err != nil {
			return err
		}
		d.peek()
		if err := value(key); err != nil {
			return err
		}
		if done, err := d.consumeSeparator('}'); done || err != nil {
			return err
		}
	}
}

// readElements consumes an array. It calls element for each element. element must consume it.
func (d *decoder) readElements(element func() error) error {
	if err := d.enter('['); err != nil {
		return err
	}
	defer d.leave()
	if d.peek() == ']' {
		d.pos++
		return nil
	}
	for n := 0; ; n++ {
		if n == maxList {
			return errListTooLong
		}
		d.peek()
		if err := element(); err != nil {
			return err
		}
		if done, err := d.consumeSeparator(']'); done || err != nil {
			return err
		}
	}
}

func (d *decoder) enter(open byte) error {
	if d.depth++; d.depth > maxDepth {
		return errTooDeep
	}
	return d.expect(open)
}

func (d *decoder) leave() { d.depth-- }

// consumeComma consumes a comma if it is next, and reports whether it did.
func (d *decoder) consumeComma() bool {
	if d.pos < len(d.data) && d.data[d.pos] == ',' {
		d.pos++
		return true
	}
	return false
}

// consumeSeparator consumes a comma or the byte closing. done is true if it consumed closing.
func (d *decoder) consumeSeparator(closing byte) (done bool, err error) {
	switch c := d.peek(); {
	case c == ',':
		d.pos++
		return false, nil
	case c == closing:
		d.pos++
		return true, nil
	case d.pos >= len(d.data):
		return false, errUnexpectedEnd
	default:
		return false, fmt.Errorf("%q at offset %d where ',' or %q is expected", c, d.pos, closing)
	}
}
