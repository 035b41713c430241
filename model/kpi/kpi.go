// Package kpi is the catalogue of the built-in figures: their names, units, formulas,
// sources and which values are better. Alerts, tables, tiles, drill-downs, the handover,
// metrics and docs/user/kpis.md use it.
//
// The package is pure and its data never change. Formulas longer than a line are methods of
// the records of package model.
package kpi

import (
	"cmp"
	"slices"
	"time"

	"wallboard/model"
)

// Unit is the unit of a figure.
type Unit string

// The units. The empty one is the unit of the figure's parts.
const (
	Number   Unit = "number"
	Percent  Unit = "percent"  // a share between 0 and 1
	Duration Unit = "duration" // seconds
)

// Direction is the direction in which a figure gets better.
type Direction string

// The directions. The empty one means that neither is better.
const (
	Lower  Direction = "lower"
	Higher Direction = "higher"
)

// Goal holds the targets of a service.
type Goal struct {
	Formula model.ServiceLevelFormula // "" is model.SLAllAbandons
	// ServiceLevel and Abandon are targets between 0 and 1; unknown: no target.
	ServiceLevel, Abandon model.Float
	// Closing is the closing time by weekday, since midnight; 0: not configured.
	Closing [7]time.Duration
}

// ClosingTime returns when the day of now ends, in now's time zone, and whether that time is
// configured. Without configuration the day ends at midnight, like the platform's.
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
	Name   string // used by rules and expressions
	Title  string // shown to users
	Unit   Unit
	Better Direction
	Tile   Tile
	Column Column
	// Target returns the target of a goal for the figure; nil: goals have none for it.
	Target        func(Goal) model.Float
	DependsOnGoal bool // its value depends on the goal of the service
	// CertainPart returns the certain part of an estimated figure. Alerts use it. nil: there is
	// none.
	CertainPart func(*model.ServiceCalls) model.Figure
	// Presumable is the platform's time behind the figure, whose unit may be presumed; 0: the
	// figure depends on no time.
	Presumable model.Presumed
	IsCount    bool   // a number that the platform sends, without a formula
	IsDaily    bool   // counted since the start of the day, so that a single call hardly changes it
	Forms      []Form // at most one per scope
}

// Tile describes the tile of a floor figure.
type Tile struct {
	Label string // "": no tile
	Place int    // order of the tiles: the highest is dropped first
}

// Column describes the column of a figure in the handover.
type Column struct {
	Head  string // "": no column
	Place int    // order of the columns
}

// Form is a figure for one kind of record. Exactly one of its functions is set.
type Form struct {
	Title   string // if it differs from the figure's
	Label   string // in a drill-down; "": not listed there
	Heading string // heading of its table column; "": no column
	Formula string // in the platform's names

	// For docs/user/kpis.md: whose definition it follows, and its assumptions about the
	// platform's counters.
	Definition, Assumption string

	Calls    func(*model.ServiceCalls, Goal) model.Figure // for a service and the floor
	Users    func(*model.ServiceUsers) model.Figure       // for a service
	Group    func(*model.Group) model.Figure
	Agent    func(*model.AgentFigures) model.Figure // for a user, a profile and the floor
	User     func(*model.AgentFigures) model.Figure // for a user and a profile only
	Campaign func(*model.Campaign) model.Figure
	Floor    func(*model.Floor) model.Figure
}

// Figures returns the built-in figures. They must not be changed.
func Figures() []Figure { return catalogue }

// Named returns the figure with a name, or nil.
func Named(name string) *Figure {
	if i := slices.IndexFunc(catalogue, func(f Figure) bool { return f.Name == name }); i >= 0 {
		return &catalogue[i]
	}
	return nil
}

// tiles holds the figures of the floor that have a tile, in order.
var tiles = func() []*Figure {
	var out []*Figure
	for i := range catalogue {
		if catalogue[i].Tile.Label != "" {
			out = append(out, &catalogue[i])
		}
	}
	slices.SortStableFunc(out, func(a, b *Figure) int { return cmp.Compare(a.Tile.Place, b.Tile.Place) })
	return out
}()

// Tiles returns the figures of the floor that have a tile. If space is short, the last is
// dropped first. The result must not be changed.
func Tiles() []*Figure { return tiles }

// columns holds the figures that have a column in the handover, in order.
var columns = func() []*Figure {
	var out []*Figure
	for i := range catalogue {
		if catalogue[i].Column.Head != "" {
			out = append(out, &catalogue[i])
		}
	}
	slices.SortStableFunc(out, func(a, b *Figure) int { return cmp.Compare(a.Column.Place, b.Column.Place) })
	return out
}()

// Columns returns the figures that have a column in the handover, in order. The result must
// not be changed.
func Columns() []*Figure { return columns }

// WorseBy returns by how much v is worse than another value; the result is negative if v is better.
func (f *Figure) WorseBy(v, than float64) float64 {
	if f.Better == Higher {
		return than - v
	}
	return v - than
}

// FormFor returns the form of a figure for a scope, or nil.
func (f *Figure) FormFor(s model.Scope) *Form {
	for i := range f.Forms {
		if f.Forms[i].AppliesTo(s) {
			return &f.Forms[i]
		}
	}
	return nil
}

// TitleFor returns the title of the figure in a scope.
func (f *Figure) TitleFor(s model.Scope) string {
	if form := f.FormFor(s); form != nil && form.Title != "" {
		return form.Title
	}
	return f.Title
}

// AppliesTo reports whether the form applies to the records of a scope.
func (f *Form) AppliesTo(s model.Scope) bool {
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

// OfService returns the figure of a service.
func (f *Form) OfService(r *model.Service, goal Goal) model.Figure {
	if f.Users != nil {
		return f.Users(&r.UserStats)
	}
	return f.Calls(&r.ChannelStats, goal)
}

// OfAgent returns the figure of a user or a profile.
func (f *Form) OfAgent(r *model.AgentFigures) model.Figure {
	if f.User != nil {
		return f.User(r)
	}
	return f.Agent(r)
}

// OfFloor returns the figure of the floor.
func (f *Form) OfFloor(r *model.Floor, goal Goal) model.Figure {
	switch {
	case f.Floor != nil:
		return f.Floor(r)
	case f.Agent != nil:
		return f.Agent(&r.Agents)
	}
	return f.Calls(&r.Calls, goal)
}
