package merge

import "strconv"

// readNumber consumes a number and returns its text, which may be invalid.
func (d *decoder) readNumber() []byte {
	start := d.pos
	for d.pos < len(d.data) {
		switch c := d.data[d.pos]; {
		case c >= '0' && c <= '9', c == '-', c == '+', c == '.', c == 'e', c == 'E':
			d.pos++
		default:
			return d.data[start:d.pos]
		}
	}
	return d.data[start:d.pos]
}

// isValidNumber reports whether n is a valid JSON number.
func isValidNumber(n []byte) bool {
	i := 0
	digits := func() bool {
		start := i
		for i < len(n) && n[i] >= '0' && n[i] <= '9' {
			i++
		}
		return i > start
	}
	if i < len(n) && n[i] == '-' {
		i++
	}
	if i < len(n) && n[i] == '0' {
		i++ // no digit may follow a leading zero
	} else if !digits() {
		return false
	}
	if i < len(n) && n[i] == '.' {
		i++
		if !digits() {
			return false
		}
	}
	if i < len(n) && (n[i] == 'e' || n[i] == 'E') {
		i++
		if i < len(n) && (n[i] == '+' || n[i] == '-') {
			i++
		}
		if !digits() {
			return false
		}
	}
	return i == len(n)
}

// readDigits consumes a number of at most 18 digits without sign, fraction or exponent. ok is false
// if the next value is something else.
func (d *decoder) readDigits() (n int64, ok bool) {
	if d.pos >= len(d.data) {
		return 0, false
	}
	n, size := parsePlainInteger(d.data[d.pos:])
	d.pos += size
	return n, size > 0
}

// parsePlainInteger parses a number of at most 18 digits at the start of b. A comma or another end
// of the value must follow. size is the number of digits, or 0 if there is no such number.
func parsePlainInteger(b []byte) (n int64, size int) {
	for i, c := range b {
		if c -= '0'; c <= 9 {
			n = n*10 + int64(c)
			continue
		}
		if c += '0'; c != ',' && c != '}' && c != ']' || i == 0 || i > 18 || i > 1 && b[0] == '0' {
			return 0, 0
		}
		return n, i
	}
	return 0, 0
}

// parseInteger parses an integer of at most 18 digits. ok is false for longer and for
// invalid numbers, and for those with a fraction or an exponent.
func parseInteger(b []byte) (n int64, ok bool) {
	neg := len(b) > 0 && b[0] == '-'
	if neg {
		b = b[1:]
	}
	if len(b) == 0 || len(b) > 18 || len(b) > 1 && b[0] == '0' {
		return 0, false
	}
	for _, c := range b {
		if c < '0' || c > '9' {
			return 0, false
		}
		n = n*10 + int64(c-'0')
	}
	if neg {
		n = -n
	}
	return n, true
}

// parseFloat parses a JSON number as a float.
func parseFloat(b []byte) (float64, bool) {
	if !isValidNumber(b) {
		return 0, false
	}
	f, err := strconv.ParseFloat(string(b), 64)
	return f, err == nil
}
