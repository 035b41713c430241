package ui

import (
	tea "charm.land/bubbletea/v2"

	"wallboard/ui/actions"
	"wallboard/ui/dialog"
)

// quitTopic is the topic of the question that the board asks before it quits.
const quitTopic = "quit"

// askQuit returns the command that quits the program. If an action is running or input has not been
// sent on any board of the viewer, the command first asks for confirmation.
func askQuit(dialogs *dialog.Stack, boardActions *actions.Actions, others *platforms) tea.Cmd {
	unfinished := func() []string {
		return append(unfinishedWork(dialogs, boardActions), others.unfinishedElsewhere(boardActions)...)
	}
	if len(unfinished()) == 0 {
		return tea.Quit
	}
	return dialogs.Ask(dialog.Question{
		Topic: quitTopic,
		Name:  "Quit", Text: "Not everything is done yet. If you quit now, the board does not tell you how it ends, and what is not sent is lost:",
		LiveLines: unfinished, YesLabel: "Quit", NoLabel: "Stay", OnYes: func(bool) tea.Cmd { return tea.Quit },
	})
}

// unfinishedWork returns the names of the running actions and the titles of the dialogs with unsent
// input on one board.
func unfinishedWork(dialogs *dialog.Stack, boardActions *actions.Actions) []string {
	out := boardActions.RunningNames()
	for _, title := range dialogs.UnsentTitles() {
		out = append(out, "not sent: "+title)
	}
	return out
}

// unfinishedElsewhere returns the unfinished work on the boards of all platforms, except on the
// board whose actions are except. Each text begins with the name of the platform.
func (p *platforms) unfinishedElsewhere(except *actions.Actions) []string {
	if p == nil {
		return nil
	}
	var out []string
	for _, b := range p.boards {
		if b.actions == except {
			continue
		}
		for _, what := range unfinishedWork(b.dialogs, b.actions) {
			out = append(out, b.scene.Title+": "+what)
		}
	}
	return out
}

// handleInterrupt handles ctrl+c like askQuit. If the question of askQuit is already open, it quits
// at once.
func handleInterrupt(dialogs *dialog.Stack, boardActions *actions.Actions, others *platforms) tea.Cmd {
	if dialogs.OpenQuestion(quitTopic) != nil {
		return tea.Quit
	}
	return askQuit(dialogs, boardActions, others)
}
