package records

import (
	"encoding/binary"
	"iter"
	"slices"

	"github.com/klauspost/compress/s2"

	"wallboard/feeds/merge"
)

// maxUncompressedSize is the total size in bytes at which collected updates are compressed
// together. The updates are similar, so compression shrinks them to a tenth or a fifth.
const maxUncompressedSize = 64 << 10

// UpdateBuffer stores updates that will be merged later, on top of older data: a full state that
// was queried before the updates arrived, or late updates of a replaced subscription.
type UpdateBuffer struct {
	packed       []updatePack
	uncompressed []byte // updates not compressed yet, each with a length prefix
	count        int    // number of updates
	size         int    // total size before compression, in bytes
	scratch      []byte // reused for encoding
}

// updatePack holds consecutive updates in compressed form.
type updatePack struct {
	endIndex int // number of the first update after the pack
	data     []byte
}

// Add stores a copy of an update without its null members. If all updates together would exceed
// limit bytes before compression, Add drops all of them and returns false.
func (b *UpdateBuffer) Add(payload []byte, limit int) bool {
	b.scratch = merge.AppendCompact(b.scratch[:0], payload)
	if b.size += len(b.scratch); b.size > limit {
		*b = UpdateBuffer{}
		return false
	}
	b.uncompressed = append(binary.AppendUvarint(b.uncompressed, uint64(len(b.scratch))), b.scratch...)
	if b.count++; len(b.uncompressed) >= maxUncompressedSize {
		b.scratch = s2.Encode(b.scratch[:cap(b.scratch)], b.uncompressed)
		b.packed = append(b.packed, updatePack{b.count, slices.Clone(b.scratch)})
		b.uncompressed = b.uncompressed[:0]
	}
	return true
}

// unpack decompresses packed into *buf, which grows as needed, and returns the result.
func unpack(buf *[]byte, packed []byte) []byte {
	data, err := s2.Decode((*buf)[:cap(*buf)], packed)
	if err != nil {
		panic("records: cannot decompress stored messages: " + err.Error())
	}
	*buf = data
	return data
}

// Len returns the number of updates.
func (b *UpdateBuffer) Len() int { return b.count }

// UpdatesFrom returns the updates from number first on, oldest first. Numbers begin with 0. Each update is
// valid until the next one is requested.
func (b *UpdateBuffer) UpdatesFrom(first int) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		at := 0
		each := func(list []byte) bool {
			for ; len(list) > 0; at++ {
				size, n := binary.Uvarint(list)
				update := list[n : n+int(size)] //nolint:gosec // was the length of a slice
				if at >= first && !yield(slices.Clip(update)) {
					return false
				}
				list = list[n+len(update):]
			}
			return true
		}
		var list []byte
		for _, p := range b.packed {
			if p.endIndex <= first {
				at = p.endIndex
				continue
			}
			if !each(unpack(&list, p.data)) {
				return
			}
		}
		each(b.uncompressed)
	}
}
