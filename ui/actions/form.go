package actions

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"wallboard/internal/words"
	"wallboard/model/resource"
	"wallboard/ui/dialog"
	"wallboard/ui/floorview"
	"wallboard/ui/style"
)

// openForm opens a form whose input is sent as an order. button is the label of the button that
// submits the form.
func (o *orderSender) openForm(name words.Text, button string, fields []dialog.Field) (*dialog.Form, tea.Cmd) {
	d := dialog.NewForm(o.dialogs, o.translate(name), button, fields, o.look().Location)
	d.Problem = o.sendProblem
	return d, o.dialogs.Open(d)
}

// ellipsis returns the label of a button or key after which the board asks for confirmation.
func (o *orderSender) ellipsis(label words.Text) string {
	return o.translate(label) + o.look().Glyphs.Ellipsis
}

// openSearch opens a form whose input is used for a search. button is the label of the button that
// submits the form.
func (o *orderSender) openSearch(name, button words.Text, fields []dialog.Field) (*dialog.Form, tea.Cmd) {
	d := dialog.NewSearch(o.dialogs, o.translate(name), o.translate(button), fields, o.look().Location)
	d.Problem = o.sendProblem
	return d, o.dialogs.Open(d)
}

// sendProblem returns the reason why the board currently cannot send anything to the platform. It
// returns "" if it can.
func (o *orderSender) sendProblem() string {
	c := o.controller.Load()
	if c == nil { // the viewer has lost the right to act since the form was opened
		return o.refusal("")
	}
	reason, ok := c.Availability.State()
	if ok {
		return ""
	}
	return o.translate(words.ActControlOff(style.OneLine(o.translate(reason))))
}

// confirmForm asks q and, if the viewer confirms, sends ord, the order of form d (see
// [orderSender.send]). If the order is not possible now, it shows the reason in the form instead.
func (o *orderSender) confirmForm(d *dialog.Form, ord actionOrder, q dialog.Question) tea.Cmd {
	if reason := o.refusal(ord.operation); reason != "" {
		return d.ShowMessage(reason)
	}
	q.Name = d.Title()
	return o.confirm(d, ord, q)
}

// recordForm describes a form for changing or creating a record of the configuration service.
type recordForm[T any] struct {
	title, button words.Text
	fields        []dialog.Field
	fromForm      func(f *dialog.Fields, before T) T // returns a copy of before with the changes that the viewer made
	unchanged     words.Text                         // message if the viewer submits no changes; zero: such a form is sent
	question      words.Text
	operation     resource.Operation
	target        func(after T) words.Text
	execute       func(ctx context.Context, c *Controller, after T) words.ActionReport
	onSuccess     func() tea.Cmd // called after the record was sent successfully; may be nil
}

// openRecordForm opens a form for the record before, which is empty for a new record. The viewer
// confirms the changes before the board sends them.
func openRecordForm[T any](o *orderSender, before T, f recordForm[T]) tea.Cmd {
	d, cmd := o.openForm(f.title, o.ellipsis(f.button), f.fields)
	d.OnSubmit = func() tea.Cmd {
		after := f.fromForm(d.Fields, before)
		diff := resource.Diff(before, after)
		if len(diff) == 0 && !f.unchanged.IsZero() {
			return d.ShowMessage(o.translate(f.unchanged))
		}
		return o.confirmForm(d, actionOrder{
			operation: f.operation, target: f.target(after), onSuccess: f.onSuccess,
			execute: func(ctx context.Context, c *Controller) words.ActionReport { return f.execute(ctx, c, after) },
		}, dialog.Question{Text: o.translate(f.question), Lines: changeLines(o.look(), diff), YesLabel: o.translate(f.button)})
	}
	return cmd
}

// confirm asks q and, if the viewer confirms, sends the order ord. formDialog is the form of the
// order, or nil.
func (o *orderSender) confirm(formDialog *dialog.Form, ord actionOrder, q dialog.Question) tea.Cmd {
	if q.Name == "" {
		q.Name = o.translate(words.OperationTitle(ord.operation))
	}
	q.OnYes = func(bool) tea.Cmd { return o.send(ord, formDialog) }
	return o.dialogs.OpenQuestionDialog(q)
}

// pendingText describes the last action on a target while its effect is pending. Otherwise it
// returns "".
func (o *orderSender) pendingText(t floorview.Target) string {
	return o.pending.pendingText(o.look(), t)
}

// questionSubject returns the subject of a question about the target t.
func (o *orderSender) questionSubject(t floorview.Target) subject { return subject{o, t} }

// subject describes the target of an action in the question that confirms the action.
type subject struct {
	orders *orderSender
	target floorview.Target
}

// MissingReason implements [dialog.Subject].
func (s subject) MissingReason() string { return s.orders.floor.MissingReason(s.target) }

// State implements [dialog.Subject].
func (s subject) State() string { return s.orders.floor.CurrentState(s.orders.look(), s.target) }

// PendingText implements [dialog.Subject].
func (s subject) PendingText() string { return s.orders.pendingText(s.target) }
