package record

import (
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"slices"
	"time"
)

// maxPauseWithoutGap is the longest pause between two snapshots that is not a gap if the data
// between them is damaged.
const maxPauseWithoutGap = 2 * time.Second

// Check reads the whole recording and records damaged or missing data as gaps. Without Check,
// a player finds damage only when it reaches the damaged chunk. Check returns the first read
// error, or the error of ctx if ctx ends.
func (r *Recording) Check(ctx context.Context) error {
	var u unpacker
	defer u.close()
	for i, c := range r.chunks {
		frames, err := c.findDamage(ctx, &u)
		if err != nil {
			return err
		}
		if frames != nil {
			r.markDamaged(i, frames)
		}
	}
	return nil
}

// findDamage returns the readable frames of a damaged chunk. It returns nil if the chunk is
// intact or its damage is already known. If no frame is readable, the result is empty but not
// nil. findDamage may run while other goroutines read the file.
func (c *fileChunk) findDamage(ctx context.Context, u *unpacker) ([][]byte, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if c.isDamaged || c.file.hasNoFooter { // the damage is already known
		return nil, nil
	}
	p := chunkStream{blocks: c.file.chunkBlocks(c.chunkEntry)}
	n, err := p.countBlocks()
	switch {
	case err != nil:
		return nil, err
	case n >= c.Frames: // enough blocks are valid, because a frame takes at least one block
		return nil, nil
	}
	frames, err := c.file.unpackReadable(c.chunkEntry, u)
	if err != nil {
		return nil, err
	}
	return frames, nil
}

// countBlocks returns the number of valid data blocks of the chunk up to the first invalid block.
func (p *chunkStream) countBlocks() (n int, err error) {
	for {
		switch piece, err := p.nextPiece(); {
		case err != nil:
			return n, err
		case piece == nil:
			return n, nil
		}
		n++
	}
}

// unpackReadable returns the readable frames of a chunk. It returns nil only together with a
// read error; damage is not an error.
func (o *file) unpackReadable(c chunkEntry, u *unpacker) ([][]byte, error) {
	frames, err := o.unpack(c, u)
	if err != nil && !errors.Is(err, ErrDamaged) {
		return nil, err
	}
	if frames == nil {
		frames = [][]byte{}
	}
	return frames, nil
}

// markDamaged records that only the given frames of chunk i are readable. It returns false if
// this or greater damage was already known.
func (r *Recording) markDamaged(i int, frames [][]byte) bool {
	c := &r.chunks[i]
	if c.isDamaged && len(frames) >= c.Frames {
		return false
	}
	c.isDamaged, c.Frames, c.Last = true, len(frames), lastFrameTime(frames, c.First)
	r.damageCount++
	return true
}

// lastFrameTime returns the time of the last of frames, which belong to a chunk that begins at
// first. It returns first if frames is empty.
func lastFrameTime(frames [][]byte, first time.Time) time.Time {
	for _, f := range frames {
		d := decoder{data: f}
		first = first.Add(time.Duration(d.readInt()) * time.Millisecond)
	}
	return first
}

// isUnreadable reports whether no frame of the chunk is readable.
func (c *fileChunk) isUnreadable() bool { return c.isDamaged && c.Frames == 0 }

// maxPause returns the longest pause after the chunk's last snapshot that is not a gap.
func (c *fileChunk) maxPause() time.Duration {
	if c.isDamaged {
		return maxPauseWithoutGap
	}
	return maxFramePause
}

// gapAfter returns the gap between chunk i and the next readable chunk, and the index of that
// chunk. ok is false if there is no gap. If no later chunk is readable, the end of the gap is
// the zero time.
func (r *Recording) gapAfter(i int) (g Gap, next int, ok bool) {
	c := &r.chunks[i]
	g = Gap{From: c.Last, Damaged: c.isDamaged}
	for next = i + 1; next < len(r.chunks) && r.chunks[next].isUnreadable(); next++ {
		g.Damaged = true
	}
	if next == len(r.chunks) {
		return g, next, true
	}
	g.To = r.chunks[next].First
	most := c.maxPause()
	if g.Damaged {
		most = maxPauseWithoutGap
	}
	return g, next, g.To.Sub(g.From) > most
}

// gaps returns the periods in which nothing was recorded or the recording is unreadable,
// ordered by time.
func (r *Recording) gaps() (all []Gap) {
	if len(r.chunks) == 0 {
		return nil
	}
	i := 0
	if r.chunks[0].isUnreadable() {
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

// maxWastedFactor limits the number of bytes read from blocks with a wrong checksum, as a
// multiple of the file size. Beyond the limit, the rest of the file is skipped, because
// searching it could take quadratic time.
const maxWastedFactor = 4

// findNextChunk returns the offset of the next chunk after invalid data, or 0 if there is none.
// size is the size of the file. Its first reads are small, because the next chunk is usually near.
func (b *blockReader) findNextChunk(size int64) int64 {
	const most = binary.MaxVarintLen64 + sealedTagSize // longest payload of the first block of a chunk
	const small, large = 1 << 9, 1 << 16
	if b.wastedBytes > maxWastedFactor*size {
		return 0
	}
	if b.window == nil {
		b.window = make([]byte, large)
	}
	windowSize := small
	for from := b.offset + 1; from < size; {
		window := b.window[:windowSize]
		n, _ := b.source.ReadAt(window, from)
		for i := range max(0, n-blockPrefixBytes) {
			if window[i] != blockChunk {
				continue
			}
			if l := binary.LittleEndian.Uint32(window[i+1:]); l == 0 || l > most {
				continue
			}
			at := blockReader{source: b.source, offset: from + int64(i), cipher: b.cipher}
			if kind, _, err := at.nextBlock(); err == nil && kind == blockChunk {
				return from + int64(i)
			}
		}
		from += int64(windowSize) - blockPrefixBytes - most
		windowSize = min(2*windowSize, large)
	}
	return 0
}

// isOrdered reports whether the chunks are ordered by offset and lie before end. It rejects an
// altered footer that lists a chunk many times.
func (f *footer) isOrdered(end int64) bool {
	last := int64(0)
	for _, c := range f.Chunks {
		if c.Offset <= last || c.Offset >= end {
			return false
		}
		last = c.Offset
	}
	return true
}

// chunkBlocks returns a reader of the blocks of a chunk. The reader ends at the beginning of
// the next chunk.
func (o *file) chunkBlocks(c chunkEntry) blockReader {
	end := int64(0) // 0, because the last chunk may still grow
	next, _ := slices.BinarySearchFunc(o.footer.Chunks, c.Offset+1, func(c chunkEntry, at int64) int { return cmp.Compare(c.Offset, at) })
	if next < len(o.footer.Chunks) {
		end = o.footer.Chunks[next].Offset
	}
	return blockReader{source: o.osFile, offset: c.Offset, end: end, cipher: o.cipher}
}
