package ui

import (
	tea "charm.land/bubbletea/v2"

	"wallboard/ui/actions"
	"wallboard/ui/dialog"
)

// aboutQuitting is the topic of the question about quitting.
const aboutQuitting = "quit"

// askQuit ends the board; while an action is under way, or something was typed and not
// sent, it asks.
func askQuit(on *dialog.Stack, do *actions.Actions) tea.Cmd {
	left := func() []string {
		out := do.UnderWay()
		for _, title := range on.Unsent() {
			out = append(out, "not sent: "+title)
		}
		return out
	}
	if len(left()) == 0 {
		return tea.Quit
	}
	return on.Ask(dialog.Question{
		Topic: aboutQuitting,
		Name:  "Quit", Text: "Not everything is done yet. If you quit now, the board does not tell you how it ends, and what is not sent is lost:",
		Live: left, Yes: "Quit", No: "Stay", Then: func(bool) tea.Cmd { return tea.Quit },
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
