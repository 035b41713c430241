package widgets

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"wallboard/internal/words"
	"wallboard/model"
	"wallboard/ui/floorview"
	"wallboard/ui/render"
	"wallboard/ui/style"
	"wallboard/ui/table"
)

// AgentMapScene holds the data that a map is drawn from, apart from the agents.
type AgentMapScene struct {
	Look         *style.Look
	Floor        *floorview.View
	Flash        bool // motion is enabled: a new state is also marked by a color
	LargeFigures bool // the screen is read from a distance, so no figure is smaller than three lines
}

// AgentMapSubscriptions returns the subscriptions that deliver the agents' data.
func AgentMapSubscriptions() []model.Op { return []model.Op{model.OpUserStats, model.OpUsers} }

// AgentMap shows each agent as a block or a glyph in the color of the agent's state. It also holds
// the viewer's cursor.
type AgentMap struct {
	criterion floorview.GroupingCriterion // "" and ByState: the agents are sorted by state, without groups
	rows      *render.Agents
	users     *model.Table[string, model.User]

	stale       bool            // the data is too old to show
	rowsVersion uint64          // version of the rows when order was made
	language    *words.Language // of the titles of groups in order; nil: English
	order       agentOrder

	Cursor         string          // user name of the agent under the cursor; "": no cursor
	cursorPosition AgentPosition   // position of the cursor, because an agent in several groups has several positions
	AgentPositions []AgentPosition // positions of the agents in the last view, in drawing order
	blockSize      blockSize       // size of the agents' blocks; zero: the agents are drawn as glyphs
	width          int             // width of the last view
	legendLines    int             // number of lines below the blocks that are reserved for the legend
	isWallView     bool            // only agents over a limit are drawn as blocks, without filling them with the color of the state
	overflowText   []string        // text of the block that counts the agents without a block
}

// AgentPosition is the position of an agent on the screen in the last view.
type AgentPosition struct {
	X, Y int
	row  int32
}

// NewAgentMap returns a map of the agents in rows, grouped by a criterion. If the criterion is "",
// the agents are sorted by state and are not in titled groups.
func NewAgentMap(rows *render.Agents, criterion floorview.GroupingCriterion) *AgentMap {
	return &AgentMap{criterion: criterion, rows: rows}
}

// Status returns the name, the state and the time in state of the agent under the cursor. Without a
// cursor, it returns the number of agents, or "" if there are none.
func (m *AgentMap) Status(sc AgentMapScene) string {
	if i := m.selectedRow(); i >= 0 {
		r := m.rows.Record(int(i))
		text := m.rows.Name(int(i)) + " " + sc.Look.Glyphs.Dot + " " + m.stateOf(r).Word.In(sc.Look.Format.Words)
		if r.TimeInState.Known() && !m.stale {
			text += " " + string(sc.Look.Format.Since(nil, r.TimeInState, sc.Floor.Now()))
		}
		return text
	}
	if m.rows.Len() == 0 {
		return ""
	}
	return sc.Look.Translate(words.PlotLoggedIn(sc.Look.FormatCount(m.rows.Len())))
}

// stateOf returns the display state of an agent: its word, color and glyph. If the data is too old,
// it is that of an unknown state.
func (m *AgentMap) stateOf(r *model.UserStat) render.State {
	if m.stale {
		return render.StateOf("", r.Channel)
	}
	return render.StateOf(r.Status, r.Channel)
}

