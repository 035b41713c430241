package term

import (
	"image/color"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/lucasb-eyer/go-colorful"

	"wallboard/internal/lib/terminal"
)

// canvas is the contents of a terminal: its rows and its cursor.
type canvas struct {
	rows        Rows
	cursor      *tea.Cursor // nil: hidden
	sync        bool        // the terminal supports synchronized output
	fullRepaint bool        // write everything with the next frame
}

// refresh writes everything again with the next frame, because other programs may have
// written on the terminal.
func (c *canvas) refresh() {
	c.rows.Refresh()
	c.fullRepaint = true
}

// appendChanges appends the output that changes the terminal to a frame and a cursor, or nothing
// if they are unchanged.
func (c *canvas) appendChanges(b []byte, cursor *tea.Cursor, frame []byte) []byte {
	var rows []byte
	if c.rows.Width > 0 && c.rows.Height > 0 {
		rows = c.rows.Paint(frame)
	}
	previous, repaint := c.cursor, c.fullRepaint
	c.cursor, c.fullRepaint = cursor, false
	if len(rows) == 0 && sameCursor(previous, cursor) {
		return b
	}
	if c.sync {
		b = append(b, ansi.SetModeSynchronizedOutput...)
	}
	if previous != nil || repaint { // so that the cursor does not run over the screen
		b = append(b, ansi.ResetModeTextCursorEnable...)
	}
	b = append(b, rows...)
	switch {
	case cursor != nil:
		if previous == nil || previous.Shape != cursor.Shape || previous.Blink != cursor.Blink {
			b = append(b, ansi.SetCursorStyle(cursorStyle(*cursor))...)
		}
		b = append(b, ansi.CursorPosition(cursor.X+1, cursor.Y+1)+ansi.SetModeTextCursorEnable...)
	case previous != nil:
		b = append(b, ansi.SetCursorStyle(0)...)
	}
	if c.sync {
		b = append(b, ansi.ResetModeSynchronizedOutput...)
	}
	return b
}

// sameCursor reports whether two cursors, nil if hidden, look the same.
func sameCursor(a, b *tea.Cursor) bool {
	return a == b || a != nil && b != nil && *a == *b
}

// cursorStyle returns the number of a cursor's shape (DECSCUSR).
func cursorStyle(c tea.Cursor) int {
	n := 2*int(c.Shape) + 1
	if !c.Blink {
		n++
	}
	return n
}

// screen is the terminal of a remote viewer: its contents and its modes, which are
// restored at the end.
type screen struct {
	canvas
	termType     string // terminal type
	view         tea.View
	usesClusters bool // the terminal measures text by grapheme clusters
}

// isPlain reports whether the terminal must not be queried, because it would show the
// query.
func (s *screen) isPlain() bool { return terminal.Plain(s.termType) }

// enter appends the output that begins a session.
func (s *screen) enter(b []byte) []byte {
	b = append(b, ansi.SetModeAltScreenSaveCursor+ansi.ResetModeTextCursorEnable+ansi.SetModeBracketedPaste...)
	if !s.isPlain() {
		s.rows.Isolate = true
		b = append(b, saveTitle+noReordering...)
		b = append(b, ansi.PushKittyKeyboard(ansi.KittyDisambiguateEscapeCodes|ansi.KittyReportAlternateKeys)+ansi.RequestModeSynchronizedOutput+ansi.RequestModeUnicodeCore...)
	}
	return b
}

// handleReport handles reports of the terminal about itself.
func (s *screen) handleReport(b []byte, msg tea.Msg) []byte {
	if m, ok := msg.(tea.ModeReportMsg); ok {
		switch {
		case m.Mode == ansi.ModeSynchronizedOutput:
			s.sync = m.Value == ansi.ModeReset
		case SupportsClusters(m) && !s.usesClusters:
			s.usesClusters, s.rows.WidthMethod = true, ansi.GraphemeWidth
			s.rows.Forget()
			return append(b, ansi.SetModeUnicodeCore...)
		}
	}
	return b
}

// show appends the output that changes the terminal to a view and its frame.
func (s *screen) show(b []byte, v tea.View, frame []byte) []byte {
	b = s.setModes(b, v)
	s.view = v
	return s.appendChanges(b, v.Cursor, frame)
}

// setModes appends the changes of a view other than its frame.
func (s *screen) setModes(b []byte, v tea.View) []byte {
	previous := &s.view
	if v.WindowTitle != previous.WindowTitle && !s.isPlain() {
		b = append(b, ansi.SetWindowTitle(v.WindowTitle)...)
	}
	if v.MouseMode != previous.MouseMode {
		if v.MouseMode == tea.MouseModeNone {
			b = append(b, noMouse...)
		} else {
			b = append(b, ansi.SetModeMouseButtonEvent+ansi.SetModeMouseExtSgr...)
		}
	}
	if s.isPlain() {
		return b
	}
	b = setColor(b, previous.BackgroundColor, v.BackgroundColor, ansi.SetBackgroundColor, ansi.ResetBackgroundColor)
	return setColor(b, previous.ForegroundColor, v.ForegroundColor, ansi.SetForegroundColor, ansi.ResetForegroundColor)
}

// saveTitle puts the title of the window on a stack of the terminal, restoreTitle takes it from there.
const saveTitle, restoreTitle = "\x1b[22;2t", "\x1b[23;2t"

const noMouse = ansi.ResetModeMouseButtonEvent + ansi.ResetModeMouseAnyEvent + ansi.ResetModeMouseExtSgr

// setColor appends the output that changes a color of the terminal.
func setColor(b []byte, old, current color.Color, set func(string) string, reset string) []byte {
	switch {
	case old == current:
		return b
	case current == nil:
		return append(b, reset...)
	}
	if c, ok := colorful.MakeColor(current); ok {
		b = append(b, set(c.Hex())...)
	}
	return b
}

// leave appends the output that restores the terminal.
func (s *screen) leave(b []byte) []byte {
	if s.cursor != nil {
		b = append(b, ansi.SetCursorStyle(0)...)
	}
	b = s.setModes(b, tea.View{})
	if !s.isPlain() {
		b = append(b, restoreTitle+ansi.PopKittyKeyboard(1)+reordering...)
	}
	if s.usesClusters {
		b = append(b, ansi.ResetModeUnicodeCore...)
	}
	return append(b, ansi.ResetStyle+ansi.ResetModeBracketedPaste+ansi.ResetModeAltScreenSaveCursor+ansi.SetModeTextCursorEnable...)
}
