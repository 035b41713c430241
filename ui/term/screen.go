package term

import (
	"image/color"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/lucasb-eyer/go-colorful"

	"wallboard/internal/lib/terminal"
)

// canvas holds the content of a terminal: its rows and its cursor.
type canvas struct {
	rows          RowPainter
	cursor        *tea.Cursor // nil: hidden
	hasSyncOutput bool        // the terminal supports synchronized output
	fullRepaint   bool        // the next frame must be written completely
}

// requestRepaint makes the next frame be written completely, because other programs may have
// written to the terminal.
func (c *canvas) requestRepaint() {
	c.rows.RequestRepaint()
	c.fullRepaint = true
}

// appendChanges appends to b the output that makes the terminal show a frame and a cursor. It
// appends nothing if neither has changed.
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
	if c.hasSyncOutput {
		b = append(b, ansi.SetModeSynchronizedOutput...)
	}
	if previous != nil || repaint { // hidden while rows are written, so that it does not jump over the screen
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
	if c.hasSyncOutput {
		b = append(b, ansi.ResetModeSynchronizedOutput...)
	}
	return b
}

// sameCursor reports whether two cursors look the same. A nil cursor is a hidden cursor.
func sameCursor(a, b *tea.Cursor) bool {
	return a == b || a != nil && b != nil && *a == *b
}

// cursorStyle returns the number of the cursor's shape in the DECSCUSR sequence.
func cursorStyle(c tea.Cursor) int {
	n := 2*int(c.Shape) + 1
	if !c.Blink {
		n++
	}
	return n
}

// remoteScreen holds the content and the modes of a remote viewer's terminal. appendRestore restores
// the modes at the end.
type remoteScreen struct {
	canvas
	termType     string   // value of the environment variable TERM
	view         tea.View // the last view
	usesClusters bool     // the terminal measures text by grapheme clusters
}

// isPlain reports whether the terminal must not be queried because it would show a query as text.
func (s *remoteScreen) isPlain() bool { return terminal.IsPlain(s.termType) }

// appendStart appends to b the output that starts a session.
func (s *remoteScreen) appendStart(b []byte) []byte {
	b = append(b, ansi.SetModeAltScreenSaveCursor+ansi.ResetModeTextCursorEnable+ansi.SetModeBracketedPaste...)
	if !s.isPlain() {
		s.rows.IsolateRTL = true
		b = append(b, saveTitle+disableReordering...)
		b = append(b, ansi.PushKittyKeyboard(ansi.KittyDisambiguateEscapeCodes|ansi.KittyReportAlternateKeys)+ansi.RequestModeSynchronizedOutput+ansi.RequestModeUnicodeCore...)
	}
	return b
}

// handleReport handles a report from the terminal about its modes. It appends to b the output that
// the report makes necessary.
func (s *remoteScreen) handleReport(b []byte, msg tea.Msg) []byte {
	if m, ok := msg.(tea.ModeReportMsg); ok {
		switch {
		case m.Mode == ansi.ModeSynchronizedOutput:
			s.hasSyncOutput = m.Value == ansi.ModeReset
		case SupportsClusters(m) && !s.usesClusters:
			s.usesClusters, s.rows.WidthMethod = true, ansi.GraphemeWidth
			s.rows.ResetScreen()
			return append(b, ansi.SetModeUnicodeCore...)
		}
	}
	return b
}

// appendView appends to b the output that makes the terminal show a view with its frame.
func (s *remoteScreen) appendView(b []byte, v tea.View, frame []byte) []byte {
	b = s.appendModes(b, v)
	s.view = v
	return s.appendChanges(b, v.Cursor, frame)
}

// appendModes appends to b the output for the changes in a view other than the frame: title, mouse
// mode and colors.
func (s *remoteScreen) appendModes(b []byte, v tea.View) []byte {
	previous := &s.view
	if v.WindowTitle != previous.WindowTitle && !s.isPlain() {
		b = append(b, ansi.SetWindowTitle(v.WindowTitle)...)
	}
	if v.MouseMode != previous.MouseMode {
		if v.MouseMode == tea.MouseModeNone {
			b = append(b, disableMouse...)
		} else {
			b = append(b, ansi.SetModeMouseButtonEvent+ansi.SetModeMouseExtSgr...)
		}
	}
	if s.isPlain() {
		return b
	}
	b = appendColor(b, previous.BackgroundColor, v.BackgroundColor, ansi.SetBackgroundColor, ansi.ResetBackgroundColor)
	return appendColor(b, previous.ForegroundColor, v.ForegroundColor, ansi.SetForegroundColor, ansi.ResetForegroundColor)
}

// saveTitle makes the terminal push the window title on a stack. restoreTitle makes it pop the
// title.
const saveTitle, restoreTitle = "\x1b[22;2t", "\x1b[23;2t"

const disableMouse = ansi.ResetModeMouseButtonEvent + ansi.ResetModeMouseAnyEvent + ansi.ResetModeMouseExtSgr

// appendColor appends to b the output that changes a color of the terminal from old to current. set
// returns the sequence that sets a color. reset is the sequence that restores the terminal's own
// color; nil stands for that color.
func appendColor(b []byte, old, current color.Color, set func(string) string, reset string) []byte {
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

// appendRestore appends to b the output that restores the terminal.
func (s *remoteScreen) appendRestore(b []byte) []byte {
	if s.cursor != nil {
		b = append(b, ansi.SetCursorStyle(0)...)
	}
	b = s.appendModes(b, tea.View{})
	if !s.isPlain() {
		b = append(b, restoreTitle+ansi.PopKittyKeyboard(1)+enableReordering...)
	}
	if s.usesClusters {
		b = append(b, ansi.ResetModeUnicodeCore...)
	}
	return append(b, ansi.ResetStyle+ansi.ResetModeBracketedPaste+ansi.ResetModeAltScreenSaveCursor+ansi.SetModeTextCursorEnable...)
}
