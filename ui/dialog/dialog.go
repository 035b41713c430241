package dialog

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"wallboard/ui/style"
)

// Dialog is a window on top of the board that has the keyboard focus. A dialog about a record
// stores the ID of the record, so that its target stays the same when rows below the dialog move or
// vanish. A dialog may also implement [Starter], [UnsavedInput], [EscHandler], [Hinter],
// [CursorOwner] and [Restyler].
type Dialog interface {
	// Title returns the title in the frame of the dialog.
	Title() string
	// Size returns the wanted size of the content, at most maxW cells and maxH lines.
	Size(maxW, maxH int) (w, h int)
	// View returns the content of the dialog: exactly h lines of w cells.
	View(w, h int) []string
	// Update handles keys, pastes, mouse events and the messages of [Stack.RouteAnswer]. The positions
	// of mouse events are relative to the content. The key esc does not reach Update, see
	// [EscHandler].
	Update(msg tea.Msg) tea.Cmd
}

// Starter is a dialog that runs a command when it opens.
type Starter interface {
	Begin() tea.Cmd
}

// UnsavedInput is a dialog that may contain input that would be lost if the dialog were closed. The
// stack then asks for confirmation before esc closes the dialog.
type UnsavedInput interface {
	// Unsaved reports whether input would be lost if the dialog were closed.
	Unsaved() bool
}

// EscHandler is a dialog that handles the key esc itself.
type EscHandler interface {
	// HandleEsc handles the key esc. If it returns false, the stack closes the dialog or first asks
	// for confirmation. If it returns true, the dialog decides itself whether to close.
	HandleEsc() bool
}

// Hinter is a dialog with its own key hints for the footer.
type Hinter interface {
	Hints() []style.KeyHint
}

// CursorOwner is a dialog with an input field, in which the terminal shows a cursor.
type CursorOwner interface {
	// Cursor returns the position of the terminal's cursor within the content. ok is false if no
	// input field has the keyboard focus.
	Cursor() (x, y int, ok bool)
}

// Restyler is a dialog that caches lines or styles of the theme. Restyle drops them after a change
// of the theme.
type Restyler interface {
	Restyle()
}

// Host gives dialogs access to the board.
type Host interface {
	// Look returns the current look of the board.
	Look() *style.Look
	// Platform returns the name of the platform on the screen. It returns "" if there is only one
	// platform.
	Platform() string
	// Width returns the width of the board in cells.
	Width() int
	// Now returns the time on the local clock. The board updates it at least once a second.
	Now() time.Time
	// Context returns a context that is canceled when dialogs must no longer wait for anything.
	Context() context.Context
	// ShowMessage returns a command that shows a message in the footer for a while.
	ShowMessage(text string) tea.Cmd
}

// AnswerMsg carries the message of a command to the dialog that started the command.
type AnswerMsg struct {
	recipient Dialog
	msg       tea.Msg
}

// Widths in cells at which a question, a form and a longer text are easy to read.
const (
	QuestionWidth = 64
	formWidth     = 72
	SheetWidth    = 96
)

// HintRows is the number of lines for the key hints of a dialog: a blank line and the hints.
const HintRows = 2
