package record

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"sync/atomic"
	"time"

	"wallboard/internal/lib/flock"
	"wallboard/internal/lib/securefile"
	"wallboard/model"
)

// Source provides the snapshots to record, with the names that a recording may contain.
type Source interface {
	// Latest returns the latest snapshot, or nil before the first.
	Latest() *model.Snapshot
}

// Options configure a [Writer]. Zero numbers stand for defaults.
type Options struct {
	Dir        string
	About      About
	Source     Source
	Every      time.Duration // interval of frames; 1 s
	WholeEvery time.Duration // interval of whole frames; 60 s
	Segment    time.Duration // longest duration of a file; 1 h
	MaxBytes   int64         // limit for all files; 2 GiB
	MaxAge     time.Duration // limit for the age of files; 72 h
	Log        *slog.Logger
}

const (
	defaultBytes = 2 << 30
	defaultAge   = 72 * time.Hour
	// retryAfter is the pause after a write error.
	retryAfter = time.Minute
	// lockRetry is the interval at which a waiting board checks whether another one
	// still records.
	lockRetry = 5 * time.Second
	// minFiles is the minimal number of files that share the limit, because whole files
	// are removed.
	minFiles = 16
)

// Writer records the latest snapshot at regular intervals until its context ends. It
// never delays the board.
type Writer struct {
	o       Options
	marks   chan Mark
	state   atomic.Pointer[string]
	started atomic.Bool // a snapshot was recorded, or another board records
	disk    disk
	lock    *flock.FileLock // on the folder; nil: another board holds it, or locking failed

	wrap      func(*os.File) io.Writer // wraps segment files in tests
	framer    *framer
	out       *os.File
	seg       *segment
	began     time.Time // start of the segment, server time
	lastWhole time.Time // time of the last whole frame
	last      time.Time
	pause     time.Time // no attempts until then
	clock     clock
	linkUp    bool // the link was up at the last frame
}

