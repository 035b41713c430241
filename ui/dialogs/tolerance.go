package dialogs

import (
	"math"
	"strconv"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"wallboard/internal/alert"
	"wallboard/internal/alert/statefile"
	"wallboard/internal/config"
	"wallboard/internal/phrases"
	"wallboard/model"
	"wallboard/ui/dialog"
)

const (
	toleranceKeywords = "tolerance target agreed deviation service level abandoned tolerate"
	toleranceUsage    = "Type the figure and percentage points, for example: tolerance SL 3, or: tolerance abandoned 1. It lasts until midnight."
)

// toleratedFigure returns the figure that words refer to, and its short name. It returns "" if
// there are no tolerances for such a figure.
func toleratedFigure(words string) (figure, name string) {
	switch strings.ToLower(strings.ReplaceAll(words, " ", "")) {
	case "sl", "servicelevel":
		return alert.ToleratedServiceLevel, "SL"
	case "abandoned", "abandon", "abandonrate":
		return alert.ToleratedAbandonRate, "abandoned"
	}
	return "", ""
}

// ToleranceEditor agrees and ends tolerances for the targets of the day at a viewer's request. A
// tolerance is stored as a note, so that all boards share it and it survives a restart.
type ToleranceEditor struct {
	NoteEditor
	Present alert.Tolerance // the current tolerance
}

// Commands returns the palette commands that show, agree and end tolerances.
func (e *ToleranceEditor) Commands(say func(string) tea.Cmd) []dialog.Command {
	if e.Book == nil {
		return nil
	}
	text := phrases.Tolerance(e.Present)
	name := "tolerance for the day (tolerance SL 3)"
	if text != "" {
		name += ": now " + strings.TrimPrefix(text, "tolerance ")
	}
	out := []dialog.Command{{Name: name, Keywords: toleranceKeywords, Run: func() tea.Cmd { return say(e.listText()) }}}
	return append(out, e.endCommands("")...)
}

// listText describes the current tolerances, and how to agree a tolerance.
func (e *ToleranceEditor) listText() string {
	list := statefile.ActiveTolerances(e.Book.All(), e.Now())
	var parts []string
	for i := range list {
		text := list[i].Text
		if list[i].By != "" {
			text += " (" + e.masked(list[i].By) + ")"
		}
		parts = append(parts, text+" until midnight")
	}
	switch text := phrases.Tolerance(e.Present); {
	case len(parts) > 0:
		return phrases.Capital(strings.Join(parts, ", ")) + ". To end it: :tolerance end"
	case text != "":
		return phrases.Capital(text) + ", by the configuration. For today only: :tolerance SL 3"
	}
	return "No tolerance today. " + toleranceUsage
}

// endCommands returns commands that end the active tolerances of a figure. If figure is "", they
// end those of all figures.
func (e *ToleranceEditor) endCommands(figure string) []dialog.Command {
	var out []dialog.Command
	for _, n := range statefile.ActiveTolerances(e.Book.All(), e.Now()) {
		if figure == "" || n.Tolerance.Figure == figure {
			out = append(out, dialog.Command{Name: "end the " + n.Text, Keywords: toleranceKeywords, Run: func() tea.Cmd {
				n.Until = e.Now()
				return e.writeNote(n, "The "+n.Text+" has ended. Deviations from the target are reported again.")
			}})
		}
	}
	return out
}

// ParseCommand returns the commands for a line such as "tolerance SL 3" or "tolerance end". It
// returns nil for any other line. zone is the time zone in which the day ends. say shows a message
// in the footer.
func (e *ToleranceEditor) ParseCommand(line string, zone *time.Location, say func(string) tea.Cmd) []dialog.Command {
	words := strings.Fields(line)
	if e.Book == nil || len(words) < 2 || !strings.EqualFold(words[0], "tolerance") {
		return nil
	}
	if strings.EqualFold(words[1], "end") {
		figure, _ := toleratedFigure(strings.Join(words[2:], " "))
		if list := e.endCommands(figure); len(list) > 0 {
			return list
		}
		return []dialog.Command{{Name: "tolerance end: there is none today", Run: func() tea.Cmd { return say("There is no tolerance of today to end.") }}}
	}
	refuse := func(reason string) []dialog.Command {
		return []dialog.Command{{Name: "tolerance: " + reason, Run: func() tea.Cmd { return say("The tolerance is not saved: " + reason + ". " + toleranceUsage) }}}
	}
	last := len(words) - 1
	figure, name := toleratedFigure(strings.Join(words[1:last], " "))
	if only, _ := toleratedFigure(strings.Join(words[1:], " ")); only != "" {
		return refuse("say how many points")
	}
	if figure == "" {
		return refuse("there is a tolerance for SL and for abandoned")
	}
	points, err := strconv.ParseFloat(strings.TrimSuffix(strings.Replace(words[last], ",", ".", 1), "%"), 64)
	if err != nil || !(points >= 0 && points <= config.MaxTolerance) {
		return refuse(strconv.Quote(words[last]) + " is not a number of points from 0 to " + strconv.Itoa(config.MaxTolerance))
	}
	points = math.Round(10*points) / 10
	now := e.Now().In(zone)
	midnight := time.Date(now.Year(), now.Month(), now.Day()+1, 0, 0, 0, 0, zone)
	note, err := statefile.NewNote("tolerance "+name+" "+strconv.FormatFloat(points, 'f', -1, 64), e.User, now, midnight)
	if err != nil {
		return refuse(err.Error())
	}
	note.Tolerance = model.AgreedTolerance{Figure: figure, Points: points}
	done := phrases.Capital(note.Text) + " until midnight, on all boards. To end it: :tolerance end"
	return []dialog.Command{{Name: note.Text + " for today", Run: func() tea.Cmd { return e.replace(note, done) }}}
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
