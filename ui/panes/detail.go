package panes

import (
	"slices"
	"strconv"

	tea "charm.land/bubbletea/v2"

	"wallboard/internal/alert"
	"wallboard/internal/words"
	"wallboard/model"
	"wallboard/ui/dialog"
	"wallboard/ui/floorview"
	"wallboard/ui/frame"
	"wallboard/ui/render"
	"wallboard/ui/style"
	"wallboard/ui/table"
	"wallboard/ui/widgets"
)

// Detail is the page with the details of one record: its figures and, for a service or a group, a
// table of its agents.
type Detail struct {
	Kind           floorview.RecordKind
	Key            string
	ReturnChannel  model.Channel   // channel to return to if the page was opened on another one; "": the same
	partKeys       *frame.PaneKeys // keys that move between the figures and the agents; nil: a preview
	agents         *RecordTable    // nil if the record has no agents
	peers          []peerTable     // tables of an agent's peers; nil until requested
	chart          widgets.Plot    // chart of the figures over time, drawn if there is room
	FiguresFocused bool            // keys scroll the figures instead of the agents

	scroller      dialog.Scroller
	overflowArea  frame.Area // screen area of the figures that do not fit on the left
	cachedLines   []string   // cached lines of the figures
	insetCache    style.InsetCache
	drawnWidth    int
	drawnView     render.View     // the view with which cachedLines was drawn
	drawnSnapshot *model.Snapshot // the snapshot that cachedLines shows
	drawnUser     *model.User     // the agent's user record at the last call of hasSameRecords
	drawnStats    []*model.UserStat
	agentRows     model.AgentRows
	hourLines     []string // cached lines with the last hour or the shift of an agent
	hourKey       hoursKey
	hourVersion   uint64    // version of the shifts from which hourLines were drawn
	lastHours     lastHours // last hours of the agents, or of the agent's peers
}

// NewDetail returns the detail page of a record. partKeys is nil for a preview. The options in agents
// apply to the table of the record's agents, if there is one.
func NewDetail(sc *Scene, partKeys *frame.PaneKeys, k floorview.RecordKind, id string, agents ...table.Option) *Detail {
	d := &Detail{Kind: k, Key: id, partKeys: partKeys}
	switch k {
	case floorview.Service:
		d.agents = agentsTable(sc, PaneSpec{}, id, "", agents...)
	case floorview.Group:
		d.agents = agentsTable(sc, PaneSpec{}, "", id, agents...)
	case floorview.Agent, floorview.Campaign, floorview.Subscription:
		d.FiguresFocused = true
	}
	return d
}

// Breadcrumb returns the name of the record for the path to the page, which is shown above the page.
func (d *Detail) Breadcrumb(sc *Scene) string {
	if d.Kind == floorview.Agent {
		return sc.Floor.AgentName(d.Key)
	}
	if d.Kind == floorview.Subscription {
		return words.SubscriptionTitle(model.Op(d.Key)).In(sc.Look.Format.Words)
	}
	return sc.Floor.Names.NameInSnapshot(sc.Floor.Shown, d.Kind.NameKind(), d.Key)
}

// Status returns the number of lines of figures that are out of view, and the key that scrolls.
func (d *Detail) Status(sc *Scene) style.HeadingStatus {
	s := d.scroller.HeadingStatus(sc.Look)
	if s.Text != "" && !d.FiguresFocused {
		s.Text = sc.translate(words.PaneScrollKey(s.Text, d.partKeys.Next.Help().Key))
	}
	return s
}

// Subscriptions returns the subscriptions that deliver the figures of the page.
func (d *Detail) Subscriptions() []model.Op {
	switch d.Kind {
	case floorview.Service:
		return []model.Op{model.OpServices, model.OpUserStats}
	case floorview.Group:
		return []model.Op{model.OpGroups, model.OpUserStats}
	case floorview.Agent:
		return []model.Op{model.OpUserStats, model.OpUsers}
	case floorview.Campaign:
		return []model.Op{model.OpCampaigns}
	case floorview.Subscription:
	}
	return nil
}

// showsBoardFigures reports whether the figures concern the board's own connection. Such figures
// are never stale, and they change even while the snapshot is frozen.
func (d *Detail) showsBoardFigures() bool { return d.Kind == floorview.Subscription }

// FocusableCount returns the number of parts that can have the keyboard focus: the figures, and the agents
// if there are any.
func (d *Detail) FocusableCount() int {
	if d.agents != nil {
		return 2
	}
	return 1
}

// Focused implements [Page]. It returns the table of the agents, or nil if the figures have the
// keyboard focus.
func (d *Detail) Focused() *RecordTable {
	if d.FiguresFocused {
		return nil
	}
	return d.agents
}

// RecordUnderCursor implements [Page]. It returns the agent in the selected row of the table. ok is
// false if no row is selected.
func (d *Detail) RecordUnderCursor() (kind floorview.RecordKind, key string, channel model.Channel, ok bool) {
	return d.Focused().recordUnderCursor()
}

