package cmdutil

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"unicode"

	"pgregory.net/rapid"
)

func TestFit(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		widths []int
		width  int
		want   []int
	}{
		{[]int{4, 10, 4}, 80, []int{4, 10, 4}},
		{[]int{4, 30, 20}, 40, []int{4, 16, 16}},
		{[]int{4, 4}, 1, []int{1, 1}},
	} {
		got := slices.Clone(c.widths)
		if shrinkColumns(got, c.width); !slices.Equal(got, c.want) {
			t.Errorf("%v in %d is %v, want %v", c.widths, c.width, got, c.want)
		}
	}
}

// What is escaped means the same to a script and cannot harm a terminal.
func TestEscapeJSON(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.String().Draw(t, "text") + rapid.SampledFrom([]string{"\x1b]0;x\a", "\u009b2J", "\u202e", "\U000e0041", "\x7f", "é"}).Draw(t, "hostile")
		raw, err := json.Marshal(text)
		if err != nil {
			t.Fatal(err)
		}
		escaped := EscapeJSON(raw)
		var back string
		if err := json.Unmarshal(escaped, &back); err != nil || back != text {
			t.Fatalf("%q came back as %q (%v)", text, back, err)
		}
		if strings.ContainsFunc(string(escaped), func(r rune) bool { return !unicode.IsPrint(r) }) {
			t.Fatalf("%q", escaped)
		}
	})
}
