package ui

import (
	"cmp"
	"slices"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"wallboard/model"
	"wallboard/themes"
	"wallboard/ui/render"
	"wallboard/ui/table"
)

// mapPart shows every agent as one glyph: his state's, in its colour.
type mapPart struct {
	by    string // what they are grouped by; "" is the state
	pane  *pane  // the rows, and how they are narrowed; never drawn
	rows  *render.Agents
	users *model.Table[string, model.User]

	mark   uint64  // of the rows that names is of
	names  []int32 // the rows by name
	groups []bunch

	cursor string // user name; "": there is none
	looked spot   // where it was put; who is in several groups stands in several places
	spots  []spot // what was drawn last
}

// bunch is agents who are drawn together.
type bunch struct {
	title string
	rows  []int32
}

// spot is where an agent was drawn, on the screen.
type spot struct {
	x, y int
	row  int32
}

var _ part = (*mapPart)(nil)

func newMapPart(sc *scene, spec PaneSpec) *mapPart {
	p := agentsPane(sc, PaneSpec{Channel: spec.Channel, Services: spec.Services, Groups: spec.Groups, Site: spec.Site, Filter: spec.Filter}, "", "")
	rows, _ := p.rows.(*render.Agents)
	return &mapPart{by: spec.By, pane: p, rows: rows}
}

func (m *mapPart) title(*scene) string { return "Agents" }

func (m *mapPart) subs() []string { return []string{subAgents, subUsers} }

// status is who is under the cursor, or how many there are.
func (m *mapPart) status(sc *scene) standing {
	if i := m.selected(); i >= 0 {
		r := m.rows.Record(int(i))
		look := render.StateOf(r.Status, r.Channel)
		text := m.rows.Name(int(i)) + " " + sc.glyphs.dot + " " + look.Word
		if r.TimeInState.Known() {
			text += " " + string(sc.format.Since(nil, r.TimeInState, sc.now()))
		}
		return standing{text: text}
	}
	if m.rows.Len() == 0 {
		return standing{}
	}
	return standing{text: sc.count(m.rows.Len()) + " in all"}
}

