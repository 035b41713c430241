package record

import (
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
)

// magic begins every segment file; family begins those of other versions, too.
const (
	family = "wallboard recording "
	magic  = family + "1\n"
)

// The kinds of blocks.
const (
	blockHeader = 'H' // JSON of a header
	blockChunk  = 'C' // begins a chunk: its first instant
	blockData   = 'D' // a piece of the chunk's stream of zstd, a frame or more
	blockMark   = 'M' // JSON of a mark
	blockFooter = 'F' // JSON of a footer
)

// A block is its kind, the length and the checksum of what follows, and that.
const (
	blockPrefix = 9
	mostBlock   = 64 << 20
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// appendBlock appends a block.
func appendBlock(b []byte, kind byte, payload []byte) []byte {
	b = append(b, kind)
	b = binary.LittleEndian.AppendUint32(b, uint32(len(payload))) //nolint:gosec // bounded by mostBlock
	b = binary.LittleEndian.AppendUint32(b, crc32.Checksum(payload, castagnoli))
	return append(b, payload...)
}

// errTorn says that a file ends within a block, or that one is not what was
// written: all before it is good.
var errTorn = errors.New("torn")

// blocks reads the blocks of a file one after the other.
type blocks struct {
	r   io.ReaderAt
	at  int64
	end int64 // where the last block ends; 0: not known
	buf []byte

	wasted int64  // bytes that were read of what is no block
	window []byte // of what is looked through
}

// next returns the next block; its payload is good until the next call. The error
// is io.EOF at the end, errTorn where the rest cannot be read.
func (b *blocks) next() (kind byte, payload []byte, err error) {
	var prefix [blockPrefix]byte
	switch n, err := b.r.ReadAt(prefix[:], b.at); {
	case n == 0 && errors.Is(err, io.EOF):
		return 0, nil, io.EOF
	case n < len(prefix):
		return 0, nil, errTorn
	}
	kind = prefix[0]
	size := binary.LittleEndian.Uint32(prefix[1:])
	if size > mostBlock {
		return 0, nil, errTorn
	}
	from := b.at + blockPrefix
	if b.end > 0 && from+int64(size) > b.end { // it is not read first
		return 0, nil, errTorn
	}
	if uint32(cap(b.buf)) < size { //nolint:gosec // bounded by mostBlock
		b.buf = make([]byte, size)
	}
	payload = b.buf[:size]
	if n, err := b.r.ReadAt(payload, from); n < len(payload) {
		if errors.Is(err, io.EOF) {
			err = errTorn
		}
		return 0, nil, err
	}
	if crc32.Checksum(payload, castagnoli) != binary.LittleEndian.Uint32(prefix[5:]) {
		b.wasted += int64(size)
		return 0, nil, errTorn
	}
	b.at = from + int64(size)
	return kind, payload, nil
}

// mostFrames bounds how many frames a chunk holds: a minute of ten a second is 600.
const mostFrames = 1 << 16

// split returns the frames that a chunk's stream holds: each has its length before
// it. One that is not all there, at the end, is left out. ok is false where they are none
// that somebody has written.
func split(raw []byte) (frames [][]byte, ok bool) {
	for {
		n, size := binary.Uvarint(raw)
		if size <= 0 || n > uint64(len(raw)-size) { //nolint:gosec // not negative
			return frames, true
		}
		if n == 0 || len(frames) == mostFrames {
			return nil, false
		}
		end := size + int(n) //nolint:gosec // bounded
		frames = append(frames, raw[size:end])
		raw = raw[end:]
	}
}
