package app

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

// DaySource returns snapshots of the days before the board started. For each time in at, it returns
// a snapshot of the following minute, if there is one.
type DaySource func(ctx context.Context, at []time.Time) iter.Seq[*model.Snapshot]

// readAsync returns a source of the same days that reads on a goroutine of r.
func (d DaySource) readAsync(r *recordingReaders) DaySource {
	return func(ctx context.Context, times []time.Time) iter.Seq[*model.Snapshot] {
		return r.readSnapshots(ctx, func(ctx context.Context) iter.Seq[*model.Snapshot] { return d(ctx, times) })
	}
}

// earlierDays returns the source of the days before the board started. It reads the recording or,
// for a simulated platform, simulates the days.
func (e *Environment) earlierDays(c *config.Config, log *slog.Logger) DaySource {
	if e.EarlierDays != nil {
		return e.EarlierDays(c)
	}
	return func(ctx context.Context, times []time.Time) iter.Seq[*model.Snapshot] {
		return func(yield func(*model.Snapshot) bool) {
			r, err := openEarlierRecording(c)
			if err != nil {
				log.Warn("earlier days cannot be read for the typical day", "error", err)
			}
			if r == nil || err != nil || len(times) == 0 {
				return
			}
			defer r.Close() //nolint:errcheck // read-only: closing cannot lose data
			begin, n := time.Now(), 0
			for s := range fullSnapshots(r.Replay(times[0], 1, nil), times) {
				if n++; ctx.Err() != nil || !yield(s) {
					return
				}
			}
			log.Info("read the same time on earlier days", "snapshots", n, "took", time.Since(begin))
		}
	}
}

// fullSnapshotPeriod limits how long after a time the next full snapshot of a recording may be. A
// recording has one per minute.
const fullSnapshotPeriod = time.Minute + 10*time.Second

// fullSnapshots returns, for each of times, the first full snapshot in the recording f at or after
// that time.
func fullSnapshots(f *record.Replay, times []time.Time) iter.Seq[*model.Snapshot] {
	return func(yield func(*model.Snapshot) bool) {
		first, last := f.Span()
		for _, t := range times {
			if t.Add(fullSnapshotPeriod).Before(first) || t.After(last) {
				continue
			}
			for s, err := range f.SampledSnapshots(t, t.Add(fullSnapshotPeriod), time.Minute) {
				if err == nil && !yield(s) {
					return
				}
				break
			}
		}
	}
}

// maxSimulatedDays limits the number of earlier days that are simulated, because simulating a day
// takes time. One calendar day can contain parts of two simulated days.
const maxSimulatedDays = 5

// SimulatedDays returns a source of the days before the start of a simulated platform. The source
// simulates the days at every call.
func SimulatedDays(o world.Options) DaySource {
	return func(ctx context.Context, times []time.Time) iter.Seq[*model.Snapshot] {
		return func(yield func(*model.Snapshot) bool) {
			days := groupByDay(o, times)
			for _, day := range days[max(len(days)-maxSimulatedDays, 0):] {
				if ctx.Err() != nil || !yieldDay(ctx, o, day, yield) {
					return
				}
			}
		}
	}
}

// groupByDay groups times, which must be ascending, by simulated day. It drops times of the current
// day and times before the floor opened.
func groupByDay(o world.Options, times []time.Time) (days [][]time.Time) {
	last := 0
	for _, t := range times {
		switch ago := demo.DaysAgo(o, t); {
		case ago < 1:
			return days
		case t.Before(demo.ClockAt(o, demo.OpeningTime).AddDate(0, 0, -ago)): // the floor was not open yet
		case ago == last:
			days[len(days)-1] = append(days[len(days)-1], t)
		default:
			days, last = append(days, []time.Time{t}), ago
		}
	}
	return days
}

// yieldDay calls yield with the snapshots of a simulated day between the first and the last of
// times. It returns false if yield returned false or the day cannot be simulated.
func yieldDay(ctx context.Context, o world.Options, times []time.Time, yield func(*model.Snapshot) bool) bool {
	first, last := times[0], times[len(times)-1].Add(fullSnapshotPeriod)
	daysAgo := demo.DaysAgo(o, first)
	for s, err := range demo.EarlierDay(o, daysAgo, last).Snapshots(ctx, first, dayStep) {
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

// dayStep is the interval between the snapshots of a simulated day.
const dayStep = 5 * time.Minute
