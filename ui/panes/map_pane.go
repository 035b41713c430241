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

// MapPane shows each agent as a glyph in the color of the agent's state.
type MapPane struct {
	*widgets.AgentMap

	rows *RecordTable // provides the sorted and filtered rows; not drawn itself
}

func newMapPane(sc *Scene, spec PaneSpec) *MapPane {
	narrowed := PaneSpec{Channel: spec.Channel, Services: spec.Services, Groups: spec.Groups, Site: spec.Site, Filter: spec.Filter}
	p := agentsTable(sc, narrowed, "", "", table.WithoutSelection())
	p.SetFilter("")
	p.newRows = nil // no sharing and no comparison: the map shows states, not figures
	p.SortBy("name", false)
	rows, _ := p.Rows.(*render.Agents)
	return &MapPane{widgets.NewAgentMap(rows, floorview.Criterion(spec.GroupBy)), p}
}

// mapScene returns the part of the scene that a map is drawn from.
func (sc *Scene) mapScene() widgets.MapScene {
	return widgets.MapScene{Look: sc.Look, Floor: sc.Floor, Flash: sc.MotionEnabled, FarView: sc.FarView}
}

func (m *MapPane) title(sc *Scene) string { return sc.told(words.PageAgents()) }

func (m *MapPane) subs() []model.Op { return widgets.MapSubscriptions() }

// status implements [describer]. It returns the name of the agent under the cursor or, without a
// cursor, the number of agents.
func (m *MapPane) status(sc *Scene) style.HeadingStatus {
	return style.HeadingStatus{Text: m.Status(sc.mapScene())}
}

// Refresh implements [Pane]. It updates the map from the current snapshot.
func (m *MapPane) Refresh(sc *Scene) {
	m.rows.refresh(sc)
	m.AgentMap.Refresh(sc.Floor, m.rows.Table.ListedRows, m.rows.effectiveFilter() != "")
}

// pointedRecord implements [recordPointer]. It returns the agent under the cursor. ok is false if
// there is no cursor.
func (m *MapPane) pointedRecord() (kind floorview.RecordKind, key string, channel model.Channel, ok bool) {
	key, ok = m.Chosen()
	return floorview.Agent, key, m.rows.channel, ok
}

// inherit implements [inheritor]. It copies the cursor of the previous map.
func (m *MapPane) inherit(previous Pane) {
	if previous, ok := previous.(*MapPane); ok {
		m.TakeCursorFrom(previous.AgentMap)
	}
}

// Want implements [Pane].
func (m *MapPane) Want(sc *Scene, _ int) frame.SizeHint {
	if sc.FarView {
		return frame.SizeHint{MinWidth: 20, MinHeight: 2 * chart.HalfRows, WantedHeight: 3 * chart.HalfRows}
	}
	return frame.SizeHint{MinWidth: 20, MinHeight: 3, WantedHeight: 5}
}

func (m *MapPane) hide() { m.Hide() }

func (m *MapPane) focus(enabled bool) {
	if !enabled {
		m.Cursor = ""
	}
}

// Press implements [KeyHandler].
func (m *MapPane) Press(sc *Scene, msg tea.KeyPressMsg) (tea.Cmd, bool) {
	opens, handled := m.AgentMap.Press(msg)
	if opens {
		m.open(sc)
	}
	return nil, handled
}

// Update handles the mouse.
func (m *MapPane) Update(sc *Scene, msg tea.Msg) tea.Cmd {
	if click, ok := msg.(tea.MouseClickMsg); ok && m.Click(click.X, click.Y) {
		m.open(sc)
	}
	return nil
}

// open asks the board to open the detail page of the agent under the cursor.
func (m *MapPane) open(sc *Scene) {
	sc.Requests.Add(OpenMsg{Kind: floorview.Agent, Key: m.Cursor, Channel: m.rows.channel})
}

// View implements [Pane].
func (m *MapPane) View(sc *Scene, x, y, w, h int) []string {
	if m.IsEmpty() {
		m.Hide()
		return style.FitLines(sc.Look.Wrap(themes.Dim, m.rows.emptyText(sc), max(w-2, 1)), w, h, sc.Look.Glyphs.Ellipsis)
	}
	return m.AgentMap.View(sc.mapScene(), x, y, w, h)
}

func mapKind() paneKind {
	return paneKind{
		name: "map", settings: []string{"channel", "services", "groups", "site", "filter", "by"},
		make: func(sc *Scene, s PaneSpec) Pane { return newMapPane(sc, s) },
	}
}

// wallAgentsPane shows the agents on a wall: the number of agents in each state, the agents over a
// limit, and each agent as a glyph. On small screens it shows a table of the agents instead.
type wallAgentsPane struct {
	*tablePane
	agentMap *MapPane // its [widgets.AgentMap.Spots] are empty if the last view was a table
}

func newWallAgentsPane(sc *Scene, spec PaneSpec) *wallAgentsPane {
	return &wallAgentsPane{tablePane: &tablePane{RecordTable: agentsTable(sc, spec, "", ""), name: words.PageAgents()}, agentMap: newMapPane(sc, spec)}
}

// OnlyTable implements [SingleTable]. The pane shows more than the rows of a table.
func (*wallAgentsPane) OnlyTable() *RecordTable { return nil }

// Refresh implements [Pane].
func (c *wallAgentsPane) Refresh(sc *Scene) {
	c.refresh(sc)
	c.agentMap.Refresh(sc)
}

// status implements [describer]. It returns the number of agents or, if the last view was a table,
// which of its rows are visible.
func (c *wallAgentsPane) status(sc *Scene) style.HeadingStatus {
	if len(c.agentMap.Spots) > 0 {
		return c.agentMap.status(sc)
	}
	return c.RecordTable.status(sc)
}

// View implements [Pane].
func (c *wallAgentsPane) View(sc *Scene, x, y, w, h int) []string {
	if !c.agentMap.IsEmpty() && widgets.FitsWallView(w, h) {
		return c.agentMap.ViewOnWall(sc.mapScene(), x, y, w, h)
	}
	c.agentMap.Hide()
	return c.view(sc, x, y, w, h)
}
