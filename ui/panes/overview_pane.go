package panes

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"wallboard/internal/alert"
	"wallboard/internal/alert/situation"
	"wallboard/internal/words"
	"wallboard/model"
	"wallboard/themes"
	"wallboard/ui/floorview"
	"wallboard/ui/frame"
	"wallboard/ui/style"
	"wallboard/ui/table"
	"wallboard/ui/widgets"
)

// overviewPane shows the whole floor: its situations, its figures, the states of its agents, tables
// of the services, campaigns and groups and, if there is room, charts and a map of the agents.
type overviewPane struct {
	situations        widgets.SituationPanel
	situationsFocused bool // the situations panel has the keyboard focus
	hasFocus          bool // the pane has the keyboard focus
	focusedTable      *RecordTable
	visibleTables     []*RecordTable // tables that the last view has drawn
	services          *RecordTable
	campaigns         *RecordTable
	groups            *RecordTable
	hasNoTables       bool            // no table fitted in the last view
	charts            [2]widgets.Plot // charts of waiting callers and of the service level
	agentMap          *AgentMapPane   // map of all agents, on a large screen; nil until it is drawn

	frameCaches struct { // lines of the last view
		situations, states, agentMap style.FrameCache
		charts                       [2]style.FrameCache
		sides                        style.JoinCache
	}
	stateClickAreas       style.ClickAreas // screen positions of the state names
	tilesTop, tilesBottom int              // screen lines of the tiles, from tilesTop to tilesBottom-1

	floorFigures
}

func newOverviewPane(sc *Scene) *overviewPane {
	o := &overviewPane{
		services:  servicesTable(sc, PaneSpec{}),
		campaigns: campaignsTable(sc, PaneSpec{}, table.WithFocusedSelection()),
		groups:    groupsTable(sc, PaneSpec{}, table.WithFocusedSelection()),
	}
	o.focusedTable = o.services
	return o
}

// status implements [statusProvider]. It returns the number of situations, and the forecast or the
// formula of the service level.
func (o *overviewPane) status(sc *Scene) style.HeadingStatus {
	forecast, brief := o.forecastText(sc)
	joined := func(parts ...string) string {
		parts = slices.DeleteFunc(parts, func(s string) bool { return s == "" })
		return strings.Join(parts, " "+sc.Look.Glyphs.Dot+" ")
	}
	shown := sc.shownPanelData()
	return style.HeadingStatus{Text: joined(shown.HeadingNote(), forecast), Brief: joined(shown.HeadingNote(), brief), Shortest: joined(shown.ActionNeededText(), brief)}
}

// forecastText returns the end-of-day forecast, in full and in brief. If there is no useful one, it returns
// the formula of the service level, because common formulas differ by several percentage points.
func (o *overviewPane) forecastText(sc *Scene) (text, brief string) {
	if day, ok := sc.Forecast("", sc.Floor.Channel, &o.floor.Calls); ok {
		full, short := day.Summary(words.ContactNouns(sc.Floor.Channel))
		text, brief = full.In(sc.Look.Format.Words), short.In(sc.Look.Format.Words)
	}
	if text == "" {
		text = sc.translate(words.PaneFormula(words.ServiceLevelFormula(sc.Alarms.Engine.Goal("").Formula)))
	}
	return text, brief
}

func (o *overviewPane) subscriptions() []model.Op {
	return []model.Op{model.OpServices, model.OpUserStats}
}

func (o *overviewPane) tables() []*RecordTable {
	return []*RecordTable{o.campaigns, o.groups, o.services}
}

// focused implements [tableOwner]. It returns nil while the situations panel has the keyboard
// focus. It also returns nil while no table fits, so that keys do not open an invisible row.
func (o *overviewPane) focused() *RecordTable {
	switch {
	case o.hasNoTables || o.situationsFocused:
		return nil
	case !slices.Contains(o.visibleTables, o.focusedTable):
		return o.services
	}
	return o.focusedTable
}

func (o *overviewPane) focus(enabled bool) {
	o.hasFocus = enabled
	for _, t := range o.tables() {
		t.focus(enabled && t == o.focused())
	}
}

