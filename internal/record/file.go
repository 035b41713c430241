package record

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/klauspost/compress/zstd"
)

// ErrNotARecording means that a file is not a segment.
var ErrNotARecording = errors.New("not a recording of the wallboard")

// errUnfinished means that a file ends within its header, because its writer has just
// started or was interrupted.
var errUnfinished = errors.New("its writer has just started or was interrupted at the start")

// ErrNewerVersion means that the version of the file is too new.
var ErrNewerVersion = errors.New("written by a later version of the wallboard")

// file is an open segment.
type file struct {
	path string
	f    *os.File
	head header
	foot footer
	size int64

	zone    string   // name of the time zone; "": unknown
	unknown []string // fields in the header that are ignored
	torn    bool     // without a footer: blocks were walked

	damaged []int // incomplete chunks of a walked file
	marks   []int // by chunk: number of earlier marks

	unpacker *unpacker // shared by the recording
}

// openFile opens a segment and indexes its chunks and marks.
func openFile(path string, u *unpacker) (*file, error) {
	f, err := os.Open(path) //nolint:gosec // path from the user
	if err != nil {
		return nil, err
	}
	o := &file{path: path, f: f, unpacker: u}
	if err := o.index(); err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", path, err), f.Close())
	}
	return o, nil
}

func (o *file) index() error {
	info, err := o.f.Stat()
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() {
		return ErrNotARecording
	}
	if o.size = info.Size(); o.size == 0 {
		return fmt.Errorf("%w: it is empty: %w", ErrNotARecording, errUnfinished)
	}
	start := make([]byte, len(magic))
	switch n, err := io.ReadFull(o.f, start); {
	case errors.Is(err, io.ErrUnexpectedEOF) && strings.HasPrefix(magic, string(start[:n])):
		return fmt.Errorf("%w: %w", ErrNotARecording, errUnfinished)
	case err == nil && string(start) != magic && strings.HasPrefix(string(start), family):
		return ErrNewerVersion
	case err != nil || string(start) != magic:
		return ErrNotARecording
	}
	b := &blocks{r: o.f, at: int64(len(magic))}
	kind, payload, err := b.next()
	if err != nil && o.endsInHeader(b.at) {
		return fmt.Errorf("%w: %w", ErrDamaged, errUnfinished)
	}
	if err != nil || kind != blockHeader || json.Unmarshal(payload, &o.head) != nil {
		return fmt.Errorf("%w at its beginning and unreadable", ErrDamaged)
	}
	if _, ok := newDeframer(o.head.Schema, nil); !ok {
		return ErrNewerVersion
	}
	o.head.About.clean()
	o.unknown = cleaned(o.head.Schema.unknown())
	if zone := o.head.About.Location(); zone != nil {
		o.zone = zone.String()
	}
	return o.find(b)
}

// endsInHeader reports whether the file ends within its header, which means that it is still
// being written. It is false if only the length of the header was altered.
func (o *file) endsInHeader(at int64) bool {
	var prefix [blockPrefix]byte
	n, err := o.f.ReadAt(prefix[:], at)
	switch {
	case errors.Is(err, io.EOF):
		return n == 0 || prefix[0] == blockHeader
	case err != nil || prefix[0] != blockHeader:
		return false
	}
	b := &blocks{r: o.f, at: at}
	if _, _, err := b.next(); err == nil {
		return true
	}
	info, err := o.f.Stat()
	length := int64(binary.LittleEndian.Uint32(prefix[1:]))
	return err == nil && length <= maxBlock && info.Size() < at+blockPrefix+length && b.resume(info.Size()) == 0
}

// find indexes the chunks and marks, continuing from the last chunk if the file was
// walked before.
func (o *file) find(b *blocks) error {
	known := o.foot
	if o.readFooter() {
		o.torn, o.damaged = false, nil
	} else {
		o.foot = known
		if err := o.walk(b); err != nil {
			return err
		}
	}
	for i := range o.foot.Marks {
		cleanMark(&o.foot.Marks[i])
	}
	return nil
}

// reopen returns the current state of the file, or o itself if nothing was added. The
// error is [fs.ErrNotExist] if the path no longer leads to this file.
func (o *file) reopen(u *unpacker) (*file, error) {
	info, err := o.f.Stat()
	if err != nil {
		return nil, err
	}
	there, err := os.Stat(o.path)
	if err != nil || !os.SameFile(info, there) {
		return nil, fs.ErrNotExist
	}
	if info.Size() == o.size {
		return o, nil
	}
	n := *o
	n.unpacker, n.size = u, info.Size()
	last := len(o.foot.Chunks) - 1
	if last < 0 || o.foot.Chunks[last].Offset == 0 { // the index is unreliable
		n.foot, n.damaged, n.marks = footer{}, nil, nil
		return &n, n.index()
	}
	n.foot = footer{slices.Clone(o.foot.Chunks[:last]), slices.Clone(o.foot.Marks[:o.marks[last]])}
	n.marks = slices.Clone(o.marks[:last])
	n.damaged = slices.DeleteFunc(slices.Clone(o.damaged), func(i int) bool { return i >= last })
	return &n, n.find(&blocks{r: n.f, at: o.foot.Chunks[last].Offset})
}

