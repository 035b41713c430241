package record

import (
	"iter"
	"time"

	"wallboard/model"
)

// Player rebuilds the snapshots of a recording, one after the other or at any time. Snapshots
// are immutable. The versions of their records do not decrease, even if the player moves back
// in time. A Player is not safe for concurrent use.
type Player struct {
	recording *Recording
	store     *model.Store

	onlyTables    []model.Op   // tables to read; empty: all
	current       *chunkReader // current chunk; nil before the first
	prefetcher    *prefetcher  // nil: no prefetching
	shownSnapshot *model.Snapshot
}

// Player returns a player at the start of the recording.
func (r *Recording) Player() *Player {
	return &Player{recording: r, store: model.NewStore()}
}

// Seek returns the snapshot at a time, from the last frame at or before that time. It returns
// nil if there is no such frame or nothing is readable. In a gap it returns the last snapshot
// before the gap; [Player.GapAt] describes the gap.
func (p *Player) Seek(at time.Time) (*model.Snapshot, error) {
	for {
		s, again, err := p.trySeek(at)
		if !again {
			return s, err
		}
	}
}

// trySeek makes an attempt of [Player.Seek]. again is true if it found a damaged chunk and the
// caller must try again.
func (p *Player) trySeek(at time.Time) (s *model.Snapshot, again bool, err error) {
	i := p.recording.lastReadableChunk(at)
	if i < 0 {
		return nil, false, nil
	}
	first, err := p.enterChunk(i, at)
	if err != nil {
		return nil, false, err
	}
	hasRead, err := p.current.readTo(at)
	if p.checkDamage() {
		return nil, true, nil
	}
	if err != nil {
		return nil, false, err
	}
	if hasRead || first {
		p.shownSnapshot = p.current.frameDecoder.publish()
	}
	return p.shownSnapshot, false, nil
}

// checkDamage reports whether the current chunk has fewer readable frames than the recording
// assumes. If so, it records the damage and resets the position of the player.
func (p *Player) checkDamage() bool {
	c := p.current
	if !c.isDamaged || !p.recording.markDamaged(c.index, c.frames) {
		return false
	}
	c.index, p.shownSnapshot = -1, nil
	return true
}

// enterChunk moves to a position in chunk i at or before a time. moved reports whether this
// position differs from that of the last shown snapshot.
func (p *Player) enterChunk(i int, at time.Time) (moved bool, err error) {
	inChunk := p.current != nil && i == p.current.index && p.shownSnapshot != nil
	isAhead := inChunk && !at.Before(p.current.frameDecoder.lastFrameTime)
	if isAhead && p.current.isNear(at) {
		return false, nil
	}
	if o := p.takePrefetched(i, at, !isAhead); o != nil {
		p.current = o
		return true, nil
	}
	switch {
	case isAhead:
		return false, nil
	case inChunk:
		p.current.rewind(p.recording.chunks[i].First)
		return true, nil
	}
	return true, p.openChunk(i)
}

// takePrefetched returns a prefetched position in chunk i at or before a time, or nil if there
// is none. If wait is true, it waits for a running job that will reach the time.
func (p *Player) takePrefetched(i int, at time.Time, wait bool) *chunkReader {
	if p.prefetcher == nil {
		return nil
	}
	return p.prefetcher.takeReader(i, at, wait)
}

// Next returns the snapshot of the next frame, or nil after the last frame.
func (p *Player) Next() (*model.Snapshot, error) {
	for {
		i := -1
		if p.current != nil {
			i = p.current.index
		}
		next := i + 1
		for next < len(p.recording.chunks) && p.recording.chunks[next].isUnreadable() {
			next++
		}
		switch {
		case i >= 0 && p.current.nextFrame < len(p.current.frames) && !p.nextIsCopy():
			if p.current.read() == nil {
				p.shownSnapshot = p.current.frameDecoder.publish()
				return p.shownSnapshot, nil
			}
			p.recording.markDamaged(i, p.current.frames)
		case next >= len(p.recording.chunks):
			return nil, nil
		default:
			if err := p.openChunk(next); err != nil {
				return nil, err
			}
			if p.current.isDamaged {
				p.recording.markDamaged(next, p.current.frames)
			}
		}
	}
}

// nextIsCopy reports whether the next chunk is a copy of the current one, possibly with more
// frames, for example in a copied file. Such a chunk begins at the same time. Chunks that only
// overlap in time, for example after a clock change, are not copies.
func (p *Player) nextIsCopy() bool {
	i := p.current.index + 1
	return i < len(p.recording.chunks) && !p.recording.chunks[i].isUnreadable() && p.recording.chunks[i].First.Equal(p.recording.chunks[p.current.index].First)
}

// GapAt returns the gap that contains a time. ok is false if the time is not in a gap.
func (p *Player) GapAt(at time.Time) (g Gap, ok bool) {
	i := p.recording.lastReadableChunk(at)
	if i < 0 {
		for _, c := range p.recording.chunks {
			if !c.isUnreadable() {
				return Gap{To: c.First, Damaged: g.Damaged}, true
			}
			g.Damaged = true
		}
		return g, true
	}
	c := &p.recording.chunks[i]
	if at.Sub(c.Last) <= c.maxPause() && i == p.recording.lastBegunChunk(at) {
		return Gap{}, false
	}
	g, _, _ = p.recording.gapAfter(i)
	return g, true
}

// firstSnapshot returns the snapshot of the first frame of chunk i without reading other
// frames. It returns nil if the frame is missing or cannot be decoded.
func (p *Player) firstSnapshot(i int, c fileChunk, frame []byte) *model.Snapshot {
	o := p.currentReader()
	ok := frame != nil && o.startChunk(i, c, [][]byte{frame}, p.store) == nil && o.read() == nil
	if o.index = -1; !ok { // make the next call open a chunk, because the other frames are not loaded
		return nil
	}
	p.shownSnapshot = o.frameDecoder.publish()
	return p.shownSnapshot
}

// openChunk decompresses chunk i without decoding a frame.
func (p *Player) openChunk(i int) error {
	err := p.currentReader().unpack(i, p.recording.chunks[i], &p.recording.unpacker, p.store)
	if err != nil {
		p.shownSnapshot = nil
	}
	return err
}

// currentReader returns the reader of the current chunk. It creates the reader if needed.
func (p *Player) currentReader() *chunkReader {
	if p.current == nil {
		p.current = &chunkReader{index: -1, onlyTables: p.onlyTables}
	}
	return p.current
}

// Snapshots returns all snapshots between two times, in order. It skips damaged parts and
// records them as gaps. The sequence ends with the first error. The snapshots remain valid
// after the iteration. If only is not empty, the snapshots contain only these tables.
func (r *Recording) Snapshots(from, to time.Time, only ...model.Op) iter.Seq2[*model.Snapshot, error] {
	return func(yield func(*model.Snapshot, error) bool) {
		p := r.Player()
		p.onlyTables = only
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
