package panes

import (
	"slices"
	"strconv"

	tea "charm.land/bubbletea/v2"

	"wallboard/alert"
	"wallboard/model"
	"wallboard/ui/dialog"
	"wallboard/ui/floor"
	"wallboard/ui/hours"
	"wallboard/ui/look"
	"wallboard/ui/plots"
	"wallboard/ui/render"
	"wallboard/ui/table"
)

// Detail is what was drilled down to: the figures of one thing, and the agents
// who serve it if it has any.
type Detail struct {
	Kind   floor.Kind
	Key    string
	From   model.Channel // where the board was before this was opened on another channel; "": on the same
	turn   *Turn         // gives the keyboard to the agents, or takes it back
	agents *RecordTable  // nil where there are none
	chart  plots.Plot    // how the figures have been, where there is room left
	OnText bool          // the keyboard scrolls the figures, not the agents

	text   dialog.Scroller
	drawn  []string
	drawnW int
	drawnV render.View     // what drawn was drawn with
	drawnS *model.Snapshot // what drawn shows
	drawnR []any           // the records of an agent that it was drawn from
	hour   []string        // of an agent
	hourOf hourDrawn
}

// NewDetail returns the page of details of what the viewer has opened. The options are
// those of the table of its agents.
func NewDetail(sc *Scene, turn *Turn, k floor.Kind, id string, agents ...table.Option) *Detail {
	d := &Detail{Kind: k, Key: id, turn: turn}
	switch k {
	case floor.Service:
		d.agents = agentsTable(sc, PaneSpec{}, id, "", agents...)
	case floor.Group:
		d.agents = agentsTable(sc, PaneSpec{}, "", id, agents...)
	case floor.Agent, floor.Campaign, floor.Subscription:
		d.OnText = true
	}
	return d
}

// Crumb returns what the details are of, for the line above the page.
func (d *Detail) Crumb(sc *Scene) string {
	if d.Kind == floor.Agent && sc.Floor.Shown != nil {
		if u := sc.Floor.Shown.Users.Get(d.Key); u != nil {
			return sc.Floor.Names.Of(model.NameUser, floor.FullName(u, d.Key))
		}
	}
	return sc.Floor.Names.Of(d.Kind.NameKind(), d.Key)
}

// Status says how much of the figures is out of view, and how to get there.
func (d *Detail) Status(sc *Scene) look.Position {
	s := PlaceIn(sc.Look, &d.text)
	if s.Text != "" && !d.OnText {
		s.Text += ", " + d.turn.Next.Help().Key + " scrolls them"
	}
	return s
}

// Subs returns the operations that the figures come from.
func (d *Detail) Subs() []model.Op {
	switch d.Kind {
	case floor.Service:
		return []model.Op{model.OpServices, model.OpUserStats}
	case floor.Group:
		return []model.Op{model.OpGroups, model.OpUserStats}
	case floor.Agent:
		return []model.Op{model.OpUserStats, model.OpUsers}
	case floor.Campaign:
		return []model.Op{model.OpCampaigns}
	case floor.Subscription:
	}
	return nil
}

// own reports whether the figures are the board's own: they are never old, and a
// frozen picture does not hold them.
func (d *Detail) own() bool { return d.Kind == floor.Subscription }

// Tables returns all tables, for the viewer's places in them.
func (d *Detail) Tables() int {
	if d.agents != nil {
		return 2
	}
	return 1
}

// Focused returns the table that has the keyboard, nil for none.
func (d *Detail) Focused() *RecordTable {
	if d.OnText {
		return nil
	}
	return d.agents
}

// Pointed returns what the viewer points at.
func (d *Detail) Pointed() (of floor.Kind, key string, on model.Channel, ok bool) {
	return d.Focused().pointed()
}

// Charted returns what a chart should be about.
func (d *Detail) Charted(sc *Scene) (k alert.Key, ok, known bool) {
	return sc.KeyOf(d.Kind, d.Key), true, true
}

// Carry takes over where the viewer was in the same thing.
func (d *Detail) Carry(sc *Scene, from Page) {
	before, ok := from.(*Detail)
	if !ok {
		return
	}
	d.Refresh(sc)
	if d.agents != nil && before.agents != nil {
		d.agents.carry(before.agents)
	}
	d.OnText, d.text = before.OnText, before.text
}

// Refresh takes over what is shown now.
func (d *Detail) Refresh(sc *Scene) {
	if d.agents != nil {
		d.agents.refresh(sc)
	}
}

// Restyle draws anew what is kept drawn, after another theme.
func (d *Detail) Restyle(sc *Scene) {
	if d.agents != nil {
		d.agents.restyle(sc)
	}
	d.drawn = nil
}

// Flashing reports whether something is highlighted because it changed.
func (d *Detail) Flashing() bool { return d.agents != nil && d.agents.Table.Flashing() }

