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
	"syscall"
	"time"

	"github.com/klauspost/compress/zstd"
)

// ErrNotARecording means that a file is not a segment file.
var ErrNotARecording = errors.New("not a recording of the wallboard")

// errUnfinished means that a file ends within its header, because its writer has just started
// or was interrupted.
var errUnfinished = errors.New("its writer has just started, or was interrupted at the start")

// ErrNewerVersion means that only a later version of the program can read a file.
var ErrNewerVersion = errors.New("written by a later version of the wallboard")

// file is an open segment file with an index of its chunks and marks.
type file struct {
	path   string
	osFile *os.File
	header header
	footer footer
	size   int64
	cipher *blockCipher // of an encrypted file

	zoneName      string   // name of the time zone; "": unknown
	unknownFields []string // fields in the header that this version does not know
	hasNoFooter   bool     // the file has no footer, so its blocks were read to find the chunks and marks

	damagedChunks []int // indexes of the incomplete chunks; only for files without a footer
	marksBefore   []int // for each chunk, the number of marks before it; only for files without a footer

	unpacker *unpacker // shared by all files of the recording
}

// openFile opens a segment and indexes its chunks and marks. It calls open for the header of an
// encrypted file.
func openFile(path string, u *unpacker, open headerOpener) (*file, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0) //nolint:gosec // the path comes from the user; a named pipe must not block
	if err != nil {
		return nil, err
	}
	o := &file{path: path, osFile: f, unpacker: u}
	if err := o.buildIndex(open); err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", path, err), f.Close())
	}
	return o, nil
}

func (o *file) buildIndex(open headerOpener) error {
	info, err := o.osFile.Stat()
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() {
		return ErrNotARecording
	}
	if o.size = info.Size(); o.size == 0 {
		return fmt.Errorf("%w: it is empty: %w", ErrNotARecording, errUnfinished)
	}
	sealed, err := o.readMagic()
	if err != nil {
		return err
	}
	b := &blockReader{source: o.osFile, offset: int64(len(magic))}
	kind, payload, err := b.nextBlock()
	if err != nil && o.endsInHeader(b.offset) {
		return fmt.Errorf("%w: %w", ErrDamaged, errUnfinished)
	}
	if err == nil && kind == blockHeader && sealed {
		if payload, o.cipher, err = unsealHeader(payload, open); err != nil {
			return err
		}
		b.cipher = o.cipher
	}
	if err != nil || kind != blockHeader || json.Unmarshal(payload, &o.header) != nil {
		return fmt.Errorf("%w at its beginning and unreadable", ErrDamaged)
	}
	if _, ok := newFrameDecoder(o.header.Schema, nil); !ok {
		return ErrNewerVersion
	}
	o.header.About.clean()
	o.unknownFields = cleanTexts(o.header.Schema.unknownFields())
	if zone := o.header.About.Location(); zone != nil {
		o.zoneName = zone.String()
	}
	return o.indexChunks(b)
}

// readMagic reads the beginning of the file. sealed reports whether the file is encrypted.
func (o *file) readMagic() (sealed bool, err error) {
	read := make([]byte, len(magic))
	n, err := io.ReadFull(o.osFile, read)
	start := string(read[:n])
	switch {
	case err == nil && (start == magic || start == magicSealed):
		return start == magicSealed, nil
	case err == nil && strings.HasPrefix(start, magicPrefix):
		return false, ErrNewerVersion
	case errors.Is(err, io.ErrUnexpectedEOF) && (strings.HasPrefix(magic, start) || strings.HasPrefix(magicSealed, start)):
		return false, fmt.Errorf("%w: %w", ErrNotARecording, errUnfinished)
	}
	return false, ErrNotARecording
}