// situation implements [situationPointer]. It returns the situation selected in the panel. If the
// viewer has selected a row of a table, it returns nil, so that keys apply to that row. If the
// panel has no situations, it returns that of the selected service.
func (o *overviewPane) situation(sc *Scene) *situation.Situation {
	first := o.situations.Selected(sc.shownPanelData())
	switch t := o.focused(); {
	case o.situationsFocused:
	case t != nil && sc.IsRowChosen(t):
		return nil
	case first == nil:
		if code, ok := o.services.Table.Selected(); ok {
			return sc.SituationOf(sc.KeyOf(floorview.Service, code))
		}
	}
	return first
}

// Press implements [KeyHandler]. Moving up from the first service gives the keyboard focus to the
// situations panel. Moving down from the last line of the panel gives the keyboard focus back to
// the services.
func (o *overviewPane) Press(sc *Scene, msg tea.KeyPressMsg) (tea.Cmd, bool) {
	index, _, _ := o.services.Table.Position()
	name, shown := msg.String(), sc.shownPanelData()
	lines := o.situations.SelectableLines(shown)
	switch {
	case o.hasNoTables || lines == 0:
		o.focusPanel(false)
	case !o.situationsFocused && o.focused() == o.services && index == 1 && (name == "up" || name == "k"):
		o.situations.MoveSelection(shown, lines)
		o.focusPanel(true)
		return nil, true
	case o.situationsFocused && o.situations.SelectedLine(shown) == lines-1 && (name == "down" || name == "j"):
		o.focusedTable = o.services
		o.focusPanel(false)
		return nil, true
	case o.situationsFocused:
		t, ok := o.situations.Press(shown, msg)
		sc.openPanelTarget(t)
		return nil, ok
	}
	return nil, false
}

// focusPanel gives the keyboard focus to the situations panel, or to the tables if situations is false.
func (o *overviewPane) focusPanel(situations bool) {
	o.situationsFocused = situations
	o.focus(o.hasFocus)
}

// focusableParts returns the parts of the overview that can have the keyboard focus, from top to
// bottom. A nil part stands for the situations panel.
func (o *overviewPane) focusableParts(sc *Scene) []*RecordTable {
	if o.situations.SelectableLines(sc.shownPanelData()) == 0 {
		return o.visibleTables
	}
	return append([]*RecordTable{nil}, o.visibleTables...)
}

// moveFocus implements [multiPartPane].
func (o *overviewPane) moveFocus(sc *Scene, delta int) bool {
	parts := o.focusableParts(sc)
	to := slices.Index(parts, o.focused()) + delta
	if to < 0 || to >= len(parts) {
		return false
	}
	o.focusPart(parts[to])
	return true
}

// focusFirst implements [multiPartPane].
func (o *overviewPane) focusFirst(sc *Scene, delta int) {
	if parts := o.focusableParts(sc); len(parts) > 0 {
		o.focusPart(parts[(min(delta, 0)+len(parts))%len(parts)])
	}
}

// extraParts implements [multiPartPane].
func (o *overviewPane) extraParts() int { return max(len(o.visibleTables)-1, 0) }

// focusPart gives the keyboard focus to the table part, or to the situations panel if part is nil.
func (o *overviewPane) focusPart(part *RecordTable) {
	if part == nil {
		o.situations.SelectFirst()
	} else {
		o.focusedTable = part
	}
	o.focusPanel(part == nil)
}

// focusSituations implements [situationFocuser].
func (o *overviewPane) focusSituations(*Scene) { o.focusPart(nil) }

// chartSubject implements [chartChooser]. The chart shows the floor, whatever row is selected.
func (o *overviewPane) chartSubject(*Scene) (alert.Key, bool) { return alert.Key{}, false }

func (o *overviewPane) restyle(sc *Scene) {
	for _, t := range o.tables() {
		t.restyle(sc)
	}
}

