package ui

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"wallboard/ui/dialog"
	"wallboard/ui/frame"
	"wallboard/ui/pages"
	"wallboard/ui/panes"
	"wallboard/ui/style"
)

// mode is the part of the board that has the keyboard focus.
type mode int

const (
	modeBoard   mode = iota // the page has the keyboard focus
	modePalette             // the command palette is open
	modeHelp                // the help, a list of all keys, is open
)

// Model is the board of one viewer. It shows one floor at a time: the live floor of one of the
// viewer's platforms, or the recorded floor of a replay. It evaluates the alerts of all floors, so
// alerts of a hidden floor are announced, too. Model implements [tea.Model] with a pointer
// receiver: Bubble Tea may call it from different goroutines, but not concurrently.
type Model struct {
	shownFloor *floorState // the floor on the screen
	liveFloor  *floorState // the live floor of the selected platform, or of a board that shows only a recording
	platforms  *platforms  // nil with a single platform
	rewinder   rewinder
	request    tea.Msg // request to show another platform or instant; nil: none

	width, height int
	themeSelector style.ThemeSelector

	mode    mode
	filter  pages.FilterPrompt
	palette *dialog.Palette
	help    pages.KeyHelp

	notice         frame.Notice
	noticeFloor    *floorState // floor of the notice, if the notice does not name it; otherwise nil
	viewerActivity viewerActivity
	redrawTimer    pages.RedrawTimer
	viewSaver      *viewSaver

	painter painter
	dirty   bool  // the frame must be redrawn
	failure error // error that ends the board
}

// New returns a board with the options o. It has a floor for o and one for each of
// o.OtherPlatforms, all without a snapshot. If the board cannot use the options, it quits at the
// first message, and [Run] returns the error.
func New(o Options) *Model {
	m := &Model{filter: pages.NewFilterPrompt(), palette: dialog.NewPalette()}
	m.painter, m.rewinder.board = painter{board: m, drawn: frame.NewDrawnScreen("…")}, m
	m.shownFloor = m.addFloor(o)
	m.liveFloor = m.shownFloor
	m.themeSelector = style.NewThemeSelector(m.shownFloor.scene.Display.themeSet())
	m.restyle()
	m.viewSaver = m.restoreView()
	m.platforms = newPlatforms(m.liveFloor)
	return m
}

// addFloor returns the state of a new floor. If its options cannot be used, it sets m.failure.
func (m *Model) addFloor(o Options) *floorState {
	f, err := newFloorState(o, m)
	if m.failure == nil {
		m.failure = err
	}
	return f
}

// Init implements [tea.Model].
func (m *Model) Init() tea.Cmd {
	cmds := []tea.Cmd{m.waitForNextSecond(), m.themeSelector.QueryBackground()}
	for _, f := range m.floors() {
		cmds = append(cmds, f.routeResult(f.start()))
	}
	return tea.Batch(cmds...)
}

// Page returns the page on the screen.
func (m *Model) Page() panes.Page { return m.shownFloor.pages.CurrentPage() }

// pageHasKeyboard reports whether the page has the keyboard focus, that is, neither a dialog nor
// the filter prompt, the palette or the help has it.
func (m *Model) pageHasKeyboard() bool {
	return m.mode == modeBoard && !m.filter.Focused && m.shownFloor.dialogs.Top() == nil
}

// Dialog returns the dialog that has the keyboard focus, or nil if no dialog is open.
func (m *Model) Dialog() dialog.Dialog { return m.shownFloor.dialogs.Top() }

// isReplaying reports whether the viewer has rewound the board, so that it replays a recording of the
// selected platform.
func (m *Model) isReplaying() bool { return m.shownFloor != m.liveFloor }

// floors returns the live floors of all platforms and, during a replay, the floor of the recording.
func (m *Model) floors() []*floorState {
	out := []*floorState{m.liveFloor}
	if m.platforms != nil {
		out = slices.Clone(m.platforms.floors)
	}
	if m.isReplaying() {
		out = append(out, m.shownFloor)
	}
	return out
}

// hasFloor reports whether f is a floor of the board. It returns false for the floor of a replay
// that has ended.
func (m *Model) hasFloor(f *floorState) bool { return slices.Contains(m.floors(), f) }

// show shows another floor in the current look of the board. It closes the palette and the help,
// which belong to the previous floor. A notice of the previous floor disappears, except on a kiosk,
// where it then begins with the name of that floor.
func (m *Model) show(f *floorState) {
	if m.mode == modePalette {
		m.palette.Close()
	}
	m.mode = modeBoard
	o := m.shownFloor.scene.look.Options
	m.shownFloor = f
	m.filter.End()
	switch about := m.noticeFloor; {
	case f.scene.kiosk == nil:
		m.notice.Text = ""
	case about != nil && about != f && m.notice.Text != "":
		m.notice.Text, m.noticeFloor = about.withPlatformPrefix(m.notice.Text), nil
	}
	f.useLook(o)
	m.restyle()
}

// setLook gives all floors a look with the options o. Their looks must agree, because the page
// Sites shows all floors together.
func (m *Model) setLook(o style.Options) {
	for _, f := range m.floors() {
		f.useLook(o)
	}
	m.restyle()
}

// restyle applies the current look to all parts of the board.
func (m *Model) restyle() {
	m.shownFloor.invalidate()
	m.shownFloor.pages.Restyle(m.shownFloor.scene.paneScene())
	m.shownFloor.dialogs.Restyle()
	m.filter.Restyle(m.shownFloor.scene.look.Theme)
	m.palette.Restyle(m.shownFloor.scene.look.Theme)
}
