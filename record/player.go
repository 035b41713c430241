package record

import (
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

	cur   *opened // the chunk that is read; nil before the first
	ahead *ahead  // nil: nothing is read ahead
	shown *model.Snapshot
}

// Player returns a player of the recording, which stands before its first frame.
func (r *Recording) Player() *Player {
	return &Player{rec: r, store: model.NewStore()}
}

// Seek returns the snapshot that was shown at an instant: that of the last frame
// at or before it. It is nil before the first one and where nothing can be read, and in a
// gap the one before: [Player.Gap] tells.
func (p *Player) Seek(at time.Time) (*model.Snapshot, error) {
	i := p.rec.find(at)
	if i < 0 {
		return nil, nil
	}
	first, err := p.enter(i, at)
	if err != nil {
		return nil, err
	}
	some, err := p.cur.readTo(at)
	switch {
	case err != nil:
		return nil, err
	case p.cur.next == 0: // not a frame of it can be read
		p.shown = nil
	case some || first:
		p.shown = p.cur.deframer.show()
	}
	return p.shown, nil
}

// enter has the player in a chunk, at an instant or before it. first is true where what it
// shows was of somewhere else.
func (p *Player) enter(i int, at time.Time) (first bool, err error) {
	within := p.cur != nil && i == p.cur.i && p.shown != nil
	switch {
	case within && !at.Before(p.cur.deframer.at):
		return false, nil
	case within && p.cur.covers(at):
	case p.taken(i, at):
		if !at.Before(p.cur.deframer.at) {
			return true, nil
		}
	case !within:
		return true, p.open(i)
	}
	p.cur.backTo(at, p.rec.chunks[i].First)
	return true, nil
}

// taken has the player go on in a chunk that was read beside, where it was.
func (p *Player) taken(i int, at time.Time) bool {
	if p.ahead == nil {
		return false
	}
	o := p.ahead.take(i, at, p.cur)
	if o != nil {
		p.cur = o
	}
	return o != nil
}

// Next returns the snapshot of the next frame, nil after the last.
func (p *Player) Next() (*model.Snapshot, error) {
	for p.cur == nil || p.cur.next >= len(p.cur.frames) {
		next := 0
		if p.cur != nil {
			next = p.cur.i + 1
		}
		if next >= len(p.rec.chunks) {
			return nil, nil
		}
		if err := p.open(next); err != nil {
			return nil, err
		}
	}
	if err := p.cur.read(); err != nil {
		return nil, err
	}
	p.shown = p.cur.deframer.show()
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
	o := p.own()
	if err := o.enter(i, c, [][]byte{frame}, p.store); err != nil {
		return nil, err
	}
	if err := o.read(); err != nil {
		return nil, err
	}
	o.i, p.shown = -1, o.deframer.show() // the other frames are missing
	return p.shown, nil
}

// open unpacks a chunk; none of its frames is read yet.
func (p *Player) open(i int) error {
	err := p.own().unpack(i, p.rec.chunks[i], &p.rec.unpacker, p.store)
	if err != nil {
		p.shown = nil
	}
	return err
}

// own is what the player has chunks in, one after the other.
func (p *Player) own() *opened {
	if p.cur == nil {
		p.cur = &opened{i: -1}
	}
	return p.cur
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