// endsInHeader reports whether the file ends within its header, which begins at the offset at,
// because its writer may not have finished it. It returns false if only the stored length of
// the header is wrong.
func (o *file) endsInHeader(at int64) bool {
	var prefix [blockPrefixBytes]byte
	n, err := o.osFile.ReadAt(prefix[:], at)
	switch {
	case errors.Is(err, io.EOF):
		return n == 0 || prefix[0] == blockHeader
	case err != nil || prefix[0] != blockHeader:
		return false
	}
	b := &blockReader{source: o.osFile, offset: at}
	if _, _, err := b.nextBlock(); err == nil {
		return true
	}
	info, err := o.osFile.Stat()
	length := int64(binary.LittleEndian.Uint32(prefix[1:]))
	return err == nil && length <= maxBlockBytes && info.Size() < at+blockPrefixBytes+length && b.findNextChunk(info.Size()) == 0
}

// indexChunks indexes the chunks and marks. It uses the footer or, if there is none, adds the chunks
// and marks that b reads to those already in the index.
func (o *file) indexChunks(b *blockReader) error {
	known := o.footer
	if o.readFooter() {
		o.hasNoFooter, o.damagedChunks = false, nil
	} else {
		o.footer = known
		if err := o.walkBlocks(b); err != nil {
			return err
		}
	}
	for i := range o.footer.Marks {
		cleanMark(&o.footer.Marks[i])
	}
	return nil
}

// reopen returns the file with an index of its current content, or o itself if the size of the file
// has not changed. The error is [fs.ErrNotExist] if the path leads to another file or to none.
func (o *file) reopen(u *unpacker, open headerOpener) (*file, error) {
	info, err := o.osFile.Stat()
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
	last := len(o.footer.Chunks) - 1
	if last < 0 || o.footer.Chunks[last].Offset == 0 { // the entry was created for damaged data
		n.footer, n.damagedChunks, n.marksBefore = footer{}, nil, nil
		return &n, n.buildIndex(open)
	}
	n.footer = footer{slices.Clone(o.footer.Chunks[:last]), slices.Clone(o.footer.Marks[:o.marksBefore[last]])}
	n.marksBefore = slices.Clone(o.marksBefore[:last])
	n.damagedChunks = slices.DeleteFunc(slices.Clone(o.damagedChunks), func(i int) bool { return i >= last })
	return &n, n.indexChunks(&blockReader{source: n.osFile, offset: o.footer.Chunks[last].Offset, cipher: n.cipher})
}

// readFooter reads the footer and reports whether it is valid.
func (o *file) readFooter() bool {
	size := o.size
	var end [trailerBytes]byte
	if _, err := o.osFile.ReadAt(end[:], size-trailerBytes); err != nil {
		return false
	}
	at := binary.LittleEndian.Uint64(end[:])
	if at >= uint64(size) { //nolint:gosec // not negative
		return false
	}
	b := &blockReader{source: o.osFile, offset: int64(at), cipher: o.cipher} //nolint:gosec // bounded
	kind, payload, err := b.nextBlock()
	return err == nil && kind == blockFooter && b.offset == size-trailerBytes && json.Unmarshal(payload, &o.footer) == nil && o.footer.isOrdered(int64(at)) //nolint:gosec // bounded
}

// walkBlocks indexes a file without a valid footer, for example because it is still being written
// or its writer was interrupted. It reads all blocks and skips damaged ones.
func (o *file) walkBlocks(b *blockReader) error {
	o.hasNoFooter = true
	b.end = o.size
	known := len(o.footer.Chunks)
	streams := 0 // zstd streams in the current chunk; more than one means that a chunk block is missing
	for {
		at := b.offset
		kind, payload, err := b.nextBlock()
		switch {
		case errors.Is(err, errTornBlock):
			next := b.findNextChunk(o.size)
			if next == 0 {
				if b.wastedBytes > maxWastedFactor*o.size {
					o.markDamaged()
				}
				return o.setLastTimes(known)
			}
			b.offset = next
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
			o.footer.Chunks = append(o.footer.Chunks, chunkEntry{Offset: at, First: first, Last: first})
			o.marksBefore, streams = append(o.marksBefore, len(o.footer.Marks)), 0
		case kind == blockData && bytes.HasPrefix(payload, zstdMagic):
			if streams++; streams > 1 || len(o.footer.Chunks) == 0 {
				o.markDamaged()
			}
		case kind == blockMark:
			var m Mark
			if len(o.footer.Marks) < maxIndexEntries && json.Unmarshal(payload, &m) == nil {
				o.footer.Marks = append(o.footer.Marks, m)
			}
		}
	}
}

