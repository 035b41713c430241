package alerts

import (
	"wallboard/model"
	"wallboard/ui/floor"
	"wallboard/ui/look"
	"wallboard/ui/render"
)

// Replayer evaluates recorded snapshots in order, as a live board would have. It must not be
// used concurrently.
type Replayer struct {
	view  *floor.View
	watch *Watch
	look  *look.Look
}

// NewJudge returns a judge with an engine that has evaluated no snapshot yet.
func NewJudge(e Engine, names model.Names) *Replayer {
	j := &Replayer{view: &floor.View{Names: names, Replay: true}, look: look.New(look.Options{}, render.Options{Names: names})}
	j.watch = New(j.view, func(text string) string { return text }, nil)
	j.watch.Use(e)
	return j
}

// Evaluate evaluates a snapshot and returns the marks for the recording.
func (j *Replayer) Evaluate(s *model.Snapshot) []model.Event {
	j.view.Ours = s.At.Add(-s.Health.ClockOffset)
	j.view.Take(s)
	return j.watch.Evaluate(j.look).Marks
}

// Situations returns the situations found so far.
func (j *Replayer) Situations() Situations { return j.watch.Situations() }
