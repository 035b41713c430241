package app

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"time"

	"wallboard/internal/alert"
	"wallboard/internal/alert/backtest"
	"wallboard/internal/config"
	"wallboard/internal/hub"
	"wallboard/internal/record"
	"wallboard/model"
	"wallboard/model/contact"
	"wallboard/ui/boarddialogs"
	"wallboard/ui/replay"
)

// NewArchive returns a board's access to the recording of the configured platform. Its Rules are only
// those that a viewer with the visibility v may see. If recording is off, the archive is empty.
func NewArchive(c *config.Config, v hub.Visibility) replay.Archive {
	if !c.Record.Enabled {
		return replay.Archive{}
	}
	open := func() (*record.Recording, error) { return OpenRecording(c) }
	return replay.Archive{
		Open: func() (replay.Recording, error) {
			r, err := open()
			if err != nil {
				return nil, err
			}
			return r.Replay(r.Info().Last, 1, nil).FollowRecording(), nil
		},
		Save: func(ctx context.Context, from, to time.Time) (string, error) {
			r, err := open()
			if err != nil {
				return "", err
			}
			return SaveIncident(ctx, c, r, from, to)
		},
		Backtest: NewBacktest(c, open),
		Rules: func() alert.Options {
			o := c.AlertOptions(c.Names())
			o.Rules = VisibleRules(o.Rules, v)
			return o
		},
		Engine:       func() (*alert.Engine, error) { return NewEngine(c, c.Names()) },
		Pseudonymous: c.Record.Names != string(model.NamesFull),
		HideShifts:   !c.Record.AgentShifts,
	}
}

// OpenRecording opens the recording of the configured platform, or returns [replay.ErrNothingRecorded].
func OpenRecording(c *config.Config) (*record.Recording, error) {
	platform := c.RTD.RecordingPlatform()
	r, err := record.OpenFiltered(c.Record.Folder(), func(a record.Metadata) bool { return a.Platform == platform }, c.Record.KeyFiles...)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, replay.ErrNothingRecorded
	}
	if err == nil && r.Info().Last.IsZero() { // the first snapshot is still being written
		return nil, errors.Join(replay.ErrNothingRecorded, r.Close())
	}
	return r, err
}

// defaultSweep is appended to the name of a rule to form the default sweep of a backtest.
const defaultSweep = ".for=0s,15s,30s,1m,2m,5m"

// RecordingOpener opens a recording. The caller must close the recording.
type RecordingOpener func() (*record.Recording, error)

// NewBacktest returns a function that backtests one rule of a configuration on the recording that
// open returns.
func NewBacktest(c *config.Config, open RecordingOpener) boarddialogs.Backtest {
	return func(ctx context.Context, at time.Time, rule, sweep string, progress func(float64)) (backtest.Result, error) {
		r, err := open()
		if err != nil {
			return backtest.Result{}, err
		}
		defer r.Close()                 //nolint:errcheck // nothing to lose: read-only
		courses, _ := StoredIntraday(c) // on error: without earlier days, forecasts are unknown
		return backtestRule(ctx, r, backtest.RuleSet{Name: "today", Options: c.AlertOptions(c.Names()), IntradayLog: courses}, at, rule, sweep, progress)
	}
}

// ShiftLength is the default length of a shift.
const ShiftLength = 8 * time.Hour

// backtestSpan returns the recorded part of a day. day is any time on that day. If day is zero,
// backtestSpan returns the last recorded day, extended to at least the last [ShiftLength] of the
// recording.
func backtestSpan(in record.Info, day time.Time) (from, to time.Time) {
	if day.IsZero() {
		from, to = contact.StartOfDay(in.Last.Local(), 0), in.Last
		if shift := to.Add(-ShiftLength); shift.Before(from) {
			from = shift
		}
	} else {
		from, to = contact.StartOfDay(day, 0), contact.StartOfDay(day, 1)
	}
	if from.Before(in.First) {
		from = in.First
	}
	if to.After(in.Last) {
		to = in.Last
	}
	return from, to
}

// backtestRule runs a recorded day through the current rules (today) and through one variant of
// them for each value in sweep; see [backtest.Sweep]. If sweep is "", it varies the rule by
// defaultSweep. It calls progress with the finished share of the work, from 0 to 1.
func backtestRule(ctx context.Context, r *record.Recording, today backtest.RuleSet, day time.Time, rule, sweep string, progress func(float64)) (backtest.Result, error) {
	sets, err := backtest.Sweep(today.Options, cmp.Or(sweep, rule+defaultSweep))
	if err != nil {
		return backtest.Result{}, err
	}
	for i := range sets {
		sets[i].IntradayLog = today.IntradayLog
	}
	from, to := backtestSpan(r.Info(), day)
	total := max(to.Sub(from), time.Second)
	result, err := backtest.Run(ctx, r.Snapshots(from.Add(-backtest.WarmUp), to, alert.JudgedOperations()...), from, append([]backtest.RuleSet{today}, sets...),
		func(day time.Time) { progress(max(float64(day.Sub(from))/float64(total), 0)) })
	return result, err
}