// readFooter reads the footer and reports whether there is one.
func (o *file) readFooter() bool {
	size := o.size
	var end [trailer]byte
	if _, err := o.f.ReadAt(end[:], size-trailer); err != nil {
		return false
	}
	at := binary.LittleEndian.Uint64(end[:])
	if at >= uint64(size) { //nolint:gosec // not negative
		return false
	}
	b := &blocks{r: o.f, at: int64(at)} //nolint:gosec // bounded
	kind, payload, err := b.next()
	return err == nil && kind == blockFooter && b.at == size-trailer && json.Unmarshal(payload, &o.foot) == nil && o.foot.ordered(int64(at)) //nolint:gosec // bounded
}

// walk indexes a file without a footer: it is still being written, or its writer died.
// It skips damaged places.
func (o *file) walk(b *blocks) error {
	o.torn = true
	b.end = o.size
	known := len(o.foot.Chunks)
	streams := 0 // zstd streams in the current chunk
	for {
		at := b.at
		kind, payload, err := b.next()
		switch {
		case errors.Is(err, errTorn):
			next := b.resume(o.size)
			if next == 0 {
				if b.wasted > maxWasted*o.size {
					o.markDamaged()
				}
				return o.setLastTimes(known)
			}
			b.at = next
			o.markDamaged()
		case errors.Is(err, io.EOF):
			return o.setLastTimes(known)
		case err != nil:
			return err
		case kind == blockChunk:
			ms, n := binary.Varint(payload)
			if n <= 0 {
				return ErrDamaged
			}
			first := time.UnixMilli(ms)
			o.foot.Chunks = append(o.foot.Chunks, chunkEntry{Offset: at, First: first, Last: first})
			o.marks, streams = append(o.marks, len(o.foot.Marks)), 0
		case kind == blockData && bytes.HasPrefix(payload, streamBegins):
			if streams++; streams > 1 || len(o.foot.Chunks) == 0 {
				o.markDamaged()
			}
		case kind == blockMark:
			var m Mark
			if len(o.foot.Marks) < mostListed && json.Unmarshal(payload, &m) == nil {
				o.foot.Marks = append(o.foot.Marks, m)
			}
		}
	}
}

// markDamaged marks the last chunk as incomplete.
func (o *file) markDamaged() {
	if len(o.foot.Chunks) == 0 { // the damage precedes the first chunk
		o.foot.Chunks, o.marks = []chunkEntry{{First: o.head.Began, Last: o.head.Began}}, []int{0}
	}
	o.damaged = append(o.damaged, len(o.foot.Chunks)-1)
}

// setLastTimes determines the last times of walked chunks, starting at an index. The start of
// the next chunk is precise enough unless something is missing.
func (o *file) setLastTimes(from int) error {
	all := o.foot.Chunks
	damaged := make(map[int]bool, len(o.damaged))
	for _, i := range o.damaged {
		damaged[i] = true
	}
	for i := from; i < len(all); i++ {
		c := &all[i]
		if i+1 < len(all) && !damaged[i] {
			if next := all[i+1].First; next.Sub(c.First) <= longestChunk {
				c.Last = next
				continue
			}
		}
		frames, err := o.unpackAll(*c, o.unpacker)
		if err != nil {
			return err
		}
		c.Last, c.Frames = lastOf(frames, c.First), len(frames)
		if len(frames) == 0 && !damaged[i] {
			o.damaged = append(o.damaged, i)
		}
	}
	slices.Sort(o.damaged)
	if n := len(all) - 1; n >= 0 && all[n].Frames == 0 && all[n].Offset > 0 { // it has just begun
		p := pieces{blocks: o.blocksOf(all[n])}
		if some, _ := p.count(); some == 0 {
			o.foot.Chunks = all[:n]
		}
	}
	return nil
}

// longestChunk is the longest usual duration of a chunk; gaps within it are not
// searched.
const longestChunk = time.Minute + longestPause

// Limits against decompression bombs. A minute of 5,000 agents takes 7 MiB, and
// recordings expand by a factor of two to five.
const (
	maxChunkBytes = 256 << 20 // bytes
	maxExpansion  = 256       // times the compressed size, plus firstPart
	firstPart     = 4 << 20   // bytes
)

var errTooLarge = fmt.Errorf("%w: a chunk expands beyond the limit", ErrDamaged)

