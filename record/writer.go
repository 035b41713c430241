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

	"wallboard/internal/flock"
	"wallboard/internal/private"
	"wallboard/model"
)

// Source is where the pictures come from that are recorded, with the names that a
// recording may hold.
type Source interface {
	// Latest returns the newest snapshot, nil before the first.
	Latest() *model.Snapshot
}

// Options say what is recorded, and where. The zero value of a number is its
// default.
type Options struct {
	Dir      string
	About    About
	Source   Source
	Every    time.Duration // between frames; 1 s
	Whole    time.Duration // between frames that hold everything; 60 s
	Segment  time.Duration // that a file lasts at most; 1 h
	MaxBytes int64         // of all files; 2 GiB
	MaxAge   time.Duration // of what they hold; 72 h
	Log      *slog.Logger
}

const (
	defaultBytes = 2 << 30
	defaultAge   = 72 * time.Hour
	// retryAfter is how long nothing is recorded after the disk refused it.
	retryAfter = time.Minute
	// lookAgain is how often a board looks whether the one that records has ended.
	lookAgain = 5 * time.Second
	// parts is how many files share the budget at least: the oldest goes whole.
	parts = 16
)

// Writer records until its context ends. It looks at the newest picture at its own
// pace: the board never waits for it.
type Writer struct {
	o     Options
	marks chan Mark
	state atomic.Pointer[string]
	begun atomic.Bool // a picture is recorded, or another board records
	disk  disk
	lock  *flock.Kept // of the folder; nil: another board has it, or nobody could take it

	onto   func(*os.File) io.Writer // what segments are written to; of a test, a full disk
	framer *framer
	out    *os.File
	seg    *segment
	began  time.Time // of the segment, on the server's clock
	whole  time.Time // when a frame held everything last
	last   time.Time
	pause  time.Time // nothing is tried until then
	clock  clock
	up     bool // there was a connection at the last frame
}

