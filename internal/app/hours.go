package app

import (
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
	"wallboard/internal/alert/situation"
	"wallboard/internal/config"
	"wallboard/internal/hub"
	"wallboard/internal/record"
	"wallboard/internal/simulator/demo"
	"wallboard/internal/simulator/world"
	"wallboard/model"
	"wallboard/ui/alerts"
)

// PastSnapshots returns the snapshots between two times before the board started, at intervals of
// step.
type PastSnapshots func(ctx context.Context, from, to time.Time, step time.Duration) iter.Seq[*model.Snapshot]

// EarlierSnapshotReader is like [PastSnapshots] but may also yield an error, which ends the sequence.
type EarlierSnapshotReader func(ctx context.Context, from, to time.Time, step time.Duration) iter.Seq2[*model.Snapshot, error]

// recordingReaders tracks the goroutines that read the recording, so that a shutdown can wait for
// them.
type recordingReaders struct {
	mu         sync.Mutex
	closed     bool
	goroutines sync.WaitGroup
}

// start runs read on a goroutine. After a call of wait, it returns false and does not run read.
func (r *recordingReaders) start(read func()) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.closed {
		r.goroutines.Go(read)
	}
	return !r.closed
}

// wait prevents new goroutines and waits for the running ones. Their contexts must have ended.
func (r *recordingReaders) wait() {
	r.mu.Lock()
	r.closed = true
	r.mu.Unlock()
	r.goroutines.Wait()
}

// readSnapshots reads snapshots on a goroutine of r. So a blocked disk cannot block the caller
// after ctx has ended.
func (r *recordingReaders) readSnapshots(ctx context.Context, snapshots func(context.Context) iter.Seq[*model.Snapshot]) iter.Seq[*model.Snapshot] {
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

// readAsync returns a source of the same hours that reads on a goroutine of r.
func (h PastSnapshots) readAsync(r *recordingReaders) PastSnapshots {
	return func(ctx context.Context, from, to time.Time, step time.Duration) iter.Seq[*model.Snapshot] {
		return r.readSnapshots(ctx, func(ctx context.Context) iter.Seq[*model.Snapshot] { return h(ctx, from, to, step) })
	}
}

// sendSnapshot sends a snapshot and reports whether it was received before ctx ended.
func sendSnapshot(ctx context.Context, to chan<- *model.Snapshot, s *model.Snapshot) bool {
	select {
	case to <- s:
		return true
	case <-ctx.Done():
		return false
	}
}

// earlierHours returns the source of the hours before the board started: the recording of this
// platform with the current name mode or, for a simulated platform, the simulation. stillRecording
// reports whether these hours are still being recorded. If it is nil, they are not.
func (e *Environment) earlierHours(c *config.Config, log *slog.Logger) (_ PastSnapshots, stillRecording func() bool) {
	if e.EarlierHours != nil {
		l := e.EarlierHours(c)
		return l.ReadSnapshots.logReads(log), l.StillRecording
	}
	var logOnce sync.Once
	read := func(_ context.Context, from, to time.Time, step time.Duration) iter.Seq2[*model.Snapshot, error] {
		return func(yield func(*model.Snapshot, error) bool) {
			r, err := openEarlierRecording(c)
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
			r.Replay(from, 1, nil).SampledSnapshots(from, to, step)(yield)
		}
	}
	return EarlierSnapshotReader(read).logReads(log), nil
}

// openEarlierRecording opens the recording of this platform with the current name mode. It returns
// nil if there is none.
func openEarlierRecording(c *config.Config) (*record.Recording, error) {
	platform, names := c.RTD.RecordingPlatform(), c.Record.Names
	r, err := record.OpenFiltered(c.Record.Folder(), func(a record.Metadata) bool { return a.Platform == platform && a.Names == names }, c.Record.KeyFiles...)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil //nolint:nilnil // no recording
	}
	return r, err
}

// MarkReader returns the marks of the recording. unbroken is true if the recording continues
// without a gap up to until.
type MarkReader func(ctx context.Context, until time.Time) (marks []model.Mark, unbroken bool)

// recordedMarks returns a reader of the marks in the recording of the platform.
func recordedMarks(c *config.Config, log *slog.Logger) MarkReader {
	return func(_ context.Context, until time.Time) (marks []model.Mark, unbroken bool) {
		r, err := openEarlierRecording(c)
		if err != nil {
			log.Warn("the recorded situations cannot be read", "error", err)
		}
		if r == nil || err != nil {
			return nil, false
		}
		defer r.Close() //nolint:errcheck // read-only: closing cannot lose data
		return r.Info().Marks, !r.Replay(until, 1, nil).IsEmptyAt(until.Add(-maxRecordingPause))
	}
}

