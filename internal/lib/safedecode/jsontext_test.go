package safedecode

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"unicode"

	"pgregory.net/rapid"
)

// An escaped document means the same to a script and cannot harm a terminal.
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

func TestJSONFields(t *testing.T) {
	t.Parallel()
	got, err := JSONFields([]byte(`{"b": "x", "a": 12345678901234567890, "no": null, "at": "2026-11-21T12:00:00.5+01:00", "flag": false, "list": [{"c": 1}], "deep": {"d": 2}}`))
	if err != nil {
		t.Fatal(err)
	}
	want := [][]string{{"b", "x"}, {"a", "12345678901234567890"}, {"at", "2026-11-21 11:00:00Z"}, {"flag", "no"}, {"list", `[{"c": 1}]`}, {"deep", `{"d": 2}`}}
	if !slices.EqualFunc(got, want, slices.Equal) {
		t.Errorf("got %q, want %q", got, want)
	}
}
