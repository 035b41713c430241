package panes

import (
	"slices"
	"strconv"

	tea "charm.land/bubbletea/v2"

	"wallboard/alert"
	"wallboard/model"
	"wallboard/ui/areas"
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
	peers  []peers       // of an agent; nil: nobody has looked for them
	chart  plots.Plot    // how the figures have been, where there is room left
	OnText bool          // the keyboard scrolls the figures, not the agents

	text   dialog.Scroller
	rest   areas.Area // where the figures go on that have no room at the left
	drawn  []string
	drawnW int
	drawnV render.View     // what drawn was drawn with
	drawnS *model.Snapshot // what drawn shows
	drawnU *model.User     // the records of an agent that it was drawn from
	drawnR []*model.UserStat
	rows   render.AgentRows
	hour   []string // of an agent
	hourOf hoursDrawn
	read   uint64    // what was known of shifts then
	hours  lastHours // of the agents, or of those who serve the same groups
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
	if d.Kind == floor.Agent {
		return sc.Floor.AgentName(d.Key)
	}
	if d.Kind == floor.Subscription {
		return model.Op(d.Key).Title()
	}
	return sc.Floor.Names.Of(d.Kind.NameKind(), d.Key)
}

// Status says how much of the figures is out of view, and how to get there.
func (d *Detail) Status(sc *Scene) look.Position {
	s := d.text.Position(sc.Look)
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
	for _, p := range d.peers {
		p.refresh(sc)
	}
}

// Restyle draws anew what is kept drawn, after another theme.
func (d *Detail) Restyle(sc *Scene) {
	if d.agents != nil {
		d.agents.restyle(sc)
	}
	for _, p := range d.peers {
		p.restyle(sc)
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
		for _, p := range d.peers {
			if msg.Button == tea.MouseLeft {
				p.click(msg.X, msg.Y)
			}
		}
	case tea.MouseWheelMsg:
		if d.rest.Has(msg.X, msg.Y) {
			d.text.Turn(msg)
			return nil
		}
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
// twoColumns from how many the figures do so in two columns, sideBySide from how many the
// tables of the overview do.
const (
	splitFrom  = 118
	twoColumns = 180
	mostText   = 78 // cells of the figures in one column
	sideBySide = 150
)

// View draws the page in h lines of exactly w cells.
func (d *Detail) View(sc *Scene, x, y, w, h int) []string {
	d.rest = areas.Area{}
	if d.Kind == floor.Agent {
		return d.worker(sc, x, y, w, h)
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

// leastShift is the least height of the shift so far.
const leastShift = 5

// worked is what an agent did, under its name and in at most h lines: in the shift so far
// where that is known, else in the last hour; nil where nobody knows, nor what they do now.
func (d *Detail) worked(sc *Scene, w, h int) []string {
	s := sc.Floor.Shown
	if s == nil || sc.Alarms.Hour == nil || h < leastShift || sc.Floor.OptionsOf(sc.Look, d.Subs()[0]) == sc.Look.Blank {
		return nil
	}
	if d.turn != nil || !floor.Large(s) {
		sc.Shifts.Want(d.Key, d.turn == nil, sc.Floor.Ours)
	}
	if now := sc.hoursIn(w, h); d.hourOf != now || d.read != sc.Shifts.Changed() {
		d.hourOf, d.read = now, sc.Shifts.Changed()
		known := func() []hours.Line { return hours.Of(s, d.Key, sc.Floor.Channel, sc.Alarms.Hour) }
		title := "The shift so far"
		d.hour = sc.Shifts.Draw(sc.Look, s, d.Key, sc.Floor.Now(), known, w-2, h-1)
		if d.hour == nil {
			title, d.hour = "The last hour", d.lastHour(sc, now, known)
		}
		if len(d.hour) > 0 {
			d.hour = slices.Clone(d.hour)
			look.Inset(d.hour)
			d.hour = append([]string{sc.Look.Heading(w, title, "", false)}, d.hour...)
		}
	}
	if len(d.hour) == 0 || len(d.hour) > h {
		return nil
	}
	out := slices.Clone(d.hour)
	sc.Floor.FadeOld(sc.Look, out[1:], d.Subs()[0])
	return out
}

// lastHour is what an agent did in the last hour, which boards that show the same share.
func (d *Detail) lastHour(sc *Scene, now hoursDrawn, lately func() []hours.Line) []string {
	draw := func() []string {
		known := lately()
		if len(known) == 0 {
			return nil
		}
		return hours.Draw(sc.Look, known, now.w-2)
	}
	if v := sc.view("", ""); v.Shared != nil {
		return sc.Look.Shelf.Text(now.at, look.AgentHour{Username: d.Key, Width: now.w, Options: now.look, Channel: now.channel}, draw)
	}
	return draw()
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
	v.Rows = &d.rows
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
	user, stats := s.Users.Get(d.Key), d.rows.Of(s.UserStats, d.Key)
	same := user == d.drawnU && slices.Equal(stats, d.drawnR)
	d.drawnU, d.drawnR = user, stats
	return same
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
			out = render.UserDetail(s, v, d.Key, w)
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
