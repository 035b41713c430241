package textnorm_test

import (
	"strings"
	"testing"

	"wallboard/internal/lib/testkit"
	"wallboard/internal/lib/textnorm"
)

func TestText(t *testing.T) {
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
		"<html><head><title>502 Bad\nGateway</title><body></body>":     "502 Bad Gateway",
		"<!-- no <p> --><?php no ?>yes":                                "yes",
		"<!-- > --><!---->yes":                                         "yes",
		"<table><tr><td>a</td><td>b</td></tr><tr><td>c</td></tr>":      "a  b\nc",
		"<template>no<template>no</template>no</template>yes":          "yes",
		"</template>a</title>b":                                        "ab",
		"a<div><div>b</div></div>c":                                    "a\nb\nc",
		"never ends <b":                                                "never ends",
		"never ends <script>no":                                        "never ends",
		"never ends <!-- no":                                           "never ends",
		"<script":                                                      "",
		"":                                                             "",
	} {
		if got := textnorm.FromHTML(in); got != want {
			t.Errorf("%q is %q, want %q", in, got, want)
		}
	}
}

func TestTextTakesTimeInProportion(t *testing.T) {
	t.Parallel()
	testkit.CheckLinear(t, testkit.HTMLPatterns(), func(s string) { textnorm.FromHTML(s) })
}

// FuzzText reads any page: it comes to an end with lines that have text.
func FuzzText(f *testing.F) {
	for _, p := range testkit.HTMLPatterns() {
		f.Add(p.Text(256))
	}
	f.Fuzz(func(t *testing.T, page string) {
		text := textnorm.FromHTML(page)
		if strings.TrimSpace(text) != text || strings.Contains(text, "\n\n\n") {
			t.Errorf("%q is %q", page, text)
		}
	})
}
