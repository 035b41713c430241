package ui

import (
	"context"
	"strings"

	tea "charm.land/bubbletea/v2"

	"wallboard/internal/alert"
	"wallboard/internal/alert/forecast"
	"wallboard/internal/phrases"
	"wallboard/internal/report/ask"
	"wallboard/internal/words"
	"wallboard/model"
	"wallboard/themes"
	"wallboard/ui/dialog"
	"wallboard/ui/dialogs"
	"wallboard/ui/situations"
	"wallboard/ui/style"
)

// asker answers the questions that are typed in the palette of a board.
type asker struct {
	state *floorState
	floor *ask.Floor
}

// asker returns an asker for the floor on the screen. It shows live data even while the snapshot is
// frozen. It must be called from Update.
func (f *floorState) asker() *asker {
	sc := f.scene
	present := &ask.Moment{
		Engine: sc.Alerts, Snapshot: sc.floor.Newest, Situations: sc.alerts.Alarms().PresentSituations.In(sc.look.Format.Words),
		At: sc.floor.ToServerTime(sc.floor.LocalNow), IsRecorded: sc.floor.Replay,
	}
	a := &asker{state: f}
	a.floor = &ask.Floor{
		Present: func() *ask.Moment {
			if present.Snapshot == nil {
				return nil
			}
			return present
		},
		Names: sc.Names, Zone: sc.look.Zone(), Words: sc.look.Format.Words, MaskText: sc.Alerts.MaskText, EngineOptions: engineOptions(sc.Options),
		Open: sc.archive(f.replay).QuestionRecording(), IsGrowing: sc.Archive.Growing,
		DayForecast: func(service string, ch model.Channel, c *model.ServiceCalls) forecast.Forecast {
			day, _ := sc.paneScene().Forecast(service, ch, c)
			return day
		},
	}
	if rules := sc.Archive.Rules; rules != nil {
		a.floor.Rules = func() []alert.Rule { return rules().Rules }
	}
	return a
}

// tell tells a text in the viewer's language.
func (a *asker) tell(text words.Text) string { return a.state.scene.tell(text) }

// parseCommands returns the command that answers a line, or nil if the line is not a question. A name,
// a time and "who can go" alone are none, because the palette has other commands for these.
func (a *asker) parseCommands(line string) []dialog.Command {
	now := a.state.scene.floor.Now()
	q, ok := ask.Parse(line, now, a.floor.Zone)
	switch {
	case ok && q.Kind == ask.KindWhoCanGo && q.At.IsZero() && !strings.HasSuffix(line, "?"):
		return nil // the page with the release planner says more
	case ok && q.Kind == ask.KindRecord && !q.At.IsZero() && q.Name != "" && a.floor.Has(q.Name):
	case !ask.IsQuestion(line), !ok && !strings.HasSuffix(strings.TrimSpace(line), "?"):
		return nil
	}
	reading := q.Reading(now, a.floor.Zone)
	if !ok {
		reading = strings.TrimSpace(model.CleanText(line, model.MaxName))
	}
	return []dialog.Command{{Name: a.tell(words.BoardAsk(reading)), Run: func() tea.Cmd { return a.open(line, q) }}}
}

// commands returns the palette's command that shows what can be asked.
func (a *asker) commands() []dialog.Command {
	return []dialog.Command{{
		Name: a.tell(words.BoardAskCommand()), Keywords: a.tell(words.BoardAskKeywords()),
		Run: func() tea.Cmd { return a.openSheet(a.tell(words.BoardAskHelp()), a.floor.Help(), nil) },
	}}
}

