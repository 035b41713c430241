package panes

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"wallboard/model"
	"wallboard/themes"
	"wallboard/ui/floor"
	"wallboard/ui/grouped"
	"wallboard/ui/look"
	"wallboard/ui/render"
	"wallboard/ui/table"
)

// MapPane shows every agent as one glyph: their state's, in its colour.
type MapPane struct {
	by    grouped.By   // what they are grouped by; "" is the state
	pane  *RecordTable // the rows by name, and how they are narrowed; never drawn
	rows  *render.Agents
	users *model.Table[string, model.User]

	old   bool   // too old to be shown
	mark  uint64 // of the rows that order is of
	order mapOrder

	Cursor string // user name; "": there is none
	looked spot   // where it was put; who is in several groups stands in several places
	Spots  []spot // what was drawn last
	form   blocks // in what; zero: as glyphs
}

// spot is where an agent was drawn, on the screen.
type spot struct {
	X, Y int
	row  int32
}

func newMapPane(sc *Scene, spec PaneSpec) *MapPane {
	narrowed := PaneSpec{Channel: spec.Channel, Services: spec.Services, Groups: spec.Groups, Site: spec.Site, Filter: spec.Filter}
	p := agentsTable(sc, narrowed, "", "", table.WithoutSelection())
	p.SetFilter("")
	p.again = nil // who is where is drawn, not their figures
	p.SortBy("name", false)
	rows, _ := p.Rows.(*render.Agents)
	return &MapPane{by: grouped.By(spec.By), pane: p, rows: rows}
}

func (m *MapPane) title(*Scene) string { return "Agents" }

func (m *MapPane) subs() []model.Op { return []model.Op{model.OpUserStats, model.OpUsers} }

// status is who is under the cursor, or how many there are.
func (m *MapPane) status(sc *Scene) look.Position {
	if i := m.selected(); i >= 0 {
		r := m.rows.Record(int(i))
		text := m.rows.Name(int(i)) + " " + sc.Look.Glyphs.Dot + " " + m.state(r).Word
		if r.TimeInState.Known() && !m.old {
			text += " " + string(sc.Look.Format.Since(nil, r.TimeInState, sc.Floor.Now()))
		}
		return look.Position{Text: text}
	}
	if m.rows.Len() == 0 {
		return look.Position{}
	}
	return look.Position{Text: sc.Look.Count(m.rows.Len()) + " in all"}
}

// state is how an agent's state is shown.
func (m *MapPane) state(r *model.UserStat) render.State {
	if m.old {
		return render.StateOf("", r.Channel)
	}
	return render.StateOf(r.Status, r.Channel)
}

// selected is the row of the agent under the cursor, -1 for none.
func (m *MapPane) selected() int32 {
	if m.Cursor == "" {
		return -1
	}
	for i := range m.rows.Len() {
		if m.rows.Key(i) == m.Cursor {
			return int32(i)
		}
	}
	return -1
}

// Refresh takes over what is shown now. The whole floor is gone over only when
// somebody has to stand elsewhere.
func (m *MapPane) Refresh(sc *Scene) {
	m.pane.refresh(sc)
	m.old = sc.Floor.Blanked(m.subs()...)
	changed, now, ok := m.rows.Since(m.mark)
	ok = ok && m.order.places != nil
	if ok && now == m.mark {
		return
	}
	m.mark = now
	users := m.users
	if sc.Floor.Shown != nil {
		m.users = sc.Floor.Shown.Users
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
		m.order.arrange(m.pane.Table.Order(), m.grouped())
	}
}

// pointed returns the agent under the cursor.
func (m *MapPane) pointed() (of floor.Kind, key string, on model.Channel, ok bool) {
	return floor.Agent, m.Cursor, m.pane.channel, m.selected() >= 0
}

// inherit keeps whom the viewer looks at.
func (m *MapPane) inherit(before Pane) {
	if was, ok := before.(*MapPane); ok {
		m.Cursor, m.looked = was.Cursor, was.looked
	}
}

// grouped reports whether the agents stand in groups.
func (m *MapPane) grouped() bool { return m.by != "" && m.by != grouped.ByState }

// assign finds out under which titles row i stands, and reports whether it had to.
func (m *MapPane) assign(sc *Scene, i int) bool {
	p, r := &m.order.people[i], m.rows.Record(i)
	u := m.users.Get(r.Key().Username)
	if len(p.in) > 0 && p.user == u && p.profile == r.LoggedProfileID {
		return false
	}
	p.user, p.profile = u, r.LoggedProfileID
	m.order.put(i, m.by.Places(sc.Floor.Names, r, u))
	return true
}

// Want implements [Pane].
func (m *MapPane) Want(*Scene, int) Room { return Room{width: 20, least: 3, wanted: 5} }

