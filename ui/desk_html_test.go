package ui

import (
	"strings"
	"testing"
	"unicode"

	"pgregory.net/rapid"
)

func TestHTMLText(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"plain":                          "plain",
		"<p>Dear  all,\n</p><p>bye</p>":  "Dear all,\n\nbye",
		"a<br>b<br/>c":                   "a\nb\nc",
		"<ul><li>one<li>two</ul>end":     "- one\n- two\n\nend",
		"1 < 2 && 3 > 2":                 "1 < 2 && 3 > 2",
		"&lt;b&gt; &amp; &eacute;&nbsp;": "<b> & é",
		"x<script>if (a<b) alert('</p>')</script>y<STYLE>p{}</Style>z": "xyz",
		`<a title="a > b" href='javascript:x'>link</a>!`:               "link!",
		"<head><title>no</title></head><body>yes</body>":               "yes",
		"<!-- no <p> --><?php no ?>yes":                                "yes",
		"<table><tr><td>a</td><td>b</td></tr><tr><td>c</td></tr>":      "a  b\nc",
		"never ends <b":            "never ends",
		"never ends <script>":      "never ends",
		"&#27;[31m&#x202e;&#7;red": "␛[31m\ufffd␇red",
	} {
		if got := htmlText(in); got != want {
			t.Errorf("%q is %q, want %q", in, got, want)
		}
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
