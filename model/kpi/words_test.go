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
		"hangupCalls / receivedCalls":                                                       "abandoned calls / callers",
		"queuedCalls == 0 ? 0 : maxTimeCallOnQueue":                                         "0 if people who wait is 0, otherwise the longest wait",
		"queuedCalls > 0 and loggedUsers == 0":                                              "people who wait > 0 and agents logged in is 0",
		`status in ["WNR"] ? timeInState : 0`:                                               "time in the state if state is wrap-up, otherwise 0",
		"queuedCalls > 0 and readyUsers == 0 ? (known(longestWait) ? longestWait : 20) : 0": "(the longest wait if the longest wait is known, otherwise 20) if people who wait > 0 and agents ready is 0, otherwise 0",
		"readyUsers == 0 ? queuedCalls > 0 ? 1 : 2 : 3":                                     "(1 if people who wait > 0, otherwise 2) if agents ready is 0, otherwise 3",
		"max(readyUsers ? 1 : 2, 3) / loggedUsers":                                          "max(1 if agents ready, otherwise 2, 3) / agents logged in",
		"(readyUsers ? 1": "(agents ready ? 1",
		"parkedCalls > 3": "parked calls > 3",
		"answeredCallsUnderSpeedLimit / calls of the service's formula": "calls answered in time / calls of the service's formula",
		"(hangupCalls - shortCalls) / (receivedCalls - shortCalls)":     "(abandoned calls - short abandoned calls) / (callers - short abandoned calls)",
	} {
		if got := InWords(formula); got != want {
			t.Errorf("%s:\n got %q,\nwant %q", formula, got, want)
		}
	}
}

// TestNoFieldNamesInWords puts every formula of the catalogue in words.
func TestNoFieldNamesInWords(t *testing.T) {
	t.Parallel()
	camel := regexp.MustCompile(`[a-z][A-Z]`)
	for _, f := range Figures() {
		for i := range f.Forms {
			if got := InWords(f.Forms[i].Formula); camel.MatchString(got) {
				t.Errorf("%s: %q", f.Name, got)
			}
		}
	}
}

// FuzzInWords checks any text as a formula; the time must grow linearly.
func FuzzInWords(f *testing.F) {
	f.Add("a ? b : c")
	f.Add(" ? : ")
	f.Add(strings.Repeat("a ? b : ", 20))
	f.Fuzz(func(_ *testing.T, s string) { InWords(s) })
}