// Refresh implements [Pane].
func (o *overviewPane) Refresh(sc *Scene) {
	for _, t := range o.tables() {
		t.refresh(sc)
	}
	if o.agentMap != nil {
		o.agentMap.Refresh(sc)
	}
	o.refresh(sc)
	o.focusPanel(o.situationsFocused && o.situations.SelectableLines(sc.shownPanelData()) > 0) // the panel loses the keyboard focus when it has no selectable lines left
}

// SizeHint implements [Pane]. The overview adapts to any size.
func (o *overviewPane) SizeHint(*Scene, int) frame.SizeHint {
	return frame.SizeHint{MinWidth: 1, MinHeight: 1, WantedHeight: 1}
}

func (o *overviewPane) Update(sc *Scene, msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		if t := o.focused(); t != nil {
			t.Table.Update(msg)
		}
	case tea.MouseClickMsg:
		if t, ok := o.situations.Click(sc.shownPanelData(), msg.X, msg.Y); ok {
			o.focusPanel(o.situations.SelectableLines(sc.shownPanelData()) > 0)
			sc.openPanelTarget(t)
			return nil
		}
		if state := o.stateClickAreas.At(msg.X, msg.Y); state != "" {
			sc.Requests.Add(ShowStateMsg{state})
		} else if msg.Y >= o.tilesTop && msg.Y < o.tilesBottom {
			sc.Requests.Add(ShowChartMsg{})
		}
		for _, t := range o.tables() {
			if t.click(msg.X, msg.Y) {
				o.focusedTable = t
				o.focusPanel(false)
				return nil
			}
		}
		if o.agentMap != nil {
			o.agentMap.Update(sc, msg)
		}
	case tea.MouseWheelMsg:
		for _, t := range o.tables() {
			t.Table.Update(msg)
		}
	}
	return nil
}

// Heights in lines. On a page below minCampaignsHeight, a single line replaces the table of campaigns.
// If minServicesHeight or fewer lines remain, the overview omits all tables.
const (
	minCampaignsHeight     = 26
	minServicesHeight      = 4  // with no more lines than this, no table is drawn
	minBothTablesHeight    = 15 // lines that are enough for the services above the campaigns
	minStatesHeadingHeight = 11 // lines below the tiles that are enough for a heading above the states
)

// View implements [Pane].
func (o *overviewPane) View(sc *Scene, x, y, w, h int) []string {
	o.visibleTables = o.visibleTables[:0]
	if o.agentMap != nil {
		o.agentMap.hide() // View draws the map again if there is room
	}
	available := widgets.SituationPanelHeight(h)
	out := o.drawSituations(sc, x, y, w, available)
	o.tilesTop = y + len(out)
	out = append(out, o.drawTiles(sc, w, h-available)...)
	o.tilesBottom = y + len(out)
	if len(out) < h {
		out = append(out, o.drawStates(sc, w, h-len(out))...)
		o.stateClickAreas = o.stateClickAreas.Offset(x, o.tilesBottom)
	}
	y += len(out)
	rest := h - len(out)
	if hidden := rest <= minServicesHeight; hidden != o.hasNoTables { // tables begin or cease to fit
		o.hasNoTables = hidden
		o.focus(o.hasFocus)
	}
	switch {
	case o.hasNoTables:
		o.services.hide()
		o.campaigns.hide()
		o.groups.hide()
		return out
	case w >= minTablesWidth && h >= minCampaignsHeight:
		return append(out, o.drawWide(sc, x, y, w, rest)...)
	case h >= minCampaignsHeight && rest >= minBothTablesHeight:
		available := min(linesNeeded(o.campaigns), rest/3)
		o.groups.hide()
		out = append(out, o.drawTable(sc, o.services, words.PageServices(), x, y, w, rest-available)...)
		return append(out, o.drawTable(sc, o.campaigns, words.PageCampaigns(), x, y+rest-available, w, available)...)
	}
	o.campaigns.hide()
	o.groups.hide()
	out = append(out, o.drawTable(sc, o.services, words.PageServices(), x, y, w, rest-1)...)
	return append(out, o.drawCampaignLine(sc, w))
}

