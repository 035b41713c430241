package actions

import (
	tea "charm.land/bubbletea/v2"

	"wallboard/ui/dialog"
	"wallboard/ui/snapshot"
	"wallboard/ui/style"
)

// openForm opens a form for an order.
func (o *orderSender) openForm(name, button string, fields []dialog.Field) (*dialog.Form, tea.Cmd) {
	d := dialog.NewForm(o.dialogs, name, button, fields, o.look().Location)
	d.Problem = o.sendProblem
	return d, o.dialogs.Open(d)
}

// openSearch opens a form for a search.
func (o *orderSender) openSearch(name, button string, fields []dialog.Field) (*dialog.Form, tea.Cmd) {
	d := dialog.NewSearch(o.dialogs, name, button, fields, o.look().Location)
	d.Problem = o.sendProblem
	return d, o.dialogs.Open(d)
}

// sendProblem returns the reason why nothing can be sent to the platform, or "".
func (o *orderSender) sendProblem() string {
	reason, ok := o.controller.Availability.State()
	if ok {
		return ""
	}
	return "Control is off: " + style.OneLine(reason)
}

// confirmForm asks for confirmation and sends the order of a form, see [orderSender.send]. If the order is
// refused, it shows the reason in the form.
func (o *orderSender) confirmForm(d *dialog.Form, ord order, q dialog.Question) tea.Cmd {
	if reason := o.refusal(ord.operation); reason != "" {
		return d.Say(reason)
	}
	q.Name = d.Title()
	return o.confirm(d, ord, q)
}

// confirm asks for confirmation and sends an order. formDialog is nil if there is no form.
func (o *orderSender) confirm(formDialog *dialog.Form, ord order, q dialog.Question) tea.Cmd {
	if q.Name == "" {
		q.Name = style.Capitalize(ord.operation.Description())
	}
	q.OnYes = func(bool) tea.Cmd { return o.send(ord, formDialog) }
	return o.dialogs.Ask(q)
}

// pendingText returns a text about an earlier action on a target that is still pending, or "".
func (o *orderSender) pendingText(t snapshot.Target) string {
	return o.pending.pendingText(o.look(), t)
}

// subjectOf returns a target as the subject of a question.
func (o *orderSender) subjectOf(t snapshot.Target) subject { return subject{o, t} }

// subject is the target of a question as a [dialog.Subject].
type subject struct {
	orders *orderSender
	target snapshot.Target
}

// MissingReason implements [dialog.Subject].
func (s subject) MissingReason() string { return s.orders.floor.MissingReason(s.target) }

// State implements [dialog.Subject].
func (s subject) State() string { return s.orders.floor.CurrentState(s.orders.look(), s.target) }

// PendingText implements [dialog.Subject].
func (s subject) PendingText() string { return s.orders.pendingText(s.target) }

func pair(label, value string) dialog.Pair { return dialog.Pair{Label: label, Value: value} }
