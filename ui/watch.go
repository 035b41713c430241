package ui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"wallboard/alert"
	"wallboard/model"
	"wallboard/ui/render"
)

// watch is what the board remembers of telling about alerts.
type watch struct {
	live bool      // the feed has been live: what is raised from now on is news
	rang time.Time // on our clock

	second int64 // of the server's clock, when the alerts were last taken over
}

// bellPause is how long the bell is silent after it rang.
const bellPause = 10 * time.Second

// evaluate has the engine look at the newest picture, which goes on while the
// shown one is frozen, and tells what has become critical.
func (m *Model) evaluate() tea.Cmd {
	sc := m.scene
	if sc.floor.Newest == nil {
		return nil
	}
	now := sc.floor.Server(sc.floor.Ours)
	changes := sc.Alerts.Evaluate(sc.floor.Newest, now)
	sc.keep(changes)
	// What alerts say changes all the time; once a second is enough to read it.
	if len(changes) > 0 || now.Unix() != m.watch.second {
		m.watch.second = now.Unix()
		m.lookAtAlerts()
	}
	if !m.watch.live {
		m.watch.live = sc.floor.Newest.Health.Live()
		return nil
	}
	return m.announce(changes)
}

// keep passes on what outlives the board.
func (sc *scene) keep(changes []alert.Change) {
	if kept := alert.Lasting(changes); sc.Keep != nil && len(kept) > 0 {
		sc.Keep(kept)
	}
}

// adopted has an engine go on with what another knows, if the board has both to
// itself: one that is shared goes on by itself.
func adopted(now, old Engine) []alert.Change {
	next, is := now.(*alert.Engine)
	before, was := old.(*alert.Engine)
	if !is || !was || next == before {
		return nil
	}
	return next.Adopt(before)
}

// lookAtAlerts takes over what the engine says, and has the frame drawn if
// anything has changed that it shows.
func (m *Model) lookAtAlerts() {
	sc := m.scene
	before := sc.latest
	sc.latest = render.NewAlerts(sc.nameless(sc.Alerts.Active()), sc.nameless(sc.Alerts.History()), before)
	if sc.floor.Frozen.IsZero() {
		sc.alerts = sc.latest
	}
	m.dirty = m.dirty || !sc.latest.Same(before)
}

// nameless takes the names that must not stand on a kiosk out of what was said when
// alerts were taken over: that was on another board.
func (sc *scene) nameless(alerts []alert.Alert) []alert.Alert {
	for i := range alerts {
		a := &alerts[i].Ack
		a.By, a.Note = sc.wall.Public(a.By), sc.wall.Public(a.Note)
	}
	return alerts
}

// announce tells about new critical alerts: the first one in the footer, where a
// kiosk has no need to, and all of them by one bell if a rule says so.
func (m *Model) announce(changes []alert.Change) tea.Cmd {
	sc := m.scene
	var texts []string
	ring := false
	for _, c := range changes {
		if c.Kind != alert.Raised && c.Kind != alert.Escalated {
			continue
		}
		ring = ring || c.Alert.Bell
		if c.Alert.Level == alert.Critical {
			texts = append(texts, c.Alert.Text)
		}
	}
	var cmds []tea.Cmd
	if len(texts) > 0 && sc.wall == nil {
		text := render.Critical.Glyph(sc.ASCII) + " " + texts[0]
		if more := len(texts) - 1; more > 0 {
			text += " (and " + sc.look.Count(more) + " more)"
		}
		cmds = append(cmds, m.say(text))
	}
	if ring && (m.watch.rang.IsZero() || !sc.floor.Ours.Before(m.watch.rang.Add(bellPause))) {
		m.watch.rang = sc.floor.Ours
		cmds = append(cmds, tea.Raw("\a"))
	}
	return tea.Batch(cmds...)
}

// ownKPIs returns the KPIs of one's own, by what they are about.
func ownKPIs(e Engine) map[alert.Scope][]alert.KPI {
	out := make(map[alert.Scope][]alert.KPI)
	for _, s := range alert.Scopes() {
		for _, k := range e.KPIs(s) {
			if !k.BuiltIn {
				out[s] = append(out[s], k)
			}
		}
	}
	return out
}

// heldFigures are the values of KPIs of one's own as they were when the picture
// was frozen.
type heldFigures map[heldFigure]model.Figure

var _ render.Figures = heldFigures(nil)

type heldFigure struct {
	kpi   string
	about alert.Key
}

// Value implements [render.Figures].
func (h heldFigures) Value(kpi string, k alert.Key) model.Figure { return h[heldFigure{kpi, k}] }

// holdFigures returns the present values of all KPIs of one's own.
func (sc *scene) holdFigures() heldFigures {
	out := heldFigures{}
	hold := func(k alert.Key) {
		for _, own := range sc.own[k.Scope] {
			out[heldFigure{own.Name, k}] = sc.Alerts.Value(own.Name, k)
		}
	}
	for r := range sc.floor.Shown.Services.All() {
		hold(alert.Key{Scope: alert.Service, Code: r.Key().Code, Channel: r.Channel})
	}
	for r := range sc.floor.Shown.Groups.All() {
		hold(alert.Key{Scope: alert.Group, Code: r.Key().Code, Channel: r.Channel})
	}
	for r := range sc.floor.Shown.UserStats.All() {
		hold(alert.Key{Scope: alert.User, Code: r.Key().Username, Channel: r.Channel})
	}
	for r := range sc.floor.Shown.Campaigns.All() {
		hold(alert.Key{Scope: alert.Campaign, Code: itoa(int(r.Key()))})
	}
	for _, ch := range sc.floor.Channels() {
		hold(alert.Key{Scope: alert.Floor, Channel: ch})
	}
	return out
}
