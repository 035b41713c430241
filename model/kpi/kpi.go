// Package kpi is the catalogue of the built-in figures: what each is called, in
// which unit it is, which values are better, how it is computed and of what.
// Alerts, tables, tiles, drill-downs, the handover, metrics and docs/kpis.md
// take their figures from here.
//
// It is pure, and nothing in it changes. The formulas that need more than a
// line are methods of the records of package model.
package kpi

import (
	"cmp"
	"slices"
	"time"

	"wallboard/model"
)

// Unit is how a figure is written.
type Unit string

// The units. The empty one is that of what the figure is made of.
const (
	Number   Unit = "number"
	Percent  Unit = "percent"  // a share between 0 and 1
	Duration Unit = "duration" // seconds
)

// Direction says which values of a figure are better.
type Direction string

// The directions. The empty one is neither.
const (
	Lower  Direction = "lower"
	Higher Direction = "higher"
)

// Goal is what a service is measured by.
type Goal struct {
	Formula model.ServiceLevelFormula // "" is model.SLAllAbandons
	// ServiceLevel and Abandon are targets between 0 and 1; unknown is none.
	ServiceLevel, Abandon model.Float
	// Closing is when the day ends, by the weekday, since midnight; 0: nobody has said.
	Closing [7]time.Duration
}

// Close returns when the day of a time ends, in the time zone of the time, and
// whether somebody has said so: else it is midnight, when the platform's day ends.
func (g *Goal) Close(now time.Time) (at time.Time, said bool) {
	y, m, d := now.Date()
	closing := g.Closing[now.Weekday()]
	if closing == 0 {
		return time.Date(y, m, d+1, 0, 0, 0, 0, now.Location()), false
	}
	return time.Date(y, m, d, int(closing/time.Hour), int(closing%time.Hour/time.Minute), 0, 0, now.Location()), true
}

// Figure is a built-in figure.
type Figure struct {
	Name   string // by which rules and expressions name it
	Title  string // what people call it
	Unit   Unit
	Better Direction
	Tile   Tile
	Column Column
	// Target is what a goal wants of it; nil: a goal says nothing about it.
	Target func(Goal) model.Float
	ByGoal bool // it depends on the goal
	// Sure is the part of an estimated figure that is certain: alerts are raised from
	// it. nil: there is no such part.
	Sure func(*model.ServiceCalls) model.Figure
	// Presumable is the time of the platform that the figure is made of, whose unit may be
	// presumed; 0: it is made of none.
	Presumable model.Presumed
	Count      bool   // a number of things as the platform sends it: it has no formula
	Day        bool   // it is made of what was counted today: no call of now changes it much
	Of         []Form // at most one for each scope
}

// Tile is the tile of a figure of the floor.
type Tile struct {
	Label string // "": there is none
	Place int    // among the tiles: the last one gives way first
}

// Column is the column of a figure in the handover.
type Column struct {
	Head  string // "": there is none
	Place int    // among the columns of figures
}

// Form is a figure of one kind of record. Exactly one of its functions is set.
type Form struct {
	Title   string // where it is not the figure's
	Label   string // in a drill-down; "": it is in none, or has a place of its own there
	Heading string // of its column; "": the table has none
	Formula string // in words of the platform

	// For docs/kpis.md: whose definition it follows, and what it takes for granted
	// about the platform's counters.
	Definition, Granted string

	Calls    func(*model.ServiceCalls, Goal) model.Figure // of a service, and of the floor
	Users    func(*model.ServiceUsers) model.Figure       // of a service
	Group    func(*model.Group) model.Figure
	Agent    func(*model.AgentFigures) model.Figure // of a user, a profile, and of the floor
	User     func(*model.AgentFigures) model.Figure // of a user and a profile alone
	Campaign func(*model.Campaign) model.Figure
	Floor    func(*model.Floor) model.Figure
}

// Figures returns the built-in figures. They must not be changed.
func Figures() []Figure { return catalogue }

// Named returns the figure with a name, nil where there is none.
func Named(name string) *Figure {
	if i := slices.IndexFunc(catalogue, func(f Figure) bool { return f.Name == name }); i >= 0 {
		return &catalogue[i]
	}
	return nil
}

// tiles are the figures of the floor that have a tile, by place.
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

// Tiles returns the figures of the floor that have a tile, in the order in which
// they give way. They must not be changed.
func Tiles() []*Figure { return tiles }

// columns are the figures that have a column in the handover, by place.
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

// Columns returns the figures that have a column in the handover, in their order.
// They must not be changed.
func Columns() []*Figure { return columns }

// Worse is by how much a value is worse than another one.
func (f *Figure) Worse(v, than float64) float64 {
	if f.Better == Higher {
		return than - v
	}
	return v - than
}

// On returns the form of a figure in a scope, nil where it has none.
func (f *Figure) On(s model.Scope) *Form {
	for i := range f.Of {
		if f.Of[i].In(s) {
			return &f.Of[i]
		}
	}
	return nil
}

// TitleOn is what people call the figure in a scope.
func (f *Figure) TitleOn(s model.Scope) string {
	if form := f.On(s); form != nil && form.Title != "" {
		return form.Title
	}
	return f.Title
}

// In reports whether the form is that of a scope's records.
func (f *Form) In(s model.Scope) bool {
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
