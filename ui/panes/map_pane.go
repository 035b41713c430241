package panes

import (
	tea "charm.land/bubbletea/v2"

	"wallboard/internal/words"
	"wallboard/model"
	"wallboard/themes"
	"wallboard/ui/chart"
	"wallboard/ui/floorview"
	"wallboard/ui/frame"
	"wallboard/ui/render"
	"wallboard/ui/style"
	"wallboard/ui/table"
	"wallboard/ui/widgets"
)

// AgentMapPane shows each agent as a block or a glyph in the color of the agent's state.
type AgentMapPane struct {
	*widgets.AgentMap

	rows *RecordTable // provides the sorted and filtered rows; not drawn itself
}

func newAgentMapPane(sc *Scene, spec PaneSpec) *AgentMapPane {
	narrowed := PaneSpec{Channel: spec.Channel, Services: spec.Services, Groups: spec.Groups, Site: spec.Site, Filter: spec.Filter}
	p := agentsTable(sc, narrowed, "", "", table.WithoutSelection())
	p.SetFilter("")
	p.newRows = nil // no sharing and no comparison: the map shows states, not figures
	p.SortBy("name", false)
	rows, _ := p.Rows.(*render.Agents)
	return &AgentMapPane{widgets.NewAgentMap(rows, floorview.GroupingCriterion(spec.GroupBy)), p}
}

// agentMapScene returns the part of the scene that a map is drawn from.
func (sc *Scene) agentMapScene() widgets.AgentMapScene {
	return widgets.AgentMapScene{Look: sc.Look, Floor: sc.Floor, Flash: sc.MotionEnabled, LargeFigures: sc.LargeFigures}
}

func (m *AgentMapPane) title(sc *Scene) string { return sc.translate(words.PageAgents()) }

func (m *AgentMapPane) subscriptions() []model.Op { return widgets.AgentMapSubscriptions() }

// status implements [statusProvider]. It returns the status of the map: the agent under the cursor or,
// without a cursor, the number of agents.
func (m *AgentMapPane) status(sc *Scene) style.HeadingStatus {
	return style.HeadingStatus{Text: m.Status(sc.agentMapScene())}
}

// Refresh implements [Pane]. It updates the map from the current snapshot.
func (m *AgentMapPane) Refresh(sc *Scene) {
	m.rows.refresh(sc)
	m.AgentMap.Refresh(sc.Floor, m.rows.Table.ListedRows, m.rows.effectiveFilter() != "")
}

// recordUnderCursor implements [recordPointer]. It returns the agent under the cursor. ok is false if
// there is no cursor.
func (m *AgentMapPane) recordUnderCursor() (kind floorview.RecordKind, key string, channel model.Channel, ok bool) {
	key, ok = m.Chosen()
	return floorview.Agent, key, m.rows.channel, ok
}

// copyStateFrom implements [stateCopier]. It copies the cursor of the previous map.
func (m *AgentMapPane) copyStateFrom(previous Pane) {
	if previous, ok := previous.(*AgentMapPane); ok {
		m.TakeCursorFrom(previous.AgentMap)
	}
}

// SizeHint implements [Pane].
func (m *AgentMapPane) SizeHint(sc *Scene, _ int) frame.SizeHint {
	if sc.LargeFigures {
		return frame.SizeHint{MinWidth: 20, MinHeight: 2 * chart.HalfDigitRows, WantedHeight: 3 * chart.HalfDigitRows}
	}
	return frame.SizeHint{MinWidth: 20, MinHeight: 3, WantedHeight: 5}
}

func (m *AgentMapPane) hide() { m.Hide() }

func (m *AgentMapPane) focus(enabled bool) {
	if !enabled {
		m.Cursor = ""
	}
}

// Press implements [KeyHandler].
func (m *AgentMapPane) Press(sc *Scene, msg tea.KeyPressMsg) (tea.Cmd, bool) {
	opens, handled := m.AgentMap.Press(msg)
	if opens {
		m.open(sc)
	}
	return nil, handled
}

// Update handles the mouse.
func (m *AgentMapPane) Update(sc *Scene, msg tea.Msg) tea.Cmd {
	if click, ok := msg.(tea.MouseClickMsg); ok && m.Click(click.X, click.Y) {
		m.open(sc)
	}
	return nil
}

// open asks the board to open the detail page of the agent under the cursor.
func (m *AgentMapPane) open(sc *Scene) {
	sc.Requests.Add(OpenMsg{Kind: floorview.Agent, Key: m.Cursor, Channel: m.rows.channel})
}

// View implements [Pane].
func (m *AgentMapPane) View(sc *Scene, x, y, w, h int) []string {
	if m.IsEmpty() {
		m.Hide()
		return style.FitLines(sc.Look.Wrap(themes.Dim, m.rows.emptyText(sc), max(w-2, 1)), w, h, sc.Look.Glyphs.Ellipsis)
	}
	return m.AgentMap.View(sc.agentMapScene(), x, y, w, h)
}

func agentMapKind() paneKind {
	return paneKind{
		name: "map", settings: []string{"channel", "services", "groups", "site", "filter", "by"},
		make: func(sc *Scene, s PaneSpec) Pane { return newAgentMapPane(sc, s) },
	}
}

// wallAgentsPane shows the agents on a wall: the number of agents in each state, the agents over a
// limit, and each agent as a glyph. On small screens it shows a table of the agents instead.
type wallAgentsPane struct {
	*tablePane
	agentMap *AgentMapPane // its [widgets.AgentMap.AgentPositions] are empty if the last view was a table
}

func newWallAgentsPane(sc *Scene, spec PaneSpec) *wallAgentsPane {
	return &wallAgentsPane{tablePane: &tablePane{RecordTable: agentsTable(sc, spec, "", ""), name: words.PageAgents()}, agentMap: newAgentMapPane(sc, spec)}
}

// OnlyTable implements [SingleTable]. The pane shows more than the rows of a table.
func (*wallAgentsPane) OnlyTable() *RecordTable { return nil }

// Refresh implements [Pane].
func (c *wallAgentsPane) Refresh(sc *Scene) {
	c.refresh(sc)
	c.agentMap.Refresh(sc)
}

// status implements [statusProvider]. It returns the number of agents or, if the last view was a table,
// which of its rows are visible.
func (c *wallAgentsPane) status(sc *Scene) style.HeadingStatus {
	if len(c.agentMap.AgentPositions) > 0 {
		return c.agentMap.status(sc)
	}
	return c.RecordTable.status(sc)
}

// View implements [Pane].
func (c *wallAgentsPane) View(sc *Scene, x, y, w, h int) []string {
	if !c.agentMap.IsEmpty() && widgets.FitsWallView(w, h) {
		return c.agentMap.ViewOnWall(sc.agentMapScene(), x, y, w, h)
	}
	c.agentMap.Hide()
	return c.view(sc, x, y, w, h)
}
