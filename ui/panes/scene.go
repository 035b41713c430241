package panes

import (
	"wallboard/alert"
	"wallboard/layouts"
	"wallboard/model"
	"wallboard/situation"
	"wallboard/situation/track"
	"wallboard/ui/areas"
	"wallboard/ui/compared"
	"wallboard/ui/floor"
	"wallboard/ui/look"
	"wallboard/ui/outlook"
	"wallboard/ui/plots"
	"wallboard/ui/render"
	"wallboard/ui/shifts"
	"wallboard/ui/situations"
	"wallboard/ui/table"
	"wallboard/ui/task"
)

// Scene is what pages and panes are drawn from. It is made for one message or one
// frame, and only read.
type Scene struct {
	Look     *look.Look
	Floor    *floor.View
	Alarms   Alarms
	Marks    *render.Marks    // what is under way, on the rows
	Baseline Baseline         // nil: nothing is known of other days
	Outlook  *outlook.Outlook // where the day ends; nil: nobody knows
	Shifts   *shifts.Book     // of agents; nil: nobody knows
	Wall     Wall             // nil: somebody operates the board
	Tables   *layouts.Book    // how the viewer wants tables to be; nil: as they are by themselves
	Asked    *task.Asked      // what the board is to do
	NowKeys  situations.Keys
	Compared *compared.Other // what is shown is held against this in tables; nil: against nothing
	Flash    bool            // what has changed is marked for a moment, and texts move
	Framed   bool            // parts of a page stand in frames: the screen has room for them
	Afar     bool            // it is read from some metres away: no figure is smaller than three lines
}

// Alarms is what an alert engine says about the floor.
type Alarms struct {
	Engine plots.Measures
	Own    map[alert.Scope][]alert.KPI // custom KPIs
	Latest *render.Alerts              // what is wrong now
	Shown  *render.Alerts              // what was wrong in what is shown
	// Situations are what is to be said of what is shown, Present of now; nil before
	// the first look.
	Situations, Present *situation.View
	// Past is what came and went.
	Past    []situation.Past
	Figures render.Figures // custom KPIs of what is shown
	Trends  render.Trends  // of what is shown
	// Hour tells what an agent did in the last hour on a channel.
	Hour func(k model.UserStatKey) track.Hour
}

// Wall is a board that nobody operates: it shows by itself what a table is too
// long for.
type Wall interface {
	// Scroll has a table show the rows whose turn it is.
	Scroll(t *table.Model)
}

// within is the room for what a part of a page shows, in all that it has on the screen.
func (sc *Scene) within(x, y, w, h int) areas.Area {
	beside, lines := sc.around()
	return areas.Area{X: x + beside/2, Y: y + 1, W: w - beside, H: h - lines}
}

// around is what setting a part off takes: cells at both sides together, and lines.
func (sc *Scene) around() (beside, lines int) {
	if sc.Framed {
		return 2, look.PanelAbove
	}
	return 0, 1
}

// part sets a part of a page off from what is around it: in a frame, or under a heading.
// The lines are those for which within has the room.
func (sc *Scene) part(w, h int, title string, at look.Position, focused bool, lines []string) []string {
	if sc.Framed {
		return sc.Look.Framed(w, h, title, at, focused, lines)
	}
	return append([]string{sc.Look.HeadingAt(w, title, at, focused)}, lines...)
}

// hint is a remark about a key, which nobody at a wall can press.
func (sc *Scene) hint(text string) string {
	if sc.Wall != nil {
		return ""
	}
	return text
}

// view returns what package render draws a part of the floor with.
func (sc *Scene) view(service, group string) render.View {
	return render.View{
		Options:    sc.Look.Render,
		Scope:      render.Scope{Channel: sc.Floor.Channel, Service: service, Group: group, Presumed: sc.presumed()},
		Now:        sc.Floor.Now(),
		Shared:     sc.Look.Shared(sc.Floor.Frozen.IsZero() && !sc.Floor.Past, sc.Floor.Channel, service, group),
		Marks:      sc.Marks,
		Alerts:     sc.Alarms.Shown,
		Situations: sc.Alarms.Situations,
		Past:       sc.Alarms.Past,
		Figures:    sc.Alarms.Figures,
		Trends:     sc.Alarms.Trends,
		Outlook:    sc.ofService,
		Thin:       sc.thinness,
		Break:      sc.breakOf,
	}
}

// presumed returns the times whose unit is presumed in what is shown.
func (sc *Scene) presumed() model.Presumed {
	if sc.Floor.Shown == nil {
		return 0
	}
	return sc.Floor.Shown.Health.Presumed
}

// thinness says how many agents of a service may go before its calls wait.
func (sc *Scene) thinness(r *model.Service) []string {
	lines := situation.Thin(sc.Floor.Shown, sc.Floor.Names, r.Key(), sc.Floor.Now())
	for i := range lines {
		lines[i] = situations.Plain(sc.Look, lines[i])
	}
	return lines
}

// Thin says the same of the service of a key, nothing of other places.
func (sc *Scene) Thin(k alert.Key) []string {
	if sc.Floor.Shown == nil || k.Scope != alert.Service {
		return nil
	}
	r := sc.Floor.Shown.Services.Get(model.ServiceKey{Code: k.Code, Channel: k.Channel})
	if r == nil {
		return nil
	}
	return sc.thinness(r)
}

// Charts returns what charts are drawn from.
func (sc *Scene) Charts() *plots.Source {
	return &plots.Source{
		Look: sc.Look, Floor: sc.Floor, Engine: sc.Alarms.Engine, Own: sc.Alarms.Own, Trends: sc.Alarms.Trends,
		Alerts: sc.Alarms.Shown,
	}
}

// LiveView is what is drawn with where a frozen picture does not hold.
func (sc *Scene) LiveView() render.View {
	v := sc.view("", "")
	v.Situations = sc.Alarms.Present
	v.Now, v.Alerts, v.Figures = sc.Floor.Server(sc.Floor.Ours), sc.Alarms.Latest, sc.Alarms.Engine
	return v
}
