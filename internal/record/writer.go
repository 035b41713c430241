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

	"wallboard/internal/lib/secret"
	"wallboard/internal/lib/securefile"
	"wallboard/model"
)

// Source provides the snapshots to record. They must contain only names that may be recorded.
type Source interface {
	// Latest returns the latest snapshot, or nil before the first.
	Latest() *model.Snapshot
}

// Options configures a [Writer]. If a number is not positive, the default at the end of the
// field's comment applies.
type Options struct {
	Dir                string
	About              Metadata
	Source             Source
	FrameInterval      time.Duration // interval between frames; default 1 s
	WholeFrameInterval time.Duration // interval between frames with the complete state; default 60 s
	MaxSegmentTime     time.Duration // maximum duration of a file; default 1 h
	MaxBytes           int64         // maximum size of all files; default 2 GiB
	MaxAge             time.Duration // maximum age of a file; default 72 h
	Recipients         []secret.Lock // locks of the files; without keys, the files are not encrypted
	Log                *slog.Logger
}

const (
	defaultMaxBytes = 2 << 30
	defaultMaxAge   = 72 * time.Hour
	// retryAfter is the pause between a write error and the next attempt.
	retryAfter = time.Minute
	// lockRetryInterval is how often a board tries again to lock a directory that another board
	// records to.
	lockRetryInterval = 5 * time.Second
	// minFiles is the minimum number of files that MaxBytes is divided into. Several files are
	// needed, because the writer removes whole files to stay below MaxBytes.
	minFiles = 16
)

// Writer records the latest snapshot of a source at regular intervals, without delaying the board.
type Writer struct {
	options Options
	marks   chan Mark
	trouble atomic.Pointer[string]
	started atomic.Bool // a snapshot was recorded, or another board records
	disk    diskMonitor
	lock    *securefile.PathLock // lock of the folder; nil: another board holds it, or locking failed

	wrapFile       func(*os.File) io.Writer // wraps segment files in tests
	frameEncoder   *frameEncoder
	file           *os.File
	segment        *segment
	segmentStart   time.Time // start time of the segment, on the server's clock
	lastWholeFrame time.Time // time of the last frame with the complete state
	lastFrame      time.Time
	pausedUntil    time.Time // no attempt to write before this time
	clock          clockJumpDetector
	isLinkUp       bool // whether the connection to the platform was up at the last frame
}

