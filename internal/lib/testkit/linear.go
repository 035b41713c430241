package testkit

import (
	"runtime"
	"strings"
	"testing"
	"time"
)

// Pattern describes strings of any length: Before, then Repeated as often as needed, then After.
type Pattern struct{ Before, Repeated, After string }

// Text returns a string of about n bytes that follows the pattern.
func (p Pattern) Text(n int) string {
	return p.Before + strings.Repeat(p.Repeated, max(1, n/max(1, len(p.Repeated)))) + p.After
}

// HTMLPatterns returns patterns of HTML that some parsers are slow to parse: unclosed, nested
// and nearly closed elements.
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

// JSONPatterns returns patterns of JSON that some parsers are slow to parse. Most of them are
// objects with a member of the given name.
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

// TextPatterns returns patterns of text that some code is slow to clean, truncate or search.
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
	shortLength  = 16 << 10 // length of the short text in bytes
	lengthFactor = 8        // length of the longer text, as a multiple of shortLength
	// maxSlowdown is the factor by which the CPU time for the longer text may exceed a time
	// that is proportional to its length. It is more than 1, because the memory of a longer
	// text is less local. For a quadratic parser the factor is lengthFactor.
	maxSlowdown = 3
	// minMeasurable is the shortest CPU time that is measured reliably.
	minMeasurable = 2 * time.Millisecond
)

// CheckLinear fails the test if the CPU time of f is not proportional to the length of its
// argument. It runs f with a short string of each pattern and with a string that is eight
// times as long.
func CheckLinear(t *testing.T, patterns []Pattern, f func(string)) {
	t.Helper()
	for _, p := range patterns {
		if !CheckLinearText(t, p.Before+p.Repeated, p.Text, f) {
			return // the other patterns would take as long
		}
	}
}

// CheckLinearText is like [CheckLinear], but for a single pattern. The function text returns a
// string of about n bytes; name describes it in the error message. CheckLinearText reports
// whether the CPU time is proportional to the length.
func CheckLinearText(t *testing.T, name string, text func(n int) string, f func(string)) bool {
	t.Helper()
	shortCost, longCost := measureCPUTimes(f, text)
	for try := 1; try < 3 && isDoubtful(shortCost, longCost); try++ { // one measurement may include a garbage collection
		shortCost, longCost = measureCPUTimes(f, text)
	}
	if isTooSlow(shortCost, longCost) {
		t.Errorf("%.20q repeated: %v for %d bytes, %v for %d", name, shortCost, shortLength, longCost, lengthFactor*shortLength)
		return false
	}
	return true
}

// isTooSlow reports whether the CPU time for the longer string exceeds that for the short one
// by more than the allowed factor.
func isTooSlow(shortCost, longCost time.Duration) bool {
	return longCost > maxSlowdown*lengthFactor*shortCost
}

// isDoubtful reports whether the CPU time for the longer string is too long, but by less than
// a factor of two. Another measurement may then give a different result.
func isDoubtful(shortCost, longCost time.Duration) bool {
	return isTooSlow(shortCost, longCost) && !isTooSlow(2*shortCost, longCost)
}

// measureCPUTimes returns the CPU times of f for a short string and for one that is eight times as
// long. The first is at least minMeasurable.
func measureCPUTimes(f func(string), text func(n int) string) (shortCost, longCost time.Duration) {
	return max(minMeasurable, measureCPUTime(f, text(shortLength))), measureCPUTime(f, text(lengthFactor*shortLength))
}

// measureCPUTime runs f up to two times and returns the shorter CPU time.
func measureCPUTime(f func(string), text string) time.Duration {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	minimum := time.Duration(1<<63 - 1)
	for range 2 {
		started := threadCPUTime()
		f(text)
		minimum = min(minimum, threadCPUTime()-started)
		if minimum < minMeasurable || minimum > time.Second { // a second run would not be more precise
			break
		}
	}
	return minimum
}
