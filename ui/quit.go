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
func askQuit(on *dialog.Stack, do *actions.Actions, others *platforms) tea.Cmd {
	left := func() []string { return append(leftOf(on, do), others.left(do)...) }
	if len(left()) == 0 {
		return tea.Quit
	}
	return on.Ask(dialog.Question{
		Topic: aboutQuitting,
		Name:  "Quit", Text: "Not everything is done yet. If you quit now, the board does not tell you how it ends, and what is not sent is lost:",
		Live: left, Yes: "Quit", No: "Stay", Then: func(bool) tea.Cmd { return tea.Quit },
	})
}

// leftOf is what is not done yet on one board.
func leftOf(on *dialog.Stack, do *actions.Actions) []string {
	out := do.UnderWay()
	for _, title := range on.Unsent() {
		out = append(out, "not sent: "+title)
	}
	return out
}

// left is what is not done yet on the other platforms.
func (p *platforms) left(but *actions.Actions) []string {
	if p == nil {
		return nil
	}
	var out []string
	for _, b := range p.boards {
		if b.actions == but {
			continue
		}
		for _, what := range leftOf(b.dialogs, b.actions) {
			out = append(out, b.scene.Title+": "+what)
		}
	}
	return out
}

// interrupt asks the same wherever ctrl+c is pressed; pressed again, it ends the
// board at once.
func interrupt(on *dialog.Stack, do *actions.Actions, others *platforms) tea.Cmd {
	if on.Asked(aboutQuitting) != nil {
		return tea.Quit
	}
	return askQuit(on, do, others)
}
