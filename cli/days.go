package cli

import (
	"context"
	"iter"
	"log/slog"
	"time"

	"wallboard/cli/before"
	"wallboard/config"
	"wallboard/model"
	"wallboard/record"
	"wallboard/simulator/world"
)

// days are pictures of the days before the board began, of each of some instants one of
// the next minutes.
type days func(ctx context.Context, at []time.Time) iter.Seq[*model.Snapshot]

// by returns the same days, read by them.
func (d days) by(r *recallers) days {
	return func(ctx context.Context, at []time.Time) iter.Seq[*model.Snapshot] {
		return r.beside(ctx, func(ctx context.Context) iter.Seq[*model.Snapshot] { return d(ctx, at) })
	}
}

// daysBefore returns what is known of the days before: of those that were recorded, and of
// a simulated platform those that it would have lived.
func (b *board) daysBefore(c *config.Config, log *slog.Logger) days {
	if b.livedDays != nil {
		return b.livedDays(c)
	}
	return func(ctx context.Context, at []time.Time) iter.Seq[*model.Snapshot] {
		return func(yield func(*model.Snapshot) bool) {
			r, err := recordedBefore(c)
			if err != nil {
				log.Warn("the board does not know what is usual", "error", err)
			}
			if r == nil || err != nil || len(at) == 0 {
				return
			}
			defer r.Close() //nolint:errcheck // only read from
			begin, n := time.Now(), 0
			for s := range near(r.Film(at[0], 1, nil), at) {
				if n++; ctx.Err() != nil || !yield(s) {
					return
				}
			}
			log.Info("the board knows what was at this time on the days before", "pictures", n, "took", time.Since(begin))
		}
	}
}

// wholeEvery is within which time there is a picture that was written whole.
const wholeEvery = time.Minute + 10*time.Second

// near are the pictures next after some instants: those that were written whole.
func near(f *record.Film, at []time.Time) iter.Seq[*model.Snapshot] {
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

// daysOf returns the days before a simulated platform opened. Nothing is kept of them: they
// are lived again whenever somebody asks.
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

// longestDay is longer than anybody asks for of one day, and shorter than to the next.
const longestDay = 12 * time.Hour

// oldestLived is how long ago the days are that a simulated platform has lived: to live one
// takes time.
const oldestLived = 8 * 24 * time.Hour

// dayOf has somebody look at one of them, and reports whether they want more.
func dayOf(ctx context.Context, o world.Options, at []time.Time, yield func(*model.Snapshot) bool) bool {
	first, last := at[0], at[len(at)-1].Add(wholeEvery)
	ago := int(o.Clock.Sub(first).Round(24*time.Hour) / (24 * time.Hour))
	if o.Clock.Sub(first) > oldestLived || ago < 1 {
		return true
	}
	for s, err := range before.Other(o, ago, last).Pictures(ctx, first, daysEvery) {
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

// daysEvery is how far apart pictures of a simulated day are.
const daysEvery = 5 * time.Minute