// markDamaged records that the last chunk in the index is incomplete.
func (o *file) markDamaged() {
	if len(o.footer.Chunks) == 0 { // the damage precedes the first chunk
		o.footer.Chunks, o.marksBefore = []chunkEntry{{First: o.header.Began, Last: o.header.Began}}, []int{0}
	}
	o.damagedChunks = append(o.damagedChunks, len(o.footer.Chunks)-1)
}

// setLastTimes sets the time of the last frame of each chunk from the index from on. For an intact
// chunk it uses the start of the next chunk, which is accurate enough. It unpacks other chunks.
func (o *file) setLastTimes(from int) error {
	all := o.footer.Chunks
	damaged := make(map[int]bool, len(o.damagedChunks))
	for _, i := range o.damagedChunks {
		damaged[i] = true
	}
	for i := from; i < len(all); i++ {
		c := &all[i]
		if i+1 < len(all) && !damaged[i] {
			if next := all[i+1].First; next.Sub(c.First) <= maxNormalChunk {
				c.Last = next
				continue
			}
		}
		frames, err := o.unpackReadable(*c, o.unpacker)
		if err != nil {
			return err
		}
		c.Last, c.Frames = lastFrameTime(frames, c.First), len(frames)
		if len(frames) == 0 && !damaged[i] {
			o.damagedChunks = append(o.damagedChunks, i)
		}
	}
	slices.Sort(o.damagedChunks)
	if n := len(all) - 1; n >= 0 && all[n].Frames == 0 && all[n].Offset > 0 { // the chunk may have no frame yet
		p := chunkStream{blocks: o.chunkBlocks(all[n])}
		if blocks, _ := p.countBlocks(); blocks == 0 {
			o.footer.Chunks = all[:n]
		}
	}
	return nil
}

// maxNormalChunk is the longest duration of an intact chunk. If the next chunk begins within
// this time, its start serves as the time of the last frame.
const maxNormalChunk = time.Minute + maxFramePause

// Limits against decompression bombs. A minute with 5,000 agents takes 7 MiB, and chunks
// normally expand by a factor of two to five.
const (
	maxChunkBytes = 64 << 20 // bytes
	maxExpansion  = 256      // largest multiple of the compressed size to which a chunk may expand, apart from expansionBase
	expansionBase = 4 << 20  // bytes
)

var errTooLarge = fmt.Errorf("%w: a chunk expands beyond the limit", ErrDamaged)

// unpack returns the frames of a chunk. If the chunk is damaged, it returns the frames before
// the damage and an error.
func (o *file) unpack(c chunkEntry, u *unpacker) ([][]byte, error) {
	return o.unpackInto(c, new([]byte), u)
}

// unpackInto is like [file.unpack], but decompresses into buf. The frames are slices of this
// buffer and valid until its next use.
func (o *file) unpackInto(c chunkEntry, buf *[]byte, u *unpacker) ([][]byte, error) {
	z, err := u.openChunk(o, c)
	if err != nil {
		return nil, err
	}
	if *buf, err = readAll((*buf)[:0], z); errors.Is(err, errTooLarge) {
		return nil, err
	}
	frames, ok := splitFrames(*buf)
	switch {
	case !ok:
		return nil, fmt.Errorf("%w: invalid frames in a chunk", ErrDamaged)
	case err != nil && !errors.Is(err, io.ErrUnexpectedEOF): // an unexpected EOF is not an error, because a chunk is flushed without ending its zstd stream
		return frames, fmt.Errorf("%w: %w", ErrDamaged, err)
	case len(frames) < c.Frames || len(frames) == 0:
		return frames, fmt.Errorf("%w: snapshots are missing", ErrDamaged)
	}
	return frames, nil
}

