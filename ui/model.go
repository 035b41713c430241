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
	modeBoard   mode = iota // the page
	modePalette             // the command palette
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
	viewerRequest tea.Msg        // request to the Viewer to show another instant or platform; nil: none

	mode    mode
	filter  pages.FilterPrompt
	palette *dialog.Palette
	help    keymap.Help

	notice frame.Notice
	ticks  ticks

	painter       painter
	dirty         bool   // the frame must be drawn again
	hidden        bool   // another board is on the screen, and this one is not drawn
	failure       error  // error that ends the board
	configProblem string // why the changed configuration is not used; "": it is used
}

// Page returns the page on the screen.
func (m *Model) Page() panes.Page { return m.pages.CurrentPage() }

// Dialog returns the dialog that has the keyboard, or nil if none is open.
func (m *Model) Dialog() dialog.Dialog { return m.dialogs.Top() }

// invalidate advances the board's clock and marks the frame as outdated.
func (m *Model) invalidate() {
	m.scene.floor.LocalNow = m.scene.Now()
	m.scene.floor.ReplayAge = m.replay.DelayBehindLive(m.scene.floor.LocalNow)
	m.dirty = true
}

// openDetail opens the detail page of a record. If msg requests it, the menu of actions on the
// record opens as well.
func (m *Model) openDetail(msg panes.OpenMsg) tea.Cmd {
	m.invalidate()
	m.filter.End()
	m.pages.OpenDetail(m.scene.paneScene(), msg.Kind, msg.Key, msg.Channel)
	if msg.ShowActions {
		return m.actions.OpenMenu(m.pages.Selection().Target(&m.scene.floor))
	}
	return nil
}

// setLook draws the board with a new look.
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