// selectedRow returns the index of the row of the agent under the cursor, or -1 if there is no such
// row.
func (m *AgentMap) selectedRow() int32 {
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

// Chosen returns the user name of the agent under the cursor. ok is false if the map does not
// contain this agent.
func (m *AgentMap) Chosen() (username string, ok bool) { return m.Cursor, m.selectedRow() >= 0 }

// Refresh updates the map from its rows. shown returns the indexes of the rows to draw, sorted by
// name. filtered is true if a filter selects the rows; every change may then add or remove rows.
// Refresh computes the order of the agents again only if some of them have to move.
func (m *AgentMap) Refresh(view *floorview.View, shown func() []int32, filtered bool) { //nolint:gocyclo // the steps are simple, and depend on one another
	m.stale = view.IsBlanked(AgentMapSubscriptions()...)
	changed, current, ok := m.rows.Since(m.rowsVersion)
	ok = ok && m.order.groupIndexes != nil && m.language == view.Words
	if ok && current == m.rowsVersion {
		return
	}
	m.rowsVersion, m.language = current, view.Words
	users := m.users
	if view.Shown != nil {
		m.users = view.Shown.Users
	}
	moved := !ok || filtered && len(changed) > 0
	if !ok {
		m.order.reset(m.rows.Len())
		for i := range m.rows.Len() {
			m.order.recordState(m.rows, i)
		}
	}
	for _, i := range changed {
		moved = m.order.recordState(m.rows, int(i)) || moved
	}
	switch grouped := m.isGrouped(); {
	case grouped && (!ok || users != m.users):
		for i := range m.rows.Len() {
			moved = m.updateGroups(view, i) || moved
		}
	case grouped:
		for _, i := range changed {
			moved = m.updateGroups(view, int(i)) || moved
		}
	}
	if moved {
		m.order.computeOrder(shown(), m.isGrouped())
	}
}

// TakeCursorFrom copies the cursor from the previous map.
func (m *AgentMap) TakeCursorFrom(previous *AgentMap) {
	m.Cursor, m.cursorPosition = previous.Cursor, previous.cursorPosition
}

// isGrouped reports whether the agents are drawn in groups with titles.
func (m *AgentMap) isGrouped() bool { return m.criterion != "" && m.criterion != floorview.ByState }

// updateGroups recomputes the groups of the agent in row i if the user or the profile in the row
// has changed. It reports whether it has done so.
func (m *AgentMap) updateGroups(view *floorview.View, i int) bool {
	p, r := &m.order.placements[i], m.rows.Record(i)
	u := m.users.Get(r.Key().Username)
	if len(p.groups) > 0 && p.user == u && p.profile == r.LoggedProfileID {
		return false
	}
	p.user, p.profile = u, r.LoggedProfileID
	m.order.setGroups(i, m.criterion.GroupsOf(view.Names, r, u, view.Words))
	return true
}

// Press handles the keys that move the cursor, which are those of a table. The first such key only
// shows the cursor. opens is true if the caller must open the agent under the cursor. handled is
// false for keys that the map does not use.
func (m *AgentMap) Press(msg tea.KeyPressMsg) (opens, handled bool) {
	k := msg.String()
	open := k == "enter" || k == "o"
	rows := table.DefaultKeyMap()
	left, right := k == "left", k == "right"
	up, down := key.Matches(msg, rows.LineUp), key.Matches(msg, rows.LineDown)
	first, last := key.Matches(msg, rows.GotoTop), key.Matches(msg, rows.GotoBottom)
	switch index := m.CursorIndex(); {
	case k == "esc" && m.Cursor != "":
		m.Cursor = ""
	case len(m.AgentPositions) == 0:
		return false, false
	case open && index >= 0:
		return true, true
	case first, index < 0 && (open || left || right || up || down):
		m.moveCursorTo(0)
	case last:
		m.moveCursorTo(len(m.AgentPositions) - 1)
	case left:
		m.moveCursorTo(index - 1)
	case right:
		m.moveCursorTo(index + 1)
	case up:
		m.moveCursorLine(index, -1)
	case down:
		m.moveCursorLine(index, 1)
	default:
		return false, false
	}
	return false, true
}

// Click moves the cursor to the agent at a screen position. If the cursor is already on that agent,
// opens is true, and the caller must open the agent.
func (m *AgentMap) Click(x, y int) (opens bool) {
	index := m.positionAt(x, y)
	if index < 0 {
		return false
	}
	if index == m.CursorIndex() {
		return true
	}
	m.moveCursorTo(index)
	return false
}

// CursorIndex returns the index in AgentPositions of the agent under the cursor, or -1 if there is none.
// If the agent has several positions, it returns the index of the position nearest to the cursor.
func (m *AgentMap) CursorIndex() int {
	best := -1
	for i, s := range m.AgentPositions {
		if m.rows.Key(int(s.row)) == m.Cursor && (best < 0 || distance(s, m.cursorPosition) < distance(m.AgentPositions[best], m.cursorPosition)) {
			best = i
		}
	}
	return best
}

// moveCursorTo moves the cursor to the agent with the given index in AgentPositions. It does nothing if
// the index is out of range.
func (m *AgentMap) moveCursorTo(index int) {
	if index >= 0 && index < len(m.AgentPositions) {
		m.cursorPosition = m.AgentPositions[index]
		m.Cursor = m.rows.Key(int(m.cursorPosition.row))
	}
}

// moveCursorLine moves the cursor from the agent with the given index in AgentPositions to the nearest
// agent on a line above or, if delta is positive, below.
func (m *AgentMap) moveCursorLine(index, delta int) {
	start, best := m.AgentPositions[index], -1
	for i, s := range m.AgentPositions {
		if (s.Y-start.Y)*delta <= 0 {
			continue
		}
		if best < 0 || distance(s, start) < distance(m.AgentPositions[best], start) {
			best = i
		}
	}
	m.moveCursorTo(best)
}

// distance returns a measure of the distance between two positions. A line counts as much as 1000
// cells.
func distance(a, b AgentPosition) int {
	const line = 1000
	return line*max(a.Y-b.Y, b.Y-a.Y) + max(a.X-b.X, b.X-a.X)
}

// Hide forgets the positions of the agents, so that the map ignores clicks until it is redrawn.
func (m *AgentMap) Hide() { m.AgentPositions, m.blockSize = nil, blockSize{} }

// IsEmpty reports whether the map contains no agents.
func (m *AgentMap) IsEmpty() bool { return len(m.order.rows) == 0 }

// maxLegendHeight is the maximum height of the legend in lines.
const maxLegendHeight = 3

// View draws the agents, and below them a legend with the number of agents in each state. x and y
// are the position of the map on the screen.
func (m *AgentMap) View(sc AgentMapScene, x, y, w, h int) []string {
	m.AgentPositions, m.isWallView = m.AgentPositions[:0], false
	if sc.LargeFigures {
		if out := m.drawForDistance(sc, x, y, w, h); out != nil {
			sc.Floor.FadeStale(sc.Look, out, AgentMapSubscriptions()...)
			return style.FillLines(out, w, h)
		}
	}
	if b, below, ok := m.fitBlocks(sc, w, h); ok {
		m.blockSize = b
		out := style.FillLines(m.drawBlocks(sc, m.order.groups, x, y, w), w, h-below)
		out = append(out, m.stateLegend(sc, w, below)...)
		sc.Floor.FadeStale(sc.Look, out, AgentMapSubscriptions()...)
		return style.FillLines(out, w, h)
	}
	m.blockSize = blockSize{}
	// The legend gets all lines that the agents do not need, but at least one.
	groups, mapWidth, step := m.order.groups, w-m.labelWidth(w), 2
	if (blockSize{step, 1}).linesFor(groups, mapWidth) > h-1 {
		step = 1
	}
	legend := m.stateLegend(sc, w, min(max(h-blockSize{step, 1}.linesFor(groups, mapWidth), 1), maxLegendHeight, h-1))
	d := agentMapDrawing{scene: sc, agentMap: m, x: x, y: y, w: w, h: h - len(legend), agentWidth: step}
	out := append(d.draw(), legend...)
	sc.Floor.FadeStale(sc.Look, out, AgentMapSubscriptions()...)
	return style.FillLines(out, w, h)
}

// fitBlocks returns the size at which the blocks of all agents fit, and the number of lines for the
// legend below them. The legend gets all lines that it needs if the blocks still fit. The number
// does not decrease while the width stays the same, so that blocks do not move when a state
// disappears. ok is false if no size fits.
func (m *AgentMap) fitBlocks(sc AgentMapScene, w, h int) (b blockSize, below int, ok bool) {
	if w != m.width {
		m.width, m.legendLines = w, 1
	}
	m.legendLines = max(m.legendLines, len(m.stateLegend(sc, w, maxLegendHeight)))
	for below = m.legendLines; below > 1; below-- {
		if b, ok = blockSizeFor(blockSizes, m.order.groups, w-m.labelWidth(w), h-below); ok {
			return b, below, true
		}
	}
	b, ok = blockSizeFor(blockSizes, m.order.groups, w-m.labelWidth(w), h-1)
	return b, 1, ok
}

// labelWidth returns the width of the group names to the left of the agents. Without names, it
// returns 1 for a margin.
func (m *AgentMap) labelWidth(w int) int {
	widest := 0
	for _, g := range m.order.groups {
		widest = max(widest, style.Width(g.title))
	}
	if widest == 0 {
		return 1
	}
	return min(widest+2, w*2/5)
}
