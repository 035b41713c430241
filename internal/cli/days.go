package cli

import (
	"context"
	"iter"
	"log/slog"
	"time"

	"wallboard/internal/config"
	"wallboard/internal/record"
	"wallboard/internal/simulator/demo"
	"wallboard/internal/simulator/world"
	"wallboard/model"
)

// days returns snapshots of days before the board started: for each of the instants, one
// from the minute that follows.
type days func(ctx context.Context, at []time.Time) iter.Seq[*model.Snapshot]

// by returns the same days, read on a goroutine of r.
func (d days) by(r *recordingReaders) days {
	return func(ctx context.Context, at []time.Time) iter.Seq[*model.Snapshot] {
		return r.async(ctx, func(ctx context.Context) iter.Seq[*model.Snapshot] { return d(ctx, at) })
	}
}

// daysBefore returns the days before the board started: recorded ones, or those of a
// simulated platform.
func (b *board) daysBefore(c *config.Config, log *slog.Logger) days {
	if b.livedDays != nil {
		return b.livedDays(c)
	}
	return func(ctx context.Context, at []time.Time) iter.Seq[*model.Snapshot] {
		return func(yield func(*model.Snapshot) bool) {
			r, err := recordedBefore(c)
			if err != nil {
				log.Warn("earlier days cannot be read for the typical day", "error", err)
			}
			if r == nil || err != nil || len(at) == 0 {
				return
			}
			defer r.Close() //nolint:errcheck // read-only: closing cannot lose data
			begin, n := time.Now(), 0
			for s := range fullSnapshots(r.Replay(at[0], 1, nil), at) {
				if n++; ctx.Err() != nil || !yield(s) {
					return
				}
			}
			log.Info("read the same time on earlier days", "pictures", n, "took", time.Since(begin))
		}
	}
}

// wholeEvery is the period within which the recording contains a full snapshot.
const wholeEvery = time.Minute + 10*time.Second

// fullSnapshots returns the next full snapshot after each of some instants.
func fullSnapshots(f *record.Replay, at []time.Time) iter.Seq[*model.Snapshot] {
	return func(yield func(*model.Snapshot) bool) {
		first, last := f.Span()
		for _, t := range at {
			if t.Add(wholeEvery).Before(first) || t.After(last) {
				continue
			}
			for s, err := range f.Through(t, t.Add(wholeEvery), time.Minute) {
				if err == nil && !yield(s) {
					return
				}
				break
			}
		}
	}
}

// daysOf returns the days before the start of a simulated platform. They are simulated
// again for every call.
func daysOf(o world.Options) days {
	return func(ctx context.Context, at []time.Time) iter.Seq[*model.Snapshot] {
		return func(yield func(*model.Snapshot) bool) {
			for len(at) > 0 {
				one := at[:1]
				for len(one) < len(at) && at[len(one)].Sub(one[0]) < longestDay {
					one = at[:len(one)+1]
				}
				if ctx.Err() != nil || !dayOf(ctx, o, one, yield) {
					return
				}
				at = at[len(one):]
			}
		}
	}
}

// longestDay is longer than the period requested of a day, and shorter than the distance to
// the next day.
const longestDay = 12 * time.Hour

// oldestLived is the maximum age of a simulated day, because simulating takes time.
const oldestLived = 8 * 24 * time.Hour

// dayOf yields the snapshots of a simulated day and reports whether to continue.
func dayOf(ctx context.Context, o world.Options, at []time.Time, yield func(*model.Snapshot) bool) bool {
	first, last := at[0], at[len(at)-1].Add(wholeEvery)
	ago := int(o.Clock.Sub(first).Round(24*time.Hour) / (24 * time.Hour))
	if o.Clock.Sub(first) > oldestLived || ago < 1 {
		return true
	}
	for s, err := range demo.EarlierDay(o, ago, last).Pictures(ctx, first, daysEvery) {
		if err != nil {
			return false
		}
		if s.At.After(last) {
			break
		}
		if !yield(s) {
			return false
		}
	}
	return true
}

// daysEvery is the interval of snapshots of a simulated day.
const daysEvery = 5 * time.Minute
