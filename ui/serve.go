package ui

import (
	"context"
	"fmt"

	tea "charm.land/bubbletea/v2"

	"wallboard/ui/paint"
)

// Serve shows a board to a viewer elsewhere until they quit or ctx ends; neither is
// an error. It is the board that [Run] shows, and ends as it does.
func Serve(ctx context.Context, o Options, v paint.Viewer) error {
	var m *Viewer
	err := paint.Serve(ctx, func(ctx context.Context) paint.Served {
		o.Context, o.paced = ctx, true
		m = NewViewer(o)
		return served{m}
	}, v)
	switch {
	case m != nil && m.failed() != nil:
		return m.failed()
	case err != nil:
		return fmt.Errorf("show the board: %w", err)
	}
	return nil
}

// served is a board as a viewer elsewhere is shown it.
type served struct{ *Viewer }

// Patient implements [paint.Served]: what changes by itself comes once in a while,
// all of it together, but for the first picture.
func (m served) Patient(msg tea.Msg) bool {
	of := m.front()
	if one, is := msg.(boardMsg); is {
		of, msg = one.of, one.msg
	}
	switch msg.(type) {
	case snapshotMsg:
		return of.scene.floor.Newest != nil
	case clockMsg, flashMsg, moveMsg:
		return true
	}
	return false
}

// Aside implements [paint.Served]: who looks at what was does not hold up who looks at what is.
func (m served) Aside() bool { return m.past != nil }

func isClock(msg tea.Msg) bool {
	_, is := msg.(clockMsg)
	return is
}