// NewWriter returns a writer. It records nothing until [Writer.Run] is called.
func NewWriter(o Options) *Writer {
	if o.FrameInterval <= 0 {
		o.FrameInterval = time.Second
	}
	if o.WholeFrameInterval <= 0 {
		o.WholeFrameInterval = time.Minute
	}
	if o.MaxSegmentTime <= 0 {
		o.MaxSegmentTime = time.Hour
	}
	if o.MaxBytes <= 0 {
		o.MaxBytes = defaultMaxBytes
	}
	if o.MaxAge <= 0 {
		o.MaxAge = defaultMaxAge
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	return &Writer{options: o, marks: make(chan Mark, 256), frameEncoder: newFrameEncoder(), wrapFile: func(f *os.File) io.Writer { return f }}
}

// QueueMark queues a mark for writing. It drops the mark if the queue is full. It is safe for
// concurrent use.
func (w *Writer) QueueMark(m Mark) {
	select {
	case w.marks <- m:
	default:
	}
}

// Trouble returns the reason why nothing is recorded, or "" if there is no problem. It is safe
// for concurrent use.
func (w *Writer) Trouble() string {
	if since, isBlocked := w.disk.isBlocked(); isBlocked {
		return blockedDiskText(since)
	}
	if why := w.trouble.Load(); why != nil {
		return *why
	}
	return ""
}

// AwaitsFirstSnapshot reports whether recording will begin with the first snapshot. It is safe for
// concurrent use.
func (w *Writer) AwaitsFirstSnapshot() bool { return !w.started.Load() && w.Trouble() == "" }

// Run records until ctx ends. While another board records to the same directory, Run waits,
// and Trouble returns "". Run returns an error only if retrying is useless, for example
// because the directory belongs to another user. Before it returns, it waits for a running
// disk operation, however long this takes.
func (w *Writer) Run(ctx context.Context) error {
	stopWatching := w.disk.watch(w.options.Log)
	defer stopWatching()
	err := w.run(ctx)
	if err != nil {
		w.setTrouble(err)
	}
	return err
}

func (w *Writer) run(ctx context.Context) error {
	if err := w.waitForLock(ctx, false); err != nil {
		return fmt.Errorf("record to %s: %w", w.options.Dir, err)
	}
	defer func() { w.lock.Release() }()
	defer func() {
		w.handleError(w.disk.runOperation(func() error { return errors.Join(w.flushMarks(), w.endSegment()) }))
	}()
	tick := time.NewTicker(w.options.FrameInterval)
	defer tick.Stop()
	for {
		marks := w.marks
		if w.segment == nil { // keep marks in the queue until there is a file
			marks = nil
		}
		select {
		case <-ctx.Done():
			return nil
		case m := <-marks:
			w.handleError(w.disk.runOperation(func() error { return w.segment.writeMark(m) }))
		case <-tick.C: // not the time of the tick, which may have waited for the disk
			if w.checkFolder(); w.lock == nil {
				if err := w.waitForLock(ctx, true); err != nil {
					return err
				}
				continue
			}
			w.handleError(w.disk.runOperation(func() error { return w.writeFrame(time.Now()) }))
		}
	}
}

// waitForLock creates the directory if it is missing, and locks it. While another board holds
// the lock, it retries until ctx ends. If patient is true, it also retries after other errors;
// otherwise it returns them.
func (w *Writer) waitForLock(ctx context.Context, patient bool) error {
	tick := time.NewTicker(lockRetryInterval)
	defer tick.Stop()
	err := w.disk.runOperation(w.takeLock)
	switch {
	case err == nil:
		return nil
	case errors.Is(err, securefile.ErrLocked):
		w.started.Store(true)
		w.options.Log.Info("another board is recording to this folder; waiting for it to end", "folder", w.options.Dir)
		w.trouble.Store(nil)
	case !patient:
		return err
	default:
		w.setTrouble(err)
	}
	for err != nil {
		select {
		case <-ctx.Done():
			return nil
		case <-w.marks: // drop marks, because there is no file without snapshots
			continue
		case <-tick.C:
		}
		if err = w.disk.runOperation(w.takeLock); err != nil && !errors.Is(err, securefile.ErrLocked) {
			w.setTrouble(err) // and try again
		}
	}
	w.trouble.Store(nil)
	return nil
}

// takeLock creates the directory if it is missing, and tries once to lock it.
func (w *Writer) takeLock() error {
	if _, err := securefile.CreateFolder(w.options.Dir); err != nil {
		return err
	}
	lock, err := securefile.LockPath(filepath.Join(w.options.Dir, "lock"), 0)
	if err == nil {
		w.lock = lock
	}
	return err
}

// checkFolder ends the segment and releases the lock if the directory or its lock file was
// removed or replaced. In that case another board may record to the directory, and the segment
// file may be unreachable.
func (w *Writer) checkFolder() {
	kept := w.lock == nil
	_ = w.disk.runOperation(func() error { kept = kept || w.lock.IsEffective(); return nil }) // the function always returns nil
	if kept {
		return
	}
	w.options.Log.Error("the recording folder or its lock was removed or replaced; creating it again", "folder", w.options.Dir)
	w.handleError(w.disk.runOperation(w.endSegment))
	w.lock.Release()
	w.lock, w.pausedUntil = nil, time.Time{}
}

// handleError handles a write error: it closes the file and schedules a retry. The time until
// the retry is a gap in the recording. handleError ignores a nil error.
func (w *Writer) handleError(err error) {
	if err == nil {
		return
	}
	w.setTrouble(err)
	if w.file != nil {
		w.options.Log.Error("recording interrupted; retrying", "error", err, "after", retryAfter)
		_ = w.file.Close() // writing to the file has already failed
	}
	w.file, w.segment, w.pausedUntil = nil, nil, time.Now().Add(retryAfter)
}

func (w *Writer) setTrouble(err error) {
	why := model.CleanText(err.Error(), 500)
	w.trouble.Store(&why)
}

// writeFrame writes the latest snapshot. It begins a new segment if the current one is too long or
// too large, or if the clock was set back.
func (w *Writer) writeFrame(now time.Time) error {
	s := w.options.Source.Latest()
	if s == nil || now.Before(w.pausedUntil) {
		return nil
	}
	at := now.Add(s.Health.ClockOffset)
	if w.segment != nil && (at.Before(w.lastFrame) || at.Sub(w.segmentStart) >= w.options.MaxSegmentTime || w.segment.size >= w.options.MaxBytes/minFiles) {
		if err := w.endSegment(); err != nil { // also after the clock was set back, because time must not decrease within a file
			return err
		}
	}
	whole := w.segment == nil || at.Sub(w.lastWholeFrame) >= w.options.WholeFrameInterval || at.Sub(w.lastFrame) > maxFramePause
	if whole {
		if err := checkSize(s); err != nil {
			return err
		}
	}
	if w.segment == nil {
		if err := w.beginSegment(at); err != nil {
			return err
		}
	}
	if whole {
		w.lastWholeFrame = at
		if err := errors.Join(w.checkFile(), w.removeOldFiles(now)); err != nil {
			return err
		}
	}
	w.lastFrame = at
	if err := w.segment.writeFrame(s, at, whole); err != nil {
		return err
	}
	w.started.Store(true)
	if err := w.markHealth(&s.Health, now, at); err != nil {
		return err
	}
	w.trouble.Store(nil)
	return nil
}

// markHealth writes a mark if a clock was set, and another mark if the connection to the
// platform was lost.
func (w *Writer) markHealth(h *model.Health, now, at time.Time) error {
	if m, set := w.clock.detectJump(now, h.ClockOffset); set {
		if err := w.segment.writeMark(m); err != nil {
			return err
		}
	}
	was := w.isLinkUp
	if w.isLinkUp = h.Link.State == model.LinkUp; was && !w.isLinkUp {
		return w.segment.writeMark(Mark{At: at, Kind: MarkCut, Text: model.CleanText(h.Link.Reason, model.MaxName)})
	}
	return nil
}

// checkSize returns an error if a snapshot is too large for a decoder.
func checkSize(s *model.Snapshot) error {
	bytes := 0
	for _, t := range tables() {
		bytes += t.recordBytes(s)
	}
	if bytes > maxHeldBytes {
		return fmt.Errorf("the floor takes %d MiB, a recording at most %d MiB", bytes>>20, maxHeldBytes>>20)
	}
	return nil
}

// checkFile returns an error if the path of the current file leads to another file or to none,
// because further content would be lost.
func (w *Writer) checkFile() error {
	ours, err := w.file.Stat()
	if err != nil {
		return err
	}
	switch there, err := os.Lstat(w.file.Name()); {
	case err != nil:
		return fmt.Errorf("the file was removed while it was being written: %w", err)
	case !os.SameFile(ours, there):
		return fmt.Errorf("%s was replaced while it was being written", w.file.Name())
	}
	return nil
}

// beginSegment creates a file and begins a segment. at is the time of its first snapshot.
func (w *Writer) beginSegment(at time.Time) error {
	name := segmentName(w.options.Dir, at)
	out, err := securefile.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY)
	if errors.Is(err, os.ErrExist) { // the clock was set back to the same millisecond
		return fmt.Errorf("%s already exists", name)
	}
	if err != nil {
		return err
	}
	seg, err := newSegment(w.wrapFile(out), w.options.About, at, w.frameEncoder, w.options.Recipients...)
	if err != nil { // without a complete header, the file is useless
		return errors.Join(err, out.Close(), os.Remove(name))
	}
	w.file, w.segment, w.segmentStart, w.lastWholeFrame, w.lastFrame = out, seg, at, time.Time{}, at
	return nil
}

