package kpi

import (
	"regexp"
	"strings"
	"unicode"
)

// wordsByName maps names of the platform in formulas to words for users.
var wordsByName = map[string]string{
	"answeredCalls":                 "calls answered",
	"answeredCallsUnderSpeedLimit":  "calls answered in time",
	"hangupCalls":                   "abandoned calls",
	"shortCalls":                    "short abandoned calls",
	"receivedCalls":                 "callers",
	"queuedCalls":                   "people who wait",
	"maxTimeCallOnQueue":            "the longest wait",
	"longestWait":                   "the longest wait",
	"averageTimeOnQueue":            "average wait of those answered",
	"loggedUsers":                   "agents logged in",
	"readyUsers":                    "agents ready",
	"notReadyUsers":                 "agents not ready",
	"busyOnServUsers":               "agents talking",
	"postCallUsers":                 "agents in wrap-up",
	"missesLeft":                    "misses left today",
	"toRecover":                     "calls in a row to recover",
	"serviceLevel":                  "service level",
	"serviceLevelTarget":            "target",
	"abandonRate":                   "abandon rate",
	"outboundAnsweredCalls":         "outbound calls answered",
	"outboundReceivedCalls":         "outbound calls",
	"outboundHangupCalls":           "outbound calls dropped",
	"numberCallFromService":         "calls offered",
	"numberCallFromServiceAnswered": "calls answered",
	"timeInStateBusyOnService":      "time talking",
	"timeInStateWNR":                "time in wrap-up",
	"timeInStateBooked":             "time reserved",
	"timeInStateBusy":               "time busy",
	"timeInStateReady":              "time ready",
	"timeInStateNotReady":           "time not ready",
	"timeInState":                   "time in the state",
	"status":                        "state",
	"activityCode":                  "activity",
	"breakKind":                     "kind of break",
	"breakLimit":                    "what the break may take",
	"breakSource":                   "where that limit comes from",
	"toDoContacts":                  "contacts left",
	"totalContacts":                 "contacts in all",
	"triedContacts":                 "contacts tried",
	"okContacts":                    "contacts reached",
	"startedCalls":                  "calls started",
	"ringingContacts":               "contacts ringing",
	"freeResources":                 "free agents",
	"availableResources":            "agents assigned",
	"usedChannels":                  "lines in use",
	"allocatedChannels":             "lines",
	"stale":                         "the figures are not current",
}

var namePattern = regexp.MustCompile(`"[^"]*"|[A-Za-z_][A-Za-z0-9_]*`)

// stateWords maps states of agents to words for users.
var stateWords = map[string]string{
	"WNR": "wrap-up", "NOT_READY": "not ready", "NOT_READY_BUSY": "busy, then break", "READY": "ready", "BOOKED": "reserved", "BUSY_ELSEWHERE": "busy on another channel",
	"BUSY": "talking", "BUSY_dn_call_in": "on an internal call", "BUSY_dn_call_out": "calling out", "BUSY_dn_call_out_private": "on a private call",
}

// Word returns words for a name in a formula: the name of a counter of the platform, or of a
// figure.
func Word(name string) string {
	if w := wordsByName[name]; w != "" {
		return w
	}
	if f := Named(name); f != nil {
		return strings.ToLower(f.Title[:1]) + f.Title[1:]
	}
	return splitCamelCase(name)
}

// splitCamelCase returns the words of a name in camel case: "parked calls" for "parkedCalls".
func splitCamelCase(name string) string {
	var b strings.Builder
	before := ' '
	for _, r := range name {
		if unicode.IsUpper(r) && unicode.IsLower(before) {
			b.WriteByte(' ')
			r = unicode.ToLower(r)
		}
		b.WriteRune(r)
		before = r
	}
	return b.String()
}

// InWords returns a formula or a condition with its names replaced with words, for example "callers
// who gave up / callers".
func InWords(formula string) string {
	return choiceInWords(strings.Join(strings.Fields(formula), " "), maxDepth)
}

// maxDepth limits the nesting of choices (a ? b : c) that is put into words.
const maxDepth = 8

// choiceInWords returns a formula in words. It turns "a ? b : c" into "b if a, otherwise c", also
// inside brackets. depth limits how deeply nested choices may be.
func choiceInWords(s string, depth int) string {
	if depth == 0 || !strings.Contains(s, " ? ") {
		return termsInWords(s)
	}
	if cond, yes, no, ok := splitChoice(s); ok {
		return partInWords(yes, depth-1) + " if " + partInWords(cond, depth-1) + ", otherwise " + choiceInWords(no, depth-1)
	}
	var out strings.Builder
	for {
		from := strings.IndexByte(s, '(')
		to := from + closingBracket(s[max(from, 0):])
		if from < 0 || to < from {
			out.WriteString(termsInWords(s))
			return out.String()
		}
		out.WriteString(termsInWords(s[:from]) + "(" + choiceInWords(s[from+1:to], depth-1) + ")")
		s = s[to+1:]
	}
}

// partInWords returns one part of a choice in words. It adds brackets if the part is itself a
// choice.
func partInWords(s string, depth int) string {
	out := choiceInWords(s, depth)
	if _, _, _, is := splitChoice(s); is {
		return "(" + out + ")"
	}
	return out
}

// splitChoice splits a choice (cond ? yes : no) into its parts. ok is false if s is not a choice. A
// choice inside brackets does not count.
func splitChoice(s string) (cond, yes, no string, ok bool) {
	asked, open, brackets := -1, 0, 0 // index of the first choice; number of choices without their second branch
	for i := range len(s) {
		switch rest := s[i:]; {
		case s[i] == '(':
			brackets++
		case s[i] == ')':
			brackets--
		case brackets > 0:
		case strings.HasPrefix(rest, " ? "):
			if open++; asked < 0 {
				asked = i
			}
		case strings.HasPrefix(rest, " : ") && asked >= 0 && i >= asked+3:
			if open--; open == 0 {
				return s[:asked], s[asked+3 : i], s[i+3:], true
			}
		}
	}
	return "", "", "", false
}

// closingBracket returns the index of the bracket that closes the first bracket in s, or -1 if
// there is none.
func closingBracket(s string) int {
	open := 0
	for i := range len(s) {
		switch s[i] {
		case '(':
			open++
		case ')':
			if open--; open == 0 {
				return i
			}
		}
	}
	return -1
}

var (
	knownPattern         = regexp.MustCompile(`\bknown\(([A-Za-z]+)\)`)
	singleElementPattern = regexp.MustCompile(` in \[("[^"]*")\]`)
)

// termsInWords returns a formula in words. The formula must not contain a choice.
func termsInWords(formula string) string {
	formula = singleElementPattern.ReplaceAllString(knownPattern.ReplaceAllString(formula, "$1 is known"), " == $1")
	out := namePattern.ReplaceAllStringFunc(formula, func(name string) string {
		if strings.HasPrefix(name, `"`) {
			if s := stateWords[strings.Trim(name, `"`)]; s != "" {
				return s
			}
			return strings.Trim(name, `"`)
		}
		switch name {
		case "and", "or", "not", "in", "calls", "of", "the", "missed", "rounded", "down", "up", "at", "least", "formula", "is", "known", "target", "max", "min":
			return name
		}
		return Word(name)
	})
	return strings.NewReplacer(" == 0", " is 0", " == ", " is ", " != ", " is not ", " in [", " is one of [", " >= ", " at least ", " <= ", " at most ").Replace(out)
}
