package graphql

import "encoding/json"

// maxDepth is the nesting limit of encoding/json.
const maxDepth = 10000

// messageParts holds the parts of a message. Its slices point into the message.
type messageParts struct {
	typ, id []byte // strings without quotes; id is nil if absent or null
	payload []byte // raw JSON; nil if absent

	// Members of an ExecutionResult, if payload is an object:
	isResult  bool
	hasData   bool   // "data" is present and not null
	hasErrors bool   // "errors" is present, not null and not an empty list
	errors    []byte // raw JSON
}

// parseFrame validates a message and finds its parts in one pass, without copying. It accepts the
// same objects as encoding/json, with keys in any order. Of duplicate keys, the last counts. reason
// says why the message is invalid, or is "".
func parseFrame(b []byte) (f messageParts, reason string) {
	i := skipSpace(b, 0)
	if i == len(b) || b[i] != '{' {
		if end := skipValue(b, i, 0); end < 0 || skipSpace(b, end) != len(b) {
			return messageParts{}, "not JSON"
		}
		return messageParts{}, "not an object"
	}
	problem := ""
	end := scanObject(b, i, func(key []byte, at int) int {
		key = unquote(key)
		if string(key) == "payload" {
			return f.scanPayload(b, at)
		}
		end := skipValue(b, at, 1)
		if end < 0 {
			return end
		}
		switch string(key) {
		case "type":
			var ok bool
			if f.typ, ok = stringContent(b[at:end]); !ok {
				problem = "type is not text"
			}
		case "id":
			if id, ok := idText(b[at:end]); ok {
				f.id = id
			} else {
				problem = "id is neither text nor a number"
			}
		}
		return end
	})
	switch {
	case end < 0 || skipSpace(b, end) != len(b):
		return messageParts{}, "not JSON"
	case problem != "":
		return messageParts{}, problem
	case f.typ == nil:
		return messageParts{}, "no type"
	}
	return f, ""
}

// scanPayload finds the parts of the payload that begins at b[at] and stores them in f. It returns
// the position after the payload.
func (f *messageParts) scanPayload(b []byte, at int) int {
	f.isResult, f.hasData, f.hasErrors, f.errors = false, false, false, nil
	if b[at] != '{' {
		end := skipValue(b, at, 1)
		if end >= 0 {
			f.payload = b[at:end]
		}
		return end
	}
	f.isResult = true
	end := scanObject(b, at, func(key []byte, at int) int {
		end := skipValue(b, at, 2)
		if end < 0 {
			return end
		}
		switch string(unquote(key)) {
		case "data":
			f.hasData = b[at] != 'n'
		case "errors":
			f.errors = b[at:end]
			empty := b[at] == '[' && b[skipSpace(b, at+1)] == ']'
			f.hasErrors = b[at] != 'n' && !empty
		}
		return end
	})
	if end >= 0 {
		f.payload = b[at:end]
	}
	return end
}

// stringContent returns the content of the JSON string raw. It returns false if raw is not a
// string.
func stringContent(raw []byte) ([]byte, bool) {
	if raw[0] != '"' {
		return nil, false
	}
	return unquote(raw), true
}

// idText returns the text of an ID, or nil for null. An ID may be a string or, on some servers, a
// number. For other values idText returns false.
func idText(raw []byte) ([]byte, bool) {
	switch c := raw[0]; {
	case c == '"':
		return unquote(raw), true
	case c == '-' || '0' <= c && c <= '9':
		return raw, true
	case c == 'n':
		return nil, true
	}
	return nil, false
}

// unquote returns the content of a valid JSON string. Strings with escapes, which are rare here,
// are decoded by encoding/json.
func unquote(raw []byte) []byte {
	inner := raw[1 : len(raw)-1]
	for _, c := range inner {
		if c == '\\' {
			var s string
			if json.Unmarshal(raw, &s) == nil {
				return []byte(s)
			}
		}
	}
	return inner
}