// NewWriter returns a writer that is not yet at work.
func NewWriter(o Options) *Writer {
	if o.Every <= 0 {
		o.Every = time.Second
	}
	if o.Whole <= 0 {
		o.Whole = time.Minute
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
	return &Writer{o: o, marks: make(chan Mark, 256), framer: newFramer(), onto: func(f *os.File) io.Writer { return f }}
}

// Mark notes something that happened. Where hundreds happen at once, the rest is
// not noted. It may be called from any goroutine.
func (w *Writer) Mark(m Mark) {
	select {
	case w.marks <- m:
	default:
	}
}

// Trouble returns why nothing is recorded; "" while it is. It may be called from
// any goroutine.
func (w *Writer) Trouble() string {
	if since, hangs := w.disk.hangs(); hangs {
		return unanswered(since)
	}
	if why := w.state.Load(); why != nil {
		return *why
	}
	return ""
}

// Coming reports whether the first picture will be recorded as soon as there is one: nothing is
// yet, and nothing is known to be in the way. It may be called from any goroutine.
func (w *Writer) Coming() bool { return !w.begun.Load() && w.Trouble() == "" }

// Run records until the context ends. While another board records to the folder, it waits
// for that to end, and nothing is in trouble. The error is one that no time mends: the folder
// is not ours. What is under way on the disk is waited for, however long that takes.
func (w *Writer) Run(ctx context.Context) error {
	over := w.disk.watch(w.o.Log)
	defer over()
	err := w.run(ctx)
	if err != nil {
		w.troubled(err)
	}
	return err
}

func (w *Writer) run(ctx context.Context) error {
	if err := w.alone(ctx, false); err != nil {
		return fmt.Errorf("record to %s: %w", w.o.Dir, err)
	}
	defer func() { w.lock.Release() }()
	defer func() { w.settle(w.disk.do(func() error { return errors.Join(w.rest(), w.end()) })) }()
	tick := time.NewTicker(w.o.Every)
	defer tick.Stop()
	for {
		marks := w.marks
		if w.seg == nil { // they wait for the file that they are to be in
			marks = nil
		}
		select {
		case <-ctx.Done():
			return nil
		case m := <-marks:
			w.settle(w.disk.do(func() error { return w.seg.mark(m) }))
		case <-tick.C: // one that waited for the disk is of a time that is over
			if w.apart(); w.lock == nil {
				if err := w.alone(ctx, true); err != nil {
					return err
				}
				continue
			}
			w.settle(w.disk.do(func() error { return w.frame(time.Now()) }))
		}
	}
}

// alone waits until no other board records to the folder, which is made if there is none, or
// the context ends. Nothing is recorded meanwhile: the other one does. Who has recorded already
// is patient with whatever else is wrong.
func (w *Writer) alone(ctx context.Context, patient bool) error {
	tick := time.NewTicker(lookAgain)
	defer tick.Stop()
	err := w.disk.do(w.hold)
	switch {
	case err == nil:
		return nil
	case errors.Is(err, flock.ErrLocked):
		w.begun.Store(true)
		w.o.Log.Info("another board records; this one does as soon as that one has ended", "folder", w.o.Dir)
		w.state.Store(nil)
	case !patient:
		return err
	default:
		w.troubled(err)
	}
	for err != nil {
		select {
		case <-ctx.Done():
			return nil
		case <-w.marks: // there are no pictures to go with it
			continue
		case <-tick.C:
		}
		if err = w.disk.do(w.hold); err != nil && !errors.Is(err, flock.ErrLocked) {
			w.troubled(err) // it may be over the next time
		}
	}
	w.state.Store(nil)
	return nil
}

// hold takes the lock of the folder.
func (w *Writer) hold() error {
	if _, err := private.Folder(w.o.Dir); err != nil {
		return err //nolint:wrapcheck // the caller names the folder
	}
	lock, err := flock.Keep(filepath.Join(w.o.Dir, "lock"), 0)
	if err == nil {
		w.lock = lock
	}
	return err
}

// apart ends what is being written where the folder was removed, or its lock was taken away or
// replaced: another board may record there by now, and nobody finds what is written to what is
// gone.
func (w *Writer) apart() {
	kept := w.lock == nil
	_ = w.disk.do(func() error { kept = kept || w.lock.Keeps(); return nil }) // it cannot fail
	if kept {
		return
	}
	w.o.Log.Error("the folder of the recording, or its lock, was removed or replaced while it was recorded: it is made anew", "folder", w.o.Dir)
	w.settle(w.disk.do(w.end))
	w.lock.Release()
	w.lock, w.pause = nil, time.Time{}
}

// settle takes a failure to write for the end of the segment, and tries again
// later: what is between is a gap.
func (w *Writer) settle(err error) {
	if err == nil {
		return
	}
	w.troubled(err)
	if w.out != nil {
		w.o.Log.Error("recording stopped; it is tried again", "error", err, "after", retryAfter)
		_ = w.out.Close() // it was refused already
	}
	w.out, w.seg, w.pause = nil, nil, time.Now().Add(retryAfter)
}

func (w *Writer) troubled(err error) {
	why := model.CleanText(err.Error(), 500)
	w.state.Store(&why)
}

// frame writes the newest picture.
func (w *Writer) frame(now time.Time) error {
	s := w.o.Source.Latest()
	if s == nil || now.Before(w.pause) {
		return nil
	}
	at := now.Add(s.Health.ClockOffset)
	if w.seg != nil && (at.Before(w.last) || at.Sub(w.began) >= w.o.Segment || w.seg.size >= w.o.MaxBytes/parts) {
		if err := w.end(); err != nil { // a clock that is set back begins a file: within one, time only grows
			return err
		}
	}
	if w.seg == nil {
		if err := w.begin(at); err != nil {
			return err
		}
	}
	whole := at.Sub(w.whole) >= w.o.Whole || at.Sub(w.last) > longestPause
	if whole {
		w.whole = at
		if err := errors.Join(w.there(), w.bound(now)); err != nil {
			return err
		}
	}
	w.last = at
	if err := w.seg.frame(s, at, whole); err != nil {
		return err
	}
	if m, set := w.clock.see(now, s.Health.ClockOffset); set {
		if err := w.seg.mark(m); err != nil {
			return err
		}
	}
	w.begun.Store(true)
	was := w.up
	if w.up = s.Health.Link.State == model.LinkUp; was && !w.up {
		if err := w.seg.mark(Mark{At: at, Kind: MarkCut, Text: model.CleanText(s.Health.Link.Reason, model.MaxName)}); err != nil {
			return err
		}
	}
	w.state.Store(nil)
	return nil
}

// there says what became of the file that is being written, where it is no longer the one of
// its name: what is written to it then, nobody finds.
func (w *Writer) there() error {
	ours, err := w.out.Stat()
	if err != nil {
		return err //nolint:wrapcheck // it names the file
	}
	switch there, err := os.Lstat(w.out.Name()); {
	case err != nil:
		return fmt.Errorf("the file was taken away while it was written: %w", err)
	case !os.SameFile(ours, there):
		return fmt.Errorf("%s was replaced while it was written", w.out.Name())
	}
	return nil
}

// begin opens a file for what begins at a time.
func (w *Writer) begin(at time.Time) error {
	name := segmentName(w.o.Dir, at)
	out, err := private.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY)
	if errors.Is(err, os.ErrExist) { // the clock was set back to the very millisecond
		return fmt.Errorf("%s is there already", name)
	}
	if err != nil {
		return err //nolint:wrapcheck // it names the file
	}
	seg, err := newSegment(w.onto(out), w.o.About, at, w.framer)
	if err != nil { // nothing is in it that anybody could play
		return errors.Join(err, out.Close(), os.Remove(name))
	}
	w.out, w.seg, w.began, w.whole, w.last = out, seg, at, time.Time{}, at
	return nil
}

// rest writes the marks that still wait: what happened just before the end happened. Where
// nothing is recorded yet, the newest picture is, so that there is a file for them.
func (w *Writer) rest() error {
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

// bound removes the oldest files while all of them hold too much, or what is too
// old. The one that is being written stays, and so does what no writer has named: a part
// that somebody has cut out, or a file that was renamed to be kept.
func (w *Writer) bound(now time.Time) error {
	paths, err := segments(w.o.Dir)
	if err != nil {
		return err
	}
	paths = slices.DeleteFunc(paths, func(p string) bool { return !isSegmentName(p) })
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
			return err //nolint:wrapcheck // it names the file
		}
		sum -= sizes[i]
	}
	return nil
}
