package ui

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"wallboard/themes"
	"wallboard/ui/look"
)

// reading is the dialog that waits for what the next one needs to know.
type reading[T any] struct {
	sc   *scene
	name string
	read func(context.Context) (T, error)
	then func(*Model, T) tea.Cmd
	err  error // why there is nothing to go on with; nil while it is read
}

// readMsg brings what was read.
type readMsg[T any] struct {
	value T
	err   error
}

func openReading[T any](m *Model, d *reading[T]) tea.Cmd {
	d.sc = m.scene
	return tea.Batch(m.openDialog(d), d.load(m))
}

func (d *reading[T]) load(m *Model) tea.Cmd {
	d.err = nil
	ctx, read := m.scene.Context, d.read
	return m.answer(d, func() tea.Msg {
		v, err := read(ctx)
		return readMsg[T]{v, err}
	})
}

func (d *reading[T]) title(*scene) string { return d.name }

func (d *reading[T]) restyle(*scene) {}

func (d *reading[T]) cursor() (x, y int, ok bool) { return 0, 0, false }

func (d *reading[T]) size(maxW, maxH int) (w, h int) {
	w = min(questionWidth, maxW)
	h = len(d.words(w))
	if d.err != nil {
		h += hintRows
	}
	return w, min(h, maxH)
}

func (d *reading[T]) words(w int) []string {
	if d.err != nil {
		return d.sc.said(themes.Critical, oneLine(d.err.Error()), w)
	}
	return d.sc.said(themes.Dim, "Asking the platform"+d.sc.look.Glyphs.Ellipsis, w)
}

func (d *reading[T]) view(sc *scene, w, h int) []string {
	if d.err == nil {
		return look.FitLines(d.words(w), w, h, sc.look.Glyphs.Ellipsis)
	}
	out := look.FitLines(d.words(w), w, max(h-1, 0), sc.look.Glyphs.Ellipsis)
	return append(out, sc.hints(w, hint{"r", "try again"}))[:h]
}

func (d *reading[T]) update(m *Model, msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case readMsg[T]:
		if d.err = msg.err; d.err == nil {
			m.dismiss(d)
			return d.then(m, msg.value)
		}
	case tea.KeyPressMsg:
		if msg.String() == "r" && d.err != nil {
			return d.load(m)
		}
	}
	return nil
}
