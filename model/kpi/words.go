package kpi

import (
	"regexp"
	"strings"
	"unicode"
)

// word is what people call a name of the platform in a formula.
var word = map[string]string{
	"answeredCalls":                 "calls answered",
	"answeredCallsUnderSpeedLimit":  "calls answered in time",
	"hangupCalls":                   "callers who gave up",
	"shortCalls":                    "callers who gave up at once",
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
	"abandonRate":                   "share who gave up",
	"outboundAnsweredCalls":         "outbound calls answered",
	"outboundReceivedCalls":         "outbound calls",
	"outboundHangupCalls":           "outbound calls dropped",
	"numberCallFromService":         "calls offered",
	"numberCallFromServiceAnswered": "calls answered",
	"timeInStateBusyOnService":      "time talking",
	"timeInStateWNR":                "time in wrap-up",
	"timeInStateBooked":             "time booked",
	"timeInStateBusy":               "time busy",
	"timeInStateReady":              "time ready",
	"timeInStateNotReady":           "time not ready",
	"timeInState":                   "time in the state",
	"status":                        "state",
	"activityCode":                  "activity",
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
	"stale":                         "the figures are not the present ones",
}

var names = regexp.MustCompile(`"[^"]*"|[A-Za-z_][A-Za-z0-9_]*`)

// states are the names of agents' states in words.
var states = map[string]string{
	"WNR": "wrap-up", "NOT_READY": "not ready", "NOT_READY_BUSY": "busy, not ready", "READY": "ready", "BOOKED": "booked",
	"BUSY": "talking", "BUSY_dn_call_in": "on an internal call", "BUSY_dn_call_out": "calling out", "BUSY_dn_call_out_private": "on a private call",
}

// Word is what people call a name in a formula: the platform's, or that of a figure.
func Word(name string) string {
	if w := word[name]; w != "" {
		return w
	}
	if f := Named(name); f != nil {
		return strings.ToLower(f.Title[:1]) + f.Title[1:]
	}
	return spaced(name)
}

// spaced takes a name apart where a capital begins a word: "parkedCalls" is "parked
// calls".
func spaced(name string) string {
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

// InWords writes a formula, or a condition, in words: "callers who gave up / callers".
func InWords(formula string) string {
	formula = strings.Join(strings.Fields(formula), " ")
	if cond, rest, ok := strings.Cut(formula, " ? "); ok {
		// The last one is the alternative: those before it belong to the inner choices.
		if i := strings.LastIndex(rest, " : "); i >= 0 && !strings.Contains(rest, " ? ") {
			return inWords(rest[:i]) + " if " + inWords(cond) + ", otherwise " + inWords(rest[i+3:])
		}
	}
	return inWords(formula)
}

func inWords(formula string) string {
	out := names.ReplaceAllStringFunc(formula, func(name string) string {
		if strings.HasPrefix(name, `"`) {
			if s := states[strings.Trim(name, `"`)]; s != "" {
				return s
			}
			return strings.Trim(name, `"`)
		}
		switch name {
		case "and", "or", "not", "in", "calls", "of", "the", "missed", "rounded", "down", "up", "at", "least", "formula", "target", "max", "min":
			return name
		}
		return Word(name)
	})
	return strings.NewReplacer(" == 0", " is 0", " == ", " is ", " != ", " is not ", " in [", " is one of [", " >= ", " at least ", " <= ", " at most ").Replace(out)
}
