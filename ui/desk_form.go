package ui

import (
	tea "charm.land/bubbletea/v2"

	"wallboard/ui/dialog"
	"wallboard/ui/floor"
	"wallboard/ui/form"
)

// openForm opens a form with a button, for what the platform is told to do.
func openForm(m *Model, name, button string, fields []form.Field) (*dialog.Form, tea.Cmd) {
	d := dialog.NewForm(m.dialogs, name, button, fields, m.scene.Location)
	d.Off = m.controlOff
	return d, m.dialogs.Open(d)
}

// openSearch opens a form that changes nothing.
func openSearch(m *Model, name, button string, fields []form.Field) (*dialog.Form, tea.Cmd) {
	d := dialog.NewSearch(m.dialogs, name, button, fields, m.scene.Location)
	d.Off = m.controlOff
	return d, m.dialogs.Open(d)
}

// controlOff says why nothing can be sent to the platform now, "" when it can.
func (m *Model) controlOff() string {
	why, ok := m.scene.Controller.State()
	if ok {
		return ""
	}
	return "Control is off: " + oneLine(why)
}

// askFrom asks whether the platform is to do what was filled in: see [Model.send].
func (m *Model) askFrom(d *dialog.Form, o order, q dialog.Question) tea.Cmd {
	if why := m.scene.refusal(o.verb); why != "" {
		return d.Say(why)
	}
	q.Name = d.Title()
	return m.confirm(d, o, q)
}

// confirm asks whether an order is meant, and sends it.
func (m *Model) confirm(before *dialog.Form, o order, q dialog.Question) tea.Cmd {
	if q.Name == "" {
		q.Name = capital(verbName(o.verb))
	}
	q.Then = func(bool) tea.Cmd { return m.send(o, before) }
	return m.dialogs.Ask(q)
}

// subject is the target of a question.
type subject struct {
	board  *Model
	target floor.Target
}

// about returns a target as questions about it know it.
func (m *Model) about(t floor.Target) subject { return subject{m, t} }

// Gone implements [dialog.Subject].
func (s subject) Gone() string { return s.board.scene.floor.Gone(s.target) }

// Doing implements [dialog.Subject].
func (s subject) Doing() string { return s.board.scene.floor.DoingNow(s.board.scene.look, s.target) }

// Waiting implements [dialog.Subject].
func (s subject) Waiting() string { return s.board.marks.waiting(s.board.scene, s.target) }

func pair(label, value string) dialog.Pair { return dialog.Pair{Label: label, Value: value} }
