package actions

import (
	tea "charm.land/bubbletea/v2"

	"wallboard/ui/dialog"
	"wallboard/ui/form"
	"wallboard/ui/snapshot"
	"wallboard/ui/style"
)

// form opens a form whose button sends an order.
func (o *orders) form(name, button string, fields []form.Field) (*dialog.Form, tea.Cmd) {
	d := dialog.NewForm(o.dialogs, name, button, fields, o.look().Location)
	d.Off = o.controlOff
	return d, o.dialogs.Open(d)
}

// search opens a form that only reads.
func (o *orders) search(name, button string, fields []form.Field) (*dialog.Form, tea.Cmd) {
	d := dialog.NewSearch(o.dialogs, name, button, fields, o.look().Location)
	d.Off = o.controlOff
	return d, o.dialogs.Open(d)
}

// controlOff returns why nothing can be sent to the platform, or "".
func (o *orders) controlOff() string {
	why, ok := o.platform.Standing.State()
	if ok {
		return ""
	}
	return "Control is off: " + style.OneLine(why)
}

// askFrom asks for confirmation and sends the order of a form; see [orders.send].
func (o *orders) askFrom(d *dialog.Form, what order, q dialog.Question) tea.Cmd {
	if why := o.refusal(what.verb); why != "" {
		return d.Say(why)
	}
	q.Name = d.Title()
	return o.confirm(d, what, q)
}

// confirm asks for confirmation and sends an order.
func (o *orders) confirm(before *dialog.Form, what order, q dialog.Question) tea.Cmd {
	if q.Name == "" {
		q.Name = style.Capitalize(what.verb.Words())
	}
	q.Then = func(bool) tea.Cmd { return o.send(what, before) }
	return o.dialogs.Ask(q)
}

// waiting returns which earlier action on a target is still open, for dialogs; "" for none.
func (o *orders) waiting(t snapshot.Target) string { return o.pending.waiting(o.look(), t) }

// about returns a target as the subject of a question.
func (o *orders) about(t snapshot.Target) subject { return subject{o, t} }

// subject is the target of a question.
type subject struct {
	do     *orders
	target snapshot.Target
}

// Gone implements [dialog.Subject].
func (s subject) Gone() string { return s.do.floor.Gone(s.target) }

// Doing implements [dialog.Subject].
func (s subject) Doing() string { return s.do.floor.CurrentState(s.do.look(), s.target) }

// Waiting implements [dialog.Subject].
func (s subject) Waiting() string { return s.do.waiting(s.target) }

func pair(label, value string) dialog.Pair { return dialog.Pair{Label: label, Value: value} }