// ChartSubject implements [Page]. It returns the record of the page.
func (d *Detail) ChartSubject(sc *Scene) (k alert.Key, ok, known bool) {
	return sc.KeyOf(d.Kind, d.Key), true, true
}

// CopyStateFrom implements [Page]. It copies the selection, the focus and the scroll position from an
// earlier detail page.
func (d *Detail) CopyStateFrom(sc *Scene, from Page) {
	previous, ok := from.(*Detail)
	if !ok {
		return
	}
	d.Refresh(sc)
	if d.agents != nil && previous.agents != nil {
		d.agents.copyStateFrom(sc, previous.agents)
	}
	d.FiguresFocused, d.scroller = previous.FiguresFocused, previous.scroller
}

// Refresh updates the page from the current snapshot.
func (d *Detail) Refresh(sc *Scene) {
	if d.agents != nil {
		d.agents.refresh(sc)
	}
	for _, p := range d.peers {
		p.refresh(sc)
	}
}

// Restyle implements [Page]. It drops cached lines that were drawn with another theme.
func (d *Detail) Restyle(sc *Scene) {
	if d.agents != nil {
		d.agents.restyle(sc)
	}
	for _, p := range d.peers {
		p.restyle(sc)
	}
	d.cachedLines = nil
}

// IsFlashing reports whether the page currently highlights a changed value.
func (d *Detail) IsFlashing() bool { return d.agents != nil && d.agents.Table.Flashing() }

// Update handles a key or a mouse message.
func (d *Detail) Update(_ *Scene, msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		switch {
		case d.agents != nil && d.partKeys.DirectionOf(msg) != 0:
			d.focusFigures(!d.FiguresFocused)
		case d.FiguresFocused:
			d.scroller.Press(msg)
		default:
			d.agents.Table.Update(msg)
		}
	case tea.MouseClickMsg:
		if d.agents != nil && msg.Button == tea.MouseLeft {
			d.focusFigures(!d.agents.click(msg.X, msg.Y))
		}
		for _, p := range d.peers {
			if msg.Button == tea.MouseLeft {
				p.click(msg.X, msg.Y)
			}
		}
	case tea.MouseWheelMsg:
		if d.overflowArea.Contains(msg.X, msg.Y) {
			d.scroller.ScrollAnywhere(msg)
			return nil
		}
		if d.scroller.Wheel(msg) {
			return nil
		}
		if d.agents != nil {
			d.agents.Table.Update(msg)
		}
	}
	return nil
}

func (d *Detail) focusFigures(enabled bool) {
	d.FiguresFocused = enabled
	d.agents.focus(!enabled)
}

// Widths of the page in cells. From minSplitWidth on, figures and agents are side by side. From
// minAgentHoursWidth on, the last hours of many agents fit below their table. From minTablesWidth
// on, the tables of the overview are side by side.
const (
	minSplitWidth      = 118
	minAgentHoursWidth = 180
	maxTextWidth       = 78 // maximum width of one column of figures in cells
	minTablesWidth     = 150
)

// View draws the page in h lines of exactly w cells.
func (d *Detail) View(sc *Scene, x, y, w, h int) []string {
	d.overflowArea = frame.Area{}
	if d.Kind == floorview.Agent {
		return d.drawAgent(sc, x, y, w, h)
	}
	if !d.hasParts() {
		return d.viewFigures(sc, x, y, w, h)
	}
	if w >= minSplitWidth {
		return d.drawSplit(sc, x, y, w, h)
	}
	all := d.figureLines(sc, w-2)
	if d.agents == nil && h-len(all) < minChartHeight {
		return d.viewFigures(sc, x, y, w, h)
	}
	available := min(max(h*3/5, h-d.agentLines(sc)), len(all))
	if available < len(all) {
		available = lastSectionBreak(all, available, h/2)
	}
	out := d.viewFigures(sc, x, y, w, available)
	return append(out, d.drawAgentsAndChart(sc, x, y+len(out), w, h-len(out))...)
}

// minShiftHeight is the minimum number of lines for drawing an agent's shift.
const minShiftHeight = 5

// drawAgentHours draws the agent's shift so far under a heading or, if the shift is unknown, the last
// hour. It returns nil if neither is known, if the figures are too old, or if h lines are not enough.
func (d *Detail) drawAgentHours(sc *Scene, w, h int) []string {
	s := sc.Floor.Shown
	if s == nil || sc.Alarms.LastHour == nil || h < minShiftHeight || sc.Floor.RenderOptionsOf(sc.Look, d.Subscriptions()[0]) == sc.Look.BlankRender {
		return nil
	}
	if d.partKeys != nil || !floorview.HasManyAgents(s) {
		sc.Shifts.Request(d.Key, d.partKeys == nil, sc.Floor.LocalNow)
	}
	if key := sc.hoursKey(w, h); d.hourKey != key || d.hourVersion != sc.Shifts.Version() {
		d.hourKey, d.hourVersion = key, sc.Shifts.Version()
		known := func() []widgets.HourLine { return widgets.HourLines(s, d.Key, sc.Floor.Channel, sc.Alarms.LastHour) }
		title := words.PaneShift()
		d.hourLines = sc.Shifts.Draw(sc.Look, s, d.Key, sc.Floor.Now(), known, w-2, h-1)
		if d.hourLines == nil {
			title, d.hourLines = words.PaneLastHour(), d.drawLastHour(sc, key, known)
		}
		if len(d.hourLines) > 0 {
			d.hourLines = slices.Clone(d.hourLines)
			style.Inset(d.hourLines)
			d.hourLines = append([]string{sc.Look.Heading(w, sc.translate(title), "", false)}, d.hourLines...)
		}
	}
	if len(d.hourLines) == 0 || len(d.hourLines) > h {
		return nil
	}
	out := slices.Clone(d.hourLines)
	sc.Floor.FadeStale(sc.Look, out[1:], d.Subscriptions()[0])
	return out
}

