package ui

import (
	tea "charm.land/bubbletea/v2"

	"wallboard/ui/actions"
	"wallboard/ui/dialog"
)

// aboutQuitting is the topic of the question before quitting.
const aboutQuitting = "quit"

// askQuit quits. It asks first if an action is running or typed text is not sent.
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

// leftOf lists the unfinished work on one board.
func leftOf(on *dialog.Stack, do *actions.Actions) []string {
	out := do.UnderWay()
	for _, title := range on.UnsentTitles() {
		out = append(out, "not sent: "+title)
	}
	return out
}

// left lists the unfinished work on the other platforms.
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

// interrupt handles ctrl+c like askQuit; a second ctrl+c quits at once.
func interrupt(on *dialog.Stack, do *actions.Actions, others *platforms) tea.Cmd {
	if on.Asked(aboutQuitting) != nil {
		return tea.Quit
	}
	return askQuit(on, do, others)
}
