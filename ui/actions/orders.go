package actions

import (
	"context"
	"sync/atomic"
	"time"

	tea "charm.land/bubbletea/v2"

	"wallboard/internal/record/analysis"
	"wallboard/internal/words"
	"wallboard/model"
	"wallboard/model/resource"
	"wallboard/themes"
	"wallboard/ui/dialog"
	"wallboard/ui/floorview"
	"wallboard/ui/style"
)

// actionOrder is an action that the viewer has requested.
type actionOrder struct {
	operation    resource.Operation
	target       words.Text       // name of the target: "Anna Rossi", "campaign Spring"
	names        []string         // names and numbers in target; the log omits target if the message of the outcome contains them all; nil: never
	markedTarget floorview.Target // record whose row shows the action; zero: none
	execute      func(context.Context, *Controller) words.ActionReport
	onSuccess    func() tea.Cmd // called after the platform has confirmed the order; may be nil
}

// reportMsg carries the outcome of an order to the dialog that sent the order.
type reportMsg struct{ report words.ActionReport }

// outcomeMsg carries the outcome of an order from the command that carried it out.
type outcomeMsg struct {
	orders       *orderSender
	recordNumber uint64        // number of the order in the log
	sender       dialog.Dialog // dialog that sent the order
	report       words.ActionReport
}

// orderSender sends orders to the platform and stores them with their outcomes in the log of
// actions.
type orderSender struct {
	dialogs     *dialog.Stack
	floor       *floorview.View
	controller  atomic.Pointer[Controller]  // nil on a read-only board; atomic, because commands of dialogs load it
	recordEvent func(model.Event)           // nil: actions are not recorded
	measureFunc func() analysis.EffectsFunc // returns the function that measures effects; nil: not possible

	records loggedActions
	pending pendingMarks
}

// look returns the current look.
func (o *orderSender) look() *style.Look { return o.dialogs.Look() }

// translate returns a text in the language of the viewer.
func (o *orderSender) translate(t words.Text) string { return translate(o.look(), t) }

// translateAll returns texts in the language of the viewer.
func (o *orderSender) translateAll(texts []words.Text) []string {
	out := make([]string, len(texts))
	for i := range texts {
		out[i] = o.translate(texts[i])
	}
	return out
}

// send opens the dialog that sends the order ord and shows its outcome. formDialog is the form of
// the order, or nil. send closes formDialog. If the platform did nothing, the viewer can return to
// the form.
func (o *orderSender) send(ord actionOrder, formDialog *dialog.Form) tea.Cmd {
	if formDialog != nil {
		o.dialogs.Close(formDialog)
	}
	return o.dialogs.Open(&outcomeDialog{orders: o, order: ord, form: formDialog, startedAt: o.dialogs.Now()})
}

// execute adds the order to the log, marks the row of its target as pending, and returns a command
// that carries out the order. [orderSender.handleOutcome] handles the message of that command.
// sender is the dialog that sends the order.
func (o *orderSender) execute(sender dialog.Dialog, ord actionOrder) tea.Cmd {
	ctx, c := o.dialogs.Context(), o.controller.Load()
	execute := ord.execute
	if reason := o.refusal(ord.operation); reason != "" { // the reason may be newer than the check before the question
		execute = func(context.Context, *Controller) words.ActionReport {
			return words.ActionReport{Outcome: resource.OutcomeNotSent, Text: words.Name(reason)}
		}
	}
	record := o.records.add(ord, o.dialogs.Now())
	o.pending.addMark(o.look(), o.floor, ord, record)
	return dialog.RecoverPanic(func() tea.Msg { return outcomeMsg{o, record, sender, execute(ctx, c)} })
}

// Apply implements history.Msg. It stores and shows the outcome.
func (msg outcomeMsg) Apply() tea.Cmd { return msg.orders.handleOutcome(msg) }

