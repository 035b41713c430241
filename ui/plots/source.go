// Package plots draws charts, tiles and maps of a floor. A [Plot] is a chart of figures over time; it
// holds the choice of figures, the time span and the cursor. A [Tile] is a single large figure. An
// [AgentMap] shows all agents in the colors of their states: as blocks with name and time if they
// fit, otherwise as glyphs.
//
// Strips of states show the last hour of an agent, or each hour of the shift so far. Commands read
// the shifts from a recording, one after another; states after the reading come from the board's
// own data. The package starts no goroutines, and its values belong to the goroutine of a board.
package plots

import (
	"time"

	"wallboard/internal/alert"
	"wallboard/internal/alert/forecast"
	"wallboard/model"
	"wallboard/ui/render"
	"wallboard/ui/snapshot"
	"wallboard/ui/style"
)

// Source holds the data that charts are drawn from. The board makes a new Source for each message
// or frame. It is read-only.
type Source struct {
	Look       *style.Look
	Floor      *snapshot.View
	Engine     FigureSource
	CustomKPIs map[alert.Scope][]alert.KPI // configured KPIs
	Trends     render.Trends               // samples until the time of the shown snapshot
	Alerts     *render.Alerts              // alerts at the time of the shown snapshot
	Events     func() []time.Time          // returns actions and notes to mark, on the server's clock; nil: none
}

// Baselines provides baselines of figures. A [FigureSource] may also implement Baselines.
type Baselines interface {
	// Baseline returns the baseline of a record's figure at the times of a trend. If there is no
	// baseline, the Days of the result are empty.
	Baseline(name string, k alert.Key, trend alert.Trend) forecast.UsualBand
}

// FigureSource provides the figures of the floor and their targets.
type FigureSource interface {
	// Charted returns the figures of a scope that charts can draw.
	Charted(s alert.Scope) []alert.KPI
	// Goal returns the targets of a service. The service "" stands for the floor.
	Goal(service string) alert.Goal
	// Value returns the current value of a figure for the record of k.
	Value(name string, k alert.Key) model.Figure
}
