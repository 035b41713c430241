// Package widgets draws charts, tiles, maps and situations of a floor. A [Plot] is a chart of
// figures over time; it holds the chosen figures, the time span and the cursor. A [Tile] is a
// single large figure; a [FloorDescriber] describes the figures of the floor on their tiles. An
// [AgentMap] shows each agent in the color of the agent's state: as a block with name and time if
// there is room, and otherwise as a glyph. [DrawStates] draws how many agents are in each state,
// and [DrawClock] the time of day.
//
// Strips of states show the last hour of an agent, or each hour of the shift so far. Commands read
// the shifts from a recording, one after the other. The states since the reading come from the
// board's own data.
//
// A [SituationPanel] lists the situations that need action; [SituationDetail] describes one of
// them. [Forecaster] holds the end-of-day forecasts of a board and the likely ends of breaks.
//
// The package starts no goroutines, and its values belong to the goroutine of a board.
package widgets

import (
	"time"

	"wallboard/internal/alert"
	"wallboard/internal/alert/forecast"
	"wallboard/model"
	"wallboard/ui/floorview"
	"wallboard/ui/render"
	"wallboard/ui/style"
)

// Source holds the data that charts are drawn from. The board creates a new Source for each message
// or frame. Charts must not change it.
type Source struct {
	Look       *style.Look
	Floor      *floorview.View
	Engine     FigureSource
	CustomKPIs map[alert.Scope][]alert.KPI // configured KPIs
	Trends     render.Trends               // samples of figures up to the time of the shown snapshot
	Alerts     *render.Alerts              // alerts at the time of the shown snapshot
	Events     func() []time.Time          // returns the times of actions and notes to mark, on the server's clock; nil: none
}

// Baselines provides the usual values of figures. It is an optional interface of a [FigureSource].
type Baselines interface {
	// Baseline returns the usual values of a figure at the times of a trend. k is the key of the
	// figure's record. If there is no baseline, the Days of the result are empty.
	Baseline(name string, k alert.Key, trend alert.Trend) forecast.UsualBand
}

// FigureSource provides the figures of the floor and their targets.
type FigureSource interface {
	// ChartedKPIs returns the figures of a scope that charts can draw.
	ChartedKPIs(s alert.Scope) []alert.KPI
	// Goal returns the targets of a service, or those of the floor if service is "".
	Goal(service string) alert.Goal
	// Value returns the current value of a figure for the record with the key k.
	Value(name string, k alert.Key) model.Figure
}
