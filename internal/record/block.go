package record

import (
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
)

// magic is the beginning of a segment file in this version of the format. magicPrefix is the
// beginning of segment files in all versions.
const (
	magicPrefix = "wallboard recording "
	magic       = magicPrefix + "1\n"
)

// Kinds of blocks.
const (
	blockHeader = 'H' // JSON of a header
	blockChunk  = 'C' // begins a chunk; holds its first time
	blockData   = 'D' // part of the zstd stream of a chunk: a frame, or a piece of a large one
	blockMark   = 'M' // JSON of a mark
	blockFooter = 'F' // JSON of a footer
)

// Sizes in bytes. A block consists of its kind, the length and the checksum of the payload,
// and the payload.
const (
	blockPrefixBytes = 9
	maxBlockBytes    = 64 << 20
)

var crcTable = crc32.MakeTable(crc32.Castagnoli)

// appendBlock appends a block to b.
func appendBlock(b []byte, kind byte, payload []byte) []byte {
	b = append(b, kind)
	b = binary.LittleEndian.AppendUint32(b, uint32(len(payload))) //nolint:gosec // bounded by maxBlockBytes
	b = binary.LittleEndian.AppendUint32(b, crc32.Checksum(payload, crcTable))
	return append(b, payload...)
}

// errTornBlock means that a file ends within a block, or that the checksum of a block is
// wrong. The preceding blocks are valid.
var errTornBlock = errors.New("torn block")

// blockReader reads the blocks of a file in order, beginning at offset.
type blockReader struct {
	source io.ReaderAt
	offset int64
	end    int64 // offset at which the last block must end; 0: unknown
	cipher *blockCipher
	buf    []byte

	wastedBytes int64  // bytes read from blocks with a wrong checksum
	window      []byte // buffer that findNextChunk reads into
}

// nextBlock returns the kind and the payload of the next block. The payload is valid until the next call.
// The error is io.EOF at the end, errTornBlock if the block is invalid, or an error of reading or decrypting.
func (b *blockReader) nextBlock() (kind byte, payload []byte, err error) {
	var prefix [blockPrefixBytes]byte
	switch n, err := b.source.ReadAt(prefix[:], b.offset); {
	case n == 0 && errors.Is(err, io.EOF):
		return 0, nil, io.EOF
	case n < len(prefix):
		return 0, nil, errTornBlock
	}
	kind = prefix[0]
	size := binary.LittleEndian.Uint32(prefix[1:])
	if kind == 0 || size > maxBlockBytes { // otherwise a range of zeros would look like an empty block with a valid checksum
		return 0, nil, errTornBlock
	}
	from := b.offset + blockPrefixBytes
	if b.end > 0 && from+int64(size) > b.end { // the size may be damaged, so check it before reading
		return 0, nil, errTornBlock
	}
	if uint32(cap(b.buf)) < size { //nolint:gosec // bounded by maxBlockBytes
		b.buf = make([]byte, size)
	}
	payload = b.buf[:size]
	if n, err := b.source.ReadAt(payload, from); n < len(payload) {
		if errors.Is(err, io.EOF) {
			err = errTornBlock
		}
		return 0, nil, err
	}
	if crc32.Checksum(payload, crcTable) != binary.LittleEndian.Uint32(prefix[5:]) {
		b.wastedBytes += int64(size)
		return 0, nil, errTornBlock
	}
	if payload, err = b.cipher.open(b.offset, kind, payload); err != nil {
		return 0, nil, err
	}
	b.offset = from + int64(size)
	return kind, payload, nil
}

// maxChunkFrames limits the number of frames of a chunk. A chunk of one minute with ten frames per
// second has 600.
const maxChunkFrames = 1 << 16

// splitFrames splits the decompressed stream of a chunk into frames. The length of each frame
// precedes it. splitFrames drops an incomplete last frame. ok is false if the stream is invalid.
func splitFrames(raw []byte) (frames [][]byte, ok bool) {
	for {
		n, size := binary.Uvarint(raw)
		if size <= 0 || n > uint64(len(raw)-size) { //nolint:gosec // not negative
			return frames, true
		}
		if n == 0 || len(frames) == maxChunkFrames {
			return nil, false
		}
		end := size + int(n) //nolint:gosec // bounded
		frames = append(frames, raw[size:end])
		raw = raw[end:]
	}
}
