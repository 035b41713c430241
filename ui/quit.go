package ui

import (
	tea "charm.land/bubbletea/v2"

	"wallboard/ui/actions"
	"wallboard/ui/dialog"
)

// aboutQuitting is the topic of the question about quitting.
const aboutQuitting = "quit"

// askQuit ends the board; while an action is under way, it asks.
func askQuit(on *dialog.Stack, do *actions.Actions) tea.Cmd {
	if len(do.UnderWay()) == 0 {
		return tea.Quit
	}
	return on.Ask(dialog.Question{
		Topic: aboutQuitting,
		Name:  "Quit", Text: "Not everything is done yet. Whoever quits now does not hear what becomes of it:",
		Live: do.UnderWay, Yes: "Quit", No: "Stay", Then: func(bool) tea.Cmd { return tea.Quit },
	})
}

// interrupt asks the same wherever ctrl+c is pressed; pressed again, it ends the
// board at once.
func interrupt(on *dialog.Stack, do *actions.Actions) tea.Cmd {
	if on.Asked(aboutQuitting) != nil {
		return tea.Quit
	}
	return askQuit(on, do)
}
