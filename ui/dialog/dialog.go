package dialog

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"wallboard/ui/style"
)

// Dialog lies on top of the board and has the keyboard. It keeps the ID of the record
// it was opened for, so that rows that move or vanish below it never change its target. Dialogs
// may also implement [Starter], [UnsavedInput], [EscHandler], [Hinter], [CursorOwner] and [Restyler].
type Dialog interface {
	// Title returns the title on the frame.
	Title() string
	// Size returns the wanted size of the content, at most maxW cells and maxH lines.
	Size(maxW, maxH int) (w, h int)
	// View draws the content in exactly h lines of w cells.
	View(w, h int) []string
	// Update handles keys, pastes, mouse events with positions relative to the content, and
	// the messages of [Stack.Answer]. It never gets esc: see [EscHandler].
	Update(msg tea.Msg) tea.Cmd
}

// Starter is a dialog with a command to run when it opens.
type Starter interface {
	Begin() tea.Cmd
}

// UnsavedInput is a dialog that may need a confirmation before esc closes it.
type UnsavedInput interface {
	// Unsaved reports whether closing would lose input.
	Unsaved() bool
}

// EscHandler is a dialog that handles esc itself.
type EscHandler interface {
	// HandleEsc handles esc, and reports whether it did. If so, the dialog decides whether it stays
	// open; otherwise the stack closes it.
	HandleEsc() bool
}

// Hinter is a dialog with keys of its own for the footer.
type Hinter interface {
	Hints() []style.KeyHint
}

// CursorOwner is a dialog with an input field.
type CursorOwner interface {
	// Cursor returns the position of the terminal's cursor within the content.
	Cursor() (x, y int, ok bool)
}

// Restyler is a dialog with cached lines that depend on the theme.
type Restyler interface {
	Restyle()
}

// Host is the board as seen by its dialogs.
type Host interface {
	// Look returns the current look of the board.
	Look() *style.Look
	// Platform returns the name of the shown platform if there are several, otherwise "".
	Platform() string
	// Width returns the width of the board in cells.
	Width() int
	// Now returns the time on the local clock, updated once a second.
	Now() time.Time
	// Context returns a context that is canceled when dialogs must stop waiting.
	Context() context.Context
	// Say shows a message in the footer for a while.
	Say(text string) tea.Cmd
}

// AnswerMsg carries the result of a command to its dialog.
type AnswerMsg struct {
	to  Dialog
	msg tea.Msg
}

// Readable widths in cells for a question, a form and a longer text.
const (
	QuestionWidth = 64
	formWidth     = 72
	SheetWidth    = 96
)

// HintRows is the height of the keys of a dialog: a blank line and the keys.
const HintRows = 2
