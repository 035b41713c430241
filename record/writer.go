package record

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
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

	onto   func(*os.File) io.Writer // what segments are written to; of a test, a full disk
	framer *framer
	out    *os.File
	seg    *segment
	began  time.Time // of the segment, on the server's clock
	whole  time.Time // when a frame held everything last
	last   time.Time
	pause  time.Time // nothing is tried until then
	up     bool      // there was a connection at the last frame
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
	if why := w.state.Load(); why != nil {
		return *why
	}
	return ""
}

// Run records until the context ends. While another board records to the folder, it waits
// for that to end, and nothing is in trouble. The error is one that no time mends: the folder
// is not ours.
func (w *Writer) Run(ctx context.Context) error {
	err := w.run(ctx)
	if err != nil {
		w.troubled(err)
	}
	return err
}

func (w *Writer) run(ctx context.Context) error {
	if _, err := private.Folder(w.o.Dir); err != nil {
		return fmt.Errorf("record to %s: %w", w.o.Dir, err)
	}
	release, err := w.alone(ctx)
	if err != nil {
		return fmt.Errorf("record to %s: %w", w.o.Dir, err)
	}
	defer release()
	defer func() { w.settle(w.end()) }()
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
			w.settle(w.seg.mark(m))
		case now := <-tick.C:
			w.settle(w.frame(now))
		}
	}
}

// alone waits until no other board records to the folder, or the context ends. Nothing is
// recorded meanwhile: the other one does.
func (w *Writer) alone(ctx context.Context) (release func(), err error) {
	tick := time.NewTicker(lookAgain)
	defer tick.Stop()
	lock := filepath.Join(w.o.Dir, "lock")
	if release, err = flock.Hold(lock, 0); !errors.Is(err, flock.ErrLocked) {
		return release, err
	}
	w.o.Log.Info("another board records; this one does as soon as that one has ended", "folder", w.o.Dir)
	for err != nil {
		select {
		case <-ctx.Done():
			return func() {}, nil
		case <-w.marks: // there are no pictures to go with it
			continue
		case <-tick.C:
		}
		if release, err = flock.Hold(lock, 0); err != nil && !errors.Is(err, flock.ErrLocked) {
			w.troubled(err) // it may be over the next time
		}
	}
	w.state.Store(nil)
	return release, nil
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
		if err := w.bound(now); err != nil {
			return err
		}
	}
	w.last = at
	if err := w.seg.frame(s, at, whole); err != nil {
		return err
	}
	was := w.up
	if w.up = s.Health.Link.State == model.LinkUp; was && !w.up {
		if err := w.seg.mark(Mark{At: at, Kind: MarkCut, Text: model.CleanText(s.Health.Link.Reason, model.MaxName)}); err != nil {
			return err
		}
	}
	w.state.Store(nil)
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
// old. The one that is being written stays.
func (w *Writer) bound(now time.Time) error {
	paths, err := segments(w.o.Dir)
	if err != nil {
		return err
	}
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
