package ui

import (
	"strconv"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"wallboard/alert"
	"wallboard/model"
	"wallboard/ui/dialog"
	"wallboard/ui/floor"
	"wallboard/ui/render"
)

// detail is what was drilled down to: the figures of one thing, and the agents
// who serve it if it has any.
type detail struct {
	kind   floor.Kind
	key    string
	keys   *KeyMap
	agents *recordTable // nil where there are none
	onText bool         // the keyboard scrolls the figures, not the agents

	text   dialog.Scroller
	drawn  []string
	drawnW int
	drawnV render.View     // what drawn was drawn with
	drawnS *model.Snapshot // what drawn shows
}

func newDetail(sc *scene, keys *KeyMap, k floor.Kind, id string) *detail {
	d := &detail{kind: k, key: id, keys: keys}
	switch k {
	case floor.Service:
		d.agents = agentsTable(sc, PaneSpec{}, id, "")
	case floor.Group:
		d.agents = agentsTable(sc, PaneSpec{}, "", id)
	case floor.Agent, floor.Campaign, floor.Subscription:
		d.onText = true
	}
	return d
}

func (d *detail) crumb(sc *scene) string {
	if d.kind == floor.Agent && sc.floor.Shown != nil {
		if u := sc.floor.Shown.Users.Get(d.key); u != nil {
			return sc.Names.Of(model.NameUser, floor.FullName(u, d.key))
		}
	}
	return sc.Names.Of(d.kind.NameKind(), d.key)
}

// status says how much of the figures is out of view, and how to get there.
func (d *detail) status(sc *scene) standing {
	s := placeIn(sc, &d.text)
	if s.text != "" && !d.onText {
		s.text += ", " + d.keys.NextTable.Help().Key + " scrolls them"
	}
	return s
}

func (d *detail) subs() []model.Op {
	switch d.kind {
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
func (d *detail) own() bool { return d.kind == floor.Subscription }

func (d *detail) tables() int {
	if d.agents != nil {
		return 2
	}
	return 1
}

func (d *detail) focused() *recordTable {
	if d.onText {
		return nil
	}
	return d.agents
}

func (d *detail) pointed() (of floor.Kind, key string, on model.Channel, ok bool) {
	return d.focused().pointed()
}

func (d *detail) charted(sc *scene) (k alert.Key, ok, known bool) {
	return sc.keyOf(d.kind, d.key), true, true
}

// carry takes over where the viewer was in the same thing.
func (d *detail) carry(sc *scene, from page) {
	before, ok := from.(*detail)
	if !ok {
		return
	}
	d.refresh(sc)
	if d.agents != nil && before.agents != nil {
		d.agents.carry(before.agents)
	}
	d.onText, d.text = before.onText, before.text
}

func (d *detail) refresh(sc *scene) {
	if d.agents != nil {
		d.agents.refresh(sc)
	}
}

func (d *detail) restyle(sc *scene) {
	if d.agents != nil {
		d.agents.restyle(sc)
	}
	d.drawn = nil
}

func (d *detail) flashing() bool { return d.agents != nil && d.agents.table.Flashing() }

func (d *detail) update(_ *scene, msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		switch {
		case d.agents != nil && key.Matches(msg, d.keys.NextTable):
			d.focusText(!d.onText)
		case d.onText:
			d.text.Press(msg)
		default:
			return d.agents.table.Update(msg)
		}
	case tea.MouseClickMsg:
		if d.agents != nil && msg.Button == tea.MouseLeft {
			cmd, ok := d.agents.click(msg.X, msg.Y)
			d.focusText(!ok)
			return cmd
		}
	case tea.MouseWheelMsg:
		if d.text.Wheel(msg) {
			return nil
		}
		if d.agents != nil {
			return d.agents.table.Update(msg)
		}
	}
	return nil
}

func (d *detail) focusText(on bool) {
	d.onText = on
	d.agents.focus(!on)
}

// sideBySide is from how many cells on figures and agents stand beside each
// other.
const sideBySide = 150

func (d *detail) view(sc *scene, x, y, w, h int) []string {
	if d.agents == nil {
		return d.viewText(sc, x, y, w, h)
	}
	if w >= sideBySide {
		left := w * 2 / 5
		text := d.viewText(sc, x, y, left, h)
		rows := d.agents.view(sc, x+left+2, y+1, w-left-2, h-1)
		table := append([]string{d.agentsHeading(sc, w-left-2)}, rows...)
		return beside(text, table, left, w-left-2, h)
	}
	const heads = 2 // of the agents: the line above them, and the titles of their columns
	room := min(max(h*3/5, h-heads-max(d.agents.rows.Len(), 1)), len(d.lines(sc, w-2)))
	out := d.viewText(sc, x, y, w, room)
	rows := d.agents.view(sc, x, y+len(out)+1, w, h-len(out)-1)
	out = append(out, d.agentsHeading(sc, w))
	return append(out, rows...)
}

func (d *detail) agentsHeading(sc *scene, w int) string {
	return sc.headingAt(w, "Agents", d.agents.status(sc), !d.onText)
}

func (d *detail) viewText(sc *scene, x, y, w, h int) []string {
	out := d.text.View(d.lines(sc, w-2), x+1, y, w-2, h)
	inset(out)
	if !d.own() {
		sc.floor.FadeOld(sc.look, out, d.subs()[0])
	}
	return out
}

// lines returns the figures, drawn anew only when they may have changed.
func (d *detail) lines(sc *scene, w int) []string {
	s, v := sc.floor.Newest, sc.liveView()
	if !d.own() {
		s, v = sc.floor.Shown, sc.view("", "")
		v.Options = sc.floor.OptionsOf(sc.look, d.subs()[0])
	}
	same := d.drawn != nil && d.drawnW == w && d.drawnS == s && d.drawnV.Options == v.Options &&
		d.drawnV.Scope == v.Scope && d.drawnV.Marks == v.Marks && d.drawnV.Alerts == v.Alerts && d.drawnV.Now.Unix() == v.Now.Unix()
	if same {
		return d.drawn
	}
	d.drawn, d.drawnW, d.drawnS, d.drawnV = d.draw(sc, s, &v, w), w, s, v
	return d.drawn
}

// agentLines are the figures of a user. An operator has none of his own: the
// platform tells those of his profile.
func agentLines(s *model.Snapshot, v *render.View, username string, w int) []string {
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

func (d *detail) draw(sc *scene, s *model.Snapshot, v *render.View, w int) []string {
	var out []string
	if s != nil {
		switch d.kind {
		case floor.Service:
			out = render.ServiceDetail(s, v, d.key, w)
		case floor.Group:
			out = render.GroupDetail(s, v, d.key, w)
		case floor.Agent:
			out = agentLines(s, v, d.key, w)
		case floor.Campaign:
			if id, err := strconv.ParseInt(d.key, 10, 64); err == nil {
				out = render.CampaignDetail(s, v, id, w)
			}
		case floor.Subscription:
			out = render.SubscriptionDetail(s, v, d.key, w)
		}
	}
	if len(out) == 0 {
		out = []string{"", " The platform no longer sends " + d.crumb(sc) + "."}
	}
	return out
}
