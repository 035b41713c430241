package dialog

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"wallboard/ui/look"
)

// Dialog is what lies on top of the board and has the keyboard. It keeps the id
// of what it was opened for: rows that move or vanish under it never change its
// target. A dialog may have more to it: see [Beginner], [Typist], [Holder],
// [Adviser], [Pointer] and [Styled].
type Dialog interface {
	// Title returns what the dialog is called, on its frame.
	Title() string
	// Size returns the size in cells that the content would like, in the room
	// there is.
	Size(maxW, maxH int) (w, h int)
	// View draws the content in exactly h lines of w cells.
	View(w, h int) []string
	// Update obeys keys, what is pasted, the mouse, whose places are within
	// the content, and the messages that [Stack.Answer] brings. Esc never comes:
	// see [Holder].
	Update(msg tea.Msg) tea.Cmd
}

// Beginner is a dialog that has something to do as soon as it is open.
type Beginner interface {
	Begin() tea.Cmd
}

// Typist is a dialog that is asked about before esc closes it.
type Typist interface {
	// Typed reports whether something would be lost.
	Typed() bool
}

// Holder is a dialog to which esc means more than that it closes.
type Holder interface {
	// LetGo does what esc does first, and reports whether the dialog stays open
	// for that, or has closed by itself.
	LetGo() bool
}

// Adviser is a dialog that has keys of its own to be named in the footer.
type Adviser interface {
	Advice() []look.Hint
}

// Pointer is a dialog that is typed into.
type Pointer interface {
	// Cursor returns where the terminal's cursor is within the content.
	Cursor() (x, y int, ok bool)
}

// Styled is a dialog that keeps something drawn, which another theme changes.
type Styled interface {
	Restyle()
}

// Host is what dialogs need of the board that they lie on.
type Host interface {
	// Look is how the board draws now.
	Look() *look.Look
	// Platform is the one that the board shows, of several; "": there is one.
	Platform() string
	// Width is how wide the board is, in cells.
	Width() int
	// Now is our clock, of the last second.
	Now() time.Time
	// Context ends what dialogs wait for.
	Context() context.Context
	// Say shows a message in the footer for a while.
	Say(text string) tea.Cmd
}

// AnswerMsg brings a dialog the result of one of its commands.
type AnswerMsg struct {
	to  Dialog
	msg tea.Msg
}

// The widths in cells that are easy to read: of a question, of a form and of a
// longer text.
const (
	QuestionWidth = 64
	formWidth     = 72
	SheetWidth    = 96
)

// HintRows is the room for the keys of a dialog: a blank line and theirs.
const HintRows = 2