// NewWriter returns a writer. Call Run to start it.
func NewWriter(o Options) *Writer {
	if o.Every <= 0 {
		o.Every = time.Second
	}
	if o.WholeEvery <= 0 {
		o.WholeEvery = time.Minute
	}
	if o.Segment <= 0 {
		o.Segment = time.Hour
	}
	if o.MaxBytes <= 0 {
		o.MaxBytes = defaultBytes
	}
	if o.MaxAge <= 0 {
		o.MaxAge = defaultAge
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	return &Writer{o: o, marks: make(chan Mark, 256), framer: newFramer(), wrap: func(f *os.File) io.Writer { return f }}
}

// Mark queues a mark. It drops marks if hundreds are queued. It is safe for concurrent
// use.
func (w *Writer) Mark(m Mark) {
	select {
	case w.marks <- m:
	default:
	}
}

// Trouble returns why nothing is recorded, or "". It is safe for concurrent use.
func (w *Writer) Trouble() string {
	if since, hangs := w.disk.hangs(); hangs {
		return diskTrouble(since)
	}
	if why := w.state.Load(); why != nil {
		return *why
	}
	return ""
}

// Pending reports whether recording has not begun yet but will with the first snapshot,
// as far as is known. It is safe for concurrent use.
func (w *Writer) Pending() bool { return !w.started.Load() && w.Trouble() == "" }

// Run records until ctx ends. While another board records to the folder, it waits; this
// is not a problem that Trouble reports. Run returns an error only if retrying cannot
// help, for example if the folder belongs to someone else. It waits for running disk
// operations, however long they take.
func (w *Writer) Run(ctx context.Context) error {
	over := w.disk.watch(w.o.Log)
	defer over()
	err := w.run(ctx)
	if err != nil {
		w.setTrouble(err)
	}
	return err
}

func (w *Writer) run(ctx context.Context) error {
	if err := w.waitForLock(ctx, false); err != nil {
		return fmt.Errorf("record to %s: %w", w.o.Dir, err)
	}
	defer func() { w.lock.Release() }()
	defer func() { w.handleError(w.disk.do(func() error { return errors.Join(w.flushMarks(), w.end()) })) }()
	tick := time.NewTicker(w.o.Every)
	defer tick.Stop()
	for {
		marks := w.marks
		if w.seg == nil { // they wait for a file
			marks = nil
		}
		select {
		case <-ctx.Done():
			return nil
		case m := <-marks:
			w.handleError(w.disk.do(func() error { return w.seg.mark(m) }))
		case <-tick.C: // use the current time, because the tick may have waited for the disk
			if w.checkFolder(); w.lock == nil {
				if err := w.waitForLock(ctx, true); err != nil {
					return err
				}
				continue
			}
			w.handleError(w.disk.do(func() error { return w.frame(time.Now()) }))
		}
	}
}

// waitForLock creates the folder if necessary and waits until no other board records to it or
// ctx ends. If patient is set, it retries after other errors too.
func (w *Writer) waitForLock(ctx context.Context, patient bool) error {
	tick := time.NewTicker(lockRetry)
	defer tick.Stop()
	err := w.disk.do(w.takeLock)
	switch {
	case err == nil:
		return nil
	case errors.Is(err, flock.ErrLocked):
		w.started.Store(true)
		w.o.Log.Info("another board is recording to this folder; waiting for it to end", "folder", w.o.Dir)
		w.state.Store(nil)
	case !patient:
		return err
	default:
		w.setTrouble(err)
	}
	for err != nil {
		select {
		case <-ctx.Done():
			return nil
		case <-w.marks: // drop marks without snapshots
			continue
		case <-tick.C:
		}
		if err = w.disk.do(w.takeLock); err != nil && !errors.Is(err, flock.ErrLocked) {
			w.setTrouble(err) // retry
		}
	}
	w.state.Store(nil)
	return nil
}

// takeLock locks the folder.
func (w *Writer) takeLock() error {
	if _, err := securefile.Folder(w.o.Dir); err != nil {
		return err
	}
	lock, err := flock.LockFile(filepath.Join(w.o.Dir, "lock"), 0)
	if err == nil {
		w.lock = lock
	}
	return err
}

// checkFolder ends the segment if the folder or its lock was removed or replaced, because
// another board may record there now and the file may be unreachable.
func (w *Writer) checkFolder() {
	kept := w.lock == nil
	_ = w.disk.do(func() error { kept = kept || w.lock.IsEffective(); return nil }) // it cannot fail
	if kept {
		return
	}
	w.o.Log.Error("the recording folder or its lock was removed or replaced; creating it again", "folder", w.o.Dir)
	w.handleError(w.disk.do(w.end))
	w.lock.Release()
	w.lock, w.pause = nil, time.Time{}
}

// handleError handles a write error: it ends the segment and schedules a retry. The time in
// between is a gap.
func (w *Writer) handleError(err error) {
	if err == nil {
		return
	}
	w.setTrouble(err)
	if w.out != nil {
		w.o.Log.Error("recording interrupted; retrying", "error", err, "after", retryAfter)
		_ = w.out.Close() // writing to it already failed
	}
	w.out, w.seg, w.pause = nil, nil, time.Now().Add(retryAfter)
}

func (w *Writer) setTrouble(err error) {
	why := model.CleanText(err.Error(), 500)
	w.state.Store(&why)
}

// frame writes the latest snapshot.
func (w *Writer) frame(now time.Time) error {
	s := w.o.Source.Latest()
	if s == nil || now.Before(w.pause) {
		return nil
	}
	at := now.Add(s.Health.ClockOffset)
	if w.seg != nil && (at.Before(w.last) || at.Sub(w.began) >= w.o.Segment || w.seg.size >= w.o.MaxBytes/minFiles) {
		if err := w.end(); err != nil { // time must not decrease within a file, so a clock that was set back starts a new one
			return err
		}
	}
	if w.seg == nil {
		if err := w.begin(at); err != nil {
			return err
		}
	}
	whole := at.Sub(w.lastWhole) >= w.o.WholeEvery || at.Sub(w.last) > longestPause
	if whole {
		w.lastWhole = at
		if err := errors.Join(w.checkFile(), w.removeOld(now)); err != nil {
			return err
		}
	}
	w.last = at
	if err := w.seg.frame(s, at, whole); err != nil {
		return err
	}
	if m, set := w.clock.check(now, s.Health.ClockOffset); set {
		if err := w.seg.mark(m); err != nil {
			return err
		}
	}
	w.started.Store(true)
	was := w.linkUp
	if w.linkUp = s.Health.Link.State == model.LinkUp; was && !w.linkUp {
		if err := w.seg.mark(Mark{At: at, Kind: MarkCut, Text: model.CleanText(s.Health.Link.Reason, model.MaxName)}); err != nil {
			return err
		}
	}
	w.state.Store(nil)
	return nil
}

// checkFile returns an error if the path no longer leads to the file that is being written,
// because its content would be lost.
func (w *Writer) checkFile() error {
	ours, err := w.out.Stat()
	if err != nil {
		return err
	}
	switch there, err := os.Lstat(w.out.Name()); {
	case err != nil:
		return fmt.Errorf("the file was removed while it was being written: %w", err)
	case !os.SameFile(ours, there):
		return fmt.Errorf("%s was replaced while it was being written", w.out.Name())
	}
	return nil
}

// begin creates a file for snapshots from a time on.
func (w *Writer) begin(at time.Time) error {
	name := segmentName(w.o.Dir, at)
	out, err := securefile.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY)
	if errors.Is(err, os.ErrExist) { // the clock was set back to the same millisecond
		return fmt.Errorf("%s already exists", name)
	}
	if err != nil {
		return err
	}
	seg, err := newSegment(w.wrap(out), w.o.About, at, w.framer)
	if err != nil { // the file is useless
		return errors.Join(err, out.Close(), os.Remove(name))
	}
	w.out, w.seg, w.began, w.lastWhole, w.last = out, seg, at, time.Time{}, at
	return nil
}

