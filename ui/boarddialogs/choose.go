package boarddialogs

import (
	"slices"
	"strconv"

	tea "charm.land/bubbletea/v2"

	"wallboard/internal/alert/situation"
	"wallboard/internal/words"
	"wallboard/themes"
	"wallboard/ui/dialog"
	"wallboard/ui/panes"
	"wallboard/ui/style"
	"wallboard/ui/widgets"
)

// ChooseSituation opens a dialog that lists situations with their numbers on the panel Now. It
// calls run with the situation that the viewer chooses. verb is the name of the action in the
// title. The list stays the same while it is open, so that a number keeps its situation.
func ChooseSituation(stack *dialog.Stack, verb string, list []situation.Situation, selected *situation.Situation, run func(*situation.Situation) tea.Cmd) tea.Cmd {
	list = slices.Clone(list)
	l := stack.Look().Format.Words
	sheet := &dialog.Sheet[[]situation.Situation]{Dialogs: stack, Name: words.DialogWhichSituation(verb).In(l)}
	choose := func(i int) func() tea.Cmd {
		return func() tea.Cmd {
			stack.Close(sheet)
			return run(&list[i])
		}
	}
	numbered := min(len(list), 9)
	sheet.Keys = []dialog.SheetKey[[]situation.Situation]{{Key: words.DialogDigits(numbered).In(l), Description: words.DialogKeyNumber().In(l)}}
	for i := range numbered {
		open := choose(i)
		sheet.Keys = append(sheet.Keys, dialog.SheetKey[[]situation.Situation]{
			Key: strconv.Itoa(i + 1), Run: func([]situation.Situation) tea.Cmd { return open() },
		})
	}
	sheet.Draw = func(lk *style.Look, list []situation.Situation, w int) []dialog.Line {
		out := make([]dialog.Line, len(list))
		for i := range list {
			number := " "
			if i < numbered {
				number = strconv.Itoa(i + 1)
			}
			out[i] = dialog.Line{Text: situationLine(lk, &list[i], number+" ", w), Open: choose(i)}
		}
		return out
	}
	sheet.SetValue(list)
	if selected != nil {
		sheet.SelectLine(max(slices.IndexFunc(list, func(s situation.Situation) bool { return s.ID == selected.ID }), 0))
	}
	return stack.Open(sheet)
}

// situationLine returns a line about a situation, w cells wide: its number, place and headline.
func situationLine(lk *style.Look, s *situation.Situation, number string, w int) string {
	token, glyph := widgets.SituationStyle(lk, s)
	l := style.NewLine(w, lk.Glyphs.Ellipsis).Add(lk.Style(themes.Key), number).Add(lk.Style(token), glyph+" ")
	l.Add(lk.Style(token), widgets.TerminalText(lk, s.Place.Title)).Add(lk.Style(themes.Text), ": ")
	return l.Add(lk.Style(themes.Text), widgets.CutToSentences(widgets.TerminalText(lk, s.Headline), l.RemainingWidth(), lk.ASCII)).Finish(themes.Style{})
}

// OpenMissedTargets opens a dialog that lists the figures of the day that miss their targets. The key enter
// opens the record of a figure.
func OpenMissedTargets(stack *dialog.Stack, b Board) tea.Cmd {
	l := stack.Look().Format.Words
	sheet := &dialog.Sheet[[]situation.Situation]{Dialogs: stack, Name: words.DialogToday().In(l), EmptyText: words.DialogAllOnTarget().In(l)}
	sheet.Draw = func(lk *style.Look, list []situation.Situation, w int) []dialog.Line {
		out := make([]dialog.Line, len(list))
		for i := range list {
			subject := list[i].FocusKey()
			out[i] = dialog.Line{Text: situationLine(lk, &list[i], "", w), Open: func() tea.Cmd {
				stack.Close(sheet)
				b.Scene().Requests.Add(panes.OpenSubjectMsg{Subject: subject})
				return nil
			}}
		}
		return out
	}
	var list []situation.Situation
	if v := b.Scene().Alarms.Situations; v != nil {
		list = v.Today
		sheet.Name = words.DialogTodaySummary(v.TodaySummary()).In(l)
	}
	return stack.Open(sheet.SetValue(list))
}
