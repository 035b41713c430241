package ui

import (
	"slices"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"wallboard/model/resource"
	"wallboard/themes"
	"wallboard/ui/dialog"
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
	run  func(floor.Target) tea.Cmd
}

// actionsOn returns all that can be done with a target.
func (m *Model) actionsOn(t floor.Target) []action {
	k := m.keys
	calls := func(v resource.Verb) func(floor.Target) tea.Cmd {
		return func(t floor.Target) tea.Cmd { return m.openCalls(t, v) }
	}
	switch t.Kind {
	case floor.Agent:
		return []action{
			{k.Dial, "dial a number", resource.VerbDial, m.openDial},
			{k.Stop, "hang up a call", resource.VerbHangUp, calls(resource.VerbHangUp)},
			{k.Record, "record a call", resource.VerbStartRecording, calls(resource.VerbStartRecording)},
			{k.Calls, "show the calls", "", calls("")},
		}
	case floor.Campaign:
		return []action{
			{k.Dial, "start", resource.VerbStartCampaign, m.askStart},
			{k.Stop, "stop", resource.VerbStopCampaign, m.askStop},
			{k.Calls, "show settings and lists", "", m.openCampaign},
			{k.Edit, "edit", resource.VerbUpdateCampaign, m.editCampaign},
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
		return m.dialogs.Warn(capital(a.does), why, "") // too long for a line
	}
	return a.run(t)
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
	run := func() tea.Cmd { return m.dialogs.Open(&menu{board: m, sc: m.scene, on: t, list: m.actionsOn(t)}) }
	if !key.Matches(msg, m.keys.Actions) {
		run = nil
		for _, a := range m.actionsOn(t) {
			if key.Matches(msg, a.key) {
				run = func() tea.Cmd { return m.takeAction(a, t) }
			}
		}
	}
	if run == nil {
		return nil, false
	}
	m.dialogs.Mute(msg.String())
	return run(), true
}

// actCommands returns the commands of the palette that act.
func (m *Model) actCommands() []command {
	var out []command
	if t, ok := m.subject(); ok {
		for _, a := range m.actionsOn(t) {
			out = append(out, command{name: t.Name + ": " + a.does, run: func() tea.Cmd { return m.takeAction(a, t) }})
		}
	}
	out = append(out,
		command{name: "log of my actions", run: m.openLog},
		command{name: "create a campaign", run: m.createCampaign})
	return append(out, deskCommands(m)...)
}

// menu is the dialog of all that can be done with a target.
type menu struct {
	board *Model
	sc    *scene
	on    floor.Target
	list  []action
	at    int
	first int
	rows  int
}

// Title implements [dialog.Dialog].
func (d *menu) Title() string { return d.on.Name }

// Size implements [dialog.Dialog].
func (d *menu) Size(maxW, maxH int) (w, h int) {
	w = min(dialog.QuestionWidth, maxW)
	why := 0 // so that the frame does not jump from one action to the next
	for _, a := range d.list {
		if text := d.sc.obstacle(a, d.on); text != "" {
			why = max(why, 1+len(form.Wrap(text, w)))
		}
	}
	return w, min(menuHead+len(d.list)+why+dialog.HintRows, maxH)
}

// Update implements [dialog.Dialog].
func (d *menu) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		return d.press(msg)
	case tea.MouseClickMsg:
		if at := d.first + msg.Y - menuHead; msg.Button == tea.MouseLeft && msg.Y >= menuHead && msg.Y < menuHead+d.rows && at < len(d.list) {
			d.at = at
			return d.run(d.list[at])
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

func (d *menu) press(msg tea.KeyPressMsg) tea.Cmd {
	for _, a := range d.list {
		if key.Matches(msg, a.key) {
			return d.run(a)
		}
	}
	switch k := table.DefaultKeyMap(); {
	case key.Matches(msg, k.LineUp):
		d.move(-1)
	case key.Matches(msg, k.LineDown):
		d.move(1)
	case msg.String() == "enter":
		return d.run(d.list[d.at])
	}
	return nil
}

func (d *menu) run(a action) tea.Cmd {
	m := d.board
	if m.scene.obstacle(a, d.on) != "" {
		d.at = slices.IndexFunc(d.list, func(b action) bool { return b.does == a.does }) // its reason is below
		return nil
	}
	m.dialogs.Close(d)
	return m.takeAction(a, d.on)
}

// menuHead is how many lines are above the actions.
const menuHead = 1

// View implements [dialog.Dialog].
func (d *menu) View(w, h int) []string {
	sc := d.sc
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
		out = append(out, sc.look.Said(themes.Warn, why, w)...)
	}
	out = look.FitLines(out, w, max(h-1, 0), sc.look.Glyphs.Ellipsis)
	return append(out, sc.look.Hints(w, look.Hint{Key: "enter", Does: "do it"}))[:h]
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
