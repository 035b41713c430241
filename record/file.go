package record

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/klauspost/compress/zstd"
)

// ErrNotARecording says that a file is something else.
var ErrNotARecording = errors.New("not a recording of the board")

// ErrLater says that a file was written by a later board, which knows more.
var ErrLater = errors.New("written by a later version of the board")

// file is a segment that is read.
type file struct {
	path string
	f    *os.File
	head header
	foot footer
	torn bool // it has no footer, and its blocks were walked

	unpacker *unpacker // of the recording
}

// openFile opens a segment and finds its chunks and marks.
func openFile(path string, u *unpacker) (*file, error) {
	f, err := os.Open(path) //nolint:gosec // the viewer names it
	if err != nil {
		return nil, err //nolint:wrapcheck // it names the file
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
		return err //nolint:wrapcheck // it names the file
	}
	if !info.Mode().IsRegular() {
		return ErrNotARecording
	}
	start := make([]byte, len(magic))
	switch _, err := io.ReadFull(o.f, start); {
	case err == nil && string(start) != magic && strings.HasPrefix(string(start), family):
		return ErrLater
	case err != nil || string(start) != magic:
		return ErrNotARecording
	}
	b := &blocks{r: o.f, at: int64(len(magic))}
	kind, payload, err := b.next()
	if err != nil || kind != blockHeader || json.Unmarshal(payload, &o.head) != nil {
		return ErrNotARecording
	}
	if _, ok := newDeframer(o.head.Schema, nil); !ok {
		return ErrLater
	}
	if o.closed(info.Size()) {
		return nil
	}
	return o.walk(b)
}

// closed reads the footer, where there is one.
func (o *file) closed(size int64) bool {
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
	return err == nil && kind == blockFooter && b.at == size-trailer && json.Unmarshal(payload, &o.foot) == nil
}

// walk finds the chunks of a file without a footer: it is being written, or who
// wrote it died.
func (o *file) walk(b *blocks) error {
	o.torn, o.foot = true, footer{}
	for {
		at := b.at
		kind, payload, err := b.next()
		if errors.Is(err, io.EOF) || errors.Is(err, errTorn) {
			break
		}
		if err != nil {
			return err
		}
		switch kind {
		case blockChunk:
			ms, n := binary.Varint(payload)
			if n <= 0 {
				return ErrDamaged
			}
			first := time.UnixMilli(ms)
			o.foot.Chunks = append(o.foot.Chunks, chunkAt{Offset: at, First: first, Last: first})
		case blockMark:
			var m Mark
			if json.Unmarshal(payload, &m) == nil {
				o.foot.Marks = append(o.foot.Marks, m)
			}
		}
	}
	if n := len(o.foot.Chunks); n > 0 { // of the others the next one tells enough
		for i := range o.foot.Chunks[:n-1] {
			o.foot.Chunks[i].Last = o.foot.Chunks[i+1].First
		}
		return o.measure(&o.foot.Chunks[n-1])
	}
	return nil
}

// measure finds out when the last frame of a chunk was.
func (o *file) measure(c *chunkAt) error {
	d, ok := newDeframer(o.head.Schema, nil)
	if !ok {
		return ErrLater
	}
	frames, err := o.unpack(*c)
	if err != nil {
		return err
	}
	d.restart(c.First)
	for _, frame := range frames {
		d.at = d.next(frame)
	}
	c.Last, c.Frames = d.at, len(frames)
	return nil
}

// mostChunk bounds what a chunk takes unpacked, in bytes: a bomb of zeros is
// small on the disk. A minute of 5,000 agents takes 7 MiB.
const mostChunk = 256 << 20

// unpack returns the frames of a chunk, up to where it is torn.
func (o *file) unpack(c chunkAt) ([][]byte, error) {
	return o.unpackOnto(c, new(bytes.Buffer), o.unpacker)
}

// unpackOnto is unpack with a buffer, where the frames are until it is used again: it is
// large. So is what unpacks them, which is somebody's own.
func (o *file) unpackOnto(c chunkAt, buf *bytes.Buffer, u *unpacker) ([][]byte, error) {
	z, err := u.begin(o, c)
	if err != nil {
		return nil, err
	}
	buf.Reset()
	_, err = buf.ReadFrom(io.LimitReader(z, mostChunk+1))
	raw := buf.Bytes()
	switch {
	case len(raw) > mostChunk:
		return nil, fmt.Errorf("%w: a chunk that unpacks to more than %d MiB", ErrDamaged, mostChunk>>20)
	case err != nil && !errors.Is(err, io.ErrUnexpectedEOF): // a chunk is flushed, not ended
		return nil, fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	frames, ok := split(raw)
	if !ok {
		return nil, fmt.Errorf("%w: a chunk of what are no frames", ErrDamaged)
	}
	return frames, nil
}

// unpackFirst returns the first frame of a chunk, which holds all that there was; nil
// where it is torn.
func (o *file) unpackFirst(c chunkAt) ([]byte, error) {
	z, err := o.unpacker.begin(o, c)
	if err != nil {
		return nil, err
	}
	r := bufio.NewReader(io.LimitReader(z, mostChunk))
	n, err := binary.ReadUvarint(r)
	if err == nil && n > mostChunk {
		return nil, fmt.Errorf("%w: a frame of more than %d MiB", ErrDamaged, mostChunk>>20)
	}
	var frame bytes.Buffer // a file may promise more than it has
	if err == nil {
		_, err = io.CopyN(&frame, r, int64(n)) //nolint:gosec // bounded
	}
	switch {
	case errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF):
		return nil, nil
	case err != nil:
		return nil, fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	return frame.Bytes(), nil
}

// unpacker unpacks one chunk after the other: its buffers are large.
type unpacker struct{ z *zstd.Decoder }

// begin returns what unpacks a chunk of a file.
func (u *unpacker) begin(o *file, c chunkAt) (*zstd.Decoder, error) {
	pieces := &pieces{blocks: blocks{r: o.f, at: c.Offset}}
	var err error
	if u.z == nil {
		u.z, err = zstd.NewReader(pieces, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(mostChunk), zstd.WithDecoderMaxWindow(8<<20))
	} else {
		err = u.z.Reset(pieces)
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	return u.z, nil
}

func (u *unpacker) close() {
	if u.z != nil {
		u.z.Close()
	}
}

// pieces reads the stream of one chunk out of its blocks.
type pieces struct {
	blocks blocks
	begun  bool
	rest   []byte
}

func (p *pieces) Read(b []byte) (int, error) {
	for len(p.rest) == 0 {
		kind, payload, err := p.blocks.next()
		switch {
		case errors.Is(err, errTorn):
			return 0, io.EOF
		case err != nil:
			return 0, err
		case kind == blockData:
			p.rest = payload
		case kind == blockChunk && !p.begun:
			p.begun = true
		case kind == blockMark:
		default:
			return 0, io.EOF
		}
	}
	n := copy(b, p.rest)
	p.rest = p.rest[n:]
	return n, nil
}

func (o *file) close() error { return o.f.Close() } //nolint:wrapcheck // it names the file
