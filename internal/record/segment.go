package record

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/klauspost/compress/zstd"

	"wallboard/internal/lib/safedecode"
	"wallboard/internal/lib/secret"
	"wallboard/model"
)

// header is the content of the first block of a segment.
type header struct {
	About  Metadata  `json:"about"`
	Began  time.Time `json:"began"`
	Schema schema    `json:"schema"`
}

// Metadata describes a recording and the program that made it.
type Metadata struct {
	Board    string `json:"board"`    // version of the program that made the recording
	Platform string `json:"platform"` // host and path of the platform's address, without credentials
	Names    string `json:"names"`    // name mode: full, initials or hidden
	Codes    []Code `json:"codes,omitempty"`
	Zone     Zone   `json:"zone,omitzero"`
}

// Code is a code of the platform with its display name, which lets a board show names without
// the configuration.
type Code struct {
	Kind string `json:"kind"`
	Code string `json:"code"`
	Name string `json:"name"`
}

// Mark is an event during the recording, such as an alert or an action.
type Mark = model.Mark

// MarkKind is the kind of a mark.
type MarkKind = model.MarkKind

// Kinds of marks.
const (
	MarkCritical  = model.MarkCritical
	MarkWarning   = model.MarkWarning
	MarkRecovered = model.MarkRecovered
	MarkCut       = model.MarkCut
	MarkAction    = model.MarkAction
	MarkClock     = model.MarkClock
	MarkNote      = model.MarkNote
	MarkIncident  = model.MarkIncident
)

// chunkEntry describes the position of a chunk in a file and the times that it covers.
type chunkEntry struct {
	Offset int64     `json:"offset"`
	First  time.Time `json:"first"`
	Last   time.Time `json:"last"`
	Frames int       `json:"frames"`
}

// footer lists the chunks and marks of a closed segment.
type footer struct {
	Chunks limitedList[chunkEntry] `json:"chunks"`
	Marks  limitedList[Mark]       `json:"marks"`
}

// maxIndexEntries limits the chunks and the marks of a file. An empty entry takes only three
// bytes in the footer, but many more in memory.
const maxIndexEntries = 100_000

// limitedList is a list that is decoded only if it has at most maxIndexEntries elements.
type limitedList[T any] []T

// UnmarshalJSON implements [json.Unmarshaler]. The error wraps [ErrDamaged].
func (l *limitedList[T]) UnmarshalJSON(text []byte) error {
	list, err := safedecode.JSONList[T](text, maxIndexEntries)
	if err != nil {
		return errors.Join(ErrDamaged, err)
	}
	*l = list
	return nil
}

// trailerBytes is the size of the trailer of a closed segment, which holds the offset of the
// footer.
const trailerBytes = 8

// segment is a segment file that is being written.
type segment struct {
	w            io.Writer
	frameEncoder *frameEncoder
	compressor   *zstd.Encoder
	compressed   bytes.Buffer
	out          []byte

	size        int64
	cipher      *blockCipher
	content     []byte // content of the header block of an encrypted file, before encryption
	footer      footer
	isChunkOpen bool // frames can be added to the last chunk
}

// newSegment writes the header of a segment and returns the segment. at is the start time, on
// the server's clock. If one of the locks has keys, the segment is encrypted.
func newSegment(w io.Writer, about Metadata, at time.Time, f *frameEncoder, locks ...secret.Lock) (*segment, error) {
	s := &segment{w: w, frameEncoder: f}
	pack, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedBetterCompression), zstd.WithEncoderConcurrency(1), zstd.WithWindowSize(1<<20), zstd.WithLowerEncoderMem(true))
	if err != nil {
		return nil, fmt.Errorf("create compressor: %w", err)
	}
	s.compressor = pack
	head, err := json.Marshal(header{about, at, currentSchema(tables())})
	if err != nil {
		return nil, fmt.Errorf("write the header: %w", err)
	}
	start := magic
	if slices.ContainsFunc(locks, func(l secret.Lock) bool { return len(l) > 0 }) {
		start = magicSealed
		if s.content, head, s.cipher, err = sealHeader(head, locks); err != nil {
			return nil, err
		}
	}
	return s, s.flush(appendBlock(append(s.out, start...), blockHeader, head))
}

// appendBlock appends a block to b, the data to write next. If the segment is encrypted, so is the block.
func (s *segment) appendBlock(b []byte, kind byte, payload []byte) []byte {
	return appendBlock(b, kind, s.cipher.seal(s.size+int64(len(b)), kind, payload))
}

// flush writes b in a single call. A reader detects an incomplete write as a torn block.
func (s *segment) flush(b []byte) error {
	s.out = b[:0]
	n, err := s.w.Write(b)
	s.size += int64(n)
	return err
}

// writeFrame writes a snapshot. at is its time on the server's clock. If whole is true, writeFrame
// begins a new chunk, whose first frame holds the complete state.
func (s *segment) writeFrame(snap *model.Snapshot, at time.Time, whole bool) error {
	out := s.out[:0]
	if whole || !s.isChunkOpen {
		s.footer.Chunks = append(s.footer.Chunks, chunkEntry{Offset: s.size, First: at})
		s.frameEncoder.startChunk(at)
		s.compressed.Reset()
		s.compressor.Reset(&s.compressed)
		s.isChunkOpen = true
		out = s.appendBlock(out, blockChunk, binary.AppendVarint(nil, at.UnixMilli()))
	}
	frame := s.frameEncoder.encodeFrame(snap, at)
	if _, err := s.compressor.Write(binary.AppendUvarint(nil, uint64(len(frame)))); err != nil {
		return fmt.Errorf("compress: %w", err)
	}
	if _, err := s.compressor.Write(frame); err != nil {
		return fmt.Errorf("compress: %w", err)
	}
	if err := s.compressor.Flush(); err != nil {
		return fmt.Errorf("compress: %w", err)
	}
	for piece := s.compressed.Bytes(); len(piece) > 0; {
		n := min(len(piece), maxBlockBytes-sealedTagSize)
		out = s.appendBlock(out, blockData, piece[:n])
		piece = piece[n:]
	}
	s.compressed.Reset()
	c := &s.footer.Chunks[len(s.footer.Chunks)-1]
	c.Last, c.Frames = at, c.Frames+1
	return s.flush(out)
}

// writeMark writes a mark and adds it to the footer.
func (s *segment) writeMark(m Mark) error {
	b, err := json.Marshal(m)
	if err != nil {
		return fmt.Errorf("write a mark: %w", err)
	}
	s.footer.Marks = append(s.footer.Marks, m)
	return s.flush(s.appendBlock(s.out[:0], blockMark, b))
}

// close writes the footer and the trailer. It does not close the file.
func (s *segment) close() error {
	b, err := json.Marshal(s.footer)
	if err != nil {
		return fmt.Errorf("write the footer: %w", err)
	}
	at := s.size
	return s.flush(binary.LittleEndian.AppendUint64(s.appendBlock(s.out[:0], blockFooter, b), uint64(at))) //nolint:gosec // not negative
}
