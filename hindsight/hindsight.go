// Package hindsight looks at what was before an instant, for an engine and a watch over
// situations that begin there: their samples and trends do not begin at nothing then.
package hindsight

import (
	"context"
	"iter"
	"time"

	"wallboard/alert"
	"wallboard/model"
	"wallboard/situation"
)

// Warm is how much of what was before an instant its alerts and situations are made from
// where somebody waits for them.
const Warm = 15 * time.Minute

// Lately is how long the later part of the time before is.
const Lately = time.Hour

// Shift is how far back charts go at most.
const Shift = 8 * time.Hour

// The time before is looked at in two parts, the later one first: charts show an hour at
// most unless somebody asks for more. Samples are kept as finely as pictures are looked at.
const (
	lateEvery = 10 * time.Second
	everyOld  = time.Minute
)

// Part is a part of the time before an instant.
type Part struct {
	Old      bool // the earlier one
	From, To time.Time
	Step     time.Duration
	Judged   time.Time // the pictures from here on are judged, of the others samples are taken
}

// Late is the later part of the time before an instant, up to a time, which is judged from
// another on.
func Late(at, to, judged time.Time) Part { return Part{false, at.Add(-Lately), to, lateEvery, judged} }

// Old is the earlier one.
func Old(at time.Time) Part { return Part{true, at.Add(-Shift), at.Add(-Lately), everyOld, at} }

// Seen is what was seen of a part.
type Seen struct {
	Past  *alert.Past
	Watch *situation.Watch
}

// Look shows the pictures of a part to an engine that has seen nothing yet. It reports
// whether it came to an end before the context did.
func Look(ctx context.Context, engine *alert.Engine, names model.Names, p Part, pictures iter.Seq[*model.Snapshot]) (Seen, bool) {
	out := Seen{alert.NewPast(engine), situation.New(situation.Options{Names: names})}
	for s := range pictures {
		if ctx.Err() != nil {
			return out, false
		}
		if !s.At.Before(p.To) { // of now there are samples
			break
		}
		out.Watch.Observe(s, s.At)
		if s.At.Before(p.Judged) {
			out.Past.Observe(s, s.At)
		} else {
			engine.Evaluate(s, s.At)
		}
	}
	return out, ctx.Err() == nil
}

// Arrived reports whether all has come of a floor that will come soon: what was before is
// looked for then.
func Arrived(h *model.Health) bool {
	for i := range h.Subscriptions {
		switch h.Subscriptions[i].State { //nolint:exhaustive // the others have come, or will not
		case model.SubConnecting, model.SubSyncing:
			return false
		}
	}
	return h.Link.State == model.LinkUp && h.HadData()
}

// Readable are the pictures up to the first that cannot be read.
func Readable(pictures iter.Seq2[*model.Snapshot, error]) iter.Seq[*model.Snapshot] {
	return func(yield func(*model.Snapshot) bool) {
		for s, err := range pictures {
			if err != nil || !yield(s) {
				return
			}
		}
	}
}
