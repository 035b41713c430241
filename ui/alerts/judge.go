package alerts

import (
	"wallboard/model"
	"wallboard/ui/render"
	"wallboard/ui/snapshot"
	"wallboard/ui/style"
)

// Replayer evaluates recorded snapshots in order and finds situations in the same way as a live
// board. It is not safe for concurrent use.
type Replayer struct {
	view  *snapshot.View
	watch *Watch
	look  *style.Look
}

// NewReplayer returns a replayer that evaluates snapshots with the engine e. e must not have
// evaluated a snapshot yet.
func NewReplayer(e Engine, names model.Names) *Replayer {
	j := &Replayer{view: &snapshot.View{Names: names, Replay: true}, look: style.New(style.Options{}, render.Options{Names: names})}
	j.watch = New(j.view, func(text string) string { return text }, nil)
	j.watch.SetEngine(e)
	return j
}

// Evaluate evaluates the next snapshot. It returns marks for the situations that have begun, become
// critical or ended.
func (j *Replayer) Evaluate(s *model.Snapshot) []model.Event {
	j.view.LocalNow = s.At.Add(-s.Health.ClockOffset)
	j.view.SetNewest(s)
	return j.watch.Evaluate(j.look).Marks
}

// Situations returns the situations that the snapshots so far contain.
func (j *Replayer) Situations() Situations { return j.watch.Situations() }
