// Package kpi is the catalogue of the built-in figures. It holds their names, units and formulas,
// and whether a high or a low value is better. Alerts, tables, tiles, drill-downs, the handover, metrics
// and docs/user/kpis.md use it. Package words has their titles.
//
// The package is pure and its data never change. Formulas longer than a line are methods of the
// records of package model.
package kpi

import (
	"cmp"
	"slices"
	"time"

	"wallboard/model"
)

// Unit is the unit of a figure.
type Unit string

// The units. "" means that the figure has the unit of the values in its formula.
const (
	Number   Unit = "number"
	Percent  Unit = "percent"  // a share from 0 to 1
	Duration Unit = "duration" // a number of seconds
)

// Direction is the direction in which a figure gets better.
type Direction string

// The directions. "" means that neither a higher nor a lower value is better.
const (
	LowerIsBetter  Direction = "lower"
	HigherIsBetter Direction = "higher"
)

// Goal holds the targets of a service with their tolerance, and its formula and closing times.
type Goal struct {
	Formula model.ServiceLevelFormula // "": model.SLAllAbandons
	// ServiceLevel and Abandon are targets between 0 and 1. An unknown value means that there is no
	// target.
	ServiceLevel, Abandon model.Float
	// Closing is the closing time by weekday, as the time since midnight. 0 means that none is
	// configured.
	Closing [7]time.Duration
	// Tolerance is how much worse than the targets figures may be without being reported as missed.
	Tolerance Tolerance
}

// Tolerance holds how much worse than their targets figures may be without being reported as
// missed. The values are shares: 0.03 is 3 percentage points.
type Tolerance struct{ ServiceLevel, Abandon float64 }

// WithTolerance returns the goal with its targets relaxed by the tolerance. Figures are judged by these
// targets.
func (g Goal) WithTolerance() Goal {
	if g.Tolerance == (Tolerance{}) {
		return g
	}
	if t, ok := g.ServiceLevel.Get(); ok {
		g.ServiceLevel = model.FloatOf(max(t-g.Tolerance.ServiceLevel, 0))
	}
	if t, ok := g.Abandon.Get(); ok {
		g.Abandon = model.FloatOf(min(t+g.Tolerance.Abandon, 1))
	}
	return g
}

// ClosingTime returns the end of the day that contains now, in the time zone of now. configured is
// false if the weekday has no closing time. The day then ends at midnight, as on the platform.
func (g *Goal) ClosingTime(now time.Time) (at time.Time, configured bool) {
	y, m, d := now.Date()
	closing := g.Closing[now.Weekday()]
	if closing == 0 {
		return time.Date(y, m, d+1, 0, 0, 0, 0, now.Location()), false
	}
	return time.Date(y, m, d, int(closing/time.Hour), int(closing%time.Hour/time.Minute), 0, 0, now.Location()), true
}

// Figure is a built-in figure.
type Figure struct {
	Name   string // name in rules and expressions
	Unit   Unit
	Better Direction
	Tile   int // order of the tiles of the floor; if space is short, the highest is dropped first; 0: no tile
	Column int // order of the columns in the handover; 0: no column
	// Target returns the figure's target in a goal. It is nil if goals have no target for the
	// figure.
	Target        func(Goal) model.Float
	DependsOnGoal bool // the value depends on the goal of the service
	// CertainPart returns the certain part of an estimated figure, for alerts. It is nil if the
	// figure is never estimated.
	CertainPart func(*model.ServiceCalls) model.Figure
	// Presumable is the time that the figure depends on and whose unit may be presumed. 0 means
	// that there is no such time.
	Presumable model.Presumed
	IsCount    bool          // a count without a formula
	IsDaily    bool          // counted since the start of the day, so that a single call changes it little
	Forms      []ScopeFigure // at most one per scope
}

// ScopeFigure is a figure as it is computed for one type of record. Exactly one of its function fields is
// set.
type ScopeFigure struct {
	InDetail  bool   // drill-downs show it
	HasColumn bool   // tables have a column for it
	Formula   string // formula with the platform's names; "" for a count

	Calls    func(*model.ServiceCalls, Goal) model.Figure // for a service and the floor
	Users    func(*model.ServiceUsers) model.Figure       // for a service
	Group    func(*model.Group) model.Figure
	Agent    func(*model.AgentFigures) model.Figure // for a user, a profile and the floor
	User     func(*model.AgentFigures) model.Figure // for a user and a profile only
	Campaign func(*model.Campaign) model.Figure
	Floor    func(*model.Floor) model.Figure
}

