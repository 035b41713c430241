package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"wallboard/internal/alert"
	"wallboard/internal/alert/backtest"
	"wallboard/internal/app"
	"wallboard/internal/config"
	"wallboard/internal/record"
	"wallboard/internal/simulator/demo"
	"wallboard/internal/simulator/world"
	"wallboard/model"
	"wallboard/model/contact"
	"wallboard/ui"
	"wallboard/ui/alerts"
	"wallboard/ui/dialogs"
)

// archive returns the access to the recording of the configured platform.
func archive(c *config.Config) ui.Archive {
	if !c.Record.Enabled {
		return ui.Archive{}
	}
	open := func() (*record.Recording, error) { return recordingOf(c) }
	return ui.Archive{
		Open: func() (ui.Recording, error) {
			r, err := open()
			if err != nil {
				return nil, err
			}
			return r.Replay(r.Info().Last, 1, nil).Follow(), nil
		},
		Save: func(ctx context.Context, from, to time.Time) (string, error) {
			r, err := open()
			if err != nil {
				return "", err
			}
			return app.SaveIncident(ctx, r, from, to)
		},
		Backtest:     backtester(c, open),
		Engine:       func() (ui.Engine, error) { return newEngine(c, c.Names()) },
		Pseudonymous: c.Record.Names != string(model.NamesFull),
		HideShifts:   !c.Record.AgentShifts,
	}
}

// recordingOf opens the recording of the configured platform.
func recordingOf(c *config.Config) (*record.Recording, error) {
	about := aboutRecording(c)
	r, err := record.OpenFiltered(c.Record.Folder(), func(a record.About) bool { return a.Platform == about.Platform })
	if errors.Is(err, fs.ErrNotExist) {
		return nil, ui.ErrNothingYet
	}
	if err == nil && r.Info().Last.IsZero() { // the first snapshot is being written
		return nil, errors.Join(ui.ErrNothingYet, r.Close())
	}
	return r, err
}

// defaultSweep is the default backtest of a rule on the board.
const defaultSweep = ".for=0s,15s,30s,1m,2m,5m"

// backtester returns a function that backtests the rules of a configuration.
func backtester(c *config.Config, open recordingOpener) dialogs.Backtest {
	return func(ctx context.Context, at time.Time, rule, sweep string, progress func(float64)) (backtest.Result, error) {
		r, err := open()
		if err != nil {
			return backtest.Result{}, err
		}
		defer r.Close() //nolint:errcheck // read-only: closing cannot lose data
		return backtestRule(ctx, r, c.AlertOptions(c.Names()), at, rule, sweep, progress)
	}
}

