package ui

import (
	"slices"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"wallboard/model/resource"
	"wallboard/themes"
	"wallboard/ui/floor"
	"wallboard/ui/form"
	"wallboard/ui/look"
	"wallboard/ui/table"
)

// action is what can be done with an agent or a campaign.
type action struct {
	key  key.Binding
	does string
	verb resource.Verb // what the platform must allow; "" only looks
	run  func(*Model, floor.Target) tea.Cmd
}

// actionsOn returns all that can be done with a target.
func (m *Model) actionsOn(t floor.Target) []action {
	k := m.keys
	calls := func(v resource.Verb) func(*Model, floor.Target) tea.Cmd {
		return func(m *Model, t floor.Target) tea.Cmd { return m.openCalls(t, v) }
	}
	switch t.Kind {
	case floor.Agent:
		return []action{
			{k.Dial, "dial a number", resource.VerbDial, (*Model).openDial},
			{k.Stop, "hang up a call", resource.VerbHangUp, calls(resource.VerbHangUp)},
			{k.Record, "record a call", resource.VerbStartRecording, calls(resource.VerbStartRecording)},
			{k.Calls, "show the calls", "", calls("")},
		}
	case floor.Campaign:
		return []action{
			{k.Dial, "start", resource.VerbStartCampaign, (*Model).askStart},
			{k.Stop, "stop", resource.VerbStopCampaign, (*Model).askStop},
			{k.Calls, "show settings and lists", "", (*Model).openCampaign},
			{k.Edit, "edit", resource.VerbUpdateCampaign, (*Model).editCampaign},
		}
	case floor.Service, floor.Group, floor.Subscription:
	}
	return nil
}

// obstacle says why an action cannot be taken now, "" when it can.
func (sc *scene) obstacle(a action, t floor.Target) string {
	if why := sc.refusal(a.verb); why != "" || a.verb == "" {
		return why
	}
	return sc.floor.Gone(t)
}

// takeAction does what an action says, or tells why it cannot be done.
func (m *Model) takeAction(a action, t floor.Target) tea.Cmd {
	if why := m.scene.obstacle(a, t); why != "" {
		return m.warn(capital(a.does), resource.Report{Warning: why}) // too long for a line
	}
	return a.run(m, t)
}

// pressAction obeys the keys that act on what is selected.
func (m *Model) pressAction(msg tea.KeyPressMsg) (tea.Cmd, bool) {
	if m.scene.Controller == nil {
		return nil, false
	}
	if key.Matches(msg, m.keys.Log) {
		return m.openLog(), true
	}
	t, ok := m.subject()
	if !ok {
		return nil, false
	}
	run := func(*Model) tea.Cmd { return m.openDialog(&menu{sc: m.scene, on: t, list: m.actionsOn(t)}) }
	if !key.Matches(msg, m.keys.Actions) {
		run = nil
		for _, a := range m.actionsOn(t) {
			if key.Matches(msg, a.key) {
				run = func(m *Model) tea.Cmd { return m.takeAction(a, t) }
			}
		}
	}
	if run == nil {
		return nil, false
	}
	m.dialogs.opener, m.dialogs.opened = msg.String(), m.scene.floor.Ours
	return run(m), true
}

// actCommands returns the commands of the palette that act.
func (m *Model) actCommands() []command {
	var out []command
	if t, ok := m.subject(); ok {
		for _, a := range m.actionsOn(t) {
			out = append(out, command{name: t.Name + ": " + a.does, run: func(m *Model) tea.Cmd { return m.takeAction(a, t) }})
		}
	}
	out = append(out,
		command{name: "log of my actions", run: (*Model).openLog},
		command{name: "create a campaign", run: (*Model).createCampaign})
	return append(out, deskCommands(m)...)
}

// menu is the dialog of all that can be done with a target.
type menu struct {
	sc    *scene
	on    floor.Target
	list  []action
	at    int
	first int
	rows  int
}

func (d *menu) title(*scene) string { return d.on.Name }

