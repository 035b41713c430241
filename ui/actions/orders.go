package actions

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"wallboard/model"
	"wallboard/model/resource"
	"wallboard/recount"
	"wallboard/themes"
	"wallboard/ui/dialog"
	"wallboard/ui/floor"
	"wallboard/ui/look"
	"wallboard/ui/task"
)

// order is an action that a supervisor has asked for.
type order struct {
	verb   resource.Operation
	target string       // on whom or what, by name: "Anna Rossi", "campaign Spring"
	about  floor.Target // whose row shows that it is under way; the zero target: none
	do     func(context.Context, *Controller) resource.Report
	then   func() tea.Cmd // when it was done, see outcome; nil: nothing
}

// reportMsg brings the dialog that gave an order its outcome.
type reportMsg struct{ report resource.Report }

// DoneMsg brings the board the outcome of an order.
type DoneMsg struct {
	record uint64        // of the log
	from   dialog.Dialog // that gave the order
	report resource.Report
}

// orders carries out what a supervisor has asked for, and keeps what became of it.
type orders struct {
	dialogs  *dialog.Stack
	floor    *floor.View
	platform *Controller            // nil: the board can only look
	noted    func(model.Event)      // nil: nobody records what is done
	measure  func() recount.Measure // what came of what was done; nil: nobody knows

	records records
	pending pending
}

// look is how the board draws now.
func (o *orders) look() *look.Look { return o.dialogs.Look() }

// send carries an order out in place of the form it was given in, which comes back
// only when the platform did nothing; nil: it was given in none.
func (o *orders) send(what order, before *dialog.Form) tea.Cmd {
	if before != nil {
		o.dialogs.Close(before)
	}
	return o.dialogs.Open(&outcome{do: o, order: what, before: before, asked: o.dialogs.Now()})
}

// carry carries an order out. Its outcome reaches the log of actions, and the
// dialog it was given in as a reportMsg if that is still open; else the footer
// tells it.
func (o *orders) carry(from dialog.Dialog, what order) tea.Cmd {
	ctx, c := o.dialogs.Context(), o.platform
	do := what.do
	if why := o.refusal(what.verb); why != "" { // it may have come since the key was pressed
		do = func(context.Context, *Controller) resource.Report {
			return resource.Report{Outcome: resource.NotSent, Text: why}
		}
	}
	record := o.records.begin(what, o.dialogs.Now())
	o.pending.begin(o.look(), o.floor, what, record)
	return task.Guard(func() tea.Msg { return DoneMsg{record, from, do(ctx, c)} })
}

// done takes an outcome down, and tells who wants to know.
func (o *orders) done(msg DoneMsg) tea.Cmd {
	msg.report.Text = model.CleanText(look.OneLine(msg.report.Text), model.MaxBody)
	msg.report.Warning = model.CleanText(look.OneLine(msg.report.Warning), model.MaxBody)
	done := o.records.end(msg.record, msg.report, o.dialogs.Now())
	what := done.order
	if o.noted != nil && what.verb != "" {
		o.noted(done.event())
	}
	o.pending.end(o.look(), o.floor, msg.record, msg.report)
	o.dialogs.CloseMoot()
	cmd, open := o.dialogs.Tell(msg.from, reportMsg{msg.report})
	cmds := []tea.Cmd{cmd}
	if !open || msg.report.Outcome == resource.Confirmed {
		cmds = append(cmds, o.dialogs.Say(told(what, msg.report)))
	}
	if msg.report.Warning != "" {
		cmds = append(cmds, o.dialogs.Warn(look.Capital(what.verb.Words())+": "+what.target, msg.report.Warning, msg.report.Text))
	}
	return tea.Batch(cmds...)
}

// refusal says why an action cannot be taken now, "" when it can.
func (o *orders) refusal(v resource.Operation) string {
	switch {
	case o.platform == nil:
		return "This board is for looking only: nothing can be done from it."
	case v == "":
		return ""
	}
	return o.platform.Standing.Refusal(v)
}

// refused returns what says why an action cannot be taken now.
func (o *orders) refused(v resource.Operation) func() string {
	return func() string { return o.refusal(v) }
}

// noAnswer says that an action has not come to an end.
func (o *orders) noAnswer(asked time.Time) string {
	const slow = 5 * time.Second
	age := o.floor.Age(o.look(), asked)
	if o.dialogs.Now().Sub(asked) < slow {
		return "Waiting for the platform's answer, for " + age + " now."
	}
	return "No answer yet, for " + age + " now. If none comes, it is found out whether it was done."
}

// told is an outcome in one line.
func told(o order, r resource.Report) string {
	text := r.Text
	if text == "" {
		text = look.Capital(o.verb.Words()) + " of " + o.target
	}
	if r.Outcome == resource.Confirmed {
		return text
	}
	return look.Capital(outcomeWord(r.Outcome)) + ": " + text
}

// outcomeWord is what an outcome is called. What is unknown is never called a
// failure.
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

// outcomeToken is what an outcome is drawn with.
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