// drawSituations draws the panel of situations. The upper edge of its frame is the page's heading.
func (o *overviewPane) drawSituations(sc *Scene, x, y, w, h int) []string {
	focused := sc.Wall == nil && o.hasFocus && o.situationsFocused
	if !sc.HasFrames {
		return o.situations.View(sc.shownPanelData(), x, y, w, h, widgets.SituationPanelOptions{Focused: focused})
	}
	inner := sc.InnerArea(x, y, w, h)
	lines := o.situations.View(sc.shownPanelData(), inner.X, inner.Y, inner.W, inner.H, widgets.SituationPanelOptions{Focused: focused, Framed: true})
	return drawPart(sc, &o.frameCaches.situations, w, h, sc.translate(words.PaneNow()), o.status(sc), focused, lines, sc.KeyHints.Situations.Hints...)
}

// drawWide draws the tables side by side, and charts below the tables if there is room.
func (o *overviewPane) drawWide(sc *Scene, x, y, w, h int) []string {
	left := w * 3 / 5
	right := w - left - 2
	index := x + left + 2
	available := min(linesNeeded(o.campaigns), h/2)
	tall, side := h, h // heights of the tables on the left and on the right
	need := linesNeeded(o.services)
	if _, _, total := o.services.Table.Position(); total == 0 { // leave room for services: a chart that disappears when the first ones arrive would move the page
		need += expectedServices
	}
	if h-need >= minOverviewChart {
		tall = need
	}
	if need := available + linesNeeded(o.groups); h-need >= minOverviewChart && tall < h {
		side = need
	}
	services := o.drawTable(sc, o.services, words.PageServices(), x, y, left, tall)
	if tall < h {
		services = append(style.FillLines(services, left, tall), o.drawBelowServices(sc, x, y+tall, left, h-tall)...)
	}
	others := o.drawTable(sc, o.campaigns, words.PageCampaigns(), index, y, right, available)
	others = append(others, o.drawTable(sc, o.groups, words.PageGroups(), index, y+available, right, side-available)...)
	if side < h {
		others = append(style.FillLines(others, right, side), o.drawChart(sc, 1, sc.translate(words.PaneServiceLevel()), right, h-side)...)
	}
	return o.frameCaches.sides.JoinBlocks(sc.Look, services, others, left, right, h)
}

// expectedServices is the number of rows that the page reserves while no service is known.
const expectedServices = 12

// linesNeeded returns the number of lines that a table needs for its heading and all its rows.
func linesNeeded(p *RecordTable) int {
	_, _, total := p.Table.Position()
	return max(total, 1) + 3 // heading, titles and a blank line
}

// drawTable draws a table under its heading.
func (o *overviewPane) drawTable(sc *Scene, p *RecordTable, title words.Text, x, y, w, h int) []string {
	o.visibleTables = append(o.visibleTables, p)
	inner := sc.InnerArea(x, y, w, h)
	rows := p.view(sc, inner.X, inner.Y, inner.W, inner.H)
	return drawPart(sc, &p.screenPosition.frame, w, h, sc.translate(title), p.status(sc), p == o.focusedTable && !o.situationsFocused, rows, sc.KeyHints.forTable(p)...)
}

// drawCampaignLine draws a line with the number of campaigns in each state.
func (o *overviewPane) drawCampaignLine(sc *Scene, w int) string {
	l := style.NewLine(w, sc.Look.Glyphs.Ellipsis)
	l.Add(sc.Look.Style(themes.Title), " "+sc.translate(words.PageCampaigns())+" ")
	if sc.Floor.Shown == nil || sc.Floor.Shown.Campaigns.Len() == 0 {
		return l.Add(sc.Look.Style(themes.Dim), " "+o.campaigns.emptyText(sc)).Finish(themes.Style{})
	}
	f := sc.Floor.FormatOf(sc.Look, model.OpCampaigns)
	sc.Floor.AddCampaignCounts(sc.Look, l, f)
	out := []string{l.Finish(themes.Style{})}
	sc.Floor.FadeStale(sc.Look, out, model.OpCampaigns)
	return out[0]
}
