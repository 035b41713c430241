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
	"wallboard/internal/config"
	"wallboard/internal/record"
	"wallboard/internal/simulator/demo"
	"wallboard/internal/simulator/world"
	"wallboard/model"
	"wallboard/model/contact"
	"wallboard/ui"
	"wallboard/ui/alerts"
	"wallboard/ui/explain"
)

// memory returns the access to the recording of the configured platform.
func memory(c *config.Config) ui.Archive {
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
			return saveIncident(ctx, r, from, to)
		},
		Backtest:     triesOf(c, open),
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

// usualSweep is the default backtest of a rule on the board.
const usualSweep = ".for=0s,15s,30s,1m,2m,5m"

// triesOf returns a function that backtests the rules of a configuration.
func triesOf(c *config.Config, open reopen) explain.Backtest {
	return func(ctx context.Context, at time.Time, rule, sweep string, say func(float64)) (backtest.Result, error) {
		r, err := open()
		if err != nil {
			return backtest.Result{}, err
		}
		defer r.Close() //nolint:errcheck // read-only: closing cannot lose data
		return tryRule(ctx, r, c.AlertOptions(c.Names()), at, rule, sweep, say)
	}
}

// triedSpan returns the part of a recording for a backtest: the day of at, in its time
// zone. If at is zero it is the last day, or the last shift if that day has just begun.
func triedSpan(in record.Info, at time.Time) (from, to time.Time) {
	if at.IsZero() {
		from, to = contact.StartOfDay(in.Last.Local(), 0), in.Last
		if shift := to.Add(-shiftLength); shift.Before(from) {
			from = shift
		}
	} else {
		from, to = contact.StartOfDay(at, 0), contact.StartOfDay(at, 1)
	}
	if from.Before(in.First) {
		from = in.First
	}
	if to.After(in.Last) {
		to = in.Last
	}
	return from, to
}

// tryRule backtests a rule on a recorded day with different values of a field. say receives
// the progress, 0 to 1.
func tryRule(ctx context.Context, r *record.Recording, o alert.Options, at time.Time, rule, sweep string, say func(float64)) (backtest.Result, error) {
	sets, err := backtest.Sweep(o, cmp.Or(sweep, rule+usualSweep))
	if err != nil {
		return backtest.Result{}, err
	}
	from, to := triedSpan(r.Info(), at)
	all := max(to.Sub(from), time.Second)
	res, err := backtest.Run(ctx, r.Snapshots(from.Add(-backtest.WarmUp), to, alert.Tables()...), from, append([]backtest.RuleSet{{Name: "today", Options: o}}, sets...),
		func(at time.Time) { say(max(float64(at.Sub(from))/float64(all), 0)) })
	return res, err
}

// hours returns the snapshots between two instants before the board started.
type hours func(ctx context.Context, from, to time.Time, step time.Duration) iter.Seq[*model.Snapshot]

// readHours is hours with errors; the first one ends it.
type readHours func(ctx context.Context, from, to time.Time, step time.Duration) iter.Seq2[*model.Snapshot, error]

// recordingReaders tracks the goroutines that read the recording, so that the shutdown can wait
// for them.
type recordingReaders struct {
	mu      sync.Mutex
	ended   bool
	reading sync.WaitGroup
}

func (r *recordingReaders) begin(read func()) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.ended {
		r.reading.Go(read)
	}
	return !r.ended
}

// end waits for the goroutines and prevents new ones. Their contexts must have ended.
func (r *recordingReaders) end() {
	r.mu.Lock()
	r.ended = true
	r.mu.Unlock()
	r.reading.Wait()
}

// async reads the snapshots on a goroutine of r, so that a stuck disk cannot block the
// caller beyond ctx.
func (r *recordingReaders) async(ctx context.Context, pictures func(context.Context) iter.Seq[*model.Snapshot]) iter.Seq[*model.Snapshot] {
	return func(yield func(*model.Snapshot) bool) {
		ctx, enough := context.WithCancel(ctx)
		defer enough()
		read := make(chan *model.Snapshot)
		if !r.begin(func() {
			defer close(read)
			pictures(ctx)(func(s *model.Snapshot) bool { return sendSnapshot(ctx, read, s) })
		}) {
			return
		}
		for {
			select {
			case s, more := <-read:
				if !more || !yield(s) {
					return
				}
			case <-ctx.Done():
				return
			}
		}
	}
}

// by returns the same hours, read on a goroutine of r.
func (h hours) by(r *recordingReaders) hours {
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
// with the current names, or those of a simulated platform. coming reports whether they are
// still being recorded; nil: they are not.
func (b *board) hoursBefore(c *config.Config, log *slog.Logger) (_ hours, coming func() bool) {
	if b.lived != nil {
		l := b.lived(c)
		return l.hours.logged(log), l.coming
	}
	var said sync.Once
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
			said.Do(func() {
				for _, problem := range r.Problems() {
					log.Warn("a part of the recording cannot be read", "error", problem)
				}
			})
			r.Replay(from, 1, nil).Through(from, to, step)(yield)
		}
	}
	return readHours(read).logged(log), nil
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
	hours  readHours
	coming func() bool // it is still being recorded; nil: it is not
}

// lived is the simulated time before the start of a simulated platform.
type lived struct {
	world  world.Options
	config *config.Config
	over   *atomic.Bool // recorded, or given up
}

// livedBefore returns the simulated time for a configuration.
func livedBefore(o world.Options) func(*config.Config) earlierHours {
	return func(c *config.Config) earlierHours {
		l := lived{o, c, new(atomic.Bool)}
		return earlierHours{l.hours, func() bool { return !l.over.Load() }}
	}
}

// hours returns the snapshots of a part. A request from the beginning of the day also
// records the whole day.
func (l lived) hours(ctx context.Context, from, to time.Time, step time.Duration) iter.Seq2[*model.Snapshot, error] {
	day := demo.Open(l.world)
	switch {
	case !to.After(day.Began()): // the day had not begun
		l.over.Store(true)
		return func(func(*model.Snapshot, error) bool) {}
	case from.After(day.Began()):
		return day.Pictures(ctx, from, step)
	}
	return func(yield func(*model.Snapshot, error) bool) {
		defer l.over.Store(true)
		tape, err := record.NewBatchWriter(l.config.Record.Folder(), aboutRecording(l.config))
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
		wanted := true
		for s, err := range day.Pictures(ctx, from, demo.Step) {
			if err == nil {
				err = errors.Join(tape.Add(s), markAll(tape, l.config, judge.Evaluate(s), s.At))
			}
			if err != nil {
				yield(nil, errors.Join(fmt.Errorf("the hours before the demo: %w", err), tape.Discard()))
				return
			}
			if wanted = wanted && s.At.Before(to); wanted && !yield(s, nil) {
				_ = tape.Discard() // the board ends
				return
			}
		}
		if ctx.Err() != nil {
			_ = tape.Discard() // the board ends
			return
		}
		if err := tape.Close(); err != nil {
			yield(nil, fmt.Errorf("the hours before the demo: %w", err))
		}
	}
}

// markAll adds events to a tape.
func markAll(t *record.BatchWriter, c *config.Config, events []model.Event, at time.Time) error {
	for _, e := range events {
		if err := t.Mark(markOf(c, e, at)); err != nil {
			return err
		}
	}
	return nil
}

// logged logs what was read.
func (h readHours) logged(log *slog.Logger) hours {
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
				log.Info("read the time before the start", "pictures", n, "from", first, "to", last, "took", time.Since(begin))
			}
		}
	}
}