// scanObject scans the object that begins at b[i] and returns the position after the object. For
// every member it calls each with the key in quotes and the position of the value. each must return
// the position after the value. Like the other scan functions, scanObject returns -1 for invalid JSON.
func scanObject(b []byte, i int, each func(key []byte, at int) int) int {
	i = skipSpace(b, i+1)
	if i < len(b) && b[i] == '}' {
		return i + 1
	}
	for {
		if i >= len(b) || b[i] != '"' {
			return -1
		}
		end := skipString(b, i)
		if end < 0 {
			return -1
		}
		key := b[i:end]
		if i = skipSpace(b, end); i >= len(b) || b[i] != ':' {
			return -1
		}
		if i = skipSpace(b, i+1); i >= len(b) {
			return -1
		}
		if i = each(key, i); i < 0 {
			return -1
		}
		i = skipSpace(b, i)
		switch {
		case i >= len(b):
			return -1
		case b[i] == '}':
			return i + 1
		case b[i] != ',':
			return -1
		}
		i = skipSpace(b, i+1)
	}
}

// skipValue returns the position after the value that begins at b[i]. depth is the nesting depth of
// the value.
func skipValue(b []byte, i, depth int) int {
	if i >= len(b) {
		return -1
	}
	switch b[i] {
	case '"':
		return skipString(b, i)
	case '{':
		return skipObject(b, i, depth+1)
	case '[':
		return skipArray(b, i, depth+1)
	case 't':
		return skipLiteral(b, i, "true")
	case 'f':
		return skipLiteral(b, i, "false")
	case 'n':
		return skipLiteral(b, i, "null")
	}
	return skipNumber(b, i)
}

func skipObject(b []byte, i, depth int) int {
	if depth > maxDepth {
		return -1
	}
	return scanObject(b, i, func(_ []byte, at int) int { return skipValue(b, at, depth) })
}

func skipArray(b []byte, i, depth int) int {
	if depth > maxDepth {
		return -1
	}
	i = skipSpace(b, i+1)
	if i < len(b) && b[i] == ']' {
		return i + 1
	}
	for {
		if i = skipValue(b, i, depth); i < 0 {
			return -1
		}
		i = skipSpace(b, i)
		switch {
		case i >= len(b):
			return -1
		case b[i] == ']':
			return i + 1
		case b[i] != ',':
			return -1
		}
		i = skipSpace(b, i+1)
	}
}

func skipString(b []byte, i int) int {
	for i++; i < len(b); i++ {
		switch c := b[i]; {
		case c == '"':
			return i + 1
		case c < ' ':
			return -1
		case c == '\\':
			if i = skipEscape(b, i); i < 0 {
				return -1
			}
		}
	}
	return -1
}

// skipEscape returns the position of the last byte of the escape at b[i].
func skipEscape(b []byte, i int) int {
	if i++; i >= len(b) {
		return -1
	}
	switch b[i] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return i
	case 'u':
		for n := 0; n < 4; n++ {
			if i++; i >= len(b) || !isHex(b[i]) {
				return -1
			}
		}
		return i
	}
	return -1
}

func isHex(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F'
}

func skipLiteral(b []byte, i int, word string) int {
	if len(b)-i < len(word) || string(b[i:i+len(word)]) != word {
		return -1
	}
	return i + len(word)
}

func skipNumber(b []byte, i int) int {
	if i < len(b) && b[i] == '-' {
		i++
	}
	switch {
	case i >= len(b):
		return -1
	case b[i] == '0':
		i++
	default:
		if i = skipDigits(b, i); i < 0 {
			return -1
		}
	}
	if i < len(b) && b[i] == '.' {
		if i = skipDigits(b, i+1); i < 0 {
			return -1
		}
	}
	if i < len(b) && (b[i] == 'e' || b[i] == 'E') {
		i++
		if i < len(b) && (b[i] == '+' || b[i] == '-') {
			i++
		}
		i = skipDigits(b, i)
	}
	return i
}

// skipDigits returns the position after one or more digits that begin at b[i].
func skipDigits(b []byte, i int) int {
	start := i
	for i < len(b) && '0' <= b[i] && b[i] <= '9' {
		i++
	}
	if i == start {
		return -1
	}
	return i
}

func skipSpace(b []byte, i int) int {
	for i < len(b) && (b[i] == ' ' || b[i] == '\n' || b[i] == '\t' || b[i] == '\r') {
		i++
	}
	return i
}
