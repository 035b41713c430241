package kpi_test

const (
	hangups = "`hangupCalls`: see below"
	logged  = "counts logged-in staff only"
	usual   = "usual"
	amazon  = "Amazon Connect"
)

// definitions holds, by figure, the source of its definition and what it assumes about the platform's
// counters. If a figure has another definition in some scope, the key is the name followed by the scope.
var definitions = map[string]struct{ definition, assumption string }{
	"serviceLevel":        {"ICMI, three formulas: see below", hangups},
	"serviceLevelTarget":  {"configured", ""},
	"missesLeft":          {"see below", hangups},
	"toRecover":           {"see below", hangups},
	"longestWait":         {usual, "`maxTimeCallOnQueue` is the longest current wait; where it is that of the day, the wait is estimated: see below"},
	"longestToday":        {usual, "`maxTimeCallOnQueue` is the longest wait of the day; else this is unknown"},
	"abandonRate":         {amazon, hangups},
	"abandonRate service": {amazon + ": callbacks (`closedCallsCallBack`) are not abandoned", hangups},
	"abandonRateLong":     {"Call Centre Helper", "`shortCalls` are a part of `hangupCalls`"},
	"answerRate":          {usual, ""},
	"asa":                 {amazon + ", average queue answer time; over several services the mean weighted by `answeredCalls`", "the platform averages over answered calls"},
	"outboundAnswerRate":  {usual, ""},
	"nuisanceEstimate":    {"an estimate, **never proof of compliance** (see below)", "hang-ups are dropped live calls, and only one campaign uses the service"},
	"aht":                 {amazon + ": talk, hold and after-call work over handled calls", "time on hold is a part of the busy time"},
	"occupancy service":   {"Call Centre Helper, by heads", "agents are counted at one moment, which jumps"},
	"occupancy":           {"Call Centre Helper", "`timeInStateBusy` contains `timeInStateBusyOnService`, so that only the latter counts"},
	"loggedTime":          {"stands in for paid time, which the platform does not know", "these states exclude each other"},
	"shrinkage":           {"share of the staff that is not available", logged},
	"attemptsPerContact":  {usual, "`startedCalls` counts attempts"},
	"penetration":         {"PureConnect", ""},
	"hitRate":             {"Avaya Proactive Contact", "`startedCalls` counts attempts, `okContacts` people reached"},
	"contactRate":         {"one of four meanings in use", "`okContacts` counts people reached"},
	"resourcesBusy":       {"", "free resources are a part of the available ones"},
}
