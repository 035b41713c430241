package ui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"wallboard/model/resource"
	"wallboard/themes"
	"wallboard/ui/dialog"
	"wallboard/ui/form"
	"wallboard/ui/look"
)

// outcome is the dialog that waits for what becomes of an order. It closes by
// itself when the platform has done it; whoever closes it before finds the
// outcome in the log of actions.
type outcome struct {
	board  *Model
	order  order
	sc     *scene
	before *dialog.Form // what the order was filled in with, to be corrected; nil: nothing
	asked  time.Time
	report *resource.Report // nil while it is under way
	text   dialog.Scroller
}

// send carries an order out in place of the dialog it was given in, which comes
// back only when the platform did nothing.
func (m *Model) send(o order, before *dialog.Form) tea.Cmd {
	if before != nil {
		m.dialogs.Close(before)
	}
	d := &outcome{board: m, order: o, sc: m.scene, before: before, asked: m.scene.floor.Ours}
	return tea.Batch(m.dialogs.Open(d), m.act(d, o))
}

// Title implements [dialog.Dialog].
func (d *outcome) Title() string { return capital(verbName(d.order.verb)) }

// Size implements [dialog.Dialog].
func (d *outcome) Size(maxW, maxH int) (w, h int) {
	w = min(dialog.QuestionWidth, maxW)
	h = len(d.words(w))
	if d.again() {
		h += dialog.HintRows
	}
	return w, min(h, maxH)
}

func (d *outcome) words(w int) []string {
	sc := d.sc
	out := sc.look.Said(themes.Title, d.order.target, w)
	if d.report == nil {
		out = append(out, sc.look.Said(themes.Pending, sc.noAnswer(d.asked), w)...)
		return append(out, sc.look.Said(themes.Dim, "Closing this stops nothing: the outcome will be in the log of my actions.", w)...)
	}
	token := outcomeToken(d.report.Outcome)
	out = append(out, sc.look.Said(token, outcomeGlyph(d.report.Outcome, sc.ASCII)+" "+capital(outcomeWord(d.report.Outcome)), w)...)
	for _, l := range form.Wrap(d.report.Text, w) {
		out = append(out, sc.look.Style(themes.Text).Render(l))
	}
	return out
}

// noAnswer says that an action has not come to an end.
func (sc *scene) noAnswer(asked time.Time) string {
	const slow = 5 * time.Second
	if sc.floor.Ours.Sub(asked) < slow {
		return "Waiting for the platform's answer, for " + sc.floor.Age(sc.look, asked) + " now."
	}
	return "No answer yet, for " + sc.floor.Age(sc.look, asked) + " now. If none comes, it is found out whether it was done."
}

// again reports whether what was filled in may be corrected and sent once more:
// only when the platform is known to have done nothing.
func (d *outcome) again() bool {
	return d.before != nil && d.report != nil &&
		(d.report.Outcome == resource.Rejected || d.report.Outcome == resource.NotSent)
}

// View implements [dialog.Dialog].
func (d *outcome) View(w, h int) []string {
	sc := d.sc
	if !d.again() {
		return d.text.View(d.words(w), 0, 0, w, h)
	}
	out := d.text.View(d.words(w), 0, 0, w, max(h-1, 0))
	return append(out, sc.look.Hints(w, look.Hint{Key: "enter", Does: "correct it"}))[:h]
}

// Update implements [dialog.Dialog].
func (d *outcome) Update(msg tea.Msg) tea.Cmd {
	m := d.board
	switch msg := msg.(type) {
	case reportMsg:
		d.report = &msg.report
		if msg.report.Outcome != resource.Confirmed {
			return nil
		}
		m.dialogs.Close(d)
		if d.order.then != nil {
			return d.order.then()
		}
	case tea.KeyPressMsg:
		if msg.String() != "enter" {
			d.text.Press(msg)
			return nil
		}
		if d.report != nil {
			m.dialogs.Close(d)
		}
		if d.again() {
			cmd := m.dialogs.Open(d.before)
			d.before.Fields.Rewind() // the button must not have the keyboard
			m.dialogs.Mute("enter")
			return cmd
		}
	case tea.MouseWheelMsg:
		d.text.Wheel(msg)
	}
	return nil
}

// outcomeGlyph is the mark of an outcome, one cell wide.
func outcomeGlyph(o resource.Outcome, ascii bool) string {
	switch o {
	case resource.Confirmed:
		return markConfirmed.look(ascii).Glyph
	case resource.Rejected, resource.NotSent:
		return markRejected.look(ascii).Glyph
	case resource.Unknown:
	}
	return markUnconfirmed.look(ascii).Glyph
}
