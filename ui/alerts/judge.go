package alerts

import (
	"wallboard/model"
	"wallboard/ui/floor"
	"wallboard/ui/look"
	"wallboard/ui/render"
)

// Judge evaluates recorded snapshots in order, as a live board would have. It must not be
// used concurrently.
type Judge struct {
	view  *floor.View
	watch *Watch
	look  *look.Look
}

// NewJudge returns a judge with an engine that has evaluated no snapshot yet.
func NewJudge(e Engine, names model.Names) *Judge {
	j := &Judge{view: &floor.View{Names: names, Past: true}, look: look.New(look.Options{}, render.Options{Names: names})}
	j.watch = New(j.view, func(text string) string { return text }, nil)
	j.watch.Use(e)
	return j
}

// See evaluates a snapshot and returns the marks for the recording.
func (j *Judge) See(s *model.Snapshot) []model.Event {
	j.view.Ours = s.At.Add(-s.Health.ClockOffset)
	j.view.Take(s)
	return j.watch.Evaluate(j.look).Marks
}

// Situations returns the situations found so far.
func (j *Judge) Situations() Situations { return j.watch.Situations() }