func (d *menu) restyle(*scene) {}

func (d *menu) cursor() (x, y int, ok bool) { return 0, 0, false }

func (d *menu) size(maxW, maxH int) (w, h int) {
	w = min(questionWidth, maxW)
	why := 0 // so that the frame does not jump from one action to the next
	for _, a := range d.list {
		if text := d.sc.obstacle(a, d.on); text != "" {
			why = max(why, 1+len(form.Wrap(text, w)))
		}
	}
	return w, min(menuHead+len(d.list)+why+hintRows, maxH)
}

func (d *menu) update(m *Model, msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		return d.press(m, msg)
	case tea.MouseClickMsg:
		if at := d.first + msg.Y - menuHead; msg.Button == tea.MouseLeft && msg.Y >= menuHead && msg.Y < menuHead+d.rows && at < len(d.list) {
			d.at = at
			return d.run(m, d.list[at])
		}
	case tea.MouseWheelMsg:
		switch msg.Button { //nolint:exhaustive // other buttons have no wheel
		case tea.MouseWheelUp:
			d.move(-1)
		case tea.MouseWheelDown:
			d.move(1)
		}
	}
	return nil
}

func (d *menu) move(by int) { d.at = max(min(d.at+by, len(d.list)-1), 0) }

func (d *menu) press(m *Model, msg tea.KeyPressMsg) tea.Cmd {
	for _, a := range d.list {
		if key.Matches(msg, a.key) {
			return d.run(m, a)
		}
	}
	switch k := table.DefaultKeyMap(); {
	case key.Matches(msg, k.LineUp):
		d.move(-1)
	case key.Matches(msg, k.LineDown):
		d.move(1)
	case msg.String() == "enter":
		return d.run(m, d.list[d.at])
	}
	return nil
}

func (d *menu) run(m *Model, a action) tea.Cmd {
	if m.scene.obstacle(a, d.on) != "" {
		d.at = slices.IndexFunc(d.list, func(b action) bool { return b.does == a.does }) // its reason is below
		return nil
	}
	m.dismiss(d)
	return m.takeAction(a, d.on)
}

// menuHead is how many lines are above the actions.
const menuHead = 1

func (d *menu) view(sc *scene, w, h int) []string {
	state := sc.floor.DoingNow(sc.look, d.on)
	if gone := sc.floor.Gone(d.on); gone != "" {
		state = gone
	}
	out := []string{sc.look.Style(themes.Dim).Render(look.Cut(state, w, sc.look.Glyphs.Ellipsis))}
	d.rows = min(len(d.list), max(h-menuHead-1, 1))
	d.first = max(min(d.first, d.at), d.at-d.rows+1)
	for i := d.first; i < d.first+d.rows; i++ {
		out = append(out, d.row(sc, i, w))
	}
	if why := sc.obstacle(d.list[d.at], d.on); why != "" {
		out = append(out, "")
		out = append(out, sc.said(themes.Warn, why, w)...)
	}
	out = look.FitLines(out, w, max(h-1, 0), sc.look.Glyphs.Ellipsis)
	return append(out, sc.hints(w, hint{"enter", "do it"}))[:h]
}

// row is one action: its key, what it does, and why it cannot be done.
func (d *menu) row(sc *scene, i, w int) string {
	a := d.list[i]
	why := sc.obstacle(a, d.on)
	l := look.NewLine(w, sc.look.Glyphs.Ellipsis)
	key, text := sc.look.Style(themes.Key), sc.look.Style(themes.Text)
	if why != "" {
		key, text = sc.look.Style(themes.Dim), sc.look.Style(themes.Dim)
	}
	pointer := "  "
	if i == d.at {
		key, text, pointer = sc.look.Style(themes.Selection), sc.look.Style(themes.Selection), sc.look.Glyphs.Pointer+" "
	}
	l.Add(text, pointer).Add(key, a.key.Help().Key).Add(text, "  "+a.does)
	if why != "" {
		l.Add(text, "  not now")
	}
	return l.End(text)
}
