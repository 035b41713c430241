package boarddialogs

import (
	"math"
	"strconv"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"wallboard/internal/alert"
	"wallboard/internal/alert/statefile"
	"wallboard/internal/config"
	"wallboard/internal/textformat"
	"wallboard/internal/words"
	"wallboard/model"
	"wallboard/ui/dialog"
)

// figureByWords returns the figure that the words of a viewer refer to. It returns "" if there are no
// tolerances for such a figure.
func figureByWords(typed []string) string {
	switch strings.ToLower(strings.Join(typed, "")) {
	case "sl", "servicelevel":
		return alert.ToleratedServiceLevel
	case "abandoned", "abandon", "abandonrate":
		return alert.ToleratedAbandonRate
	}
	return ""
}

// toleranceText returns a tolerance as text, such as "tolerance SL 3".
func toleranceText(t model.AgreedTolerance) words.Text {
	if t.Figure == alert.ToleratedAbandonRate {
		return words.DialogToleranceAbandoned(t.Points)
	}
	return words.DialogToleranceLevel(t.Points)
}

// ToleranceEditor agrees and ends tolerances for the targets of the day at a viewer's request. A
// tolerance is stored as a note, so that all boards share it and it survives a restart.
type ToleranceEditor struct {
	NoteEditor
	Current alert.Tolerance // the current tolerance
}

// Commands returns the palette commands that show and end tolerances, or nil if Book is nil.
func (e *ToleranceEditor) Commands(say func(string) tea.Cmd) []dialog.Command {
	if e.Book == nil {
		return nil
	}
	name := words.DialogToleranceCommand()
	if text := textformat.ToleranceText(e.Current); text != "" {
		name = words.DialogToleranceCommandNow(text)
	}
	out := []dialog.Command{{Name: e.translate(name), Keywords: e.translate(words.DialogToleranceKeywords()), Run: func() tea.Cmd { return say(e.listText()) }}}
	return append(out, e.endCommands("")...)
}

// listText describes the current tolerances or, if there are none, how to agree a tolerance.
func (e *ToleranceEditor) listText() string {
	list := statefile.ActiveTolerances(e.Book.All(), e.Now())
	var parts []words.Text
	for i := range list {
		text := toleranceText(list[i].Tolerance)
		if list[i].By != "" {
			text = words.DialogToleranceBy(text, e.maskText(list[i].By))
		}
		parts = append(parts, text)
	}
	switch text := textformat.ToleranceText(e.Current); {
	case len(parts) > 0:
		return e.translate(words.DialogToleranceList(parts))
	case text != "":
		return e.translate(words.DialogToleranceConfigured(text))
	}
	return e.translate(words.JoinSentences(words.DialogToleranceNone(), words.DialogToleranceUsage()))
}

// endCommands returns commands that end the active tolerances of a figure. If figure is "", they
// end those of all figures.
func (e *ToleranceEditor) endCommands(figure string) []dialog.Command {
	var out []dialog.Command
	for _, n := range statefile.ActiveTolerances(e.Book.All(), e.Now()) {
		if figure == "" || n.Tolerance.Figure == figure {
			text := toleranceText(n.Tolerance)
			out = append(out, dialog.Command{Name: e.translate(words.DialogToleranceEnd(text)), Keywords: e.translate(words.DialogToleranceKeywords()), Run: func() tea.Cmd {
				n.Until = e.Now()
				return e.writeNote(n, e.translate(words.DialogToleranceEnded(text)))
			}})
		}
	}
	return out
}

// ParseCommand returns the commands for a line such as "tolerance SL 3" or "tolerance end". It
// returns nil for any other line. zone is the time zone in which the day ends. say shows a message
// in the footer.
func (e *ToleranceEditor) ParseCommand(line string, zone *time.Location, say func(string) tea.Cmd) []dialog.Command {
	typed := strings.Fields(line)
	if e.Book == nil || len(typed) < 2 || !strings.EqualFold(typed[0], "tolerance") {
		return nil
	}
	if strings.EqualFold(typed[1], "end") {
		if list := e.endCommands(figureByWords(typed[2:])); len(list) > 0 {
			return list
		}
		return []dialog.Command{{Name: e.translate(words.DialogToleranceEndNone()), Run: func() tea.Cmd { return say(e.translate(words.DialogToleranceNoneToEnd())) }}}
	}
	refuse := func(reason words.Text) []dialog.Command {
		return []dialog.Command{{Name: e.translate(words.DialogToleranceProblem(reason)), Run: func() tea.Cmd {
			return say(e.translate(words.JoinSentences(words.DialogToleranceNotSaved(reason), words.DialogToleranceUsage())))
		}}}
	}
	last := len(typed) - 1
	if figureByWords(typed[1:]) != "" {
		return refuse(words.DialogToleranceNoPoints())
	}
	figure := figureByWords(typed[1:last])
	if figure == "" {
		return refuse(words.DialogToleranceNoFigure())
	}
	points, err := strconv.ParseFloat(strings.TrimSuffix(strings.Replace(typed[last], ",", ".", 1), "%"), 64)
	if err != nil || !(points >= 0 && points <= config.MaxTolerance) {
		return refuse(words.DialogToleranceNotPoints(typed[last], config.MaxTolerance))
	}
	points = math.Round(10*points) / 10
	now := e.Now().In(zone)
	midnight := time.Date(now.Year(), now.Month(), now.Day()+1, 0, 0, 0, 0, zone)
	agreed := model.AgreedTolerance{Figure: figure, Points: points}
	text := toleranceText(agreed)
	note, err := statefile.NewNote(text.In(nil), e.User, now, midnight)
	if err != nil {
		return refuse(words.TextOf(err))
	}
	note.Tolerance = agreed
	return []dialog.Command{{Name: e.translate(words.DialogTolerancePreview(text)), Run: func() tea.Cmd {
		return e.replace(note, e.translate(words.DialogToleranceSaved(text)))
	}}}
}

// replace returns a command that writes a note with a tolerance and ends the other active
// tolerances for the same figure. The command then shows the message done.
func (e *ToleranceEditor) replace(note model.Note, done string) tea.Cmd {
	var earlier []model.Note
	for _, n := range e.Book.All() {
		if n.Tolerance.Figure == note.Tolerance.Figure && n.IsActive(e.Now()) {
			n.Until = note.At
			earlier = append(earlier, n)
		}
	}
	return e.writeNote(note, done, earlier...)
}