func (m *MapPane) hide() { m.Spots = nil }

func (m *MapPane) focus(on bool) {
	if !on {
		m.Cursor = ""
	}
}

// Press moves the cursor, with the keys that a table has as well. The first one
// brings it.
func (m *MapPane) Press(sc *Scene, msg tea.KeyPressMsg) (tea.Cmd, bool) {
	k := msg.String()
	opens := k == "enter" || k == "o"
	rows := table.DefaultKeyMap()
	left, right := k == "left", k == "right"
	up, down := key.Matches(msg, rows.LineUp), key.Matches(msg, rows.LineDown)
	first, last := key.Matches(msg, rows.GotoTop), key.Matches(msg, rows.GotoBottom)
	switch at := m.Here(); {
	case k == "esc" && m.Cursor != "":
		m.Cursor = ""
	case len(m.Spots) == 0:
		return nil, false
	case opens && at >= 0:
		m.open(sc)
	case first, at < 0 && (opens || left || right || up || down):
		m.look(0)
	case last:
		m.look(len(m.Spots) - 1)
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

// Here is the place in spots of the agent under the cursor, -1 for none.
func (m *MapPane) Here() int {
	best := -1
	for i, s := range m.Spots {
		if m.rows.Key(int(s.row)) == m.Cursor && (best < 0 || away(s, m.looked) < away(m.Spots[best], m.looked)) {
			best = i
		}
	}
	return best
}

// look puts the cursor on a place in spots.
func (m *MapPane) look(at int) {
	if at >= 0 && at < len(m.Spots) {
		m.looked = m.Spots[at]
		m.Cursor = m.rows.Key(int(m.looked.row))
	}
}

// leap goes to the nearest agent on the next line in a direction.
func (m *MapPane) leap(at, by int) {
	from, best := m.Spots[at], -1
	for i, s := range m.Spots {
		if (s.Y-from.Y)*by <= 0 {
			continue
		}
		if best < 0 || away(s, from) < away(m.Spots[best], from) {
			best = i
		}
	}
	m.look(best)
}

// away is how far two places are from each other; lines count more.
func away(a, b spot) int {
	const line = 1000
	return line*max(a.Y-b.Y, b.Y-a.Y) + max(a.X-b.X, b.X-a.X)
}

// Update obeys a key or the mouse.
func (m *MapPane) Update(sc *Scene, msg tea.Msg) tea.Cmd {
	click, ok := msg.(tea.MouseClickMsg)
	if !ok {
		return nil
	}
	at := m.spotAt(click.X, click.Y)
	if at < 0 {
		return nil
	}
	if at == m.Here() {
		m.open(sc)
		return nil
	}
	m.look(at)
	return nil
}

// open shows the agent under the cursor.
func (m *MapPane) open(sc *Scene) {
	sc.Asked.For(OpenMsg{Kind: floor.Agent, Key: m.Cursor, Channel: m.pane.channel})
}

// View draws the agents, and below them how many are in which state.
func (m *MapPane) View(sc *Scene, x, y, w, h int) []string {
	m.Spots = m.Spots[:0]
	if len(m.order.rows) == 0 {
		return look.FitLines(sc.Look.Said(themes.Dim, m.pane.why(sc), max(w-2, 1)), w, h, sc.Look.Glyphs.Ellipsis)
	}
	const mostLegend = 3
	if b, ok := blocksFor(len(m.order.rows), w, h-1); ok && !m.grouped() {
		m.form = b
		out := m.tiled(sc, x, y, w, b)
		out = append(out, m.legend(sc, w, min(h-len(out), mostLegend))...)
		sc.Floor.FadeOld(sc.Look, out, m.subs()...)
		return look.FillLines(out, w, h)
	}
	m.form = blocks{}
	// The legend gets what the agents leave, a line at least.
	step := 2
	if m.lines(w, step) > h-1 {
		step = 1
	}
	legend := m.legend(sc, w, min(max(h-m.lines(w, step), 1), mostLegend, h-1))
	d := mapDrawing{sc: sc, pane: m, x: x, y: y, w: w, h: h - len(legend), step: step}
	out := append(d.draw(), legend...)
	sc.Floor.FadeOld(sc.Look, out, m.subs()...)
	return look.FillLines(out, w, h)
}

// lines is how many lines all agents take with step cells for each.
func (m *MapPane) lines(w, step int) int {
	n := 0
	for _, g := range m.order.groups {
		room := max((w-m.labelled(w)-1)/step, 1)
		n += (len(g.rows) + room - 1) / room
	}
	return n
}

// labelled is the width of the groups' names, 0 where there are none.
func (m *MapPane) labelled(w int) int {
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
		make: func(sc *Scene, s PaneSpec) Pane { return newMapPane(sc, s) },
	}
}
