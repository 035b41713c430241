// Package plots draws what happens on a floor as pictures. A [Plot] shows the figures of
// records over time; it keeps the choice of figures, the time span and the cursor. An
// [AgentMap] shows all agents: as blocks with name and time if they fit, otherwise as
// glyphs, in the colors of their states.
//
// Strips of states show what agents did: in the last hour, and in the shift so far with a
// strip for each hour. Shifts are read from a recording in the background, one
// after another; the time after the reading comes from the board's own data.
package plots

import (
	"wallboard/internal/alert"
	"wallboard/internal/alert/forecast"
	"wallboard/model"
	"wallboard/ui/render"
	"wallboard/ui/snapshot"
	"wallboard/ui/style"
)

// Source is what charts are drawn from. It is built for one message or frame, and is
// read-only.
type Source struct {
	Look       *style.Look
	Floor      *snapshot.View
	Engine     FigureSource
	CustomKPIs map[alert.Scope][]alert.KPI // custom KPIs
	Trends     render.Trends               // trends of the shown snapshot
	Alerts     *render.Alerts              // alerts of the shown snapshot
	Events     func() []model.Mark         // returns actions and notes on the server's clock; nil: none
}

// Baselines returns baselines of figures. A [FigureSource] may implement it.
type Baselines interface {
	// Baseline returns the baseline of a record's figure for the times of a trend.
	// Without data its Days are empty.
	Baseline(name string, k alert.Key, trend alert.Trend) forecast.UsualBand
}

// FigureSource returns the figures of the floor and their targets.
type FigureSource interface {
	// Charted returns the figures of a scope that have samples.
	Charted(s alert.Scope) []alert.KPI
	// Goal returns the targets of a service, or of the floor for "".
	Goal(service string) alert.Goal
	// Value returns the current value of a record's figure.
	Value(name string, k alert.Key) model.Figure
}
