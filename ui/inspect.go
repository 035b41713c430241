package ui

import (
	tea "charm.land/bubbletea/v2"

	"wallboard/ui/dialog"
	"wallboard/ui/term"
)

// Inspection is what a board shows and offers to its viewer.
type Inspection struct {
	Frames         []string // frames of all pages and dialogs that were opened, as terminal output
	ActionCommands []string // names of the palette's commands that act on the platform
}

// Inspect opens a board without a terminal, and draws each of its pages, the details of the selected
// row, and what the commands of the palette open. It carries out no action and writes no file.
func Inspect(o Options, size term.Size) (Inspection, error) {
	m := New(o)
	var found Inspection
	draw := func() {
		m.Update(ClockMsg{}) // evaluates the snapshot and draws
		found.Frames = append(found.Frames, string(m.Frame()))
	}
	press := func(code rune) { m.Update(tea.KeyPressMsg{Code: code}) }
	m.Update(tea.WindowSizeMsg{Width: size.Width, Height: size.Height})
	m.Update(SnapshotMsg{Snapshot: o.Source.Latest()})
	draw()
	open := func(c dialog.Command) {
		c.Run() // the command that Run returns is not run, because it would act, wait or write
		draw()
		for range 3 {
			press(tea.KeyEscape)
		}
	}
	for _, page := range m.shownFloor.pages.Commands() {
		open(page)
		press(tea.KeyDown)
		press(tea.KeyEnter)
		draw()
		for range 3 {
			press(tea.KeyEscape)
		}
	}
	for _, c := range m.commands() {
		if c.AffectsOthers || c.Group == dialog.GroupPlatformActions.Title(m.shownFloor.scene.look.Format.Words) {
			found.ActionCommands = append(found.ActionCommands, c.Name)
		}
		open(c)
	}
	return found, m.failure
}
