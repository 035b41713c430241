package actions

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"wallboard/internal/record/analysis"
	"wallboard/model"
	"wallboard/model/resource"
	"wallboard/themes"
	"wallboard/ui/dialog"
	"wallboard/ui/snapshot"
	"wallboard/ui/style"
)

// order is an action that the viewer has requested.
type order struct {
	verb   resource.Operation
	target string          // target, by name: "Anna Rossi", "campaign Spring"
	about  snapshot.Target // row that is marked; zero: none
	do     func(context.Context, *Controller) resource.Report
	then   func() tea.Cmd // runs after success, see outcome; nil: nothing
}

// reportMsg carries the outcome to the dialog that sent the order.
type reportMsg struct{ report resource.Report }

// DoneMsg carries the outcome to the board.
type DoneMsg struct {
	record uint64        // number in the log
	from   dialog.Dialog // that sent the order
	report resource.Report
}

// orders sends orders to the platform and keeps their outcomes.
type orders struct {
	dialogs  *dialog.Stack
	floor    *snapshot.View
	platform *Controller             // nil: read-only
	noted    func(model.Event)       // nil: actions are not recorded
	measure  func() analysis.Measure // measures effects; nil: not possible

	records records
	pending pending
}

// look returns the current look.
func (o *orders) look() *style.Look { return o.dialogs.Look() }

// send sends an order and replaces its form by the outcome. The form returns only if the
// platform did nothing. before is nil without a form.
func (o *orders) send(what order, before *dialog.Form) tea.Cmd {
	if before != nil {
		o.dialogs.Close(before)
	}
	return o.dialogs.Open(&outcome{do: o, order: what, before: before, asked: o.dialogs.Now()})
}

// carry sends an order. The outcome goes to the log of actions, and to the dialog as a
// reportMsg if it is still open, else to the footer.
func (o *orders) carry(from dialog.Dialog, what order) tea.Cmd {
	ctx, c := o.dialogs.Context(), o.platform
	do := what.do
	if why := o.refusal(what.verb); why != "" { // may have changed since the key was pressed
		do = func(context.Context, *Controller) resource.Report {
			return resource.Report{Outcome: resource.NotSent, Text: why}
		}
	}
	record := o.records.begin(what, o.dialogs.Now())
	o.pending.begin(o.look(), o.floor, what, record)
	return dialog.Guard(func() tea.Msg { return DoneMsg{record, from, do(ctx, c)} })
}

// done stores an outcome and shows it.
func (o *orders) done(msg DoneMsg) tea.Cmd {
	msg.report.Text = model.CleanText(style.OneLine(msg.report.Text), model.MaxBody)
	msg.report.Warning = model.CleanText(style.OneLine(msg.report.Warning), model.MaxBody)
	done := o.records.end(msg.record, msg.report, o.dialogs.Now())
	what := done.order
	if o.noted != nil && what.verb != "" {
		o.noted(done.event())
	}
	o.pending.end(o.look(), o.floor, msg.record, msg.report)
	o.dialogs.CloseEmptyQuestions()
	cmd, open := o.dialogs.Tell(msg.from, reportMsg{msg.report})
	cmds := []tea.Cmd{cmd}
	if !open || msg.report.Outcome == resource.Confirmed {
		cmds = append(cmds, o.dialogs.Say(told(what, msg.report)))
	}
	if msg.report.Warning != "" {
		cmds = append(cmds, o.dialogs.Warn(style.Capitalize(what.verb.Words())+": "+what.target, msg.report.Warning, msg.report.Text))
	}
	return tea.Batch(cmds...)
}

// refusal returns why an action is currently impossible, or "".
func (o *orders) refusal(v resource.Operation) string {
	switch {
	case o.platform == nil:
		return "This board is for looking only: nothing can be done from it."
	case v == "":
		return ""
	}
	return o.platform.Standing.Refusal(v)
}

// refused returns a function that returns [orders.refusal].
func (o *orders) refused(v resource.Operation) func() string {
	return func() string { return o.refusal(v) }
}

// noAnswer describes how long an action has been running.
func (o *orders) noAnswer(asked time.Time) string {
	const slow = 5 * time.Second
	age := o.floor.Age(o.look(), asked)
	if o.dialogs.Now().Sub(asked) < slow {
		return "Waiting for the platform's answer, for " + age + " now."
	}
	return "No answer yet, for " + age + " now. If none comes, it is found out whether it was done."
}

// told describes an outcome in a line.
func told(o order, r resource.Report) string {
	text := r.Text
	if text == "" {
		text = style.Capitalize(o.verb.Words()) + " of " + o.target
	}
	if r.Outcome == resource.Confirmed {
		return text
	}
	return style.Capitalize(outcomeWord(r.Outcome)) + ": " + text
}

// outcomeWord returns the name of an outcome. An unknown outcome is never called a failure.
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

// outcomeToken returns the color of an outcome.
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
