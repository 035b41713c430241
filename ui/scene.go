package ui

import (
	"slices"
	"time"

	"wallboard/alert"
	"wallboard/model"
	"wallboard/ui/look"
	"wallboard/ui/render"
)

// scene is what every part of the board draws from: the picture, the clock and
// the look of this moment. The root changes it; pages only read it.
type scene struct {
	*Options

	look   *look.Look
	newest *model.Snapshot // nil before the first
	shown  *model.Snapshot // newest, or the one the picture was frozen at
	frozen time.Time       // when the frozen picture was true, on our clock; zero: not frozen
	heard  time.Time       // when the platform was last heard of, on our clock; zero: never

	ours       time.Time // our clock, of the last second
	channel    model.Channel
	settled    bool // the channel was chosen, or found to be in use
	alarms     elsewhere
	own        map[alert.Scope][]alert.KPI // KPIs of one's own
	trends     render.Trends               // of what is shown
	marks      *render.Marks               // what is under way, on the rows
	latest     *render.Alerts              // what is wrong now
	alerts     *render.Alerts              // what was wrong in what is shown
	figures    render.Figures              // of one's own, of what is shown
	usual      usual
	wall       *rotation // of a kiosk; nil: somebody operates the board
	lastValues bool      // figures that are too old to be shown are shown
}

func newScene(o *Options) *scene {
	sc := &scene{Options: o, channel: model.Call, ours: o.Now(), look: &look.Look{}}
	sc.own, sc.figures, sc.trends = ownKPIs(o.Alerts), o.Alerts, o.Alerts
	sc.wall = newRotation(sc)
	sc.relook(func(l *look.Options) { l.Theme, l.Chosen = o.Theme, o.LightTheme.Name == "" })
	return sc
}

// relook changes the look. Everything that was drawn in another is redrawn,
// because the options that caches are keyed by are new.
func (sc *scene) relook(change func(*look.Options)) {
	o := sc.look.Options
	o.ASCII, o.Location = sc.ASCII, sc.Location
	change(&o)
	sc.look = look.New(o, render.Options{Names: sc.Names, Goal: sc.Alerts.Goal, Own: sc.own})
}

// server returns a time of our clock as the server's clock shows it.
func (sc *scene) server(t time.Time) time.Time {
	if sc.newest == nil {
		return t
	}
	return t.Add(sc.newest.Health.ClockOffset)
}

// now is the time of what is shown, on the server's clock. It stands still
// while the picture is frozen, and while there is no connection: how long a
// state has lasted since then is not known.
func (sc *scene) now() time.Time {
	if sc.shown == nil {
		return sc.ours
	}
	return sc.pictured().Add(sc.shown.Health.ClockOffset)
}

// pictured is when what is shown was true, on our clock.
func (sc *scene) pictured() time.Time {
	switch {
	case !sc.frozen.IsZero():
		return sc.frozen
	case sc.health().Link.State != model.LinkUp && !sc.heard.IsZero() && sc.heard.Before(sc.ours):
		return sc.heard
	}
	return sc.ours
}

// view returns what package render draws a part of the floor with.
func (sc *scene) view(service, group string) render.View {
	return render.View{
		Options: sc.look.Render,
		Scope:   render.Scope{Channel: sc.channel, Service: service, Group: group},
		Now:     sc.now(),
		Marks:   sc.marks,
		Alerts:  sc.alerts,
		Figures: sc.figures,
		Trends:  sc.trends,
	}
}

// hear notes when the platform was last heard of. A feed that has lost its
// connection may no longer know.
func (sc *scene) hear(h *model.Health) {
	note := func(t time.Time) {
		if t.After(sc.heard) {
			sc.heard = t
		}
	}
	note(h.Link.LastFrame)
	for i := range h.Subscriptions {
		note(h.Subscriptions[i].LastData)
	}
}

// health returns the state of the feed now, frozen picture or not.
func (sc *scene) health() *model.Health {
	if sc.newest == nil {
		return &model.Health{}
	}
	return &sc.newest.Health
}

// age returns how long ago a time of our clock was: "0:42".
func (sc *scene) age(t time.Time) string { return sc.look.Duration(sc.ours.Sub(t)) }

// channels returns the channels of what is shown; see channelsOf.
func (sc *scene) channels() []model.Channel { return sc.channelsOf(sc.shown) }

// channelsOf returns the channels that a floor has, in the order of document
// 2; others follow as they come. The present one is always among them.
func (sc *scene) channelsOf(s *model.Snapshot) []model.Channel {
	if s == nil {
		return []model.Channel{sc.channel}
	}
	seen := map[model.Channel]bool{sc.channel: true}
	var others []model.Channel
	note := func(c model.Channel) {
		if !seen[c] {
			seen[c] = true
			if !c.Known() && len(others) < model.NumChannels {
				others = append(others, c)
			}
		}
	}
	for r := range s.Services.All() {
		note(r.Channel)
	}
	for r := range s.Groups.All() {
		note(r.Channel)
	}
	for r := range s.UserStats.All() {
		note(r.Channel)
	}
	for r := range s.Attendants.All() {
		note(r.Channel)
	}
	slices.Sort(others)
	var out []model.Channel
	for _, c := range model.Channels() {
		if seen[c] {
			out = append(out, c)
		}
	}
	if !sc.channel.Known() && !slices.Contains(others, sc.channel) {
		out = append(out, sc.channel)
	}
	return append(out, others...)
}