// Update obeys a key or the mouse.
func (d *Detail) Update(_ *Scene, msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		switch {
		case d.agents != nil && d.turn.By(msg) != 0:
			d.focusText(!d.OnText)
		case d.OnText:
			d.text.Press(msg)
		default:
			d.agents.Table.Update(msg)
		}
	case tea.MouseClickMsg:
		if d.agents != nil && msg.Button == tea.MouseLeft {
			d.focusText(!d.agents.click(msg.X, msg.Y))
		}
	case tea.MouseWheelMsg:
		if d.text.Wheel(msg) {
			return nil
		}
		if d.agents != nil {
			d.agents.Table.Update(msg)
		}
	}
	return nil
}

func (d *Detail) focusText(on bool) {
	d.OnText = on
	d.agents.focus(!on)
}

// splitFrom is from how many cells on figures and agents stand beside each other,
// sideBySide from how many the tables of the overview do.
const (
	splitFrom  = 118
	mostText   = 68 // cells of the figures
	sideBySide = 150
)

// View draws the page in h lines of exactly w cells.
func (d *Detail) View(sc *Scene, x, y, w, h int) []string {
	if d.Kind == floor.Agent {
		return d.withHour(sc, x, y, w, h)
	}
	if !d.hasCrew() {
		return d.viewText(sc, x, y, w, h)
	}
	if w >= splitFrom {
		return d.split(sc, x, y, w, h)
	}
	text := len(d.lines(sc, w-2))
	if d.agents == nil && h-text < leastChart {
		return d.viewText(sc, x, y, w, h)
	}
	room := min(max(h*3/5, h-d.crewRows()), text)
	out := d.viewText(sc, x, y, w, room)
	return append(out, d.crew(sc, x, y+len(out), w, h-len(out))...)
}

// hasCrew reports whether there is more to see than the figures: agents, and charts.
func (d *Detail) hasCrew() bool { return d.agents != nil || d.Kind == floor.Campaign }

// crewRows is how many lines the agents take: the line above them, the titles of
// their columns, and they.
func (d *Detail) crewRows() int {
	if d.agents == nil {
		return leastChart
	}
	return max(d.agents.count(d.agents.Rows.Len()), 1) + 2
}

// split draws the figures at the left, the agents at the right.
func (d *Detail) split(sc *Scene, x, y, w, h int) []string {
	left := min(w*2/5, mostText)
	text := d.viewText(sc, x, y, left, h)
	crew := d.crew(sc, x+left+gutter, y, w-left-gutter, h)
	return look.Beside(text, crew, left, w-left-gutter, h)
}

// leastChart is the least height of a chart with the line above it.
const leastChart = 8

// crew draws the agents, and below them how the figures have been where they leave
// room for it.
func (d *Detail) crew(sc *Scene, x, y, w, h int) []string {
	if d.agents == nil {
		return d.trend(sc, x, y, w, h)
	}
	chart := h - d.crewRows() - 1 // a blank, or the lower edge of a frame
	if chart < leastChart {
		chart = 0
	}
	in := sc.within(x, y, w, h-chart)
	out := sc.part(w, h-chart, "Agents", d.agents.status(sc), d.turn != nil && !d.OnText, d.agents.view(sc, in.X, in.Y, in.W, in.h))
	if chart == 0 {
		return out
	}
	return append(out, d.trend(sc, x, y+len(out), w, chart)...)
}

// trend draws how the figures have been.
func (d *Detail) trend(sc *Scene, x, y, w, h int) []string {
	if d.chart.About == nil {
		about := sc.KeyOf(d.Kind, d.Key)
		about.Channel = "" // the one on the screen
		d.chart = plots.Plot{About: []alert.Key{about}, Span: plots.SpanFor(0)}
	}
	in := sc.within(x, y, w, h)
	lines := d.chart.View(sc.Charts(), in.X, in.Y, in.W, in.h)
	sc.Floor.FadeOld(sc.Look, lines, d.Subs()[0])
	return sc.part(w, h, "Over time", look.Position{}, false, lines)
}

// withHour draws the figures of an agent, and below them what they did in the last hour
// where the figures leave room for it.
func (d *Detail) withHour(sc *Scene, x, y, w, h int) []string {
	text := len(d.lines(sc, w-2)) + 1 // and a blank
	hour := d.lastHour(sc, w-2)
	if len(hour) == 0 || h-text < len(hour)+1 {
		return d.viewText(sc, x, y, w, h)
	}
	out := append(d.viewText(sc, x, y, w, text), sc.Look.Heading(w, "The last hour", "", false))
	sc.Floor.FadeOld(sc.Look, hour, d.Subs()[0])
	return append(out, hour...)
}

// hourDrawn is what an agent's hour was drawn for: it is drawn every second.
type hourDrawn struct {
	w       int
	at      int64 // Unix seconds
	look    *render.Options
	channel model.Channel
}

