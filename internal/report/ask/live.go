package ask

import (
	"context"
	"fmt"

	"wallboard/internal/hub"
	"wallboard/internal/record"
	"wallboard/internal/words"
)

// PresentOf returns the function [Responder.Present] for a viewer of a hub. It evaluates the newest
// snapshot that the viewer may see, and describes its situations in a language.
func PresentOf(v *hub.Viewer, l *words.Language) func() *Moment {
	return func() *Moment {
		s := v.Latest()
		if s == nil {
			return nil
		}
		now := v.Now().Add(s.Health.ClockOffset)
		v.Evaluate(s, now)
		view, of := v.Situations()
		if of != nil && of.Seq > s.Seq {
			s = of
		}
		return &Moment{Engine: v, Snapshot: s, Situations: view.In(l), At: now}
	}
}

// UseRecording makes a recording the floor: its present is the replay's current instant. masked is a
// viewer of a hub whose source is the replay; it determines what may be seen. The error says why the
// instant cannot be shown.
func (f *Responder) UseRecording(ctx context.Context, masked *hub.Viewer, player *record.Replay, nameless bool) error {
	replay := masked.NewReplay(player, nameless, func() error { return nil })
	f.OpenRecording = func() (Recording, func(), error) { return replay, func() {}, nil }
	if err := player.SeekTo(player.At()); err != nil {
		return fmt.Errorf("read the recording: %w", err)
	}
	masked.Latest() // the mask learns the names and gives each agent a number that is the same at all moments
	f.MaskText = masked.MaskText
	m, err := f.pastMoment(ctx, player.At())
	if err == nil {
		f.Present = func() *Moment { return m }
	}
	return err
}
