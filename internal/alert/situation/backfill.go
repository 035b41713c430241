package situation

import (
	"context"
	"iter"
	"time"

	"wallboard/internal/alert"
	"wallboard/model"
)

// WarmUp is the period before an instant that is evaluated while a viewer waits.
const WarmUp = 15 * time.Minute

// LatePeriod is the length of the later part of the period before the start; see [LatePart].
const LatePeriod = time.Hour

// ChartPeriod is the longest period of charts.
const ChartPeriod = 8 * time.Hour

// The period before the start is replayed in two parts, the later one first, because charts usually
// show at most an hour. The steps match the steps of samples.
const (
	lateStep  = 10 * time.Second
	earlyStep = time.Minute
)

// BackfillPart is a part of the period before the start.
type BackfillPart struct {
	Early        bool // the earlier part
	From, To     time.Time
	Step         time.Duration
	EvaluateFrom time.Time // rules are evaluated from this time on; earlier snapshots are only sampled
}

// LatePart returns the later part of the period before at. It ends at to; rules are evaluated from
// evaluateFrom on.
func LatePart(at, to, evaluateFrom time.Time) BackfillPart {
	return BackfillPart{false, at.Add(-LatePeriod), to, lateStep, evaluateFrom}
}

// EarlyPart returns the earlier part of the period before at.
func EarlyPart(at time.Time) BackfillPart {
	return BackfillPart{true, at.Add(-ChartPeriod), at.Add(-LatePeriod), earlyStep, at}
}

// BackfillResult is the result of [Backfill].
type BackfillResult struct {
	Backfill *alert.Backfill
	Tracker  *Tracker
}

// Backfill replays the snapshots of a part on a new engine. It returns false if the context ended
// first.
func Backfill(ctx context.Context, engine *alert.Engine, names model.Names, p BackfillPart, snapshots iter.Seq[*model.Snapshot]) (BackfillResult, bool) {
	out := BackfillResult{alert.NewBackfill(engine), New(Options{Names: names})}
	for s := range snapshots {
		if ctx.Err() != nil {
			return out, false
		}
		if !s.At.Before(p.To) { // later samples exist already
			break
		}
		out.Tracker.Observe(s, s.At)
		if s.At.Before(p.EvaluateFrom) {
			out.Backfill.Observe(s, s.At)
		} else {
			engine.Evaluate(s, s.At)
		}
	}
	return out, ctx.Err() == nil
}

// IsFeedComplete reports whether all subscriptions that can deliver soon have delivered; then
// the replay can start.
func IsFeedComplete(h *model.Health) bool {
	for i := range h.Subscriptions {
		switch h.Subscriptions[i].State { //nolint:exhaustive // the others have delivered or will not
		case model.SubConnecting, model.SubSyncing:
			return false
		}
	}
	return h.Link.State == model.LinkUp && h.HadData()
}

// UntilError returns the snapshots up to the first error.
func UntilError(snapshots iter.Seq2[*model.Snapshot, error]) iter.Seq[*model.Snapshot] {
	return func(yield func(*model.Snapshot) bool) {
		for s, err := range snapshots {
			if err != nil || !yield(s) {
				return
			}
		}
	}
}
