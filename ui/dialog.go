package ui

import (
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"wallboard/themes"
	"wallboard/ui/look"
)

// dialog is what lies on top of the board and has the keyboard. Like a page it
// is a plain struct behind a pointer. It keeps the id of what it was opened for:
// rows that move or vanish under it never change its target.
type dialog interface {
	// title returns what the dialog is called, on its frame.
	title(sc *scene) string
	// size returns the size that the content would like, in the room there is.
	size(maxW, maxH int) (w, h int)
	// view draws the content in exactly h lines of w cells.
	view(sc *scene, w, h int) []string
	// update obeys keys, what is pasted, the mouse, whose places are within
	// the content, and the messages that [Model.answer] brings. Esc never
	// comes: it closes the dialog.
	update(m *Model, msg tea.Msg) tea.Cmd
	// cursor returns where the terminal's cursor is within the content.
	cursor() (x, y int, ok bool)
	// restyle redraws everything in the scene's theme.
	restyle(sc *scene)
}

// typist is a dialog that is asked about before esc closes it.
type typist interface {
	// typed reports whether something would be lost.
	typed() bool
}

// openDialogs are the dialogs, the one with the keyboard last.
type openDialogs struct {
	stack  []placedDialog
	last   uint64
	opener string    // the key that opened or closed the last one: see echoes
	opened time.Time // when it was pressed last
}

// holder is a dialog that has something to let go of before esc closes it.
type holder interface {
	letGo() bool
}

// adviser is a dialog that has keys of its own to be named in the footer.
type adviser interface {
	advice() []hint
}

// doublePress is how fast a key is pressed twice by accident.
const doublePress = 400 * time.Millisecond

// placedDialog is a dialog and where it was drawn.
type placedDialog struct {
	dialog
	id         uint64
	x, y, w, h int // of the content
}

// dialogMsg brings a dialog the result of one of its commands.
type dialogMsg struct {
	id  uint64
	msg tea.Msg
}

// openDialog lays a dialog on top of everything.
func (m *Model) openDialog(d dialog) tea.Cmd {
	m.endFilter()
	m.dialogs.last++
	m.dialogs.stack = append(m.dialogs.stack, placedDialog{dialog: d, id: m.dialogs.last})
	m.touch()
	return nil
}

// closeDialog closes the dialog on top.
func (m *Model) closeDialog() {
	if top := m.topDialog(); top != nil {
		m.dismiss(top.dialog)
	}
}

// dismiss closes a dialog, wherever it lies.
func (m *Model) dismiss(d dialog) {
	m.dialogs.stack = slices.DeleteFunc(m.dialogs.stack, func(p placedDialog) bool { return p.dialog == d })
	m.touch()
}

// mute has a key do nothing for a moment.
func (m *Model) mute(key string) { m.dialogs.opener, m.dialogs.opened = key, m.scene.floor.Ours }

// muteAfter is mute if no dialog is left that the key could have been meant for.
func (m *Model) muteAfter(key string) {
	if m.topDialog() == nil {
		m.mute(key)
	}
}

// echoes reports whether a key was pressed once too often, or is held down, when a
// dialog opened or closed by it: it was not meant for what is there now.
func (m *Model) echoes(msg tea.KeyPressMsg) bool {
	if msg.String() != m.dialogs.opener || !m.scene.floor.Ours.Before(m.dialogs.opened.Add(doublePress)) {
		m.dialogs.opener = ""
		return false
	}
	m.dialogs.opened = m.scene.floor.Ours
	return true
}

// topDialog returns the dialog with the keyboard, nil if there is none.
func (m *Model) topDialog() *placedDialog {
	if n := len(m.dialogs.stack); n > 0 {
		return &m.dialogs.stack[n-1]
	}
	return nil
}

// answer runs a command whose message is for one dialog, even while another
// lies on top of it. The message is dropped when the dialog has been closed.
func (m *Model) answer(d dialog, cmd tea.Cmd) tea.Cmd {
	id := m.dialogID(d)
	return guard(func() tea.Msg { return dialogMsg{id, cmd()} })
}

// dialogID returns the number of an open dialog, 0 for others.
func (m *Model) dialogID(d dialog) uint64 {
	for _, p := range m.dialogs.stack {
		if p.dialog == d {
			return p.id
		}
	}
	return 0
}

