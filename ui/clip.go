package ui

import (
	"context"
	"errors"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"wallboard/ui/term"
)

// Clip is a part of a recording that is drawn frame by frame.
type Clip struct {
	Size     term.Size
	From, To time.Time     // on the server's clock
	Step     time.Duration // recording time between two frames
	// WriteFrame is called with the terminal output of each frame that differs from the previous
	// frame.
	WriteFrame func(at time.Time, out []byte) error
}

// DrawClip draws the board of a recording as fast as possible: a frame after each step of the clip,
// and one at the end of the clip. Before the clip begins, it evaluates the preceding hours, so that
// alerts and charts are complete. It returns an error if o.Archive.Replayed is nil, if reading or
// writing fails, or if ctx ends.
func DrawClip(ctx context.Context, o Options, s Clip) error {
	recording := o.Archive.Replayed
	if recording == nil {
		return errors.New("only a recording can be cast")
	}
	o.Context = ctx
	recording.SetSpeed(0)
	if err := recording.SeekTo(s.From); err != nil {
		return err
	}
	m := New(o)
	m.Update(tea.ColorProfileMsg{Profile: colorprofile.TrueColor})
	m.Update(tea.WindowSizeMsg{Width: s.Size.Width, Height: s.Size.Height})
	m.Update(SnapshotMsg{Snapshot: recording.Latest()})
	if err := m.shownFloor.replay.EvaluatePast(ctx, func(msg tea.Msg) { m.Update(msg) }); err != nil {
		return err
	}
	screen := term.NewFrameWriter(s.Size)
	opening := screen.Begin()
	for at := s.From; ; at = at.Add(s.Step) {
		last := !at.Before(s.To)
		if last {
			at = s.To
		}
		if err := errors.Join(ctx.Err(), recording.SeekTo(at)); err != nil {
			return err
		}
		m.Update(term.Messages{SnapshotMsg{Snapshot: recording.Latest()}, ClockMsg{}}) // ClockMsg evaluates the snapshot, even on a large floor, where SnapshotMsg alone does not
		if m.failure != nil {
			return m.failure
		}
		out := append(opening, screen.Show(m.View(), m.Frame())...)
		if last {
			out = append(out, screen.End()...)
		}
		opening = nil
		if len(out) > 0 {
			if err := s.WriteFrame(at, out); err != nil {
				return err
			}
		}
		if last {
			return nil
		}
	}
}
