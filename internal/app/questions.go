package app

import (
	"context"
	"time"

	"wallboard/internal/alert"
	"wallboard/internal/config"
	"wallboard/internal/hub"
	"wallboard/internal/report/ask"
	"wallboard/internal/words"
	"wallboard/model"
)

// NewAnswerFloor returns a responder, without data, to the questions of a viewer with the visibility
// v.
func NewAnswerFloor(c *config.Config, v hub.Visibility, zone *time.Location) *ask.Responder {
	c = Restrict(c, v.Part)
	names := c.Names()
	return &ask.Responder{
		Names: names, Zone: zone, Rules: func() []alert.Rule { return VisibleRules(c.AlertOptions(names).Rules, v) },
		EngineOptions: hub.Options{
			Engine: func(model.FloorPart) (*alert.Engine, error) { return NewEngine(c, names) }, Names: names, Breaks: c.BreakLimits(), Holidays: c.Holidays(),
		},
	}
}

// AnswerFloor returns a responder to the questions of a viewer with the visibility v. It reads the
// live data and the recording and answers in the language l. ctx ends the waiting for a recording.
func (p *Platform) AnswerFloor(ctx context.Context, v hub.Visibility, viewer *hub.Viewer, l *words.Language) *ask.Responder {
	c := p.Config()
	f := NewAnswerFloor(c, v, time.Local)
	f.Present, f.MaskText, f.Words = ask.PresentOf(viewer, l), viewer.MaskText, l
	if !c.Record.Enabled {
		return f
	}
	f.OpenRecording = func() (ask.Recording, func(), error) {
		p.AwaitRecording(ctx, time.Minute)
		r, err := OpenRecording(c)
		if err != nil {
			return nil, nil, err
		}
		player := r.Replay(r.Info().Last, 0, nil)
		return viewer.NewReplay(player, c.Record.Names != string(model.NamesFull), player.Close), func() { _ = player.Close() }, nil // read-only: closing cannot lose data
	}
	return f
}

// AwaitRecording waits, at most limit, while the hours before the start of a simulated platform are
// being recorded.
func (p *Platform) AwaitRecording(ctx context.Context, limit time.Duration) {
	if p.Recorder.StillRecording == nil {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	tick := time.NewTicker(200 * time.Millisecond)
	defer tick.Stop()
	for p.Recorder.StillRecording() {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}