// Figures returns the built-in figures. The result must not be changed.
func Figures() []Figure { return catalogue }

// FigureNamed returns the figure with the given name, or nil if there is none.
func FigureNamed(name string) *Figure {
	if i := slices.IndexFunc(catalogue, func(f Figure) bool { return f.Name == name }); i >= 0 {
		return &catalogue[i]
	}
	return nil
}

// tiles holds the figures of the floor that have a tile, in the order of the tiles.
var tiles = func() []*Figure {
	var out []*Figure
	for i := range catalogue {
		if catalogue[i].Tile > 0 {
			out = append(out, &catalogue[i])
		}
	}
	slices.SortStableFunc(out, func(a, b *Figure) int { return cmp.Compare(a.Tile, b.Tile) })
	return out
}()

// Tiles returns the figures of the floor that have a tile, in the order of the tiles. If space
// is short, the last tile is dropped first. The result must not be changed.
func Tiles() []*Figure { return tiles }

// TileValues returns the values of the figures that have a tile, in the order of the tiles. goal
// holds the targets of the floor.
func TileValues(f *model.Floor, goal Goal) []model.Figure {
	out := make([]model.Figure, len(tiles))
	for i, figure := range tiles {
		out[i] = figure.FormFor(model.ScopeFloor).FloorValue(f, goal)
	}
	return out
}

// TileIndex returns the index of the tile of a figure, or -1 if the figure has none.
func TileIndex(name string) int {
	return slices.IndexFunc(tiles, func(f *Figure) bool { return f.Name == name })
}

// columns holds the figures that have a column in the handover, in the order of the columns.
var columns = func() []*Figure {
	var out []*Figure
	for i := range catalogue {
		if catalogue[i].Column > 0 {
			out = append(out, &catalogue[i])
		}
	}
	slices.SortStableFunc(out, func(a, b *Figure) int { return cmp.Compare(a.Column, b.Column) })
	return out
}()

// Columns returns the figures that have a column in the handover, in the order of the columns.
// The result must not be changed.
func Columns() []*Figure { return columns }

// WorseBy returns by how much v is worse than reference. The result is negative if v is better. If
// neither direction is better, a higher value counts as worse.
func (f *Figure) WorseBy(v, reference float64) float64 {
	if f.Better == HigherIsBetter {
		return reference - v
	}
	return v - reference
}

// FormFor returns the form of the figure for a scope, or nil if there is none.
func (f *Figure) FormFor(s model.Scope) *ScopeFigure {
	for i := range f.Forms {
		if f.Forms[i].AppliesTo(s) {
			return &f.Forms[i]
		}
	}
	return nil
}

// AppliesTo reports whether the form can be computed for records of a scope.
func (f *ScopeFigure) AppliesTo(s model.Scope) bool {
	switch s {
	case model.ScopeService:
		return f.Calls != nil || f.Users != nil
	case model.ScopeGroup:
		return f.Group != nil
	case model.ScopeUser:
		return f.Agent != nil || f.User != nil
	case model.ScopeCampaign:
		return f.Campaign != nil
	case model.ScopeFloor:
		return f.Calls != nil || f.Agent != nil || f.Floor != nil
	case model.ScopeFeed:
	}
	return false
}

// ServiceValue returns the value of the figure for a service. The form must apply to services.
func (f *ScopeFigure) ServiceValue(r *model.Service, goal Goal) model.Figure {
	if f.Users != nil {
		return f.Users(&r.UserStats)
	}
	return f.Calls(&r.ChannelStats, goal)
}

// AgentValue returns the value of the figure for a user or a profile. The form must apply to users.
func (f *ScopeFigure) AgentValue(r *model.AgentFigures) model.Figure {
	if f.User != nil {
		return f.User(r)
	}
	return f.Agent(r)
}

// FloorValue returns the value of the figure for the floor. The form must apply to the floor.
func (f *ScopeFigure) FloorValue(r *model.Floor, goal Goal) model.Figure {
	switch {
	case f.Floor != nil:
		return f.Floor(r)
	case f.Agent != nil:
		return f.Agent(&r.Agents)
	}
	return f.Calls(&r.Calls, goal)
}
