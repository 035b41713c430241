package chart

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// TestLetters draws capital letters of equal width, without accents, and refuses other characters.
func TestLetters(t *testing.T) {
	t.Parallel()
	for r := 'A'; r <= 'Z'; r++ {
		lines, width, ok := LargeLetters(string(r), Blocks)
		if !ok || len(lines) != HalfDigitRows {
			t.Fatalf("%c: %q", r, lines)
		}
		for _, l := range lines {
			if utf8.RuneCountInString(l) != width {
				t.Errorf("%c: %q is not %d wide", r, l, width)
			}
		}
		if other, _, _ := LargeLetters(string(r+1), Blocks); strings.Join(other, "\n") == strings.Join(lines, "\n") {
			t.Errorf("%c looks like the next letter", r)
		}
	}
	accented, _, ok := LargeLetters("Łódź · Café 1", Blocks)
	plain, _, _ := LargeLetters("LODZ · CAFE 1", Blocks)
	if !ok || strings.Join(accented, "\n") != strings.Join(plain, "\n") {
		t.Errorf("%q, want %q", accented, plain)
	}
	for text, set := range map[string]CharSet{"東京": Blocks, "Sales": ASCII, "": Blocks} {
		if lines, _, ok := LargeLetters(text, set); ok {
			t.Errorf("%q is drawn as %q", text, lines)
		}
	}
}
