package merge

import (
	"bytes"
	"testing"
)

// Checking eight bytes at a time must give the same result as checking each, at
// any position and with any neighbours.
func TestPlainRun(t *testing.T) {
	t.Parallel()
	slow := func(b []byte) int {
		for i, c := range b {
			if c < ' ' || c > '~' || c == '"' || c == '\\' {
				return i
			}
		}
		return len(b)
	}
	around := []byte{' ', 'a', '~', '!', '#', '[', ']', 0x7f, 0x80, 0xff, 0, '"'}
	for size := range 20 {
		for at := range size {
			for c := range 256 {
				for _, other := range around {
					b := bytes.Repeat([]byte{other}, size)
					copy(b, "plain text, before it"[:at])
					b[at] = byte(c)
					if got, want := plainRunLength(b), slow(b); got != want {
						t.Fatalf("%q: %d, want %d", b, got, want)
					}
				}
			}
		}
	}
}

func TestWholeNumber(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]struct {
		n    int64
		size int
	}{
		"0,": {0, 1}, "7}": {7, 1}, "10]": {10, 2}, "999999999999999999,": {999999999999999999, 18},
		"": {}, "12": {}, ",": {}, "01,": {}, "00}": {}, "1.5,": {}, "1e3,": {}, "-1,": {}, "1 ,": {}, "9999999999999999999,": {},
	} {
		if n, size := parsePlainInteger([]byte(text)); n != want.n || size != want.size {
			t.Errorf("%q: %d in %d bytes, want %d in %d", text, n, size, want.n, want.size)
		}
	}
}
