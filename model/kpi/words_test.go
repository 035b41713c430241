package kpi

import (
	"regexp"
	"strings"
	"testing"
)

// TestInWords writes formulas in words.
func TestInWords(t *testing.T) {
	t.Parallel()
	for formula, want := range map[string]string{
		"hangupCalls / receivedCalls":                                   "callers who gave up / callers",
		"queuedCalls == 0 ? 0 : maxTimeCallOnQueue":                     "0 if people who wait is 0, otherwise the longest wait",
		"queuedCalls > 0 and loggedUsers == 0":                          "people who wait > 0 and agents logged in is 0",
		`status in ["WNR"] ? timeInState : 0`:                           "time in the state if state is one of [wrap-up], otherwise 0",
		"parkedCalls > 3":                                               "parked calls > 3",
		"answeredCallsUnderSpeedLimit / calls of the service's formula": "calls answered in time / calls of the service's formula",
		"(hangupCalls - shortCalls) / (receivedCalls - shortCalls)":     "(callers who gave up - callers who gave up at once) / (callers - callers who gave up at once)",
	} {
		if got := InWords(formula); got != want {
			t.Errorf("%s:\n got %q,\nwant %q", formula, got, want)
		}
	}
}

// TestNoFieldNamesInWords has every formula of the catalogue in words.
func TestNoFieldNamesInWords(t *testing.T) {
	t.Parallel()
	camel := regexp.MustCompile(`[a-z][A-Z]`)
	for _, f := range Figures() {
		for i := range f.Of {
			if got := InWords(f.Of[i].Formula); camel.MatchString(got) {
				t.Errorf("%s: %q", f.Name, got)
			}
		}
	}
}

// FuzzInWords has any text as a formula, in a time that grows with it.
func FuzzInWords(f *testing.F) {
	f.Add("a ? b : c")
	f.Add(strings.Repeat("a ? b : ", 20))
	f.Fuzz(func(_ *testing.T, s string) { InWords(s) })
}