// handleOutcome stores the outcome of an order in the log, the recording and the mark, and shows it to the viewer.
func (o *orderSender) handleOutcome(msg outcomeMsg) tea.Cmd {
	clean := func(s string) string { return model.CleanText(style.OneLine(s), model.MaxBody) }
	msg.report.Text, msg.report.Warning = msg.report.Text.MapNames(clean), msg.report.Warning.MapNames(clean)
	finished := o.records.setOutcome(msg.recordNumber, msg.report, o.dialogs.Now())
	ord := finished.order
	if o.recordEvent != nil && ord.operation != "" {
		o.recordEvent(finished.event())
	}
	o.pending.applyOutcome(o.look(), o.floor, msg.recordNumber, msg.report)
	cmds := []tea.Cmd{o.showOutcome(msg, ord)}
	if !msg.report.Warning.IsZero() {
		cmds = append(cmds, o.dialogs.OpenWarning(o.translate(words.ActRequested(words.OperationTitle(ord.operation), ord.target)), o.translate(msg.report.Warning), o.translate(msg.report.Text)))
	}
	return tea.Batch(cmds...)
}

// showOutcome shows the outcome of ord in the dialog that sent the order. If the outcome is
// OutcomeConfirmed or the dialog has been closed, it also shows the outcome in the footer.
func (o *orderSender) showOutcome(msg outcomeMsg, ord actionOrder) tea.Cmd {
	if b, ok := msg.sender.(*batchDialog); ok {
		return b.finish(msg.recordNumber, msg.report)
	}
	cmd, open := o.dialogs.Send(msg.sender, reportMsg{msg.report})
	if !open || msg.report.Outcome == resource.OutcomeConfirmed {
		cmd = tea.Batch(cmd, o.dialogs.ShowMessage(o.translate(outcomeLine(ord, msg.report))))
	}
	return cmd
}

// refusal returns the reason why the operation v is currently impossible, or "" if it is possible.
func (o *orderSender) refusal(v resource.Operation) string {
	switch c := o.controller.Load(); {
	case c == nil:
		return o.translate(words.ActReadOnly())
	case v == "":
		return ""
	default:
		return c.Availability.Refusal(v).In(o.look().Format.Words)
	}
}

// errReadOnly is returned when a dialog reads from the platform on a board without a controller.
var errReadOnly = words.NewError(words.ActReadOnlyReading(), nil)

// withController returns a function that a dialog calls to read from the platform. That function calls
// read with the current controller of the board, because a reload may replace or remove the
// controller while the dialog is open. Without a controller, it returns errReadOnly.
func withController[T any](o *orderSender, read func(context.Context, *Controller) (T, error)) func(context.Context) (T, error) {
	return func(ctx context.Context) (T, error) {
		c := o.controller.Load()
		if c == nil {
			var none T
			return none, errReadOnly
		}
		return read(ctx, c)
	}
}

// refusalOf returns a function that calls [orderSender.refusal] with v.
func (o *orderSender) refusalOf(v resource.Operation) func() string {
	return func() string { return o.refusal(v) }
}

// waitingText returns a message about how long the board has been waiting for the platform's
// answer. startedAt is when the order was sent.
func (o *orderSender) waitingText(startedAt time.Time) words.Text {
	const slow = 5 * time.Second
	age := o.floor.LocalNow.Sub(startedAt)
	if o.dialogs.Now().Sub(startedAt) < slow {
		return words.ActWaiting(age)
	}
	return words.ActNoAnswer(age)
}

// outcomeLine describes the outcome of an order on one line, for the footer.
func outcomeLine(o actionOrder, r words.ActionReport) words.Text {
	text := r.Text
	if text.IsZero() {
		text = words.ActRequested(words.OperationTitle(o.operation), o.target)
	}
	if r.Outcome == resource.OutcomeConfirmed {
		return text
	}
	return words.ActOutcome(outcomeTitle(r.Outcome), text)
}

// outcomeToken returns the theme token for text about an outcome.
func outcomeToken(o resource.Outcome) themes.Token {
	switch o {
	case resource.OutcomeConfirmed:
		return themes.OK
	case resource.OutcomeRejected, resource.OutcomeNotSent:
		return themes.Critical
	case resource.OutcomeUnknown:
	}
	return themes.Warn
}
