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
	damaged  bool       // these are not all
	file     *file      // that the deframer is for
	only     []model.Op // the tables that are read; none: all
}

// nearBy is how much is read on the way to an instant that counts as near.
const nearBy = 2 * time.Second

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
		o.i, o.frames, o.next = i, nil, 0 // those before are written over
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
		d, ok := newDeframer(c.file.head.Schema, store, o.only...)
		if !ok {
			return ErrLater
		}
		o.file, o.deframer = c.file, d
	}
	o.deframer.restart(c.First)
	o.i, o.next, o.frames = i, 0, frames
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

// rewind goes to the beginning of the chunk.
func (o *opened) rewind(first time.Time) {
	o.deframer.restart(first)
	o.next = 0
}

// near reports whether one comes to an instant without reading much.
func (o *opened) near(at time.Time) bool {
	return o.next > 0 && !o.deframer.at.After(at) && at.Sub(o.deframer.at) <= nearBy
}

// fork returns one that goes on from here, of what nobody else reads on.
func (o *opened) fork() *opened {
	return &opened{i: o.i, frames: o.frames, next: o.next, deframer: o.deframer.fork(), damaged: o.damaged, file: o.file}
}
