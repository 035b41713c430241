package record

import (
	"bytes"
	"errors"
	"time"

	"wallboard/model"
)

// opened is a chunk that is being read. It is for one goroutine at a time.
type opened struct {
	i        int // of the recording
	raw      bytes.Buffer
	frames   [][]byte // they lie in raw
	next     int      // the frame of these that comes next
	deframer *deframer
	damaged  bool   // these are not all
	file     *file  // that the deframer is for
	stops    []stop // in the order of time
}

// stop is an instant of a chunk that can be gone to without reading.
type stop struct {
	next     int
	deframer *deframer
}

const (
	// stopEvery is how far two stops are apart: as far as the steps that people make.
	stopEvery = 10 * time.Second
	// mostStops bounds those of a chunk: each holds what changed since the one before.
	mostStops = 12
	// nearBy is how much is read on the way to an instant that counts as near.
	nearBy = 2 * time.Second
)

// grid is where stops are: at an instant, and so far apart before and after it.
type grid struct {
	at    time.Time
	every time.Duration
}

// next returns the first instant of the grid that is not before another.
func (g grid) next(at time.Time) time.Time {
	by := at.Sub(g.at) % g.every
	if by > 0 {
		by -= g.every
	}
	return at.Add(-by)
}

// unpack has a chunk in place of the one before, as far as it can be read. None of its
// frames is read yet.
func (o *opened) unpack(i int, c chunkOf, u *unpacker, store *model.Store) error {
	frames, err := c.file.unpackOnto(c.chunkAt, &o.raw, u)
	if err != nil && !errors.Is(err, ErrDamaged) {
		o.i, o.frames, o.next, o.stops = i, nil, 0, nil // those before are written over
		return err
	}
	if o.damaged = err != nil; c.damaged {
		frames = frames[:min(len(frames), c.Frames)]
	}
	return o.enter(i, c, frames, store)
}

// enter goes on in a chunk that has these frames.
func (o *opened) enter(i int, c chunkOf, frames [][]byte, store *model.Store) error {
	if o.file != c.file {
		d, ok := newDeframer(c.file.head.Schema, store)
		if !ok {
			return ErrLater
		}
		o.file, o.deframer = c.file, d
	}
	o.deframer.restart(c.First)
	o.i, o.next, o.frames, o.stops = i, 0, frames, nil
	return nil
}

// read takes the next frame over. After one that cannot be read there is none.
func (o *opened) read() error {
	err := o.deframer.read(o.frames[o.next])
	if err != nil {
		o.damaged, o.frames = true, o.frames[:o.next]
		return err
	}
	o.next++
	return nil
}

// readTo reads what is at or before an instant, the first frame in any case; some is false
// where there was nothing to read.
func (o *opened) readTo(at time.Time) (some bool, err error) {
	for o.before(at) {
		if err := o.read(); err != nil {
			return some, err
		}
		some = true
	}
	return some, nil
}

// before reports whether there is a frame to be read on the way to an instant.
func (o *opened) before(at time.Time) bool {
	return o.next < len(o.frames) && (o.next == 0 || !o.deframer.next(o.frames[o.next]).After(at))
}

// goTo goes to an instant, or as near before it as one can go without reading; moved is
// false where that is where it is. After that all there is is shown next.
func (o *opened) goTo(at, first time.Time) (moved bool) {
	s := o.stopBefore(at)
	here := o.next > 0 && !o.deframer.at.After(at)
	switch {
	case here && (s == nil || !s.deframer.at.After(o.deframer.at)):
		return false
	case s != nil:
		o.next, o.deframer = s.next, s.deframer.fork()
	default:
		o.deframer.restart(first)
		o.next = 0
	}
	return true
}

// stopBefore returns the last stop that is not after an instant; nil for none.
func (o *opened) stopBefore(at time.Time) *stop {
	for i := len(o.stops) - 1; i >= 0; i-- {
		if s := &o.stops[i]; !s.deframer.at.After(at) {
			return s
		}
	}
	return nil
}

// near reports whether one can go to an instant without reading much.
func (o *opened) near(at time.Time) bool {
	if o.next > 0 && !o.deframer.at.After(at) && at.Sub(o.deframer.at) <= nearBy {
		return true
	}
	s := o.stopBefore(at)
	return s != nil && at.Sub(s.deframer.at) <= nearBy
}

// readStops reads all of a chunk up to an instant, and makes stops on the way. What is
// shown says mostly the same. goOn is asked before each frame.
func (o *opened) readStops(g grid, shown *model.Snapshot, goOn func(o *opened) bool) bool {
	due := g.at
	for o.next < len(o.frames) {
		if o.next > 0 && due.Before(o.deframer.next(o.frames[o.next])) {
			o.stop(shown)
			due = g.next(o.deframer.next(o.frames[o.next]))
		}
		if !goOn(o) || o.read() != nil {
			break
		}
		if o.next == 1 {
			due = g.next(o.deframer.at)
			o.deframer.match(shown)
		}
	}
	o.stop(shown)
	return o.deframer.err == nil
}

// stop has the frame that was read last be gone back to.
func (o *opened) stop(shown *model.Snapshot) {
	if o.next == 0 || len(o.stops) == mostStops {
		return
	}
	o.deframer.match(shown)
	o.stops = append(o.stops, stop{o.next, o.deframer.fork()})
}
