package situation

import (
	"context"
	"iter"
	"time"

	"wallboard/internal/alert"
	"wallboard/model"
)

// WarmUp is the length of the period before the start for which rules are evaluated while a viewer
// waits.
const WarmUp = 15 * time.Minute

// WarmUpStep is the interval between the snapshots evaluated during [WarmUp].
const WarmUpStep = 10 * time.Second

// RecentPeriod is the length of the period before the start that is replayed first; see [RecentPart].
const RecentPeriod = time.Hour

// ChartPeriod is the longest period that charts show.
const ChartPeriod = 8 * time.Hour

// Steps between the snapshots that are replayed. The period before the start is replayed in two
// parts. The later part comes first, because charts usually show at most an hour. The steps are the
// steps at which an [alert.Engine] takes samples.
const (
	recentStep = WarmUpStep
	earlyStep  = time.Minute
)

// BackfillPart describes one of the two parts of the period before the start that are replayed.
type BackfillPart struct {
	Early        bool // true for the earlier of the two parts
	From, To     time.Time
	Step         time.Duration
	EvaluateFrom time.Time // rules are evaluated from this time on, while earlier snapshots are only sampled
}

// RecentPart returns the part from [RecentPeriod] before at until to. Rules are evaluated from
// evaluateFrom on.
func RecentPart(at, to, evaluateFrom time.Time) BackfillPart {
	return BackfillPart{false, at.Add(-RecentPeriod), to, recentStep, evaluateFrom}
}

// EarlyPart returns the part from [ChartPeriod] before at to the beginning of [RecentPart]. Rules are
// not evaluated in this part.
func EarlyPart(at time.Time) BackfillPart {
	return BackfillPart{true, at.Add(-ChartPeriod), at.Add(-RecentPeriod), earlyStep, at}
}

// BackfillResult is the result of [Backfill].
type BackfillResult struct {
	Backfill *alert.Backfill
	Tracker  *Tracker
}

// Backfill replays the snapshots of a part on engine and on a new tracker, and returns both. The bool
// result is false if ctx ended first.
func Backfill(ctx context.Context, engine *alert.Engine, names model.Names, p BackfillPart, snapshots iter.Seq[*model.Snapshot]) (BackfillResult, bool) {
	out := BackfillResult{alert.NewBackfill(engine), New(Options{Names: names})}
	for s := range snapshots {
		if ctx.Err() != nil {
			return out, false
		}
		if !s.At.Before(p.To) { // later samples already exist
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

// IsFeedComplete reports whether the connection is up and has delivered data, and no subscription is
// still waiting for its first data. Only then can Backfill start.
func IsFeedComplete(h *model.Health) bool {
	for i := range h.Subscriptions {
		switch h.Subscriptions[i].State { //nolint:exhaustive // a subscription in another state has delivered data or will not do so soon
		case model.SubConnecting, model.SubSyncing:
			return false
		}
	}
	return h.Link.State == model.LinkUp && h.HadData()
}

// UntilError returns an iterator over the snapshots before the first error.
func UntilError(snapshots iter.Seq2[*model.Snapshot, error]) iter.Seq[*model.Snapshot] {
	return func(yield func(*model.Snapshot) bool) {
		for s, err := range snapshots {
			if err != nil || !yield(s) {
				return
			}
		}
	}
}
