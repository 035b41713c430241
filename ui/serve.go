package ui

import (
	"context"
	"fmt"

	tea "charm.land/bubbletea/v2"

	"wallboard/ui/term"
)

// Serve shows a board to a remote viewer until the viewer quits or ctx ends, and then returns nil.
// If the options cannot be used, Serve returns an error. If the board or one of its commands
// panics, the error contains the stack.
func Serve(ctx context.Context, o Options, v term.Viewer) error {
	var m *Model
	err := term.Serve(ctx, func(ctx context.Context) term.ServedModel {
		o.Context, o.Display.frameDriven = ctx, true
		m = New(o)
		return servedBoard{m}
	}, v)
	switch {
	case m != nil && m.failure != nil:
		return m.failure
	case err != nil:
		return fmt.Errorf("show the board: %w", err)
	}
	return nil
}

// servedBoard is the board of a remote viewer.
type servedBoard struct{ *Model }

// CanDeferDraw implements [term.ServedModel]. It returns true for messages whose changes may be drawn
// with the next frame: clock ticks, animations and all snapshots except the first.
func (m servedBoard) CanDeferDraw(msg tea.Msg) bool {
	switch msg.(type) {
	case SnapshotMsg:
		return m.floorOf(msg).scene.floor.Newest != nil
	case ClockMsg, animateMsg:
		return true
	}
	return false
}

// DrawsLater implements [term.ServedModel]. It returns true during a replay, because drawing a
// replay must not delay the boards of live viewers.
func (m servedBoard) DrawsLater() bool { return m.isReplaying() }

// AppendFrame implements [term.ServedModel].
func (m servedBoard) AppendFrame(dst []byte) []byte { return m.painter.drawn.Append(dst) }

func isClockMsg(msg tea.Msg) bool {
	_, ok := msg.(ClockMsg)
	return ok
}
