package actions

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"wallboard/internal/words"
	"wallboard/model/resource"
	"wallboard/themes"
	"wallboard/ui/dialog"
	"wallboard/ui/floorview"
	"wallboard/ui/style"
	"wallboard/ui/table"
)

// action is an entry in the action menu of an agent, of a campaign, or of several marked ones.
type action struct {
	key         key.Binding
	description words.Text
	operation   resource.Operation // operation of the platform; "": the action only shows something
	note        words.Text         // why the action makes little sense now; zero: it makes sense
	run         func(floorview.Target) tea.Cmd

	isLocal bool // the action is a [LocalAction]
}

// refusal returns the reason why the action on the target t is currently impossible, or "" if it is
// possible.
func (a *action) refusal(sender *orderSender, t floorview.Target) string {
	if reason := sender.refusal(a.operation); reason != "" || a.operation == "" {
		return reason
	}
	return sender.floor.MissingReason(t)
}

// execute carries out the action on the target t. If the action is impossible, it shows the reason
// in a dialog.
func (a *action) execute(sender *orderSender, t floorview.Target) tea.Cmd {
	if reason := a.refusal(sender, t); reason != "" {
		name := t.Name
		if a.operation != "" {
			name = sender.translate(words.OperationTitle(a.operation))
		}
		return sender.dialogs.OpenWarning(name, reason, "") // the reason is too long for the footer
	}
	return a.run(t)
}

// menuDialog is the dialog that lists the actions on a target.
type menuDialog struct {
	orders   *orderSender
	target   floorview.Target
	actions  []action
	selected int // index of the selected action
	top      int // index of the first visible action
	rows     int // number of visible actions
}

// Title implements [dialog.Dialog].
func (d *menuDialog) Title() string { return d.target.Name }

// Size implements [dialog.Dialog].
func (d *menuDialog) Size(maxW, maxH int) (w, h int) {
	w = min(dialog.QuestionWidth, maxW)
	reasonHeight := 0 // height of the longest reason, so that the dialog never changes its size
	for _, a := range d.actions {
		if text := a.refusal(d.orders, d.target); text != "" {
			reasonHeight = max(reasonHeight, 1+len(style.WrapText(text, w)))
		}
	}
	return w, min(menuHeadLines+len(d.actions)+reasonHeight+dialog.HintRows, maxH)
}

// Update implements [dialog.Dialog].
func (d *menuDialog) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		return d.press(msg)
	case tea.MouseClickMsg:
		if index := d.top + msg.Y - menuHeadLines; msg.Button == tea.MouseLeft && msg.Y >= menuHeadLines && msg.Y < menuHeadLines+d.rows && index < len(d.actions) {
			d.selected = index
			return d.runAction(index)
		}
	case tea.MouseWheelMsg:
		switch msg.Button { //nolint:exhaustive // other buttons have no wheel
		case tea.MouseWheelUp:
			d.moveSelection(-1)
		case tea.MouseWheelDown:
			d.moveSelection(1)
		}
	}
	return nil
}

func (d *menuDialog) moveSelection(delta int) {
	d.selected = max(min(d.selected+delta, len(d.actions)-1), 0)
}

func (d *menuDialog) press(msg tea.KeyPressMsg) tea.Cmd {
	for i := range d.actions {
		if key.Matches(msg, d.actions[i].key) {
			return d.runAction(i)
		}
	}
	switch k := table.DefaultKeyMap(); {
	case key.Matches(msg, k.LineUp):
		d.moveSelection(-1)
	case key.Matches(msg, k.LineDown):
		d.moveSelection(1)
	case msg.String() == "enter":
		return d.runAction(d.selected)
	}
	return nil
}

func (d *menuDialog) runAction(index int) tea.Cmd {
	a := &d.actions[index]
	if a.refusal(d.orders, d.target) != "" {
		d.selected = index // shows the reason below the list
		return nil
	}
	d.orders.dialogs.Close(d)
	return a.execute(d.orders, d.target)
}

// menuHeadLines is the number of lines above the actions.
const menuHeadLines = 1

// View implements [dialog.Dialog].
func (d *menuDialog) View(w, h int) []string {
	lk, view := d.orders.look(), d.orders.floor
	state := view.CurrentState(lk, d.target)
	if missing := view.MissingReason(d.target); missing != "" {
		state = missing
	}
	out := []string{lk.Style(themes.Dim).Render(style.Truncate(state, w, lk.Glyphs.Ellipsis))}
	d.rows = min(len(d.actions), max(h-menuHeadLines-1, 1))
	d.top = max(min(d.top, d.selected), d.selected-d.rows+1)
	for i := d.top; i < d.top+d.rows; i++ {
		out = append(out, d.drawRow(lk, i, w))
	}
	if reason := d.actions[d.selected].refusal(d.orders, d.target); reason != "" {
		out = append(out, "")
		out = append(out, lk.Wrap(themes.Warn, reason, w)...)
	}
	out = style.FitLines(out, w, max(h-1, 0), lk.Glyphs.Ellipsis)
	return append(out, lk.HintLine(w, style.KeyHint{Key: "enter", Description: translate(lk, words.BoardKeyRun())}))[:h]
}

// drawRow returns the line of the action with the index i: its key, its name, and a note if the
// action is impossible or makes little sense.
func (d *menuDialog) drawRow(lk *style.Look, i, w int) string {
	a := d.actions[i]
	reason := a.refusal(d.orders, d.target)
	l := style.NewLine(w, lk.Glyphs.Ellipsis)
	key, text := lk.Style(themes.Key), lk.Style(themes.Text)
	if reason != "" {
		key, text = lk.Style(themes.Dim), lk.Style(themes.Dim)
	}
	pointer := "  "
	if i == d.selected {
		key, text, pointer = lk.Style(themes.Selection), lk.Style(themes.Selection), lk.Glyphs.Pointer+" "
	}
	l.Add(text, pointer).Add(key, a.key.Help().Key).Add(text, "  "+translate(lk, a.description))
	switch {
	case reason != "":
		l.Add(text, "  "+translate(lk, words.ActMenuNotNow()))
	case !a.note.IsZero():
		l.Add(text, "  ("+translate(lk, a.note)+")")
	}
	return l.Finish(text)
}