// deliver hands a dialog what it waits for, and reports whether it is still open.
func (m *Model) deliver(id uint64, msg tea.Msg) (tea.Cmd, bool) {
	for _, p := range m.dialogs.stack {
		if p.id == id {
			m.touch()
			cmd := p.update(m, msg)
			m.muteAfter("enter") // was meant for the dialog, which closed by itself
			return cmd, true
		}
	}
	return nil, false
}

// pressDialog hands a key to the dialog on top. Esc closes it.
func (m *Model) pressDialog(msg tea.KeyPressMsg) tea.Cmd {
	top := m.topDialog()
	if _, warns := top.dialog.(*warning); warns || msg.String() != "esc" {
		cmd := top.update(m, msg)
		m.muteAfter(msg.String())
		return cmd
	}
	if h, ok := top.dialog.(holder); ok && h.letGo() {
		return nil
	}
	if t, ok := top.dialog.(typist); ok && t.typed() {
		d := top.dialog
		return m.ask(question{
			name: "Close", text: "What you typed has not been sent and would be lost.", yes: "Discard", no: "Go on typing",
			then: func(m *Model, _ bool) tea.Cmd { m.dismiss(d); return nil },
		})
	}
	m.closeDialog()
	return nil
}

// clickDialog hands a click in the content of the dialog on top to it.
func (m *Model) clickDialog(msg tea.MouseClickMsg) tea.Cmd {
	top := m.topDialog()
	if !top.holds(msg.X, msg.Y) {
		return nil
	}
	msg.X, msg.Y = msg.X-top.x, msg.Y-top.y
	return top.update(m, msg)
}

func (m *Model) wheelDialog(msg tea.MouseWheelMsg) tea.Cmd {
	top := m.topDialog()
	if !top.holds(msg.X, msg.Y) {
		return nil
	}
	msg.X, msg.Y = msg.X-top.x, msg.Y-top.y
	return top.update(m, msg)
}

func (p *placedDialog) holds(x, y int) bool {
	return x >= p.x && x < p.x+p.w && y >= p.y && y < p.y+p.h
}

func (m *Model) dialogCursor() *tea.Cursor {
	top := m.topDialog()
	x, y, ok := top.cursor()
	if !ok || x >= top.w || y >= top.h {
		return nil
	}
	return tea.NewCursor(top.x+x, top.y+y)
}

// overlayDialog lays the dialog on top over the frame. Those under it, of which
// nothing but the ends of words would be seen, are not drawn.
func (m *Model) overlayDialog(lines []string) {
	d := m.topDialog()
	if d == nil {
		return
	}
	const frameW, frameH = 4, 3 // the status line stays
	maxW, maxH := max(m.width-frameW, 1), max(len(lines)-frameH, 1)
	w, h := d.size(maxW, maxH)
	d.w, d.h = max(min(w, maxW), 1), max(min(h, maxH), 1)
	content := look.FitLines(d.view(m.scene, d.w, d.h), d.w, d.h, m.scene.look.Glyphs.Ellipsis)
	x, y := m.overlayBox(lines, look.Cut(d.title(m.scene), max(d.w-1, 1), m.scene.look.Glyphs.Ellipsis), content)
	d.x, d.y = x+frameW/2, y+1
}

// dialogHint is the footer while a dialog has the keyboard.
func (m *Model) dialogHint(l *look.Line) *look.Line {
	var keys []hint
	if _, warns := m.topDialog().dialog.(*warning); !warns {
		keys = append(keys, hint{"esc", "close"})
	}
	if a, ok := m.topDialog().dialog.(adviser); ok {
		keys = append(keys, a.advice()...)
	}
	return m.barHints(l, append(keys, hint{"ctrl+c", "quit"})...)
}

// barHints names keys in the footer, the most important first, as many as there
// is room for.
func (m *Model) barHints(l *look.Line, keys ...hint) *look.Line {
	sc := m.scene
	bar := sc.look.Style(themes.StatusBar)
	l.Space(bar, 1)
	for _, k := range keys {
		if look.Width(k.key)+1+look.Width(k.does) > l.Room() {
			break
		}
		l.Add(sc.look.OnBar(themes.Key), k.key).Add(sc.look.OnBar(themes.KeyText), " "+k.does).Space(bar, 2)
	}
	return l
}
