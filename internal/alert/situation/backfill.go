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

// LatePeriod is the length of the later part.
const LatePeriod = time.Hour

// ChartPeriod is the longest period of charts.
const ChartPeriod = 8 * time.Hour

// The time before is replayed in two parts, the later one first, because charts usually
// show at most an hour. The steps match the steps of samples.
const (
	lateEvery = 10 * time.Second
	oldEvery  = time.Minute
)

// BackfillPart is a part of the time before an instant.
type BackfillPart struct {
	Early    bool // the earlier part
	From, To time.Time
	Step     time.Duration
	Judged   time.Time // from here on snapshots are evaluated; before only sampled
}

// LatePart returns the later part of the time before at, which ends at to and is evaluated
// from judged on.
func LatePart(at, to, judged time.Time) BackfillPart {
	return BackfillPart{false, at.Add(-LatePeriod), to, lateEvery, judged}
}

// EarlyPart returns the earlier part of the time before at.
func EarlyPart(at time.Time) BackfillPart {
	return BackfillPart{true, at.Add(-ChartPeriod), at.Add(-LatePeriod), oldEvery, at}
}

// BackfillResult is the result of [Backfill].
type BackfillResult struct {
	Past  *alert.Backfill
	Watch *Tracker
}

// Backfill replays the snapshots of a part on a new engine. It returns false if the context
// ended before.
func Backfill(ctx context.Context, engine *alert.Engine, names model.Names, p BackfillPart, pictures iter.Seq[*model.Snapshot]) (BackfillResult, bool) {
	out := BackfillResult{alert.NewBackfill(engine), New(Options{Names: names})}
	for s := range pictures {
		if ctx.Err() != nil {
			return out, false
		}
		if !s.At.Before(p.To) { // later samples exist already
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

// IsComplete reports whether all subscriptions that can deliver soon have delivered; then
// the replay can start.
func IsComplete(h *model.Health) bool {
	for i := range h.Subscriptions {
		switch h.Subscriptions[i].State { //nolint:exhaustive // the others have delivered or will not
		case model.SubConnecting, model.SubSyncing:
			return false
		}
	}
	return h.Link.State == model.LinkUp && h.HadData()
}

// UntilError returns the snapshots up to the first error.
func UntilError(pictures iter.Seq2[*model.Snapshot, error]) iter.Seq[*model.Snapshot] {
	return func(yield func(*model.Snapshot) bool) {
		for s, err := range pictures {
			if err != nil || !yield(s) {
				return
			}
		}
	}
}