// readAll appends all data from r to a buffer and returns the extended buffer. Unlike
// [bytes.Buffer.ReadFrom], it does not double the size of a large buffer.
func readAll(to []byte, r io.Reader) ([]byte, error) {
	for {
		to = slices.Grow(to, bytes.MinRead)
		n, err := r.Read(to[len(to):cap(to)])
		to = to[:len(to)+n]
		if errors.Is(err, io.EOF) {
			return to, nil
		}
		if err != nil {
			return to, err
		}
	}
}

// unpackFirst returns the first frame of a chunk, which holds the complete state, or nil if
// the frame is incomplete.
func (o *file) unpackFirst(c chunkEntry, u *unpacker) ([]byte, error) {
	z, err := u.openChunk(o, c)
	if err != nil {
		return nil, err
	}
	r := bufio.NewReader(z)
	n, err := binary.ReadUvarint(r)
	if err == nil && n > maxChunkBytes {
		return nil, fmt.Errorf("%w: a frame is larger than %d MiB", ErrDamaged, maxChunkBytes>>20)
	}
	var frame bytes.Buffer // grows while reading, because the stored length may be wrong
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

// unpacker decompresses chunks one after the other. It reuses one decoder, because decoders
// have large buffers.
type unpacker struct{ zstdDecoder *zstd.Decoder }

// openChunk returns a reader of the decompressed data of a chunk. The reader is valid until the
// next call.
func (u *unpacker) openChunk(o *file, c chunkEntry) (io.Reader, error) {
	pieces := &chunkStream{blocks: o.chunkBlocks(c)}
	var err error
	if u.zstdDecoder == nil {
		u.zstdDecoder, err = zstd.NewReader(pieces, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(maxChunkBytes), zstd.WithDecoderMaxWindow(8<<20))
	} else {
		err = u.zstdDecoder.Reset(pieces)
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	return &limitedReader{source: u.zstdDecoder, blocks: pieces}, nil
}

// limitedReader reads the decompressed data of a chunk. It returns an error if there is too
// much data.
type limitedReader struct {
	source io.Reader
	blocks *chunkStream
	total  int
}

func (b *limitedReader) Read(into []byte) (int, error) {
	n, err := b.source.Read(into)
	if b.total += n; b.total > min(maxChunkBytes, expansionBase+maxExpansion*b.blocks.readBytes) {
		return 0, errTooLarge
	}
	return n, err
}

func (u *unpacker) close() {
	if u.zstdDecoder != nil {
		u.zstdDecoder.Close()
	}
}

// chunkStream reads the compressed stream of a chunk from the data blocks.
type chunkStream struct {
	blocks     blockReader
	hasStarted bool // the first block, of kind blockChunk, was read
	hasData    bool // a data block was read
	buffered   []byte
	readBytes  int // bytes read from the data blocks
}

func (p *chunkStream) Read(b []byte) (int, error) {
	for len(p.buffered) == 0 {
		piece, err := p.nextPiece()
		if err != nil {
			return 0, err
		}
		if piece == nil {
			return 0, io.EOF
		}
		p.buffered = piece
	}
	n := copy(b, p.buffered)
	p.buffered, p.readBytes = p.buffered[n:], p.readBytes+n
	return n, nil
}

// nextPiece returns the next piece of the compressed stream, or nil after the last valid piece.
func (p *chunkStream) nextPiece() ([]byte, error) {
	for {
		kind, payload, err := p.blocks.nextBlock()
		switch {
		case errors.Is(err, errTornBlock) || errors.Is(err, io.EOF):
			return nil, nil
		case err != nil:
			return nil, err
		case kind == blockData && len(payload) > 0:
			if other := bytes.HasPrefix(payload, zstdMagic); !p.hasStarted || other == p.hasData {
				return nil, nil // this data belongs to another chunk, whose first block is missing
			}
			p.hasData = true
			return payload, nil
		case kind == blockChunk && !p.hasStarted:
			p.hasStarted = true
		case kind == blockMark:
		default:
			return nil, nil
		}
	}
}

// zstdMagic is the magic number at the start of a zstd stream. Each chunk is a zstd stream.
var zstdMagic = []byte{0x28, 0xb5, 0x2f, 0xfd}

func (o *file) close() error { return o.osFile.Close() }