// maxRecordingPause is the longest time after the end of a recording for which the recording counts
// as unbroken. Situations that were open at the end then still count as open.
const maxRecordingPause = time.Minute

// readAsync returns a reader of the same marks that reads on a goroutine of r.
func (m MarkReader) readAsync(r *recordingReaders) MarkReader {
	return func(ctx context.Context, until time.Time) (marks []model.Mark, unbroken bool) {
		done := make(chan struct{})
		var found []model.Mark
		var continues bool
		if !r.start(func() { defer close(done); found, continues = m(ctx, until) }) {
			return nil, false
		}
		select {
		case <-done:
			return found, continues
		case <-ctx.Done():
			return nil, false
		}
	}
}

// EarlierHours describes the time before the start of a simulated platform.
type EarlierHours struct {
	ReadSnapshots  EarlierSnapshotReader
	StillRecording func() bool // reports whether the time is still being recorded; nil: it is not
}

// simulatedDay is the part of the day before the start of a simulated platform.
type simulatedDay struct {
	world    world.Options
	config   *config.Config
	version  string       // version of the program
	finished *atomic.Bool // the day has been recorded, or recording it has failed
}

// SimulatedHours returns the function [Environment.EarlierHours] for simulated platforms. version
// is the version of the program, which is stored in the recording of the simulated time.
func SimulatedHours(o world.Options, version string) func(*config.Config) EarlierHours {
	return func(c *config.Config) EarlierHours {
		l := simulatedDay{o, c, version, new(atomic.Bool)}
		return EarlierHours{l.snapshots, func() bool { return !l.finished.Load() }}
	}
}

// snapshots returns the snapshots between two times. If from is not after the beginning of the day,
// snapshots also records the whole day.
func (l simulatedDay) snapshots(ctx context.Context, from, to time.Time, step time.Duration) iter.Seq2[*model.Snapshot, error] {
	day := demo.NewPastDay(l.world)
	switch {
	case !to.After(day.Start()): // the day had not begun
		l.finished.Store(true)
		return func(func(*model.Snapshot, error) bool) {}
	case from.After(day.Start()):
		return day.Snapshots(ctx, from, step)
	}
	return func(yield func(*model.Snapshot, error) bool) {
		defer l.finished.Store(true)
		writer, err := record.NewBatchWriter(l.config.Record.Folder(), aboutRecording(l.config, l.version), l.config.Privacy.RecipientSets(&l.config.Record, l.config.Record.Names)...)
		if err != nil {
			yield(nil, err)
			return
		}
		var events []model.Event
		engine, err := hub.NewPrivateViewer(hub.Options{Engine: engineConstructor(l.config, false), Names: l.config.Names(), OnChange: func(changes []situation.Change, ended func() []alert.Alert) {
			events = append(events, alerts.RecordingMarks(changes, ended)...)
		}})
		if err != nil {
			yield(nil, err)
			return
		}
		wantsMore := true
		for s, err := range day.Snapshots(ctx, from, demo.SnapshotInterval) {
			if err == nil {
				engine.Evaluate(s, s.At)
				err = errors.Join(writer.Add(s), writeMarks(writer, l.config, events, s))
				events = nil
			}
			if err != nil {
				yield(nil, errors.Join(fmt.Errorf("the hours before the demo: %w", err), writer.Discard()))
				return
			}
			if wantsMore = wantsMore && s.At.Before(to); wantsMore && !yield(s, nil) {
				_ = writer.Discard() // the board is about to end
				return
			}
		}
		if ctx.Err() != nil {
			_ = writer.Discard() // the board is about to end
			return
		}
		if err := writer.Close(); err != nil {
			yield(nil, fmt.Errorf("the hours before the demo: %w", err))
		}
	}
}

// writeMarks adds to a recording a mark for each event that is recorded as a mark.
func writeMarks(t *record.BatchWriter, c *config.Config, events []model.Event, s *model.Snapshot) error {
	for _, e := range events {
		m, hasMark := recordingMark(c, e, s, s.At)
		if !hasMark {
			continue
		}
		if err := t.WriteMark(m); err != nil {
			return err
		}
	}
	return nil
}

// logReads returns a source of the same hours that logs the number of snapshots, and an error, which ends it.
func (h EarlierSnapshotReader) logReads(log *slog.Logger) PastSnapshots {
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
