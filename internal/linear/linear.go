// Package linear is for tests: the time that a parser of foreign text takes has
// to grow with the text and not faster, whatever the text is.
package linear

import (
	"runtime"
	"strings"
	"testing"
	"time"
)

// Pattern is a text that can be as long as one likes: many times the same.
type Pattern struct{ Before, Again, After string }

// Of returns the text of about n bytes.
func (p Pattern) Of(n int) string {
	return p.Before + strings.Repeat(p.Again, max(1, n/max(1, len(p.Again)))) + p.After
}

// Pages are texts that are hard on what reads HTML: what begins and never ends,
// what nests, what nearly ends.
func Pages() []Pattern {
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

// JSON are texts that are hard on what reads JSON, in an object under a name.
func JSON(name string) []Pattern {
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

// Texts are texts that are hard on what cleans, cuts and searches words.
func Texts() []Pattern {
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
	small  = 16 << 10 // bytes
	factor = 8        // times as much
	// slack is how much slower than in proportion the longer text may be: its
	// memory is further away. A quadratic parser is factor times slower.
	slack = 3
	// least is a time below which nothing can be told.
	least = 2 * time.Millisecond
)

// Check lets f read each pattern at some length and at eight times that, and
// compares the processor time: another program that is busy does not count.
func Check(t *testing.T, patterns []Pattern, f func(string)) {
	t.Helper()
	for _, p := range patterns {
		if !CheckText(t, p.Before+p.Again, p.Of, f) {
			return // the others would take as long
		}
	}
}

// CheckText is [Check] with a text of about n bytes that text makes. It returns
// whether all is well.
func CheckText(t *testing.T, name string, text func(n int) string, f func(string)) bool {
	t.Helper()
	short, long := costs(f, text)
	for try := 1; try < 3 && doubtful(short, long); try++ { // a collection of garbage may be in one of the two
		short, long = costs(f, text)
	}
	if tooMuch(short, long) {
		t.Errorf("%.20q again and again: %v for %d bytes, %v for %d", name, short, small, long, factor*small)
		return false
	}
	return true
}

// tooMuch reports whether a text of factor times the length took too long.
func tooMuch(short, long time.Duration) bool { return long > slack*factor*short }

// doubtful reports whether it is worth another look: not what is clearly right,
// and not what would take long again.
func doubtful(short, long time.Duration) bool {
	return tooMuch(short, long) && !tooMuch(2*short, long)
}

// costs returns the processor time for the two lengths.
func costs(f func(string), text func(n int) string) (short, long time.Duration) {
	return max(least, cost(f, text(small))), cost(f, text(factor*small))
}

// cost returns the least processor time that f took for a text.
func cost(f func(string), text string) time.Duration {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	took := time.Duration(1<<63 - 1)
	for range 2 {
		began := processorTime()
		f(text)
		took = min(took, processorTime()-began)
		if took < least || took > time.Second { // nothing to gain
			break
		}
	}
	return took
}
