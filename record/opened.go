package record

import (
	"bytes"
	"slices"
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
	file     *file  // that the deframer is for
	stops    []stop // in the order of time
}

// stop is a frame of a chunk that can be gone back to.
type stop struct {
	next     int
	deframer *deframer
}

const (
	// stopEvery is how far two stops are apart: as far as the steps that people make.
	stopEvery = 10 * time.Second
	// mostStops bounds those of a chunk: each holds what changed since the one before.
	mostStops = 12
)

// unpack has a chunk in place of the one before. None of its frames is read yet.
func (o *opened) unpack(i int, c chunkOf, u *unpacker, store *model.Store) error {
	frames, err := c.file.unpackOnto(c.chunkAt, &o.raw, u)
	if err != nil {
		o.i, o.frames, o.next, o.stops = i, nil, 0, nil // those before are written over
		return err
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

// read takes the next frame over.
func (o *opened) read() error {
	f := o.frames[o.next]
	o.next++
	return o.deframer.read(f)
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

// backTo goes back to a frame at or before an instant, the nearest that there is. All there
// is is shown next.
func (o *opened) backTo(at, first time.Time) {
	i := len(o.stops) - 1
	for i >= 0 && o.stops[i].deframer.at.After(at) {
		i--
	}
	if i >= 0 {
		o.next, o.deframer = o.stops[i].next, o.stops[i].deframer.fork()
	} else {
		o.deframer.restart(first)
		o.next = 0
	}
}

// covers reports whether one can go back to an instant without reading much.
func (o *opened) covers(at time.Time) bool {
	return slices.ContainsFunc(o.stops, func(s stop) bool {
		return !s.deframer.at.After(at) && at.Sub(s.deframer.at) <= 2*stopEvery
	})
}
