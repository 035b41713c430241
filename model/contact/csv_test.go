package contact

import (
	"encoding/csv"
	"strings"
	"testing"
)

// TestCSVHoldsNoFormula checks cells that attack spreadsheets of any locale.
func TestCSVHoldsNoFormula(t *testing.T) {
	t.Parallel()
	for cell, want := range map[string]string{
		"Sales - North":   `Sales - North`,
		"Sales IT":        `Sales IT`,
		"-12":             `-12`,
		"-0.5":            `-0.5`,
		"+390471000000":   `+390471000000`,
		"-5+cmd|' /C x'!": `"'-5+cmd|' /C x'!"`,
		"=1+1":            `'=1+1`,
		"@SUM(A1)":        `'@SUM(A1)`,
		"＝1+1":            `'＝1+1`,
		"＠SUM(A1)":        `'＠SUM(A1)`,
		"\t=1+1":          "\"'\t'=1+1\"",
		"\rx":             "\"'\rx\"",
		"a;=1+1":          `"a;'=1+1"`,
		"a; =1+1":         `"a; '=1+1"`,
		`a;"=1+1`:         `"a;""'=1+1"`,
		"a\t+1+1":         "\"a\t'+1+1\"",
		"a|=1":            `"a|'=1"`,
		"a,=1":            `"a,'=1"`,
		"a\n=1":           "\"a\n'=1\"",
		"a；＝1":            `"a；'＝1"`,
		"\u200b=1":        "\u200b'=1",
		" =1":             `" '=1"`,
		"a;b":             `"a;b"`,
		`say "hi"`:        `"say ""hi"""`,
	} {
		var b strings.Builder
		if err := WriteCSV(&b, []string{cell}, nil); err != nil {
			t.Fatal(err)
		}
		if got := strings.TrimSuffix(b.String(), "\r\n"); got != want {
			t.Errorf("%q is written as %q, want %q", cell, got, want)
		}
	}
}

// FuzzCSV splits the output like spreadsheets of other locales, with or without quotes: no part begins
// like a formula, and a correct reader returns the original cells.
func FuzzCSV(f *testing.F) {
	for _, cell := range []string{"", "a;=1", "\t＝1", "-5", "x\"y", "a\r\nb", ";;=", "\"=1", "\u2028=1"} {
		f.Add(cell, cell)
	}
	f.Fuzz(func(t *testing.T, a, b string) {
		var out strings.Builder
		if err := WriteCSV(&out, []string{a, b}, nil); err != nil {
			t.Fatal(err)
		}
		for _, sep := range ",;|\t\n" {
			for _, piece := range strings.FieldsFunc(out.String(), func(c rune) bool { return c == sep || c == '\r' || c == '\n' || c == ',' }) {
				piece = strings.TrimLeft(piece, " \"")
				if piece == "" || numberPattern.MatchString(strings.TrimRight(piece, " \"")) {
					continue
				}
				if c := []rune(piece)[0]; startsFormula(c) && !strings.Contains("+-", string(c)) {
					t.Fatalf("%q, %q: %q begins like a formula in %q", a, b, piece, out.String())
				}
			}
		}
		r := csv.NewReader(strings.NewReader(out.String()))
		r.FieldsPerRecord = 2
		if _, err := r.ReadAll(); err != nil {
			t.Fatalf("%q, %q: %v", a, b, err)
		}
	})
}
