// Package plots draws the figures of records over time. It keeps the choice of figures,
// the time span and the cursor of a chart.
package plots

import (
	"wallboard/internal/alert"
	"wallboard/internal/alert/baseline"
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
	Trends     render.Trends               // of the shown snapshot
	Alerts     *render.Alerts              // alerts of the shown snapshot
}

// Baselines returns baselines of figures. A [FigureSource] may implement it.
type Baselines interface {
	// Baseline returns the baseline of a record's figure for the times of a trend.
	// Without data its Days are empty.
	Baseline(name string, k alert.Key, trend alert.Trend) baseline.Band
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