// open opens the answer to a line, which was parsed as q. For the causes of an open situation, it
// opens the explanation of the key w.
func (a *asker) open(line string, q ask.Query) tea.Cmd {
	if q.Kind == ask.KindWhy && q.At.IsZero() && q.Name != "" {
		if sit := a.floor.OpenSituation(q.Name); sit != nil {
			h := a.state.alertHandler
			subject := dialogs.WhySubject{Situation: sit, Alerts: sit.Alerts, Checklist: h.scene.checklist(), NumberedSituations: h.liveSituations()}
			if !h.scene.floor.Replay {
				subject.TakeOver = h.takeOverAlerts
			}
			return dialogs.OpenWhy(h.dialogs, dialogBoard{h.scene, h.terminalEnv}, subject)
		}
	}
	if q.Kind == ask.KindForecast && q.At.IsZero() { // the forecasts of a board belong to its goroutine
		answer := a.floor.Ask(a.state.scene.Context, line)
		return a.openSheet(answer.Title(), answer, nil)
	}
	title := a.tell(words.BoardAskYours())
	if reading := q.Reading(a.state.scene.floor.Now(), a.floor.Zone); reading != "" {
		title = phrases.Capital(reading)
	}
	return a.openSheet(title, nil, func(ctx context.Context) (*ask.Answer, error) { return a.floor.Ask(ctx, line), nil })
}

// openSheet opens a sheet with an answer or, if answer is nil, with the one that read returns.
func (a *asker) openSheet(title string, answer *ask.Answer, read func(context.Context) (*ask.Answer, error)) tea.Cmd {
	f := a.state
	sheet := &dialog.Sheet[*ask.Answer]{
		Dialogs: f.dialogs, Name: title, EmptyText: a.tell(words.BoardAskNone()), Read: read, Progress: a.tell(words.BoardAskLooking()), Verb: "ask", Draw: a.lines,
		Keys: []dialog.SheetKey[*ask.Answer]{{Key: "ctrl+y", Description: a.tell(words.BoardKeyCopy()), Run: func(answer *ask.Answer) tea.Cmd {
			return dialogBoard{f.scene, f.alertHandler.terminalEnv}.Copy(f.dialogs.Say, title, title+"\n\n"+strings.Join(answer.Lines(), "\n")+"\n")
		}}},
	}
	if answer != nil {
		sheet.SetValue(answer)
	}
	return f.dialogs.Open(sheet)
}

// lines draws an answer.
func (a *asker) lines(lk *style.Look, answer *ask.Answer, w int) []dialog.Line {
	p := &dialog.Prose{Look: lk, Width: w}
	if answer.Problem != "" {
		p.Text(themes.Warn, answer.Problem)
	}
	for i := range answer.Statements {
		s := &answer.Statements[i]
		p.Text(statementToken(s), situations.TerminalText(lk, s.Line(lk.Format.Words)))
	}
	for _, f := range answer.FigureLines() {
		if f.Basis == "" && len(f.Value) > w/2 {
			p.Text(themes.Text, a.tell(words.BoardFigure(f.Title, f.Value)))
			continue
		}
		p.Row(themes.Text, f.Title, f.Value)
		p.Text(themes.Dim, f.Basis)
	}
	p.Text(themes.Dim, answer.Basis())
	out := make([]dialog.Line, 0, len(p.Lines)+len(answer.Candidates)+len(answer.Examples))
	for _, text := range p.Lines {
		out = append(out, dialog.Line{Text: text})
	}
	for i, name := range answer.CandidateNames() {
		out = append(out, a.questionLine(lk, answer.Again(i), name, w))
	}
	for _, example := range answer.Examples {
		out = append(out, a.questionLine(lk, example, example, w))
	}
	return out
}

// questionLine returns a line that asks another question.
func (a *asker) questionLine(lk *style.Look, question, text string, w int) dialog.Line {
	return dialog.Line{
		Text: style.NewLine(w, lk.Glyphs.Ellipsis).Add(lk.Style(themes.Accent), text).End(themes.Style{}),
		Open: func() tea.Cmd {
			q, _ := ask.Parse(question, a.state.scene.floor.Now(), a.floor.Zone)
			return a.state.asker().open(question, q)
		},
	}
}

// statementToken returns the color of a statement.
func statementToken(s *ask.Statement) themes.Token {
	switch {
	case s.IsUnknown || s.IsUnverified:
		return themes.Warn
	case s.Kind == ask.Assumption || s.Kind == ask.AlertLimit:
		return themes.Dim
	}
	return themes.Text
}