// unpack returns the frames of a chunk up to the end of the valid data. If the chunk is
// damaged, it returns the earlier frames with the error.
func (o *file) unpack(c chunkEntry, u *unpacker) ([][]byte, error) {
	return o.unpackOnto(c, new(bytes.Buffer), u)
}

// unpackOnto is like unpack, but uses the caller's buffer, which holds the frames until
// its next use.
func (o *file) unpackOnto(c chunkEntry, buf *bytes.Buffer, u *unpacker) ([][]byte, error) {
	z, err := u.begin(o, c)
	if err != nil {
		return nil, err
	}
	buf.Reset()
	if _, err = buf.ReadFrom(z); errors.Is(err, errTooLarge) {
		return nil, err
	}
	frames, ok := split(buf.Bytes())
	switch {
	case !ok:
		return nil, fmt.Errorf("%w: invalid frames in a chunk", ErrDamaged)
	case err != nil && !errors.Is(err, io.ErrUnexpectedEOF): // chunks are flushed, not ended
		return frames, fmt.Errorf("%w: %w", ErrDamaged, err)
	case len(frames) < c.Frames || len(frames) == 0:
		return frames, fmt.Errorf("%w: snapshots are missing", ErrDamaged)
	}
	return frames, nil
}

// unpackFirst returns the first frame of a chunk, which holds the complete state, or
// nil if it is incomplete.
func (o *file) unpackFirst(c chunkEntry, u *unpacker) ([]byte, error) {
	z, err := u.begin(o, c)
	if err != nil {
		return nil, err
	}
	r := bufio.NewReader(z)
	n, err := binary.ReadUvarint(r)
	if err == nil && n > maxChunkBytes {
		return nil, fmt.Errorf("%w: a frame is larger than %d MiB", ErrDamaged, maxChunkBytes>>20)
	}
	var frame bytes.Buffer // do not trust the announced size
	if err == nil {
		_, err = io.CopyN(&frame, r, int64(n)) //nolint:gosec // bounded
	}
	switch {
	case errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF):
		return nil, nil
	case errors.Is(err, errTooLarge):
		return nil, err
	case err != nil:
		return nil, fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	return frame.Bytes(), nil
}

// unpacker decompresses chunks one after the other and reuses its large buffers.
type unpacker struct{ z *zstd.Decoder }

// begin returns a reader of the decompressed chunk.
func (u *unpacker) begin(o *file, c chunkEntry) (io.Reader, error) {
	pieces := &pieces{blocks: o.blocksOf(c)}
	var err error
	if u.z == nil {
		u.z, err = zstd.NewReader(pieces, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(maxChunkBytes), zstd.WithDecoderMaxWindow(8<<20))
	} else {
		err = u.z.Reset(pieces)
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	return &limitedReader{z: u.z, of: pieces}, nil
}

// limitedReader limits the size of a decompressed chunk.
type limitedReader struct {
	z   io.Reader
	of  *pieces
	len int
}

func (b *limitedReader) Read(into []byte) (int, error) {
	n, err := b.z.Read(into)
	if b.len += n; b.len > min(maxChunkBytes, firstPart+maxExpansion*b.of.read) {
		return 0, errTooLarge
	}
	return n, err
}

func (u *unpacker) close() {
	if u.z != nil {
		u.z.Close()
	}
}

// pieces reads the compressed stream of a chunk from its blocks.
type pieces struct {
	blocks blocks
	begun  bool // the first block was read
	some   bool // a data block was read
	rest   []byte
	read   int // bytes
}

func (p *pieces) Read(b []byte) (int, error) {
	for len(p.rest) == 0 {
		piece, err := p.next()
		if err != nil {
			return 0, err
		}
		if piece == nil {
			return 0, io.EOF
		}
		p.rest = piece
	}
	n := copy(b, p.rest)
	p.rest, p.read = p.rest[n:], p.read+n
	return n, nil
}

// next returns the next piece, or nil after the last valid one.
func (p *pieces) next() ([]byte, error) {
	for {
		kind, payload, err := p.blocks.next()
		switch {
		case errors.Is(err, errTorn) || errors.Is(err, io.EOF):
			return nil, nil
		case err != nil:
			return nil, err
		case kind == blockData && len(payload) > 0:
			if other := bytes.HasPrefix(payload, streamBegins); !p.begun || other == p.some {
				return nil, nil // the first block of the next chunk is missing
			}
			p.some = true
			return payload, nil
		case kind == blockChunk && !p.begun:
			p.begun = true
		case kind == blockMark:
		default:
			return nil, nil
		}
	}
}

// streamBegins is the magic number of a zstd stream; each chunk has one.
var streamBegins = []byte{0x28, 0xb5, 0x2f, 0xfd}

func (o *file) close() error { return o.f.Close() }
