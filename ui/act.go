package ui

import (
	"context"
	"strings"

	tea "charm.land/bubbletea/v2"

	"wallboard/model"
	"wallboard/model/resource"
	"wallboard/themes"
	"wallboard/ui/dialog"
	"wallboard/ui/floor"
	"wallboard/ui/task"
)

// order is an action that a supervisor has asked for.
type order struct {
	verb   resource.Verb
	target string       // on whom or what, by name: "Anna Rossi", "campaign Spring"
	about  floor.Target // whose row shows that it is under way; the zero target: none
	do     func(context.Context, Controller) resource.Report
	then   func() tea.Cmd // when it was done, see outcome; nil: nothing
}

// reportMsg brings the dialog that gave an order its outcome.
type reportMsg struct{ report resource.Report }

// actedMsg brings the board the outcome of an order.
type actedMsg struct {
	deed   uint64        // of the log
	from   dialog.Dialog // that gave the order
	report resource.Report
}

// act carries an order out. Its outcome reaches the log of actions, and the
// dialog d as a reportMsg if that is still open; else the footer tells it.
func (m *Model) act(d dialog.Dialog, o order) tea.Cmd {
	sc := m.scene
	ctx, c := sc.Context, sc.Controller
	do := o.do
	if why := sc.refusal(o.verb); why != "" { // it may have come since the key was pressed
		do = func(context.Context, Controller) resource.Report {
			return resource.Report{Outcome: resource.NotSent, Text: why}
		}
	}
	deed := m.deeds.begin(o, sc.floor.Ours)
	m.marks.begin(sc, o, deed)
	m.touch()
	return task.Guard(func() tea.Msg { return actedMsg{deed, d, do(ctx, c)} })
}

// acted takes an outcome down, and tells who wants to know.
func (m *Model) acted(msg actedMsg) tea.Cmd {
	m.touch()
	msg.report.Text = model.CleanText(oneLine(msg.report.Text), model.MaxBody)
	msg.report.Warning = model.CleanText(oneLine(msg.report.Warning), model.MaxBody)
	o := m.deeds.end(msg.deed, msg.report, m.scene.floor.Ours)
	m.marks.end(m.scene, msg.deed, msg.report)
	m.closeMoot()
	cmd, open := m.dialogs.Tell(msg.from, reportMsg{msg.report})
	cmds := []tea.Cmd{cmd}
	if !open || msg.report.Outcome == resource.Confirmed {
		cmds = append(cmds, m.say(told(o, msg.report)))
	}
	if msg.report.Warning != "" {
		cmds = append(cmds, m.dialogs.Warn(capital(verbName(o.verb))+": "+o.target, msg.report.Warning, msg.report.Text))
	}
	return tea.Batch(cmds...)
}

// told is an outcome in one line.
func told(o order, r resource.Report) string {
	text := r.Text
	if text == "" {
		text = capital(verbName(o.verb)) + " of " + o.target
	}
	if r.Outcome == resource.Confirmed {
		return text
	}
	return capital(outcomeWord(r.Outcome)) + ": " + text
}

// outcomeWord is what an outcome is called. What is unknown is never called a
// failure.
func outcomeWord(o resource.Outcome) string {
	switch o {
	case resource.Confirmed:
		return "done"
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

// refusal says why an action cannot be taken now, "" when it can.
func (sc *scene) refusal(v resource.Verb) string {
	switch {
	case sc.Controller == nil:
		return "This board can only look."
	case v == "":
		return ""
	}
	return sc.Controller.Refusal(v)
}

// verbName is what an action is called, in the words of its form.
func verbName(v resource.Verb) string {
	if v == resource.VerbSendSMS {
		return "send a text message"
	}
	return strings.ReplaceAll(strings.Replace(string(v), "update-", "edit-", 1), "-", " ")
}

// refused returns what says why an action cannot be taken now.
func (m *Model) refused(v resource.Verb) func() string {
	return func() string { return m.scene.refusal(v) }
}
