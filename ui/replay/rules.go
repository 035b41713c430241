package replay

import (
	"context"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"wallboard/internal/alert"
	"wallboard/internal/alert/backtest"
	"wallboard/internal/words"
	"wallboard/model"
	"wallboard/themes"
	"wallboard/ui/dialog"
	"wallboard/ui/render"
	"wallboard/ui/style"
)

// ruleReportSpan is the length of the part of the recording that the rule report covers. The
// command `wallboard alerts report` covers more.
const ruleReportSpan = 8 * time.Hour

// RuleReportCommands returns the palette command that opens the rule report. It returns nil if there is no
// recording, or no engine to evaluate it.
func (b *BoardArchive) RuleReportCommands(dialogs *dialog.Stack) []dialog.Command {
	if b.Engine == nil || !b.hasRecording() {
		return nil
	}
	return []dialog.Command{{
		Name: b.Look.Translate(words.ReplayCommandRules()), Keywords: b.Look.Translate(words.ReplayCommandRulesWords()),
		Run: func() tea.Cmd { return b.openRuleReport(dialogs) },
	}}
}

// openRuleReport opens a dialog with a report on how useful each alert rule was in the last hours.
func (b *BoardArchive) openRuleReport(dialogs *dialog.Stack) tea.Cmd {
	open, to, newEngine := b.recordingOpener(), b.Floor.Now(), b.Engine
	takenOver := slices.Concat(b.Alerts.Active(), b.Alerts.History())
	return dialogs.Open(&dialog.Sheet[backtest.RuleReport]{
		Dialogs: dialogs, Name: b.Look.Translate(words.ReplayRulesTitle()), EmptyText: b.Look.Translate(words.ReplayRulesNone()),
		Read: func(ctx context.Context) (rep backtest.RuleReport, err error) {
			engine, err := newEngine()
			if err != nil {
				return rep, err
			}
			rep, err = withRecording(open, func(recording Recording) (backtest.RuleReport, error) {
				return backtest.Evaluate(ctx, recording.SampledSnapshots(to.Add(-ruleReportSpan), to, backtest.Step, alert.JudgedOperations()...), engine, backtest.EvaluateOptions{TakenAlerts: takenOver, Marks: recording.Marks()})
			})
			if err == nil && rep.From.IsZero() {
				err = words.NewError(words.ReplayRulesNotRecorded(), nil)
			}
			return rep, err
		},
		Draw: ruleReportLines,
	})
}

// ruleReportLines returns the lines of the report. Rules that have not fired are only counted.
func ruleReportLines(lk *style.Look, rep backtest.RuleReport, w int) []dialog.Line {
	var out []dialog.Line
	say := func(t themes.Token, text words.Text) {
		for _, l := range lk.Wrap(t, lk.Translate(text), w) {
			out = append(out, dialog.Line{Text: l})
		}
	}
	say(themes.Dim, words.ReplayRulesAbout(words.ClockOf(rep.From, lk.Zone()), words.ClockOf(rep.To, lk.Zone()), rep.Misses))
	out = append(out, dialog.Line{})
	titles := []string{
		lk.Translate(words.ReplayRulesFired()), lk.Translate(words.ReplayRulesTaken()), lk.Translate(words.ReplayRulesItself()), lk.Translate(words.ReplayRulesQuick()),
		lk.Translate(words.ReplayRulesInTime()),
	}
	column := ruleReportColumn(w, titles)
	head := style.NewLine(w, lk.Glyphs.Ellipsis).Add(lk.Style(themes.Header), ruleReportRow(w, column, lk.Translate(words.ReplayRulesRule()), titles...))
	out = append(out, dialog.Line{Text: head.Finish(themes.Style{})})
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
			previous = lk.FormatCount(r.BeforeMiss)
		}
		text := ruleReportRow(w, column, render.RuleLabel(r.Name, lk.Format.Words)+", "+string(r.Scope), lk.FormatCount(r.Fired), lk.FormatCount(r.TakenOver), lk.FormatCount(r.WithoutAck), lk.FormatCount(r.Quick), previous)
		out = append(out, dialog.Line{Text: style.NewLine(w, lk.Glyphs.Ellipsis).Add(lk.Style(themes.Text), text).Finish(themes.Style{})})
		level := func(v float64, format alert.Format) string {
			return string(lk.Format.KPI(nil, format.Unit(), model.FigureOf(v)))
		}
		if p := r.Proposal.Text(level); !p.IsZero() {
			for _, l := range lk.Wrap(themes.Accent, lk.Translate(p), max(w-3, 1)) {
				out = append(out, dialog.Line{Text: style.Blanks(3) + l})
			}
		}
	}
	if silent > 0 {
		out = append(out, dialog.Line{})
		say(themes.Dim, words.JoinSentences(words.ReplayRulesSilent(silent), words.ReplayRulesLegend()))
	}
	if held > 0 {
		say(themes.Dim, words.ReplayRulesHeld(held))
	}
	return out
}

// ruleReportColumn returns the width in cells of the columns with figures. w is the width of a line. Titles are cut only
// if less than 16 cells would be left for the name of a rule.
func ruleReportColumn(w int, titles []string) int {
	wide := 10
	for _, title := range titles {
		wide = max(wide, style.Width(title)+1)
	}
	return min(wide, max((w-16)/len(titles), 6))
}

// ruleReportRow returns a line with the name and the figures of a rule. The figures are in columns of wide cells.
func ruleReportRow(w, wide int, name string, figures ...string) string {
	text := style.Fit(name, max(w-wide*len(figures), 1), "…")
	for _, f := range figures {
		text += style.PadLeft(style.Fit(f, min(style.Width(f), wide-1), ""), wide)
	}
	return text
}
