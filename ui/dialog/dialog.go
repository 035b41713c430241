package dialog

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"wallboard/ui/style"
)

// Dialog lies on top of the board and has the keyboard. A dialog about a record stores the ID of
// the record, so that rows that move or vanish below the dialog never change its target. Dialogs
// may also implement [Starter], [UnsavedInput], [EscHandler], [Hinter], [CursorOwner] and
// [Restyler].
type Dialog interface {
	// Title returns the title in the frame of the dialog.
	Title() string
	// Size returns the wanted size of the content, at most maxW cells and maxH lines.
	Size(maxW, maxH int) (w, h int)
	// View returns the content of the dialog: exactly h lines of w cells.
	View(w, h int) []string
	// Update handles keys, pastes, mouse events and the messages of [Stack.Answer]. The positions
	// of mouse events are relative to the content. Update does not get the key esc: see
	// [EscHandler].
	Update(msg tea.Msg) tea.Cmd
}

// Starter is a dialog that runs a command when it opens.
type Starter interface {
	Begin() tea.Cmd
}

// UnsavedInput is a dialog that may have input that is lost when it closes. The stack then asks for
// confirmation before esc closes the dialog.
type UnsavedInput interface {
	// Unsaved reports whether closing the dialog would lose input.
	Unsaved() bool
}

// EscHandler is a dialog that handles the key esc itself.
type EscHandler interface {
	// HandleEsc handles the key esc, and reports whether it did. If it returns false, the stack
	// closes the dialog. If it returns true, the dialog decides whether it closes.
	HandleEsc() bool
}

// Hinter is a dialog with key hints for the footer.
type Hinter interface {
	Hints() []style.KeyHint
}

// CursorOwner is a dialog with an input field.
type CursorOwner interface {
	// Cursor returns the position of the terminal's cursor within the content. ok is false if no
	// input field has the keyboard.
	Cursor() (x, y int, ok bool)
}

// Restyler is a dialog that has cached lines or styles of the theme, and must be told when the
// theme changes.
type Restyler interface {
	Restyle()
}

// Host is the board as seen by its dialogs.
type Host interface {
	// Look returns the current look of the board.
	Look() *style.Look
	// Platform returns the name of the platform on the screen. It returns "" if there is only one
	// platform.
	Platform() string
	// Width returns the width of the board in cells.
	Width() int
	// Now returns the time on the local clock. It is updated once a second.
	Now() time.Time
	// Context returns a context that is canceled when dialogs must stop waiting.
	Context() context.Context
	// Say returns a command that shows a message in the footer for a while.
	Say(text string) tea.Cmd
}

// AnswerMsg carries the message of a command to the dialog that the command belongs to.
type AnswerMsg struct {
	to  Dialog
	msg tea.Msg
}

// The widths of a question, a form and a longer text in cells, at which they are easy to read.
const (
	QuestionWidth = 64
	formWidth     = 72
	SheetWidth    = 96
)

// HintRows is the number of lines for the key hints of a dialog: a blank line and the hints.
const HintRows = 2
