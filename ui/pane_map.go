package ui

import (
	"slices"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"wallboard/model"
	"wallboard/themes"
	"wallboard/ui/floor"
	"wallboard/ui/look"
	"wallboard/ui/render"
	"wallboard/ui/table"
)

// mapPane shows every agent as one glyph: his state's, in its colour.
type mapPane struct {
	by    string       // what they are grouped by; "" is the state
	pane  *recordTable // the rows by name, and how they are narrowed; never drawn
	rows  *render.Agents
	users *model.Table[string, model.User]

	old   bool   // too old to be shown
	mark  uint64 // of the rows that order is of
	order mapOrder

	cursor string // user name; "": there is none
	looked spot   // where it was put; who is in several groups stands in several places
	spots  []spot // what was drawn last
}

// spot is where an agent was drawn, on the screen.
type spot struct {
	x, y int
	row  int32
}

func newMapPane(sc *scene, spec PaneSpec) *mapPane {
	narrowed := PaneSpec{Channel: spec.Channel, Services: spec.Services, Groups: spec.Groups, Site: spec.Site, Filter: spec.Filter}
	p := agentsTable(sc, narrowed, "", "", table.WithoutSelection())
	p.setFilter("")
	rows, _ := p.rows.(*render.Agents)
	return &mapPane{by: spec.By, pane: p, rows: rows}
}

func (m *mapPane) title(*scene) string { return "Agents" }

func (m *mapPane) subs() []model.Op { return []model.Op{model.OpUserStats, model.OpUsers} }

// status is who is under the cursor, or how many there are.
func (m *mapPane) status(sc *scene) standing {
	if i := m.selected(); i >= 0 {
		r := m.rows.Record(int(i))
		text := m.rows.Name(int(i)) + " " + sc.look.Glyphs.Dot + " " + m.state(r).Word
		if r.TimeInState.Known() && !m.old {
			text += " " + string(sc.look.Format.Since(nil, r.TimeInState, sc.floor.Now()))
		}
		return standing{text: text}
	}
	if m.rows.Len() == 0 {
		return standing{}
	}
	return standing{text: sc.look.Count(m.rows.Len()) + " in all"}
}

// state is how an agent's state is shown.
func (m *mapPane) state(r *model.UserStat) render.State {
	if m.old {
		return render.StateOf("", r.Channel)
	}
	return render.StateOf(r.Status, r.Channel)
}

// selected is the row of the agent under the cursor, -1 for none.
func (m *mapPane) selected() int32 {
	if m.cursor == "" {
		return -1
	}
	for i := range m.rows.Len() {
		if m.rows.Key(i) == m.cursor {
			return int32(i)
		}
	}
	return -1
}

// Refresh takes over what is shown now. The whole floor is gone over only when
// somebody has to stand elsewhere.
func (m *mapPane) Refresh(sc *scene) {
	m.pane.refresh(sc)
	m.old = sc.floor.Blanked(m.subs()...)
	changed, now, ok := m.rows.Since(m.mark)
	ok = ok && m.order.places != nil
	if ok && now == m.mark {
		return
	}
	m.mark = now
	users := m.users
	if sc.floor.Shown != nil {
		m.users = sc.floor.Shown.Users
	}
	moved := !ok || m.pane.wanted() != "" && len(changed) > 0
	if !ok {
		m.order.reset(m.rows.Len())
		for i := range m.rows.Len() {
			m.order.look(m.rows, i)
		}
	}
	for _, i := range changed {
		moved = m.order.look(m.rows, int(i)) || moved
	}
	switch grouped := m.grouped(); {
	case grouped && (!ok || users != m.users):
		for i := range m.rows.Len() {
			moved = m.assign(sc, i) || moved
		}
	case grouped:
		for _, i := range changed {
			moved = m.assign(sc, int(i)) || moved
		}
	}
	if moved {
		m.order.arrange(m.pane.table.Order(), m.grouped())
	}
}

// pointed returns the agent under the cursor.
func (m *mapPane) pointed() (of floor.Kind, key string, on model.Channel, ok bool) {
	return floor.Agent, m.cursor, m.pane.channel, m.selected() >= 0
}

// inherit keeps whom the viewer looks at.
func (m *mapPane) inherit(before Pane) {
	if was, ok := before.(*mapPane); ok {
		m.cursor, m.looked = was.cursor, was.looked
	}
}

// grouped reports whether the agents stand in groups.
func (m *mapPane) grouped() bool { return m.by != "" && m.by != "state" }

// assign finds out under which titles row i stands, and reports whether it had to.
func (m *mapPane) assign(sc *scene, i int) bool {
	p, r := &m.order.people[i], m.rows.Record(i)
	u := m.users.Get(r.Key().Username)
	if len(p.in) > 0 && p.user == u && p.profile == r.LoggedProfileID {
		return false
	}
	p.user, p.profile = u, r.LoggedProfileID
	m.order.put(i, m.belongs(sc, r, u))
	return true
}

