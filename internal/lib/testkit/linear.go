package testkit

import (
	"runtime"
	"strings"
	"testing"
	"time"
)

// Pattern is a text of any length: a repeated part with a prefix and a suffix.
type Pattern struct{ Before, Repeated, After string }

// Text returns a text of about n bytes.
func (p Pattern) Text(n int) string {
	return p.Before + strings.Repeat(p.Repeated, max(1, n/max(1, len(p.Repeated)))) + p.After
}

// HTMLPatterns returns texts that are hard for HTML parsers: unclosed, nested and nearly closed
// elements.
func HTMLPatterns() []Pattern {
	var all []Pattern
	for _, again := range []string{
		"<script", "<script>", "<script></scrip", "<style ", "<!--", "<!-- --", "<!", "<", "</", "<a", "<a ", `<a b="`, "<a b='\">", "<p>", "<b>",
		"<template>", "</template>", "<title>", "<table><tr><td>", "<![CDATA[", "<plaintext>", "<textarea>", "<svg><style>", "&", "&#", "&#x1;", "&amp", "&notanentity;",
		"<div a=b a=b ", "<script><!--<script", "\n\n", " \n ", "<br>", "é<", "\x00", "\xff<",
	} {
		all = append(all, Pattern{"<html>", again, ""}, Pattern{"<script>", again, "</script>"}, Pattern{"", again, ">"})
	}
	return all
}

// JSONPatterns returns texts that are hard for JSON parsers, in an object with a member of the
// given name.
func JSONPatterns(name string) []Pattern {
	before := `{"` + name + `":`
	return []Pattern{
		{"", "[", ""},
		{"", `{"a":`, ""},
		{"", `{"` + name + `":`, ""},
		{before, "[", ""},
		{before + "[", "{},", "{}]}"},
		{before + "[", "0,", "0]}"},
		{before + "[", `"a",`, `""]}`},
		{before + "[", `{"message":"a"},`, "{}]}"},
		{before + `"`, "a", `"}`},
		{before + `"`, `\"`, `"}`},
		{before + `"`, `\u0000`, `"}`},
		{before + `"`, `\ud800`, `"}`},
		{before + `"`, "<script", `"}`},
		{before + `"`, "é", `"}`},
		{before + `"`, "\xff", `"}`},
		{before, " ", "0}"},
		{before, "9", "}"},
		{before + "0.", "9", "}"},
		{"{", `"` + name + `":0,`, `"":0}`},
		{"{", `"\u0061":0,`, `"":0}`},
		{before + "[", `[[]],`, "0]}"},
		{before, " ", ""},
	}
}

// TextPatterns returns texts that are hard for code that cleans, truncates or searches words.
func TextPatterns() []Pattern {
	var all []Pattern
	for _, again := range []string{
		"a", "a ", " ", "\n", "\r\n", "\t", "\x1b[", "é", "e\u0301", "\u0301", "\u202e", "\U0001f468\u200d", "\ufe0f", "\xff", "\"", "Exception", "AException ",
		"a.b.CException\n\tat a.b(c:1)\n", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaException", "cannot query field ", "fragment ", "too ", "=", "key=", "://",
	} {
		all = append(all, Pattern{"", again, ""}, Pattern{"x", again, "y"})
	}
	return all
}

const (
	shortLength  = 16 << 10 // bytes
	lengthFactor = 8        // the longer text is this many times as long
	// maxSlowdown is how much slower than proportional the longer text may be, because its memory
	// is less local. A quadratic parser is slower by lengthFactor.
	maxSlowdown = 3
	// minMeasurable is the shortest measurable time.
	minMeasurable = 2 * time.Millisecond
)

// CheckLinear runs f on each pattern at one length and at eight times that length, and compares
// the CPU times.
func CheckLinear(t *testing.T, patterns []Pattern, f func(string)) {
	t.Helper()
	for _, p := range patterns {
		if !CheckLinearText(t, p.Before+p.Repeated, p.Text, f) {
			return // the others would take as long
		}
	}
}

// CheckLinearText is [CheckLinear] for a function that returns a text of about n bytes. It reports
// whether the time is acceptable.
func CheckLinearText(t *testing.T, name string, text func(n int) string, f func(string)) bool {
	t.Helper()
	shortCost, longCost := measureBoth(f, text)
	for try := 1; try < 3 && isDoubtful(shortCost, longCost); try++ { // one of the two may include a garbage collection
		shortCost, longCost = measureBoth(f, text)
	}
	if isTooSlow(shortCost, longCost) {
		t.Errorf("%.20q repeated: %v for %d bytes, %v for %d", name, shortCost, shortLength, longCost, lengthFactor*shortLength)
		return false
	}
	return true
}

// isTooSlow reports whether the longer text took too long.
func isTooSlow(shortCost, longCost time.Duration) bool {
	return longCost > maxSlowdown*lengthFactor*shortCost
}

// isDoubtful reports whether a repeated measurement could change the result.
func isDoubtful(shortCost, longCost time.Duration) bool {
	return isTooSlow(shortCost, longCost) && !isTooSlow(2*shortCost, longCost)
}

// measureBoth returns the CPU times for the two lengths.
func measureBoth(f func(string), text func(n int) string) (shortCost, longCost time.Duration) {
	return max(minMeasurable, measure(f, text(shortLength))), measure(f, text(lengthFactor*shortLength))
}

// measure returns the minimum CPU time of f for a text.
func measure(f func(string), text string) time.Duration {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	minimum := time.Duration(1<<63 - 1)
	for range 2 {
		started := threadCPUTime()
		f(text)
		minimum = min(minimum, threadCPUTime()-started)
		if minimum < minMeasurable || minimum > time.Second { // nothing to gain
			break
		}
	}
	return minimum
}