// drawLastHour draws the last hour of the agent as returned by lastHour. Boards with the same view
// share the drawn lines.
func (d *Detail) drawLastHour(sc *Scene, key hoursKey, lastHour func() []widgets.HourLine) []string {
	draw := func() []string {
		known := lastHour()
		if len(known) == 0 {
			return nil
		}
		return widgets.DrawHours(sc.Look, known, key.w-2)
	}
	if sc.renderView("", "").CacheKey != nil {
		return sc.Look.Cache.CachedLines(key.second, style.AgentHourKey{Username: d.Key, Width: key.w, Options: key.options, Channel: key.channel}, draw)
	}
	return draw()
}

func (d *Detail) viewFigures(sc *Scene, x, y, w, h int) []string {
	out := d.scroller.ViewFitted(d.figureLines(sc, w-2), x, y, w, h)
	if !d.showsBoardFigures() {
		sc.Floor.FadeStale(sc.Look, out, d.Subscriptions()[0])
	}
	return out
}

// figureLines returns the lines of the figures, w cells wide plus a space on each side. It draws
// them again only if they may have changed.
func (d *Detail) figureLines(sc *Scene, w int) []string {
	s, v := sc.Floor.Newest, sc.LiveRenderView()
	if !d.showsBoardFigures() {
		s, v = sc.Floor.Shown, sc.renderView("", "")
		v.Options = sc.Floor.RenderOptionsOf(sc.Look, d.Subscriptions()[0])
	}
	v.AgentRows = &d.agentRows
	same := d.cachedLines != nil && d.drawnWidth == w && (d.drawnSnapshot == s || d.hasSameRecords(s)) && d.drawnView.Options == v.Options &&
		d.drawnView.Scope == v.Scope && d.drawnView.Marks == v.Marks && d.drawnView.Alerts == v.Alerts && d.drawnView.Now.Unix() == v.Now.Unix()
	if same {
		return d.cachedLines
	}
	draw := func() []string {
		return d.insetCache.InsetLines(d.drawFigures(sc, s, &v, w), w)
	}
	if d.Kind == floorview.Agent && v.CacheKey != nil && v.Marks == nil && s != nil {
		key := style.AgentTextKey{Username: d.Key, Width: w, Snapshot: s, Options: v.Options, Scope: v.Scope, Alerts: v.Alerts}
		d.cachedLines = sc.Look.Cache.CachedLines(v.Now.Unix(), key, draw)
	} else {
		d.cachedLines = draw()
	}
	d.drawnWidth, d.drawnSnapshot, d.drawnView = w, s, v
	return d.cachedLines
}

// hasSameRecords reports whether the agent's records in s equal those of the previous call. They
// usually do, because most snapshots change only other agents. hasSameRecords returns false for
// operators, whose page shows more records, and for records that are not agents.
func (d *Detail) hasSameRecords(s *model.Snapshot) bool {
	if d.Kind != floorview.Agent || s == nil || s.Operators.Get(model.UserStatKey{Username: d.Key, Channel: model.Call}) != nil {
		return false
	}
	user, stats := s.Users.Get(d.Key), d.agentRows.Find(s.UserStats, d.Key)
	same := user == d.drawnUser && slices.Equal(stats, d.drawnStats)
	d.drawnUser, d.drawnStats = user, stats
	return same
}

func (d *Detail) drawFigures(sc *Scene, s *model.Snapshot, v *render.View, w int) []string {
	var out []string
	if s != nil {
		switch d.Kind {
		case floorview.Service:
			out = render.ServiceDetail(s, v, d.Key, w)
		case floorview.Group:
			out = render.GroupDetail(s, v, d.Key, w)
		case floorview.Agent:
			out = render.UserDetail(s, v, d.Key, w)
		case floorview.Campaign:
			if id, err := strconv.ParseInt(d.Key, 10, 64); err == nil {
				out = render.CampaignDetail(s, v, id, w)
			}
		case floorview.Subscription:
			out = render.SubscriptionDetail(s, v, d.Key, w)
		}
	}
	if len(out) == 0 {
		out = []string{"", " " + sc.translate(words.PaneNotSent(d.Breadcrumb(sc)))}
	}
	return out
}
