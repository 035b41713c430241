package alerts

import (
	"wallboard/model"
	"wallboard/ui/floor"
	"wallboard/ui/look"
	"wallboard/ui/render"
)

// Judge looks at pictures of what was, in the order of time, as a board would have. It
// belongs to one goroutine at a time.
type Judge struct {
	view  *floor.View
	watch *Watch
	look  *look.Look
}

// NewJudge returns a judge by an engine that has seen nothing yet.
func NewJudge(e Engine, names model.Names) *Judge {
	j := &Judge{view: &floor.View{Names: names, Past: true}, look: look.New(look.Options{}, render.Options{Names: names})}
	j.watch = New(j.view, func(text string) string { return text }, nil)
	j.watch.Use(e)
	return j
}

// See looks at a picture, and returns what a recording is to be marked with.
func (j *Judge) See(s *model.Snapshot) []model.Event {
	j.view.Ours = s.At.Add(-s.Health.ClockOffset)
	j.view.Take(s)
	return j.watch.Evaluate(j.look).Marks
}

// Situations are what was wrong has been made into so far.
func (j *Judge) Situations() Situations { return j.watch.Situations() }
