package alert

import (
	"time"

	"wallboard/model"
)

// KPI is a figure: one of one's own, or one that is built in.
type KPI struct {
	Name  string // a word by which expressions and rules name it
	Title string // what people call it; "" is Name
	Scope Scope
	// Expr is a number. Of a built-in KPI it is its formula in words of the
	// platform, to be read only.
	Expr      string
	Format    Format
	Target    model.Float
	Direction Direction
	BuiltIn   bool // set by the engine
}

// Rule raises alerts about the records of one scope. It has either a condition
// (When) or a figure with thresholds (KPI).
type Rule struct {
	Name  string
	Scope Scope
	// Codes and Channels restrict the rule; empty is all. Of the rules of one
	// name and scope, the one that names a record's code is the record's.
	Codes    []string
	Channels []model.Channel

	// When is a condition. Recover is one that must be met before the alert
	// ends; without it the alert ends when When is no longer met.
	When, Recover string
	Severity      Level // of When: Warning or Critical

	// KPI is the name of a KPI, or a number, that Thresholds are for.
	KPI        string
	Thresholds Thresholds
	Direction  Direction
	// Base is what the thresholds are distances from: the name of a KPI, or a
	// number, such as a target that is not the same for all; "" is 0.
	Base string

	// Calls is how many calls a share is made of, the name of a KPI or a number;
	// "" is the calls that came, of users and campaigns those of theirs. With
	// fewer than MinCalls the rule does not judge, and it raises its alert only
	// when MinOver calls more than the level allows went wrong: one caller of one
	// who gave up is 100 % and means nothing.
	Calls             string
	MinCalls, MinOver int

	// GivesWay is the name of another rule of the scope that says more about the same
	// figure: while that has an alert about a record, this one has none. "" is none.
	GivesWay string

	// For is how long the condition must have been met.
	For time.Duration
	// Message is what the alert says: text with expressions in braces, such as
	// "{queuedCalls} waiting, longest {maxTimeCallOnQueue|duration}". Beside
	// the scope's names there are title, code, and of KPI rules value. "" says
	// the rule's name and the value.
	Message string
	Bell    bool     // ring the terminal's bell when it is raised or gets worse
	Notify  []string // carried along, for who delivers it
	Off     bool     // the rule is not evaluated
}
