package record

import (
	"iter"
	"time"

	"wallboard/model"
)

// Player rebuilds the snapshots of a recording, in order or at any time. The snapshots
// are immutable and come from one store, so their versions only grow, even when going
// backwards. A Player is not safe for concurrent use.
type Player struct {
	rec   *Recording
	store *model.Store

	only     []model.Op   // tables to read; empty: all
	cur      *chunkReader // the current chunk; nil before the first
	prefetch *prefetcher  // nil: no prefetching
	shown    *model.Snapshot
}

// Player returns a player at the start of the recording.
func (r *Recording) Player() *Player {
	return &Player{rec: r, store: model.NewStore()}
}

// Seek returns the snapshot at a time: that of the last frame at or before it. It
// returns nil before the first frame or if nothing is readable. In a gap it returns the
// previous snapshot; see [Player.Gap].
func (p *Player) Seek(at time.Time) (*model.Snapshot, error) {
	for {
		s, again, err := p.seek(at)
		if !again {
			return s, err
		}
	}
}

// seek is one attempt of Seek; again is true if a chunk turned out to be damaged.
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
	if p.checkDamage() {
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

// checkDamage reports whether the current chunk turned out to be shorter than known. It
// records the damage and resets the position.
func (p *Player) checkDamage() bool {
	c := p.cur
	if !c.damaged || !p.rec.markDamaged(c.i, c.frames) {
		return false
	}
	c.i, p.shown = -1, nil
	return true
}

// enter moves to a chunk, at or before a time. moved reports whether the last shown
// snapshot was from elsewhere.
func (p *Player) enter(i int, at time.Time) (moved bool, err error) {
	within := p.cur != nil && i == p.cur.i && p.shown != nil
	on := within && !at.Before(p.cur.deframer.at)
	if on && p.cur.near(at) {
		return false, nil
	}
	if o := p.prefetched(i, at, !on); o != nil {
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

// prefetched returns a prefetched position, or nil.
func (p *Player) prefetched(i int, at time.Time, wait bool) *chunkReader {
	if p.prefetch == nil {
		return nil
	}
	return p.prefetch.take(i, at, wait)
}

// Next returns the snapshot of the next frame, or nil after the last.
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
			p.rec.markDamaged(i, p.cur.frames)
		case next >= len(p.rec.chunks):
			return nil, nil
		default:
			if err := p.open(next); err != nil {
				return nil, err
			}
			if p.cur.damaged {
				p.rec.markDamaged(next, p.cur.frames)
			}
		}
	}
}

// copied reports whether the next chunk repeats the current one, possibly extended, as
// in a copied file. Other chunks that overlap in time, as after a clock change, are all
// shown.
func (p *Player) copied() bool {
	i := p.cur.i + 1
	return i < len(p.rec.chunks) && !p.rec.chunks[i].lost() && p.rec.chunks[i].First.Equal(p.rec.chunks[p.cur.i].First)
}

// Gap returns the gap around a time; ok is false if the time was recorded.
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

// whole returns the snapshot of the first frame of a chunk without reading the others,
// or nil if it is unreadable.
func (p *Player) whole(i int, c fileChunk, frame []byte) *model.Snapshot {
	o := p.ownReader()
	ok := frame != nil && o.start(i, c, [][]byte{frame}, p.store) == nil && o.read() == nil
	if o.i = -1; !ok { // the other frames are missing
		return nil
	}
	p.shown = o.deframer.show()
	return p.shown
}

// open unpacks a chunk without decoding a frame.
func (p *Player) open(i int) error {
	err := p.ownReader().unpack(i, p.rec.chunks[i], &p.rec.unpacker, p.store)
	if err != nil {
		p.shown = nil
	}
	return err
}

// ownReader returns the player's own reader, reset by each use.
func (p *Player) ownReader() *chunkReader {
	if p.cur == nil {
		p.cur = &chunkReader{i: -1, only: p.only}
	}
	return p.cur
}

// Snapshots returns all snapshots between two times, in order. Damaged parts are left
// out and become gaps; an error ends the sequence. The snapshots stay valid. If only is
// given, they contain just these tables.
func (r *Recording) Snapshots(from, to time.Time, only ...model.Op) iter.Seq2[*model.Snapshot, error] {
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
