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

	only  []model.Op // the tables that are wanted; none: all
	cur   *opened    // the chunk that is read; nil before the first
	ahead *ahead     // nil: nothing is read ahead
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
	for {
		s, again, err := p.seek(at)
		if !again {
			return s, err
		}
	}
}

// seek is Seek; again is true where a chunk holds less than was thought.
func (p *Player) seek(at time.Time) (s *model.Snapshot, again bool, err error) {
	i := p.rec.find(at)
	if i < 0 {
		return nil, false, nil
	}
	first, err := p.enter(i, at)
	if err != nil {
		return nil, false, err
	}
	some, err := p.cur.readTo(at)
	if p.spoilt() {
		return nil, true, nil
	}
	if err != nil {
		return nil, false, err
	}
	if some || first {
		p.shown = p.cur.deframer.show()
	}
	return p.shown, false, nil
}

// spoilt reports whether less can be read of the chunk than was thought, which is noted. The
// player then is nowhere.
func (p *Player) spoilt() bool {
	c := p.cur
	if !c.damaged || !p.rec.spoil(c.i, c.frames) {
		return false
	}
	c.i, p.shown = -1, nil
	return true
}

// enter has the player in a chunk, at an instant or before it. moved is true where what it
// shows was of somewhere else.
func (p *Player) enter(i int, at time.Time) (moved bool, err error) {
	within := p.cur != nil && i == p.cur.i && p.shown != nil
	on := within && !at.Before(p.cur.deframer.at)
	if on && p.cur.near(at) {
		return false, nil
	}
	if o := p.taken(i, at, !on); o != nil {
		p.cur = o
		return true, nil
	}
	switch {
	case on:
		return false, nil
	case within:
		p.cur.rewind(p.rec.chunks[i].First)
		return true, nil
	}
	return true, p.open(i)
}

// taken returns what somebody has read beside, and stands at an instant of a chunk.
func (p *Player) taken(i int, at time.Time, wait bool) *opened {
	if p.ahead == nil {
		return nil
	}
	return p.ahead.take(i, at, wait)
}

// Next returns the snapshot of the next frame, nil after the last.
func (p *Player) Next() (*model.Snapshot, error) {
	for {
		i := -1
		if p.cur != nil {
			i = p.cur.i
		}
		next := i + 1
		for next < len(p.rec.chunks) && p.rec.chunks[next].lost() {
			next++
		}
		switch {
		case i >= 0 && p.cur.next < len(p.cur.frames) && !p.copied():
			if p.cur.read() == nil {
				p.shown = p.cur.deframer.show()
				return p.shown, nil
			}
			p.rec.spoil(i, p.cur.frames)
		case next >= len(p.rec.chunks):
			return nil, nil
		default:
			if err := p.open(next); err != nil {
				return nil, err
			}
			if p.cur.damaged {
				p.rec.spoil(next, p.cur.frames)
			}
		}
	}
}

// copied reports whether the next chunk is the same once more, or longer, as in a file that
// somebody copied. Of other chunks of the same time, as after a clock was set back, each is
// shown.
func (p *Player) copied() bool {
	i := p.cur.i + 1
	return i < len(p.rec.chunks) && !p.rec.chunks[i].lost() && p.rec.chunks[i].First.Equal(p.rec.chunks[p.cur.i].First)
}

// Gap returns the time around an instant in which nothing was recorded, or of which nothing
// is left; ok is false where there is something.
func (p *Player) Gap(at time.Time) (g Gap, ok bool) {
	i := p.rec.find(at)
	if i < 0 {
		for _, c := range p.rec.chunks {
			if !c.lost() {
				return Gap{To: c.First, Damaged: g.Damaged}, true
			}
			g.Damaged = true
		}
		return g, true
	}
	c := &p.rec.chunks[i]
	if at.Sub(c.Last) <= c.pause() && i == p.rec.begun(at) {
		return Gap{}, false
	}
	g, _, _ = p.rec.gapAfter(i)
	return g, true
}

// whole returns the picture of the first frame of a chunk, and does not look at the others: as
// if somebody had gone to it, and soon after. It is nil where that cannot be read.
func (p *Player) whole(i int, c chunkOf, frame []byte) *model.Snapshot {
	o := p.own()
	ok := frame != nil && o.enter(i, c, [][]byte{frame}, p.store) == nil && o.read() == nil
	if o.i = -1; !ok { // the other frames are missing
		return nil
	}
	p.shown = o.deframer.show()
	return p.shown
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
		p.cur = &opened{i: -1, only: p.only}
	}
	return p.cur
}

// Pictures returns every picture between two instants, in the order of time. What is damaged
// is left out, and a gap from then on; an error ends them. A picture is good for as long as
// somebody has it. Only the tables that are named are in them; of none, all are.
func (r *Recording) Pictures(from, to time.Time, only ...model.Op) iter.Seq2[*model.Snapshot, error] {
	return func(yield func(*model.Snapshot, error) bool) {
		p := r.Player()
		p.only = only
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
