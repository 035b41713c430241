package actions

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"wallboard/internal/phrases"
	"wallboard/internal/record/analysis"
	"wallboard/model"
	"wallboard/model/resource"
	"wallboard/themes"
	"wallboard/ui/dialog"
	"wallboard/ui/snapshot"
	"wallboard/ui/style"
)

// order is an action that the viewer has requested, with the function that carries it out.
type order struct {
	operation    resource.Operation
	target       string          // name of the target: "Anna Rossi", "campaign Spring"
	markedTarget snapshot.Target // record whose row shows the action; zero: none
	execute      func(context.Context, *Controller) resource.Report
	onSuccess    func() tea.Cmd // called after the platform has confirmed the order; may be nil
}

// reportMsg carries the outcome of an order to the dialog that sent the order.
type reportMsg struct{ report resource.Report }

// OutcomeMsg carries the outcome of an order to the board.
type OutcomeMsg struct {
	recordNumber uint64        // number of the order in the log
	sender       dialog.Dialog // dialog that sent the order
	report       resource.Report
}

// orderSender sends orders to the platform, and keeps them with their outcomes in the log.
type orderSender struct {
	dialogs     *dialog.Stack
	floor       *snapshot.View
	controller  *Controller                 // nil: read-only
	recordEvent func(model.Event)           // nil: actions are not recorded
	measure     func() analysis.MeasureFunc // returns the function that measures effects; nil: not possible

	records records
	pending pendingMarks
}

// look returns the current look.
func (o *orderSender) look() *style.Look { return o.dialogs.Look() }

// send opens the dialog that sends an order and shows its outcome. The dialog replaces formDialog,
// the form that the order comes from, or nil. If the platform did nothing, the viewer can return to
// the form.
func (o *orderSender) send(ord order, formDialog *dialog.Form) tea.Cmd {
	if formDialog != nil {
		o.dialogs.Close(formDialog)
	}
	return o.dialogs.Open(&outcomeDialog{orders: o, order: ord, form: formDialog, startedAt: o.dialogs.Now()})
}

// execute returns the command that carries out an order. The outcome is stored in the log, and sent
// to sender as a reportMsg. If sender has been closed, the outcome is shown in the footer.
func (o *orderSender) execute(sender dialog.Dialog, ord order) tea.Cmd {
	ctx, c := o.dialogs.Context(), o.controller
	execute := ord.execute
	if reason := o.refusal(ord.operation); reason != "" { // a new reason may have come up since the viewer pressed the key
		execute = func(context.Context, *Controller) resource.Report {
			return resource.Report{Outcome: resource.NotSent, Text: reason}
		}
	}
	record := o.records.add(ord, o.dialogs.Now())
	o.pending.addMark(o.look(), o.floor, ord, record)
	return dialog.Guard(func() tea.Msg { return OutcomeMsg{record, sender, execute(ctx, c)} })
}

// handleOutcome stores the outcome of an order and shows it.
func (o *orderSender) handleOutcome(msg OutcomeMsg) tea.Cmd {
	msg.report.Text = model.CleanText(style.OneLine(msg.report.Text), model.MaxBody)
	msg.report.Warning = model.CleanText(style.OneLine(msg.report.Warning), model.MaxBody)
	finished := o.records.setOutcome(msg.recordNumber, msg.report, o.dialogs.Now())
	ord := finished.order
	if o.recordEvent != nil && ord.operation != "" {
		o.recordEvent(finished.event())
	}
	o.pending.applyOutcome(o.look(), o.floor, msg.recordNumber, msg.report)
	o.dialogs.CloseEmptyQuestions()
	cmds := []tea.Cmd{o.showOutcome(msg, ord)}
	if msg.report.Warning != "" {
		cmds = append(cmds, o.dialogs.Warn(phrases.Capital(ord.operation.Description())+": "+ord.target, msg.report.Warning, msg.report.Text))
	}
	return tea.Batch(cmds...)
}

// showOutcome shows the outcome of ord in the dialog that sent it. If the outcome is Confirmed, or
// if the dialog has been closed, it is shown in the footer.
func (o *orderSender) showOutcome(msg OutcomeMsg, ord order) tea.Cmd {
	if b, ok := msg.sender.(*batchDialog); ok {
		return b.finish(msg.recordNumber, msg.report)
	}
	cmd, open := o.dialogs.Send(msg.sender, reportMsg{msg.report})
	if !open || msg.report.Outcome == resource.Confirmed {
		cmd = tea.Batch(cmd, o.dialogs.Say(outcomeLine(ord, msg.report)))
	}
	return cmd
}

// refusal returns the reason why an action is currently impossible, or "".
func (o *orderSender) refusal(v resource.Operation) string {
	switch {
	case o.controller == nil:
		return "This board is for looking only: nothing can be done from it."
	case v == "":
		return ""
	}
	return o.controller.Availability.Refusal(v)
}

// refusalOf returns a function that returns [orderSender.refusal] for v.
func (o *orderSender) refusalOf(v resource.Operation) func() string {
	return func() string { return o.refusal(v) }
}

// waitingText returns a sentence that says how long the platform's answer to an action has been
// missing.
func (o *orderSender) waitingText(startedAt time.Time) string {
	const slow = 5 * time.Second
	age := o.floor.AgeText(o.look(), startedAt)
	if o.dialogs.Now().Sub(startedAt) < slow {
		return "Waiting for the platform's answer, for " + age + " now."
	}
	return "No answer yet, for " + age + " now. If none comes, it is found out whether it was done."
}

// outcomeLine returns a description of an outcome for the footer.
func outcomeLine(o order, r resource.Report) string {
	text := r.Text
	if text == "" {
		text = phrases.Capital(o.operation.Description()) + " of " + o.target
	}
	if r.Outcome == resource.Confirmed {
		return text
	}
	return phrases.Capital(outcomeWord(r.Outcome)) + ": " + text
}

// outcomeWord returns the word for an outcome. An unknown outcome is never called a failure.
func outcomeWord(o resource.Outcome) string {
	switch o {
	case resource.Confirmed:
		return "confirmed"
	case resource.Rejected:
		return "rejected"
	case resource.NotSent:
		return "not sent"
	case resource.Unknown:
	}
	return "not known whether it happened"
}

// outcomeToken returns the token for text about an outcome.
func outcomeToken(o resource.Outcome) themes.Token {
	switch o {
	case resource.Confirmed:
		return themes.OK
	case resource.Rejected, resource.NotSent:
		return themes.Critical
	case resource.Unknown:
	}
	return themes.Warn
}
