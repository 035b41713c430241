package record

import (
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"slices"
	"time"
)

// brief is how far two pictures of what is damaged may be apart without a gap between them.
const brief = 2 * time.Second

// Check reads all of a recording and finds what of it was altered, or is missing: it is a
// gap from then on, which is told as one. Without it that is found as soon as somebody comes
// there. The error is that of the disk, or of the context.
func (r *Recording) Check(ctx context.Context) error {
	var u unpacker
	defer u.close()
	for i, c := range r.chunks {
		frames, err := c.check(ctx, &u)
		if err != nil {
			return err
		}
		if frames != nil {
			r.spoil(i, frames)
		}
	}
	return nil
}

// check returns the frames that are left of a chunk, not nil, and nil for one that is as it
// was written. It may be called beside whatever else is done with the file.
func (c *chunkOf) check(ctx context.Context, u *unpacker) ([][]byte, error) {
	if err := ctx.Err(); err != nil {
		return nil, err //nolint:wrapcheck // the end that somebody asked for
	}
	if c.damaged || c.file.torn { // it is known, or was walked
		return nil, nil
	}
	p := pieces{blocks: c.file.blocksOf(c.chunkAt)}
	n, err := p.count()
	switch {
	case err != nil:
		return nil, err
	case n >= c.Frames: // each frame is a block at least
		return nil, nil
	}
	frames, err := c.file.unpackAll(c.chunkAt, u)
	if err != nil {
		return nil, err
	}
	return frames, nil
}

// count returns how many blocks of a chunk are as they were written, up to one that is not.
func (p *pieces) count() (n int, err error) {
	for {
		switch piece, err := p.next(); {
		case err != nil:
			return n, err
		case piece == nil:
			return n, nil
		}
		n++
	}
}

// unpackAll returns the frames of a chunk as far as they are good, not nil. The error is that
// of the disk.
func (o *file) unpackAll(c chunkAt, u *unpacker) ([][]byte, error) {
	frames, err := o.unpack(c, u)
	if err != nil && !errors.Is(err, ErrDamaged) {
		return nil, err
	}
	if frames == nil {
		frames = [][]byte{}
	}
	return frames, nil
}

// spoil notes that these are the frames that can be read of a chunk, and reports whether that
// is news.
func (r *Recording) spoil(i int, frames [][]byte) bool {
	c := &r.chunks[i]
	if c.damaged && len(frames) >= c.Frames {
		return false
	}
	c.damaged, c.Frames, c.Last = true, len(frames), lastOf(frames, c.First)
	r.spoilt++
	return true
}

// lastOf returns when the last of the frames of a chunk was.
func lastOf(frames [][]byte, first time.Time) time.Time {
	for _, f := range frames {
		d := decoder{data: f}
		first = first.Add(time.Duration(d.int()) * time.Millisecond)
	}
	return first
}

// lost reports whether nothing of a chunk can be read.
func (c *chunkOf) lost() bool { return c.damaged && c.Frames == 0 }

// pause is how long after its last picture a gap begins.
func (c *chunkOf) pause() time.Duration {
	if c.damaged {
		return brief
	}
	return longestPause
}

// gapAfter returns the gap between a chunk and the next one of which something is left; ok is
// false where there is none. It is open where no other follows.
func (r *Recording) gapAfter(i int) (g Gap, next int, ok bool) {
	c := &r.chunks[i]
	g = Gap{From: c.Last, Damaged: c.damaged}
	for next = i + 1; next < len(r.chunks) && r.chunks[next].lost(); next++ {
		g.Damaged = true
	}
	if next == len(r.chunks) {
		return g, next, true
	}
	g.To = r.chunks[next].First
	most := c.pause()
	if g.Damaged {
		most = brief
	}
	return g, next, g.To.Sub(g.From) > most
}

// gaps are the times in which nothing was recorded, or of which nothing is left.
func (r *Recording) gaps() (all []Gap) {
	if len(r.chunks) == 0 {
		return nil
	}
	i := 0
	if r.chunks[0].lost() {
		g, next, _ := r.gapAfter(0)
		g.From = r.chunks[0].First
		if all, i = append(all, g), next; i == len(r.chunks) {
			all[0].To = r.chunks[i-1].Last
			return all
		}
	}
	last := r.chunks[i].Last
	for i < len(r.chunks) {
		g, next, ok := r.gapAfter(i)
		if ok && next < len(r.chunks) && r.chunks[next].First.After(last) {
			g.From = last
			all = append(all, g)
		}
		if i = next; i < len(r.chunks) && r.chunks[i].Last.After(last) {
			last = r.chunks[i].Last
		}
	}
	return all
}

// mostWasted is how often as much as a file has may be read of blocks that are none. Of
// more, what is left of the file is given up, or n of them would take the time of n².
const mostWasted = 4

// resume finds the next chunk of a file behind something that is no block: 0 for none.
// What is looked through begins small: the next chunk is mostly near.
func (b *blocks) resume(size int64) int64 {
	const most = binary.MaxVarintLen64 // of what begins a chunk
	const small, large = 1 << 9, 1 << 16
	if b.wasted > mostWasted*size {
		return 0
	}
	if b.window == nil {
		b.window = make([]byte, large)
	}
	look := small
	for from := b.at + 1; from < size; {
		window := b.window[:look]
		n, _ := b.r.ReadAt(window, from)
		for i := range max(0, n-blockPrefix) {
			if window[i] != blockChunk {
				continue
			}
			if l := binary.LittleEndian.Uint32(window[i+1:]); l == 0 || l > most {
				continue
			}
			at := blocks{r: b.r, at: from + int64(i)}
			if kind, _, err := at.next(); err == nil && kind == blockChunk {
				return from + int64(i)
			}
		}
		from += int64(look) - blockPrefix - most
		look = min(2*look, large)
	}
	return 0
}

// ordered reports whether the chunks follow each other before a place. One that is listed
// twice would be read as often.
func (f *footer) ordered(end int64) bool {
	last := int64(0)
	for _, c := range f.Chunks {
		if c.Offset <= last || c.Offset >= end {
			return false
		}
		last = c.Offset
	}
	return true
}

// blocksOf returns the blocks of a chunk, of which none reaches into the next chunk.
func (o *file) blocksOf(c chunkAt) blocks {
	end := int64(0) // the last one may grow
	next, _ := slices.BinarySearchFunc(o.foot.Chunks, c.Offset+1, func(c chunkAt, at int64) int { return cmp.Compare(c.Offset, at) })
	if next < len(o.foot.Chunks) {
		end = o.foot.Chunks[next].Offset
	}
	return blocks{r: o.f, at: c.Offset, end: end}
}
