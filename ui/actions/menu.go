package actions

import (
	"slices"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"wallboard/model/resource"
	"wallboard/themes"
	"wallboard/ui/dialog"
	"wallboard/ui/form"
	"wallboard/ui/snapshot"
	"wallboard/ui/style"
	"wallboard/ui/table"
)

// action is something that can be done with an agent or a campaign.
type action struct {
	key  key.Binding
	does string
	verb resource.Operation // permission needed on the platform; "": none
	note string             // why it makes little sense now; "": it does
	run  func(snapshot.Target) tea.Cmd

	extra bool // from the configuration
}

// obstacle returns why an action is currently impossible, or "".
func (a *action) obstacle(do *orders, t snapshot.Target) string {
	if why := do.refusal(a.verb); why != "" || a.verb == "" {
		return why
	}
	return do.floor.Gone(t)
}

// take carries out an action, or shows why it is impossible.
func (a *action) take(do *orders, t snapshot.Target) tea.Cmd {
	if why := a.obstacle(do, t); why != "" {
		return do.dialogs.Warn(style.Capitalize(a.does), why, "") // too long for the footer
	}
	return a.run(t)
}

// menu is the dialog with the actions on a target.
type menu struct {
	do    *orders
	on    snapshot.Target
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
	why := 0 // so that the frame does not jump between actions
	for _, a := range d.list {
		if text := a.obstacle(d.do, d.on); text != "" {
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
	if a.obstacle(d.do, d.on) != "" {
		d.at = slices.IndexFunc(d.list, func(b action) bool { return b.does == a.does }) // select it: its reason is shown below
		return nil
	}
	d.do.dialogs.Close(d)
	return a.take(d.do, d.on)
}

// menuHead is the number of lines above the actions.
const menuHead = 1

// View implements [dialog.Dialog].
func (d *menu) View(w, h int) []string {
	lk, view := d.do.look(), d.do.floor
	state := view.CurrentState(lk, d.on)
	if gone := view.Gone(d.on); gone != "" {
		state = gone
	}
	out := []string{lk.Style(themes.Dim).Render(style.Cut(state, w, lk.Glyphs.Ellipsis))}
	d.rows = min(len(d.list), max(h-menuHead-1, 1))
	d.first = max(min(d.first, d.at), d.at-d.rows+1)
	for i := d.first; i < d.first+d.rows; i++ {
		out = append(out, d.row(lk, i, w))
	}
	if why := d.list[d.at].obstacle(d.do, d.on); why != "" {
		out = append(out, "")
		out = append(out, lk.Wrap(themes.Warn, why, w)...)
	}
	out = style.FitLines(out, w, max(h-1, 0), lk.Glyphs.Ellipsis)
	return append(out, lk.Hints(w, style.KeyHint{Key: "enter", Does: "run"}))[:h]
}

// row draws an action: key, name, and why it is impossible.
func (d *menu) row(lk *style.Look, i, w int) string {
	a := d.list[i]
	why := a.obstacle(d.do, d.on)
	l := style.NewLine(w, lk.Glyphs.Ellipsis)
	key, text := lk.Style(themes.Key), lk.Style(themes.Text)
	if why != "" {
		key, text = lk.Style(themes.Dim), lk.Style(themes.Dim)
	}
	pointer := "  "
	if i == d.at {
		key, text, pointer = lk.Style(themes.Selection), lk.Style(themes.Selection), lk.Glyphs.Pointer+" "
	}
	l.Add(text, pointer).Add(key, a.key.Help().Key).Add(text, "  "+a.does)
	switch {
	case why != "":
		l.Add(text, "  not now")
	case a.note != "":
		l.Add(text, "  ("+a.note+")")
	}
	return l.End(text)
}