// flushMarks writes the queued marks before the writer ends. If nothing is recorded yet, it
// records the latest snapshot to have a file for them.
func (w *Writer) flushMarks() error {
	if w.seg == nil && w.lock != nil && len(w.marks) > 0 {
		if err := w.frame(time.Now()); err != nil {
			return err
		}
	}
	for w.seg != nil {
		select {
		case m := <-w.marks:
			if err := w.seg.mark(m); err != nil {
				return err
			}
		default:
			return nil
		}
	}
	return nil
}

// end closes the file.
func (w *Writer) end() error {
	if w.seg == nil {
		return nil
	}
	err := errors.Join(w.seg.close(), w.out.Close())
	w.out, w.seg = nil, nil
	return err
}

// removeOld removes the oldest files beyond the limits of size and age. It keeps the
// current file and files whose names a writer does not use, such as exports and renamed
// files.
func (w *Writer) removeOld(now time.Time) error {
	paths, err := segments(w.o.Dir)
	if err != nil {
		return err
	}
	paths = slices.DeleteFunc(paths, func(p string) bool { return !isWriterName(p) })
	sum, sizes, changed := int64(0), make([]int64, len(paths)), make([]time.Time, len(paths))
	for i, p := range paths {
		if info, err := os.Stat(p); err == nil {
			sizes[i], changed[i] = info.Size(), info.ModTime()
			sum += sizes[i]
		}
	}
	for i, p := range paths {
		old := now.Sub(changed[i]) > w.o.MaxAge
		if p == w.out.Name() || sum <= w.o.MaxBytes && !old {
			continue
		}
		if err := os.Remove(p); err != nil {
			return err
		}
		sum -= sizes[i]
	}
	return nil
}
