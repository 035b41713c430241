package actions

import (
	tea "charm.land/bubbletea/v2"

	"wallboard/ui/dialog"
	"wallboard/ui/floor"
	"wallboard/ui/form"
	"wallboard/ui/look"
)

// form opens a form with a button, for what the platform is told to do.
func (o *orders) form(name, button string, fields []form.Field) (*dialog.Form, tea.Cmd) {
	d := dialog.NewForm(o.dialogs, name, button, fields, o.look().Location)
	d.Off = o.controlOff
	return d, o.dialogs.Open(d)
}

// search opens a form that changes nothing.
func (o *orders) search(name, button string, fields []form.Field) (*dialog.Form, tea.Cmd) {
	d := dialog.NewSearch(o.dialogs, name, button, fields, o.look().Location)
	d.Off = o.controlOff
	return d, o.dialogs.Open(d)
}

// controlOff says why nothing can be sent to the platform now, "" when it can.
func (o *orders) controlOff() string {
	why, ok := o.platform.Standing.State()
	if ok {
		return ""
	}
	return "Control is off: " + look.OneLine(why)
}

// askFrom asks whether the platform is to do what was filled in: see orders.send.
func (o *orders) askFrom(d *dialog.Form, what order, q dialog.Question) tea.Cmd {
	if why := o.refusal(what.verb); why != "" {
		return d.Say(why)
	}
	q.Name = d.Title()
	return o.confirm(d, what, q)
}

// confirm asks whether an order is meant, and sends it.
func (o *orders) confirm(before *dialog.Form, what order, q dialog.Question) tea.Cmd {
	if q.Name == "" {
		q.Name = look.Capital(what.verb.Words())
	}
	q.Then = func(bool) tea.Cmd { return o.send(what, before) }
	return o.dialogs.Ask(q)
}

// waiting says what was asked for before and is not done yet, for the dialogs about
// a target; "" is nothing.
func (o *orders) waiting(t floor.Target) string { return o.pending.waiting(o.look(), t) }

// about returns a target as questions about it know it.
func (o *orders) about(t floor.Target) subject { return subject{o, t} }

// subject is the target of a question.
type subject struct {
	do     *orders
	target floor.Target
}

// Gone implements [dialog.Subject].
func (s subject) Gone() string { return s.do.floor.Gone(s.target) }

// Doing implements [dialog.Subject].
func (s subject) Doing() string { return s.do.floor.DoingNow(s.do.look(), s.target) }

// Waiting implements [dialog.Subject].
func (s subject) Waiting() string { return s.do.waiting(s.target) }

func pair(label, value string) dialog.Pair { return dialog.Pair{Label: label, Value: value} }
