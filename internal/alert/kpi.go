package alert

import (
	"time"

	"wallboard/internal/textformat"
	"wallboard/model"
)

// KPI is a custom or built-in figure.
type KPI struct {
	Name  string // identifier in expressions and rules
	Title string // display name; "" means Name
	Scope Scope
	// Expr is a numeric expression. For a built-in KPI, Expr is only for display: the formula with
	// the names of the platform.
	Expr      string
	Format    Format
	Target    model.Float
	Direction Direction
	BuiltIn   bool // true for a built-in KPI; set by the engine
	// FromSnapshot is true for a custom KPI whose value follows from a single snapshot: it depends on
	// neither earlier values, the time nor a forecast. The engine sets it.
	FromSnapshot bool
}

// Rule raises alerts about the records of one scope. It has either a condition (When)
// or a figure with thresholds (KPI).
type Rule struct {
	Name  string
	Scope Scope
	// Codes and Channels restrict the rule to some records. An empty list means all records. If
	// several rules of the same name and scope match a record, the rule that lists its code
	// applies.
	Codes    []string
	Channels []model.Channel

	// When is a condition. Recover is a condition that must be met before the alert ends. Without
	// Recover, the alert ends when When is no longer met.
	When, Recover string
	Severity      Level // level of the alert while When is met: Warning or Critical

	// KPI is the expression that Thresholds apply to, such as the name of a KPI.
	KPI        string
	Thresholds Thresholds
	Direction  Direction
	// Base is an expression whose value is added to the thresholds, for example a target that
	// differs between records. "" means none.
	Base string

	// Calls is the expression for the number of calls behind a share. "" means the received calls
	// of the record, or the calls of the user or campaign. With fewer than MinCalls, the rule has
	// no alert. It raises an alert only if at least MinExcessMisses calls beyond the threshold went wrong,
	// because one abandoned call out of one is 100 % but not significant.
	Calls                     string
	MinCalls, MinExcessMisses int

	// ActionableNow marks a rule about a total of the day that supervisors can still improve. The
	// alerts of such a rule are not [Alert.Daily].
	ActionableNow bool

	// SuppressedBy is the name of another rule of the same scope. While the other rule has an alert
	// about a record, this rule has none about it. "" means that there is no such rule.
	SuppressedBy string

	// For is how long the condition must be met before the alert is raised.
	For time.Duration
	// Message is the text of the alert with expressions in braces, such as "{queuedCalls} waiting,
	// longest {maxTimeCallOnQueue|duration}". Additional names are title, code and, for rules with
	// KPI, value. "" means Text or, without Text, a default with the rule's name and value.
	Message  string
	Text     *textformat.RuleText // text of the alert of a built-in rule, for every language; nil: Message
	Bell     bool                 // ring the terminal bell when an alert is raised or becomes critical
	Notify   []string             // targets of notifications; the engine only copies them to alerts
	Disabled bool                 // the engine ignores the rule
}