// flushMarks writes the queued marks before the writer ends. If there is no file, it first
// records the latest snapshot, which creates one.
func (w *Writer) flushMarks() error {
	if w.segment == nil && w.lock != nil && len(w.marks) > 0 {
		if err := w.writeFrame(time.Now()); err != nil {
			return err
		}
	}
	for w.segment != nil {
		select {
		case m := <-w.marks:
			if err := w.segment.writeMark(m); err != nil {
				return err
			}
		default:
			return nil
		}
	}
	return nil
}

// endSegment completes the segment and closes its file, if there is one.
func (w *Writer) endSegment() error {
	if w.segment == nil {
		return nil
	}
	err := errors.Join(w.segment.close(), w.file.Close())
	w.file, w.segment = nil, nil
	return err
}

// removeOldFiles removes the oldest files until the limits of size and age are met. It keeps the
// current file, and files that are not named by a writer, such as exports and renamed files.
func (w *Writer) removeOldFiles(now time.Time) error {
	paths, err := segmentPaths(w.options.Dir)
	if err != nil {
		return err
	}
	paths = slices.DeleteFunc(paths, func(p string) bool { return !hasWriterName(p) })
	sum, sizes, changed := int64(0), make([]int64, len(paths)), make([]time.Time, len(paths))
	for i, p := range paths {
		if info, err := os.Stat(p); err == nil {
			sizes[i], changed[i] = info.Size(), info.ModTime()
			sum += sizes[i]
		}
	}
	for i, p := range paths {
		old := now.Sub(changed[i]) > w.options.MaxAge
		if p == w.file.Name() || sum <= w.options.MaxBytes && !old {
			continue
		}
		if err := os.Remove(p); err != nil {
			return err
		}
		sum -= sizes[i]
	}
	return nil
}