// belongs returns the names of what an agent is grouped under: the groups that
// he serves, or the profile that he is logged in with.
func (m *mapPane) belongs(sc *scene, r *model.UserStat, u *model.User) []string {
	if m.by == "profile" {
		if id, ok := r.LoggedProfileID.Get(); ok {
			return []string{sc.Names.Of(model.NameProfile, itoa(int(id)))}
		}
		return []string{"No profile"}
	}
	if u == nil || len(u.Skillsets) == 0 {
		return []string{"No group"}
	}
	out := make([]string, len(u.Skillsets))
	for n, code := range u.Skillsets {
		out[n] = sc.Names.Of(model.NameGroup, code)
	}
	return out
}

func (m *mapPane) Want(*scene, int) room { return room{width: 20, least: 3, wanted: 5} }

func (m *mapPane) hide() { m.spots = nil }

func (m *mapPane) focus(on bool) {
	if !on {
		m.cursor = ""
	}
}

// press moves the cursor, with the keys that a table has as well. The first one
// brings it.
func (m *mapPane) press(_ *scene, msg tea.KeyPressMsg) (tea.Cmd, bool) {
	k := msg.String()
	opens := k == "enter" || k == "o"
	rows := table.DefaultKeyMap()
	left, right := k == "left", k == "right"
	up, down := key.Matches(msg, rows.LineUp), key.Matches(msg, rows.LineDown)
	first, last := key.Matches(msg, rows.GotoTop), key.Matches(msg, rows.GotoBottom)
	switch at := m.here(); {
	case k == "esc" && m.cursor != "":
		m.cursor = ""
	case len(m.spots) == 0:
		return nil, false
	case opens && at >= 0:
		return open(floor.Agent, m.cursor, m.pane.channel), true
	case first, at < 0 && (opens || left || right || up || down):
		m.look(0)
	case last:
		m.look(len(m.spots) - 1)
	case left:
		m.look(at - 1)
	case right:
		m.look(at + 1)
	case up:
		m.leap(at, -1)
	case down:
		m.leap(at, 1)
	default:
		return nil, false
	}
	return nil, true
}

// here is the place in spots of the agent under the cursor, -1 for none.
func (m *mapPane) here() int {
	best := -1
	for i, s := range m.spots {
		if m.rows.Key(int(s.row)) == m.cursor && (best < 0 || away(s, m.looked) < away(m.spots[best], m.looked)) {
			best = i
		}
	}
	return best
}

// look puts the cursor on a place in spots.
func (m *mapPane) look(at int) {
	if at >= 0 && at < len(m.spots) {
		m.looked = m.spots[at]
		m.cursor = m.rows.Key(int(m.looked.row))
	}
}

// leap goes to the nearest agent on the next line in a direction.
func (m *mapPane) leap(at, by int) {
	from, best := m.spots[at], -1
	for i, s := range m.spots {
		if (s.y-from.y)*by <= 0 {
			continue
		}
		if best < 0 || away(s, from) < away(m.spots[best], from) {
			best = i
		}
	}
	m.look(best)
}

// away is how far two places are from each other; lines count more.
func away(a, b spot) int {
	const line = 1000
	return line*max(a.y-b.y, b.y-a.y) + max(a.x-b.x, b.x-a.x)
}

func (m *mapPane) update(_ *scene, msg tea.Msg) tea.Cmd {
	click, ok := msg.(tea.MouseClickMsg)
	if !ok {
		return nil
	}
	at := slices.IndexFunc(m.spots, func(s spot) bool { return s.y == click.Y && (s.x == click.X || s.x+1 == click.X) })
	if at < 0 {
		return nil
	}
	if at == m.here() {
		return open(floor.Agent, m.cursor, m.pane.channel)
	}
	m.look(at)
	return nil
}

// View draws the agents, and below them how many are in which state.
func (m *mapPane) View(sc *scene, x, y, w, h int) []string {
	m.spots = m.spots[:0]
	if len(m.order.rows) == 0 {
		return look.FitLines(sc.look.Said(themes.Dim, m.pane.why(sc), max(w-2, 1)), w, h, sc.look.Glyphs.Ellipsis)
	}
	// The legend gets what the agents leave, a line at least.
	const mostLegend = 3
	step := 2
	if m.lines(w, step) > h-1 {
		step = 1
	}
	legend := m.legend(sc, w, min(max(h-m.lines(w, step), 1), mostLegend, h-1))
	d := mapDrawing{sc: sc, pane: m, x: x, y: y, w: w, h: h - len(legend), step: step}
	out := append(d.draw(), legend...)
	sc.floor.FadeOld(sc.look, out, m.subs()...)
	return look.FillLines(out, w, h)
}

// lines is how many lines all agents take with step cells for each.
func (m *mapPane) lines(w, step int) int {
	n := 0
	for _, g := range m.order.groups {
		room := max((w-m.labelled(w)-1)/step, 1)
		n += (len(g.rows) + room - 1) / room
	}
	return n
}

// labelled is the width of the groups' names, 0 where there are none.
func (m *mapPane) labelled(w int) int {
	widest := 0
	for _, g := range m.order.groups {
		widest = max(widest, look.Width(g.title))
	}
	if widest == 0 {
		return 0
	}
	return min(widest+2, w*2/5)
}

// mapKind is the kind of panes that are maps of agents.
func mapKind() paneKind {
	return paneKind{
		name: "map", takes: []string{"channel", "services", "groups", "site", "filter", "by"},
		make: func(sc *scene, s PaneSpec) Pane { return newMapPane(sc, s) },
	}
}
