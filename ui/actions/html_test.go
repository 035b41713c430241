package actions

import (
	"strings"
	"testing"
	"unicode"

	"pgregory.net/rapid"
)

func TestHTMLText(t *testing.T) {
	t.Parallel()
	if got, want := htmlText("<p>&#27;[31m&#x202e;&#7;red</p><p>b"), "␛[31m\ufffd␇red\n\nb"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestHTMLTextIsAlwaysClean(t *testing.T) {
	t.Parallel()
	part := rapid.SampledFrom([]string{
		"<", ">", "&", "#27;", "&#155;", "&#x1b;", "script", "/", "!--", "-->", "\"", "'", " ", "\n", "p", "é", "\x1b", "\u202e",
	})
	rapid.Check(t, func(rt *rapid.T) {
		in := strings.Join(rapid.SliceOf(part).Draw(rt, "parts"), "")
		for _, r := range htmlText(in) {
			if r != '\n' && (unicode.IsControl(r) || r == '\u202e') {
				rt.Fatalf("%q has %q", in, r)
			}
		}
	})
}

func TestIsHTML(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		contentType, body string
		want              bool
	}{
		{"text/html; charset=utf-8", "x", true},
		{"text/plain", "<p>x</p>", false},
		{"", " <!DOCTYPE HTML><p>", true},
		{"", "<3 you all", false},
		{"", "", false},
	} {
		if got := isHTML(tt.contentType, tt.body); got != tt.want {
			t.Errorf("%q, %q is %v", tt.contentType, tt.body, got)
		}
	}
}