// backtestSpan returns the part of a recording for a backtest: the whole of a day, in the
// time zone of day. If day is zero it is the last day, or the last shift if that day has just
// begun.
func backtestSpan(in record.Info, day time.Time) (from, to time.Time) {
	if day.IsZero() {
		from, to = contact.StartOfDay(in.Last.Local(), 0), in.Last
		if shift := to.Add(-shiftLength); shift.Before(from) {
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

// backtestRule backtests a rule on a recorded day with different values of a field. progress
// receives the progress, 0 to 1.
func backtestRule(ctx context.Context, r *record.Recording, o alert.Options, day time.Time, rule, sweep string, progress func(float64)) (backtest.Result, error) {
	sets, err := backtest.Sweep(o, cmp.Or(sweep, rule+defaultSweep))
	if err != nil {
		return backtest.Result{}, err
	}
	from, to := backtestSpan(r.Info(), day)
	total := max(to.Sub(from), time.Second)
	result, err := backtest.Run(ctx, r.Snapshots(from.Add(-backtest.WarmUp), to, alert.Tables()...), from, append([]backtest.RuleSet{{Name: "today", Options: o}}, sets...),
		func(day time.Time) { progress(max(float64(day.Sub(from))/float64(total), 0)) })
	return result, err
}

// hourSource returns the snapshots between two instants before the board started.
type hourSource func(ctx context.Context, from, to time.Time, step time.Duration) iter.Seq[*model.Snapshot]

// hourReader is an hourSource with errors; the first error ends it.
type hourReader func(ctx context.Context, from, to time.Time, step time.Duration) iter.Seq2[*model.Snapshot, error]

// recordingReaders tracks the goroutines that read the recording, so that the shutdown can wait
// for them.
type recordingReaders struct {
	mu      sync.Mutex
	closed  bool
	reading sync.WaitGroup
}

func (r *recordingReaders) start(read func()) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.closed {
		r.reading.Go(read)
	}
	return !r.closed
}

// wait waits for the goroutines and prevents new ones. Their contexts must have ended.
func (r *recordingReaders) wait() {
	r.mu.Lock()
	r.closed = true
	r.mu.Unlock()
	r.reading.Wait()
}

// async reads the snapshots on a goroutine of r, so that a stuck disk cannot block the
// caller beyond ctx.
func (r *recordingReaders) async(ctx context.Context, snapshots func(context.Context) iter.Seq[*model.Snapshot]) iter.Seq[*model.Snapshot] {
	return func(yield func(*model.Snapshot) bool) {
		ctx, stop := context.WithCancel(ctx)
		defer stop()
		read := make(chan *model.Snapshot)
		if !r.start(func() {
			defer close(read)
			snapshots(ctx)(func(s *model.Snapshot) bool { return sendSnapshot(ctx, read, s) })
		}) {
			return
		}
		for {
			select {
			case s, open := <-read:
				if !open || !yield(s) {
					return
				}
			case <-ctx.Done():
				return
			}
		}
	}
}

// readBy returns the same hours, read on a goroutine of r.
func (h hourSource) readBy(r *recordingReaders) hourSource {
	return func(ctx context.Context, from, to time.Time, step time.Duration) iter.Seq[*model.Snapshot] {
		return r.async(ctx, func(ctx context.Context) iter.Seq[*model.Snapshot] { return h(ctx, from, to, step) })
	}
}

// sendSnapshot sends a snapshot and reports whether it was received.
func sendSnapshot(ctx context.Context, to chan<- *model.Snapshot, s *model.Snapshot) bool {
	select {
	case to <- s:
		return true
	case <-ctx.Done():
		return false
	}
}

// hoursBefore returns the hours before the board started: recorded ones of this platform
// with the current names, or those of a simulated platform. stillRecording reports whether
// they are still being recorded; nil: they are not.
func (b *commandSetup) hoursBefore(c *config.Config, log *slog.Logger) (_ hourSource, stillRecording func() bool) {
	if b.simulatedHours != nil {
		l := b.simulatedHours(c)
		return l.hours.logReads(log), l.stillRecording
	}
	var logOnce sync.Once
	read := func(_ context.Context, from, to time.Time, step time.Duration) iter.Seq2[*model.Snapshot, error] {
		return func(yield func(*model.Snapshot, error) bool) {
			r, err := recordedBefore(c)
			if r == nil || err != nil {
				if err != nil {
					yield(nil, err)
				}
				return
			}
			defer r.Close() //nolint:errcheck // read-only: closing cannot lose data
			logOnce.Do(func() {
				for _, problem := range r.Problems() {
					log.Warn("a part of the recording cannot be read", "error", problem)
				}
			})
			r.Replay(from, 1, nil).Through(from, to, step)(yield)
		}
	}
	return hourReader(read).logReads(log), nil
}

// recordedBefore opens the recording of this platform with the current names, nil if there
// is none.
func recordedBefore(c *config.Config) (*record.Recording, error) {
	about := aboutRecording(c)
	r, err := record.OpenFiltered(c.Record.Folder(), func(a record.About) bool { return a.Platform == about.Platform && a.Names == about.Names })
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil //nolint:nilnil // nil means no recording
	}
	return r, err
}

// earlierHours is the time before the start of a simulated platform.
type earlierHours struct {
	hours          hourReader
	stillRecording func() bool // it is still being recorded; nil: it is not
}

// simulatedDay is the simulated time before the start of a simulated platform.
type simulatedDay struct {
	world  world.Options
	config *config.Config
	done   *atomic.Bool // recorded, or given up
}

// hoursOfSimulation returns the simulated time for a configuration.
func hoursOfSimulation(o world.Options) func(*config.Config) earlierHours {
	return func(c *config.Config) earlierHours {
		l := simulatedDay{o, c, new(atomic.Bool)}
		return earlierHours{l.snapshots, func() bool { return !l.done.Load() }}
	}
}

// snapshots returns the snapshots of a part. A request from the beginning of the day also
// records the whole day.
func (l simulatedDay) snapshots(ctx context.Context, from, to time.Time, step time.Duration) iter.Seq2[*model.Snapshot, error] {
	day := demo.Open(l.world)
	switch {
	case !to.After(day.Start()): // the day had not begun
		l.done.Store(true)
		return func(func(*model.Snapshot, error) bool) {}
	case from.After(day.Start()):
		return day.Snapshots(ctx, from, step)
	}
	return func(yield func(*model.Snapshot, error) bool) {
		defer l.done.Store(true)
		writer, err := record.NewBatchWriter(l.config.Record.Folder(), aboutRecording(l.config))
		if err != nil {
			yield(nil, err)
			return
		}
		engine, err := newEngine(l.config, l.config.Names())
		if err != nil {
			yield(nil, err)
			return
		}
		judge := alerts.NewReplayer(engine, l.config.Names())
		wantsMore := true
		for s, err := range day.Snapshots(ctx, from, demo.Step) {
			if err == nil {
				err = errors.Join(writer.Add(s), addMarks(writer, l.config, judge.Evaluate(s), s.At))
			}
			if err != nil {
				yield(nil, errors.Join(fmt.Errorf("the hours before the demo: %w", err), writer.Discard()))
				return
			}
			if wantsMore = wantsMore && s.At.Before(to); wantsMore && !yield(s, nil) {
				_ = writer.Discard() // the board ends
				return
			}
		}
		if ctx.Err() != nil {
			_ = writer.Discard() // the board ends
			return
		}
		if err := writer.Close(); err != nil {
			yield(nil, fmt.Errorf("the hours before the demo: %w", err))
		}
	}
}

// addMarks adds events to a recording.
func addMarks(t *record.BatchWriter, c *config.Config, events []model.Event, now time.Time) error {
	for _, e := range events {
		if err := t.Mark(recordingMark(c, e, now)); err != nil {
			return err
		}
	}
	return nil
}

// logReads logs what was read.
func (h hourReader) logReads(log *slog.Logger) hourSource {
	return func(ctx context.Context, from, to time.Time, step time.Duration) iter.Seq[*model.Snapshot] {
		return func(yield func(*model.Snapshot) bool) {
			begin, n := time.Now(), 0
			var first, last time.Time
			for s, err := range h(ctx, from, to, step) {
				if err != nil {
					log.Warn("the time before the start cannot be read completely", "from", from, "to", to, "error", err)
					break
				}
				if n++; n == 1 {
					first = s.At
				}
				if last = s.At; !yield(s) {
					return
				}
			}
			if n > 0 {
				log.Info("read the time before the start", "snapshots", n, "from", first, "to", last, "took", time.Since(begin))
			}
		}
	}
}
