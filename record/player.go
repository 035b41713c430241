package record

import (
	"bytes"
	"iter"
	"time"

	"wallboard/model"
)

// Player rebuilds the snapshots of a recording, at any instant and one after the
// other. Its snapshots are as immutable as any, and come from one store: versions
// only grow, whichever way time goes. It is for one goroutine.
type Player struct {
	rec   *Recording
	store *model.Store

	chunk    int          // -1 before the first
	raw      bytes.Buffer // that the frames lie in
	frames   [][]byte
	next     int // the frame of these that comes next
	deframer *deframer
	file     *file // that the deframer is for
	shown    *model.Snapshot
}

// Player returns a player of the recording, which stands before its first frame.
func (r *Recording) Player() *Player {
	return &Player{rec: r, store: model.NewStore(), chunk: -1}
}

// Seek returns the snapshot that was shown at an instant: that of the last frame
// at or before it. It is nil before the first one and where nothing can be read, and in a
// gap the one before: [Player.Gap] tells.
func (p *Player) Seek(at time.Time) (*model.Snapshot, error) {
	i := p.rec.find(at)
	if i < 0 {
		return nil, nil
	}
	forward := i == p.chunk && p.shown != nil && !at.Before(p.deframer.at)
	if !forward {
		if err := p.open(i); err != nil {
			return nil, err
		}
	}
	read := !forward
	for p.next < len(p.frames) && (read && p.next == 0 || !p.deframer.next(p.frames[p.next]).After(at)) {
		if err := p.read(); err != nil {
			return nil, err
		}
		read = true
	}
	switch {
	case p.next == 0: // not a frame of it can be read
		p.shown = nil
	case read:
		p.shown = p.deframer.show()
	}
	return p.shown, nil
}

// Next returns the snapshot of the next frame, nil after the last.
func (p *Player) Next() (*model.Snapshot, error) {
	for p.next >= len(p.frames) {
		if p.chunk+1 >= len(p.rec.chunks) {
			return nil, nil
		}
		if err := p.open(p.chunk + 1); err != nil {
			return nil, err
		}
	}
	if err := p.read(); err != nil {
		return nil, err
	}
	p.shown = p.deframer.show()
	return p.shown, nil
}

// Gap returns the time around an instant in which nothing was recorded; ok is
// false where something was.
func (p *Player) Gap(at time.Time) (g Gap, ok bool) {
	i := p.rec.find(at)
	if i >= 0 && at.Sub(p.rec.chunks[i].Last) <= longestPause {
		return Gap{}, false
	}
	if i >= 0 {
		g.From = p.rec.chunks[i].Last
	}
	if i+1 < len(p.rec.chunks) {
		g.To = p.rec.chunks[i+1].First
	}
	return g, true
}

// whole returns the first picture of a chunk, and does not look at the others: as if
// somebody had gone to it, and soon after. It is nil where the chunk is torn.
func (p *Player) whole(i int) (*model.Snapshot, error) {
	c := p.rec.chunks[i]
	frame, err := c.file.unpackFirst(c.chunkAt)
	if err != nil || frame == nil {
		return nil, err
	}
	if err := p.enter(i, [][]byte{frame}); err != nil {
		return nil, err
	}
	if err := p.read(); err != nil {
		return nil, err
	}
	p.chunk, p.shown = -1, p.deframer.show() // the other frames are missing
	return p.shown, nil
}

// open unpacks a chunk; none of its frames is read yet.
func (p *Player) open(i int) error {
	c := p.rec.chunks[i]
	frames, err := c.file.unpackOnto(c.chunkAt, &p.raw)
	if err != nil {
		p.chunk, p.next, p.frames, p.shown = i, 0, nil, nil // those before are written over
		return err
	}
	return p.enter(i, frames)
}

// enter goes on in a chunk.
func (p *Player) enter(i int, frames [][]byte) error {
	c := p.rec.chunks[i]
	if p.file != c.file {
		d, ok := newDeframer(c.file.head.Schema, p.store)
		if !ok {
			return ErrLater
		}
		p.file, p.deframer = c.file, d
	}
	p.deframer.restart(c.First)
	p.chunk, p.next, p.frames = i, 0, frames
	return nil
}

func (p *Player) read() error {
	f := p.frames[p.next]
	p.next++
	return p.deframer.read(f)
}

// Pictures returns every picture between two instants, in the order of time. What is torn
// is left out; an error ends them. A picture is good for as long as somebody has it.
func (r *Recording) Pictures(from, to time.Time) iter.Seq2[*model.Snapshot, error] {
	return func(yield func(*model.Snapshot, error) bool) {
		p := r.Player()
		s, err := p.Seek(from)
		if err == nil && (s == nil || s.At.Before(from)) {
			s, err = p.Next()
		}
		for ; err == nil && s != nil && !s.At.After(to); s, err = p.Next() {
			if !yield(s, nil) {
				return
			}
		}
		if err != nil {
			yield(nil, err)
		}
	}
}
