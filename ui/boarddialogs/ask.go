package boarddialogs

import (
	"context"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"wallboard/internal/alert/situation"
	"wallboard/internal/report/ask"
	"wallboard/internal/textformat"
	"wallboard/internal/words"
	"wallboard/model"
	"wallboard/themes"
	"wallboard/ui/dialog"
	"wallboard/ui/style"
	"wallboard/ui/widgets"
)

// Answerer answers the questions that are typed in the palette of a board. Its methods must be called
// from Update.
type Answerer struct {
	Board   Board
	Dialogs *dialog.Stack
	// Floor returns the data from which questions are answered: live data even while the snapshot is
	// frozen.
	Floor func() *ask.Responder
	// OpenExplanation opens the explanation of an open situation.
	OpenExplanation func(*situation.Situation) tea.Cmd
}

// translate returns a text in the viewer's language.
func (a *Answerer) translate(text words.Text) string { return text.In(a.Dialogs.Look().Format.Words) }

// now returns the time of the snapshot on the screen.
func (a *Answerer) now() time.Time { return a.Board.Scene().Floor.Now() }

// ParseCommands returns the command that answers a line, or nil if the line is not a question. A name
// alone, a time alone and "who can go" do not count as questions, because the palette has other commands
// for them.
func (a *Answerer) ParseCommands(line string) []dialog.Command {
	now, floor := a.now(), a.Floor()
	q, ok := floor.Parse(line, now)
	switch {
	case ok && q.Kind == ask.KindWhoCanGo && q.At.IsZero() && !strings.HasSuffix(line, "?"):
		return nil // the page with the release planner answers this in more detail
	case ok && q.Kind == ask.KindRecord && !q.At.IsZero() && q.Name != "" && floor.HasRecord(q.Name):
	case !ask.IsQuestion(line), !ok && !strings.HasSuffix(strings.TrimSpace(line), "?"):
		return nil
	}
	reading := q.Interpretation(now, floor.Zone)
	if !ok {
		reading = strings.TrimSpace(model.CleanText(line, model.MaxName))
	}
	return []dialog.Command{{Name: a.translate(words.BoardAsk(reading)), Run: func() tea.Cmd { return a.OpenAnswer(line, q) }}}
}

// Commands returns the palette's command that shows what can be asked.
func (a *Answerer) Commands() []dialog.Command {
	return []dialog.Command{{
		Name: a.translate(words.BoardAskCommand()), Keywords: a.translate(words.BoardAskKeywords()),
		Run: func() tea.Cmd { return a.openSheet(a.translate(words.BoardAskHelp()), a.Floor().Help(), nil) },
	}}
}

// OpenAnswer opens the answer to a line, which was parsed as q. For the causes of an open situation, it opens
// the same dialog as the key w.
func (a *Answerer) OpenAnswer(line string, q ask.Query) tea.Cmd {
	floor := a.Floor()
	if q.Kind == ask.KindWhy && q.At.IsZero() && q.Name != "" {
		if sit := floor.OpenSituation(q.Name); sit != nil {
			return a.OpenExplanation(sit)
		}
	}
	if q.Kind == ask.KindForecast && q.At.IsZero() { // answered here, because only the board's goroutine may use its forecasts
		answer := floor.Ask(a.Dialogs.Context(), line)
		return a.openSheet(answer.Title(), answer, nil)
	}
	title := a.translate(words.BoardAskYours())
	if reading := q.Interpretation(a.now(), floor.Zone); reading != "" {
		title = textformat.Capitalize(reading)
	}
	return a.openSheet(title, nil, func(ctx context.Context) (*ask.Answer, error) { return floor.Ask(ctx, line), nil })
}

// openSheet opens a sheet with an answer or, if answer is nil, with the one that read returns.
func (a *Answerer) openSheet(title string, answer *ask.Answer, read func(context.Context) (*ask.Answer, error)) tea.Cmd {
	sheet := &dialog.Sheet[*ask.Answer]{
		Dialogs: a.Dialogs, Name: title, EmptyText: a.translate(words.BoardAskNone()), Read: read, Progress: a.translate(words.BoardAskLooking()), Verb: "ask", Draw: a.lines,
		Keys: []dialog.SheetKey[*ask.Answer]{{Key: "ctrl+y", Description: a.translate(words.DialogKeyCopy()), Run: func(answer *ask.Answer) tea.Cmd {
			return a.Board.Copy(a.Dialogs.ShowMessage, title, title+"\n\n"+strings.Join(answer.Lines(), "\n")+"\n")
		}}},
	}
	if answer != nil {
		sheet.SetValue(answer)
	}
	return a.Dialogs.Open(sheet)
}

// lines draws an answer.
func (a *Answerer) lines(lk *style.Look, answer *ask.Answer, w int) []dialog.Line {
	p := &dialog.TextBuilder{Look: lk, Width: w}
	if answer.Problem != "" {
		p.Text(themes.Warn, answer.Problem)
	}
	for i := range answer.Statements {
		s := &answer.Statements[i]
		p.Text(statementToken(s), widgets.TerminalText(lk, s.Line(lk.Format.Words)))
	}
	for _, f := range answer.FigureLines() {
		if f.Basis == "" && len(f.Value) > w/2 {
			p.Text(themes.Text, a.translate(words.BoardFigure(f.Title, f.Value)))
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
		out = append(out, a.questionLine(lk, answer.CandidateQuestion(i), name, w))
	}
	for _, example := range answer.Examples {
		out = append(out, a.questionLine(lk, example, example, w))
	}
	return out
}

// questionLine returns a line that asks another question.
func (a *Answerer) questionLine(lk *style.Look, question, text string, w int) dialog.Line {
	return dialog.Line{
		Text: style.NewLine(w, lk.Glyphs.Ellipsis).Add(lk.Style(themes.Accent), text).Finish(themes.Style{}),
		Open: func() tea.Cmd {
			q, _ := a.Floor().Parse(question, a.now())
			return a.OpenAnswer(question, q)
		},
	}
}

// statementToken returns the color of a statement.
func statementToken(s *ask.Statement) themes.Token {
	switch {
	case s.IsUnknown || s.IsUnverified:
		return themes.Warn
	case s.Kind == ask.StatementAssumption || s.Kind == ask.StatementAlertLimit:
		return themes.Dim
	}
	return themes.Text
}
