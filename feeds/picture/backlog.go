package picture

import (
	"encoding/binary"
	"iter"
	"slices"

	"github.com/klauspost/compress/s2"

	"wallboard/feeds/merge"
)

// packedAt is from how many bytes on updates are packed. Updates resemble each other:
// a fifth to a tenth is left of them.
const packedAt = 64 << 10

// Backlog are updates that are merged once more, onto something that is older:
// a full state that was asked for before they came, or what a subscription
// tells late.
type Backlog struct {
	packed []pack
	open   []byte // those that are not packed yet, each after its length
	n      int    // how many there are
	size   int    // of them all, in bytes
	work   []byte
}

// pack are updates that follow each other.
type pack struct {
	before int // number of the first update after it
	data   []byte
}

// Add keeps a copy of an update, without what it says nothing about. It reports
// whether there was room for it in so many bytes, which those that are packed would
// take if they were not; if there was none, all of them are dropped.
func (b *Backlog) Add(payload []byte, most int) bool {
	b.work = merge.AppendCompact(b.work[:0], payload)
	if b.size += len(b.work); b.size > most {
		*b = Backlog{}
		return false
	}
	b.open = append(binary.AppendUvarint(b.open, uint64(len(b.work))), b.work...)
	if b.n++; len(b.open) >= packedAt {
		b.work = s2.Encode(b.work[:cap(b.work)], b.open)
		b.packed = append(b.packed, pack{b.n, slices.Clone(b.work)})
		b.open = b.open[:0]
	}
	return true
}

// Len is how many updates there are.
func (b *Backlog) Len() int { return b.n }

// From returns the updates from one with a number on, oldest first. The first has
// number 0.
func (b *Backlog) From(first int) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		at := 0
		each := func(list []byte) bool {
			for ; len(list) > 0; at++ {
				size, n := binary.Uvarint(list)
				update := list[n : n+int(size)] //nolint:gosec // it was the length of a slice
				if at >= first && !yield(slices.Clip(update)) {
					return false
				}
				list = list[n+len(update):]
			}
			return true
		}
		for _, p := range b.packed {
			if p.before <= first {
				at = p.before
				continue
			}
			list, err := s2.Decode(nil, p.data)
			if err != nil {
				panic("picture: what was packed cannot be unpacked: " + err.Error())
			}
			if !each(list) {
				return
			}
		}
		each(b.open)
	}
}
