package dialog

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"wallboard/internal/words"
	"wallboard/themes"
	"wallboard/ui/style"
)

// Loading is a dialog that reads the data for the next dialog.
type Loading[T any] struct {
	Dialogs  *Stack
	Name     string
	Read     func(context.Context) (T, error)
	OnLoaded func(T) tea.Cmd // called with the data after the dialog has closed

	err error // error of the last attempt to read; nil: still reading
}

// readMsg carries the data or an error to the dialog.
type readMsg[T any] struct {
	value T
	err   error
}

// Begin implements [Starter]. It returns a command that reads the data.
func (d *Loading[T]) Begin() tea.Cmd {
	d.err = nil
	ctx, read := d.Dialogs.Context(), d.Read
	return d.Dialogs.RouteAnswer(d, func() tea.Msg {
		v, err := read(ctx)
		return readMsg[T]{v, err}
	})
}

// Title implements [Dialog].
func (d *Loading[T]) Title() string { return d.Name }

// Size implements [Dialog].
func (d *Loading[T]) Size(maxW, maxH int) (w, h int) {
	w = min(QuestionWidth, maxW)
	h = len(d.lines(w))
	if d.err != nil {
		h += HintRows
	}
	return w, min(h, maxH)
}

func (d *Loading[T]) lines(w int) []string {
	lk := d.Dialogs.Look()
	if d.err != nil {
		return lk.Wrap(themes.Critical, style.OneLine(words.TextOf(d.err).In(lk.Format.Words)), w)
	}
	return lk.Wrap(themes.Dim, words.DialogReading().In(lk.Format.Words)+lk.Glyphs.Ellipsis, w)
}

// View implements [Dialog].
func (d *Loading[T]) View(w, h int) []string {
	lk := d.Dialogs.Look()
	if d.err == nil {
		return style.FitLines(d.lines(w), w, h, lk.Glyphs.Ellipsis)
	}
	out := style.FitLines(d.lines(w), w, max(h-1, 0), lk.Glyphs.Ellipsis)
	return append(out, lk.HintLine(w, style.KeyHint{Key: "r", Description: words.DialogKeyTryAgain().In(lk.Format.Words)}))[:h]
}

// Update implements [Dialog].
func (d *Loading[T]) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case readMsg[T]:
		if d.err = msg.err; d.err == nil {
			d.Dialogs.Close(d)
			return d.OnLoaded(msg.value)
		}
	case tea.KeyPressMsg:
		if msg.String() == "r" && d.err != nil {
			return d.Begin()
		}
	}
	return nil
}
