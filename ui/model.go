package ui

import (
	tea "charm.land/bubbletea/v2"

	"wallboard/ui/actions"
	"wallboard/ui/dialog"
	"wallboard/ui/frame"
	"wallboard/ui/keymap"
	"wallboard/ui/pages"
	"wallboard/ui/panes"
	"wallboard/ui/replay"
	"wallboard/ui/style"
)

// mode is the part of the board that has the keyboard.
type mode int

const (
	modeBoard   mode = iota // the page has the keyboard
	modePalette             // the command palette is open
	modeHelp                // the list of all keys
)

// Model is the board of one floor. It implements [tea.Model] with a pointer receiver:
// Bubble Tea may call it from different goroutines, but never concurrently.
type Model struct {
	scene *scene
	keys  *keymap.Map

	width, height int
	themer        style.Themer

	pages         *pages.Set
	dialogs       *dialog.Stack
	actions       *actions.Actions
	alertHandler  alertHandler
	control       frame.Control  // whether actions are possible
	replay        *replay.Replay // nil on a live board
	viewerRequest tea.Msg        // request to the Viewer to show another platform or instant; nil: none

	mode    mode
	filter  pages.FilterPrompt
	palette *dialog.Palette
	help    keymap.Help

	notice     frame.Notice
	ticks      ticks
	frameLines frame.Lines

	frame         frame.Drawn
	dirty         bool   // the frame must be drawn again
	hidden        bool   // another board is on the screen, and this one is not drawn
	failure       error  // error that ends the board
	configProblem string // why the changed configuration is not used; "": it is used
}

// Page returns the page on the screen.
func (m *Model) Page() panes.Page { return m.pages.CurrentPage() }

// Dialog returns the dialog that has the keyboard, or nil if none is open.
func (m *Model) Dialog() dialog.Dialog { return m.dialogs.Top() }

// invalidate sets the clock of the board to the current time and marks the frame as outdated.
func (m *Model) invalidate() {
	m.scene.floor.LocalNow = m.scene.Now()
	m.scene.floor.ReplayAge = m.replay.DelayBehindLive(m.scene.floor.LocalNow)
	m.dirty = true
}

// openDetail opens the detail page of the record in msg. If msg.ShowActions is true, it also opens
// the menu of actions on the record.
func (m *Model) openDetail(msg panes.OpenMsg) tea.Cmd {
	m.invalidate()
	m.filter.End()
	m.pages.OpenDetail(m.scene.paneScene(), msg.Kind, msg.Key, msg.Channel)
	if msg.ShowActions {
		return m.actions.OpenMenu(m.pages.SelectedTarget(&m.scene.floor))
	}
	return nil
}

// setLook replaces the look of the board by a new one with the options o.
func (m *Model) setLook(o style.Options) {
	m.scene.setLook(o)
	m.restyle()
}

// restyle applies the current look to all parts of the board.
func (m *Model) restyle() {
	m.invalidate()
	m.pages.Restyle(m.scene.paneScene())
	m.dialogs.Restyle()
	m.filter.Restyle(m.scene.look.Theme)
	m.palette.Restyle(m.scene.look.Theme)
}
