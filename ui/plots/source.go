// Package plots draws the figures of records over time: which of them, how much of the
// past, and where the viewer looks.
package plots

import (
	"wallboard/alert"
	"wallboard/alert/usual"
	"wallboard/model"
	"wallboard/ui/floor"
	"wallboard/ui/look"
	"wallboard/ui/render"
)

// Source is what charts are drawn from. It is made for one message or one frame,
// and only read.
type Source struct {
	Look   *look.Look
	Floor  *floor.View
	Engine Measures
	Own    map[alert.Scope][]alert.KPI // custom KPIs
	Trends render.Trends               // of what is shown
	Alerts *render.Alerts              // what was wrong in what is shown
}

// Habits tell what figures usually are. [Measures] may be such.
type Habits interface {
	// Usually is what a figure of a record usually is along its course, which is a band
	// without days where nobody knows.
	Usually(name string, k alert.Key, over alert.Trend) usual.Band
}

// Measures are the figures of the floor, and what they are measured by.
type Measures interface {
	// Charted returns the figures of a scope that there are samples of.
	Charted(s alert.Scope) []alert.KPI
	// Goal is what a service is measured by; "" is the floor.
	Goal(service string) alert.Goal
	// Value is the present value of a figure of a record.
	Value(name string, k alert.Key) model.Figure
}
