package replay

import (
	"context"
	"errors"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"wallboard/internal/alert"
	"wallboard/internal/alert/backtest"
	"wallboard/internal/phrases"
	"wallboard/model"
	"wallboard/themes"
	"wallboard/ui/dialog"
	"wallboard/ui/style"
)

// ruleReportSpan is the length of the part of the recording that the rule report covers. The
// command `wallboard alerts report` covers more.
const ruleReportSpan = 8 * time.Hour

// RuleReportCommands returns the palette command that opens the rule report. It returns nil if
// there is no recording.
func (b *BoardArchive) RuleReportCommands(dialogs *dialog.Stack) []dialog.Command {
	if b.Engine == nil || !b.hasRecording() {
		return nil
	}
	return []dialog.Command{{
		Name: "which alert rules were useful", Keywords: "rules: what each has been worth alerts school report fired false alarms threshold level proposal",
		Run: func() tea.Cmd { return b.openRuleReport(dialogs) },
	}}
}

// openRuleReport opens a dialog with a report on how useful each alert rule was in the last hours.
func (b *BoardArchive) openRuleReport(dialogs *dialog.Stack) tea.Cmd {
	open, to, newEngine := b.recordingOpener(), b.Floor.Now(), b.Engine
	takenOver := slices.Concat(b.Alerts.Active(), b.Alerts.History())
	return dialogs.Open(&dialog.Sheet[backtest.RuleReport]{
		Dialogs: dialogs, Name: "Which alert rules were useful", EmptyText: "No rules.",
		Read: func(ctx context.Context) (rep backtest.RuleReport, err error) {
			engine, err := newEngine()
			if err != nil {
				return rep, err
			}
			rep, err = withRecording(open, func(recording Recording) (backtest.RuleReport, error) {
				return backtest.Evaluate(ctx, recording.Through(to.Add(-ruleReportSpan), to, backtest.Step, alert.Tables()...), engine, backtest.EvaluateOptions{TakenAlerts: takenOver, Marks: recording.Marks()})
			})
			if err == nil && rep.From.IsZero() {
				err = errors.New("the last hours are not recorded")
			}
			return rep, err
		},
		Draw: ruleReportLines,
	})
}

// ruleReportLines returns the lines of the report. Rules that have not fired are only counted.
func ruleReportLines(lk *style.Look, rep backtest.RuleReport, w int) []dialog.Line {
	var out []dialog.Line
	say := func(t themes.Token, text string) {
		for _, l := range lk.Wrap(t, text, w) {
			out = append(out, dialog.Line{Text: l})
		}
	}
	clock := func(t time.Time) string { return phrases.Clock(t, lk.Zone()) }
	say(themes.Dim, "The current rules, applied to the recording from "+clock(rep.From)+" to "+clock(rep.To)+". A miss is a quarter of an hour in which "+
		"a service did not reach its level: there were "+lk.Count(rep.Misses)+".")
	out = append(out, dialog.Line{})
	head := style.NewLine(w, lk.Glyphs.Ellipsis).Add(lk.Style(themes.Header), ruleReportRow(w, "rule", "fired", "taken", "itself", "<2 min", "in time"))
	out = append(out, dialog.Line{Text: head.End(themes.Style{})})
	silent, held := 0, 0
	for i := range rep.Rules {
		r := &rep.Rules[i]
		held += r.HeldBack
		if r.Fired == 0 {
			silent++
			continue
		}
		previous := string(lk.Format.Unknown(nil))
		if r.Judged {
			previous = lk.Count(r.BeforeMiss)
		}
		text := ruleReportRow(w, r.Name+" ("+string(r.Scope)+")", lk.Count(r.Fired), lk.Count(r.TakenOver), lk.Count(r.WithoutAck), lk.Count(r.Quick), previous)
		out = append(out, dialog.Line{Text: style.NewLine(w, lk.Glyphs.Ellipsis).Add(lk.Style(themes.Text), text).End(themes.Style{})})
		level := func(v float64, format alert.Format) string {
			return string(lk.Format.KPI(nil, format.Unit(), model.FigureOf(v)))
		}
		if p := r.Proposal.Words(level); p != "" {
			for _, l := range lk.Wrap(themes.Accent, p, max(w-3, 1)) {
				out = append(out, dialog.Line{Text: style.Blanks(3) + l})
			}
		}
	}
	if silent > 0 {
		out = append(out, dialog.Line{})
		say(themes.Dim, lk.Count(silent)+" more did not fire. In time is before a miss. Taken over is what the recording and the boards of this machine know of; by itself is what ended without.")
	}
	if held > 0 {
		say(themes.Dim, lk.Count(held)+" alerts are not counted: boards held them back, because they ended before anyone had to act.")
	}
	return out
}

// ruleReportRow returns a line with the name and the figures of a rule in columns.
func ruleReportRow(w int, name string, figures ...string) string {
	const figure = 10
	wide := min(figure, max((w-16)/len(figures), 6))
	text := style.Fit(name, max(w-wide*len(figures), 1), "…")
	for _, f := range figures {
		text += style.PadLeft(style.Fit(f, min(style.Width(f), wide-1), ""), wide)
	}
	return text
}