// selected is the row of the agent under the cursor, -1 for none.
func (m *mapPart) selected() int32 {
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

func (m *mapPart) refresh(sc *scene) {
	m.pane.refresh(sc)
	if sc.shown != nil {
		m.users = sc.shown.Users
	}
	_, now, ok := m.rows.Since(m.mark)
	if ok && now == m.mark && m.groups != nil {
		return
	}
	if !ok || len(m.names) != m.rows.Len() {
		m.names = m.names[:0]
		for i := range m.rows.Len() {
			m.names = append(m.names, int32(i))
		}
		const name = 0 // the first column
		slices.SortFunc(m.names, func(a, b int32) int {
			return cmp.Or(m.rows.Compare(int(a), int(b), name), cmp.Compare(m.rows.Key(int(a)), m.rows.Key(int(b))))
		})
	}
	m.mark = now
	m.group(sc)
}

// group puts the agents together, those in a group in the order of their states
// and names.
func (m *mapPart) group(sc *scene) {
	m.groups = []bunch{}
	order := m.inOrder()
	if m.by == "" || m.by == "state" {
		m.groups = append(m.groups, bunch{rows: order})
		return
	}
	at := map[string]int{}
	for _, i := range order {
		for _, title := range m.belongs(sc, i) {
			n, ok := at[title]
			if !ok {
				n = len(m.groups)
				at[title] = n
				m.groups = append(m.groups, bunch{title: title})
			}
			m.groups[n].rows = append(m.groups[n].rows, i)
		}
	}
	slices.SortFunc(m.groups, func(a, b bunch) int { return cmp.Compare(a.title, b.title) })
}

// inOrder returns the rows by state, and by name within a state, but for those
// that the pane's filter leaves out.
func (m *mapPart) inOrder() []int32 {
	order := render.StateOrder()
	states := make([][]int32, len(order)+2)
	filter := m.pane.wanted()
	for _, i := range m.names {
		if filter != "" && !m.rows.Matches(int(i), filter) {
			continue
		}
		s := m.rows.Record(int(i)).Status
		at := slices.Index(order[:], s)
		switch {
		case s == "":
			at = len(order) + 1
		case at < 0:
			at = len(order)
		}
		states[at] = append(states[at], i) //nolint:gosec // at is one of the order, or one of the two after it
	}
	return slices.Concat(states...)
}

// belongs returns the names of what an agent is grouped under: the groups that
// he serves, or the profile that he is logged in with.
func (m *mapPart) belongs(sc *scene, i int32) []string {
	r := m.rows.Record(int(i))
	if m.by == "profile" {
		if id, ok := r.LoggedProfileID.Get(); ok {
			return []string{sc.Names.Of(model.NameProfile, itoa(int(id)))}
		}
		return []string{"No profile"}
	}
	var out []string
	if u := m.users.Get(r.Key().Username); u != nil {
		for _, code := range u.Skillsets {
			out = append(out, sc.Names.Of(model.NameGroup, code))
		}
	}
	if len(out) == 0 {
		return []string{"No group"}
	}
	return out
}

func (m *mapPart) restyle(*scene) {}

func (m *mapPart) want(*scene, int) room { return room{width: 20, least: 3, wanted: 5} }

func (m *mapPart) hide() { m.spots = nil }

func (m *mapPart) listens() bool { return true }

func (m *mapPart) focus(on bool) {
	if !on {
		m.cursor = ""
	}
}

func (m *mapPart) focused() *pane { return nil }
func (m *mapPart) flashing() bool { return false }

// press moves the cursor, with the keys that a table has as well. The first one
// brings it.
func (m *mapPart) press(_ *scene, msg tea.KeyPressMsg) (tea.Cmd, bool) {
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
		return open(kindAgent, m.cursor, m.pane.channel), true
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
func (m *mapPart) here() int {
	best := -1
	for i, s := range m.spots {
		if m.rows.Key(int(s.row)) == m.cursor && (best < 0 || away(s, m.looked) < away(m.spots[best], m.looked)) {
			best = i
		}
	}
	return best
}

// look puts the cursor on a place in spots.
func (m *mapPart) look(at int) {
	if at >= 0 && at < len(m.spots) {
		m.looked = m.spots[at]
		m.cursor = m.rows.Key(int(m.looked.row))
	}
}

// leap goes to the nearest agent on the next line in a direction.
func (m *mapPart) leap(at, by int) {
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

func (m *mapPart) update(_ *scene, msg tea.Msg) tea.Cmd {
	click, ok := msg.(tea.MouseClickMsg)
	if !ok {
		return nil
	}
	at := slices.IndexFunc(m.spots, func(s spot) bool { return s.y == click.Y && (s.x == click.X || s.x+1 == click.X) })
	if at < 0 {
		return nil
	}
	if at == m.here() {
		return open(kindAgent, m.cursor, m.pane.channel)
	}
	m.look(at)
	return nil
}

// view draws the agents, and below them how many are in which state.
func (m *mapPart) view(sc *scene, x, y, w, h int) []string {
	m.spots = m.spots[:0]
	total := 0
	for _, g := range m.groups {
		total += len(g.rows)
	}
	if total == 0 {
		return fitLines(sc.said(themes.Dim, m.pane.why(sc), max(w-2, 1)), w, h, sc.glyphs.ellipsis)
	}
	// The legend gets what the agents leave, a line at least.
	const mostLegend = 3
	step := 2
	if m.lines(w, step) > h-1 {
		step = 1
	}
	legend := m.legend(sc, w, min(max(h-m.lines(w, step), 1), mostLegend, h-1))
	d := mapDrawing{sc: sc, part: m, x: x, y: y, w: w, h: h - len(legend), step: step}
	out := append(d.draw(), legend...)
	if sc.doubtAbout(m.subs()...).stale {
		sc.fade(out)
	}
	return fitLines(out, w, h, sc.glyphs.ellipsis)
}

// lines is how many lines all agents take with step cells for each.
func (m *mapPart) lines(w, step int) int {
	n := 0
	for _, g := range m.groups {
		room := max((w-m.labelled(w)-1)/step, 1)
		n += (len(g.rows) + room - 1) / room
	}
	return n
}

// labelled is the width of the groups' names, 0 where there are none.
func (m *mapPart) labelled(w int) int {
	widest := 0
	for _, g := range m.groups {
		widest = max(widest, textWidth(g.title))
	}
	if widest == 0 {
		return 0
	}
	return min(widest+2, w/3)
}

// mapKind is the kind of panes that are maps of agents.
func mapKind() paneKind {
	return paneKind{
		name: "map", takes: []string{"channel", "services", "groups", "site", "filter", "by"},
		make: func(sc *scene, s PaneSpec) part { return newMapPart(sc, s) },
	}
}