// lastHour is what an agent did in the last hour, nil where nobody knows, nor what they do
// now.
func (d *Detail) lastHour(sc *Scene, w int) []string {
	s := sc.Floor.Shown
	if s == nil || sc.Alarms.Hour == nil || sc.Floor.OptionsOf(sc.Look, d.Subs()[0]) == sc.Look.Blank {
		return nil
	}
	if now := (hourDrawn{w, sc.Floor.Now().Unix(), sc.Look.Render, sc.Floor.Channel}); d.hourOf != now {
		d.hourOf, d.hour = now, nil
		draw := func() []string {
			known := hours.Of(s, d.Key, sc.Floor.Channel, sc.Alarms.Hour)
			if len(known) == 0 {
				return nil
			}
			out := hours.Draw(sc.Look, known, w)
			look.Inset(out)
			return out
		}
		if v := sc.view("", ""); v.Shared != nil {
			d.hour = sc.Look.Shelf.Text(now.at, look.AgentHour{Username: d.Key, Width: w, Options: now.look, Channel: now.channel}, draw)
		} else {
			d.hour = draw()
		}
	}
	return slices.Clone(d.hour)
}

func (d *Detail) viewText(sc *Scene, x, y, w, h int) []string {
	out := d.text.Fitted(d.lines(sc, w-2), x, y, w, h)
	if !d.own() {
		sc.Floor.FadeOld(sc.Look, out, d.Subs()[0])
	}
	return out
}

// lines returns the figures in w cells with a blank before and after them, drawn anew only
// when they may have changed.
func (d *Detail) lines(sc *Scene, w int) []string {
	s, v := sc.Floor.Newest, sc.LiveView()
	if !d.own() {
		s, v = sc.Floor.Shown, sc.view("", "")
		v.Options = sc.Floor.OptionsOf(sc.Look, d.Subs()[0])
	}
	same := d.drawn != nil && d.drawnW == w && (d.drawnS == s || d.unchanged(s)) && d.drawnV.Options == v.Options &&
		d.drawnV.Scope == v.Scope && d.drawnV.Marks == v.Marks && d.drawnV.Alerts == v.Alerts && d.drawnV.Now.Unix() == v.Now.Unix()
	if same {
		return d.drawn
	}
	draw := func() []string {
		out := d.draw(sc, s, &v, w)
		out = look.FitLines(out, w, len(out), "")
		look.Inset(out)
		return out
	}
	if d.Kind == floor.Agent && v.Shared != nil && v.Marks == nil && s != nil {
		key := look.AgentText{Username: d.Key, Width: w, Of: s, Options: v.Options, Scope: v.Scope, Alerts: v.Alerts}
		d.drawn = sc.Look.Shelf.Text(v.Now.Unix(), key, draw)
	} else {
		d.drawn = draw()
	}
	d.drawnW, d.drawnS, d.drawnV = w, s, v
	return d.drawn
}

// unchanged reports whether a picture has the same records of an agent, who is one of
// thousands that change. Of an operator there is more to look at.
func (d *Detail) unchanged(s *model.Snapshot) bool {
	if d.Kind != floor.Agent || s == nil || s.Operators.Get(model.UserStatKey{Username: d.Key, Channel: model.Call}) != nil {
		return false
	}
	now := []any{s.Users.Get(d.Key)}
	for _, ch := range model.Channels() {
		now = append(now, s.UserStats.Get(model.UserStatKey{Username: d.Key, Channel: ch}))
	}
	same := slices.Equal(now, d.drawnR)
	d.drawnR = now
	return same
}

// AgentLines are the figures of a user. An operator has none of their own: the
// platform tells those of their profile.
func AgentLines(s *model.Snapshot, v *render.View, username string, w int) []string {
	out := render.AgentDetail(s, v, username, w)
	op := s.Operators.Get(model.UserStatKey{Username: username, Channel: model.Call})
	if op == nil {
		return out
	}
	id, ok := op.LoggedProfileID.Get()
	if ok && s.OperatorProfiles.Get(model.ProfileKey{ID: id, Channel: model.Call}) != nil {
		out = append(append(out, ""), render.ProfileDetail(s, v, id, true, w)...)
	}
	return out
}

func (d *Detail) draw(sc *Scene, s *model.Snapshot, v *render.View, w int) []string {
	var out []string
	if s != nil {
		switch d.Kind {
		case floor.Service:
			out = render.ServiceDetail(s, v, d.Key, w)
		case floor.Group:
			out = render.GroupDetail(s, v, d.Key, w)
		case floor.Agent:
			out = AgentLines(s, v, d.Key, w)
		case floor.Campaign:
			if id, err := strconv.ParseInt(d.Key, 10, 64); err == nil {
				out = render.CampaignDetail(s, v, id, w)
			}
		case floor.Subscription:
			out = render.SubscriptionDetail(s, v, d.Key, w)
		}
	}
	if len(out) == 0 {
		out = []string{"", " The platform no longer sends " + d.Crumb(sc) + "."}
	}
	return out
}
