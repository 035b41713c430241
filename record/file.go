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

// ErrNotARecording says that a file is something else.
var ErrNotARecording = errors.New("not a recording of the board")

// errBegun says that a file ends within its header: somebody is writing that, or died then.
var errBegun = errors.New("somebody has just begun it, or was cut off while beginning it")

// ErrLater says that a file was written by a later board, which knows more.
var ErrLater = errors.New("written by a later version of the board")

// file is a segment that is read.
type file struct {
	path string
	f    *os.File
	head header
	foot footer
	size int64

	zone    string   // what its time zone is called; "": it does not say
	unknown []string // the fields of the head that are left out
	torn    bool     // it has no footer, and its blocks were walked

	damaged []int // the chunks of a file that was walked of which something is missing
	marks   []int // how many were found before each of its chunks

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
	if o.size = info.Size(); o.size == 0 {
		return fmt.Errorf("%w: it is empty: %w", ErrNotARecording, errBegun)
	}
	start := make([]byte, len(magic))
	switch n, err := io.ReadFull(o.f, start); {
	case errors.Is(err, io.ErrUnexpectedEOF) && strings.HasPrefix(magic, string(start[:n])):
		return fmt.Errorf("%w: %w", ErrNotARecording, errBegun)
	case err == nil && string(start) != magic && strings.HasPrefix(string(start), family):
		return ErrLater
	case err != nil || string(start) != magic:
		return ErrNotARecording
	}
	b := &blocks{r: o.f, at: int64(len(magic))}
	kind, payload, err := b.next()
	if err != nil && o.begins(b.at) {
		return fmt.Errorf("%w: %w", ErrDamaged, errBegun)
	}
	if err != nil || kind != blockHeader || json.Unmarshal(payload, &o.head) != nil {
		return fmt.Errorf("%w at its beginning, and nothing of it can be read", ErrDamaged)
	}
	if _, ok := newDeframer(o.head.Schema, nil); !ok {
		return ErrLater
	}
	o.head.About.clean()
	o.unknown = cleaned(o.head.Schema.unknown())
	if zone := o.head.About.Location(); zone != nil {
		o.zone = zone.String()
	}
	return o.find(b)
}

// begins reports whether the file ends within its header, which begins somewhere, or has come
// to its end just now. One of which only the length of the header was altered goes on.
func (o *file) begins(at int64) bool {
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
	return err == nil && length <= mostBlock && info.Size() < at+blockPrefix+length && b.resume(info.Size()) == 0
}

// find finds the chunks and marks, of a file that was walked before from its last chunk on.
func (o *file) find(b *blocks) error {
	known := o.foot
	if o.closed() {
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

// again returns the file as it is by now, and the same where nothing has come to it. The error
// is [fs.ErrNotExist] where it is not the one of its name any more.
func (o *file) again(u *unpacker) (*file, error) {
	info, err := o.f.Stat()
	if err != nil {
		return nil, err //nolint:wrapcheck // it names the file
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
	if last < 0 || o.foot.Chunks[last].Offset == 0 { // nothing of it is known for sure
		n.foot, n.damaged, n.marks = footer{}, nil, nil
		return &n, n.index()
	}
	n.foot = footer{slices.Clone(o.foot.Chunks[:last]), slices.Clone(o.foot.Marks[:o.marks[last]])}
	n.marks = slices.Clone(o.marks[:last])
	n.damaged = slices.DeleteFunc(slices.Clone(o.damaged), func(i int) bool { return i >= last })
	return &n, n.find(&blocks{r: n.f, at: o.foot.Chunks[last].Offset})
}

// closed reads the footer, where there is one.
func (o *file) closed() bool {
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

// walk finds the chunks of a file without a footer: it is being written, or who
// wrote it died. Of one that is damaged what is left is found, and what comes after it.
func (o *file) walk(b *blocks) error {
	o.torn = true
	b.end = o.size
	known := len(o.foot.Chunks)
	streams := 0 // that have begun in the chunk
	for {
		at := b.at
		kind, payload, err := b.next()
		switch {
		case errors.Is(err, errTorn):
			next := b.resume(o.size)
			if next == 0 {
				if b.wasted > mostWasted*o.size {
					o.damage()
				}
				return o.settle(known)
			}
			b.at = next
			o.damage()
		case errors.Is(err, io.EOF):
			return o.settle(known)
		case err != nil:
			return err
		case kind == blockChunk:
			ms, n := binary.Varint(payload)
			if n <= 0 {
				return ErrDamaged
			}
			first := time.UnixMilli(ms)
			o.foot.Chunks = append(o.foot.Chunks, chunkAt{Offset: at, First: first, Last: first})
			o.marks, streams = append(o.marks, len(o.foot.Marks)), 0
		case kind == blockData && bytes.HasPrefix(payload, streamBegins):
			if streams++; streams > 1 || len(o.foot.Chunks) == 0 {
				o.damage()
			}
		case kind == blockMark:
			var m Mark
			if len(o.foot.Marks) < mostListed && json.Unmarshal(payload, &m) == nil {
				o.foot.Marks = append(o.foot.Marks, m)
			}
		}
	}
}

// damage notes that something is missing behind the last chunk of a file that is walked.
func (o *file) damage() {
	if len(o.foot.Chunks) == 0 { // it began with something else
		o.foot.Chunks, o.marks = []chunkAt{{First: o.head.Began, Last: o.head.Began}}, []int{0}
	}
	o.damaged = append(o.damaged, len(o.foot.Chunks)-1)
}

// settle finds out until when the chunks of a file go that was walked, from one on: the next
// one tells enough, where nothing is missing before it.
func (o *file) settle(from int) error {
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

// longestChunk is how long a chunk usually takes at most, and no gap is looked for in it.
const longestChunk = time.Minute + longestPause

// What a chunk takes unpacked is bounded: a bomb of zeros is small on the disk. A minute of
// 5,000 agents takes 7 MiB, and recordings unpack to two to five times their size.
const (
	mostChunk = 256 << 20 // bytes
	mostTimes = 256       // its size, beyond a first part
	firstPart = 4 << 20   // bytes
)

var errTooLarge = fmt.Errorf("%w: a chunk that unpacks to more than can be", ErrDamaged)

// unpack returns the frames of a chunk, up to where it is torn. Where it is damaged they are
// those before, with the error.
func (o *file) unpack(c chunkAt, u *unpacker) ([][]byte, error) {
	return o.unpackOnto(c, new(bytes.Buffer), u)
}

// unpackOnto is unpack with a buffer, where the frames are until it is used again: it is
// large. So is what unpacks them, which is somebody's own.
func (o *file) unpackOnto(c chunkAt, buf *bytes.Buffer, u *unpacker) ([][]byte, error) {
	z, err := u.begin(o, c)
	if err != nil {
		return nil, err
	}
	buf.Reset()
	if _, err = buf.ReadFrom(z); errors.Is(err, errTooLarge) {
		return nil, err //nolint:wrapcheck // it says so
	}
	frames, ok := split(buf.Bytes())
	switch {
	case !ok:
		return nil, fmt.Errorf("%w: a chunk of what are no frames", ErrDamaged)
	case err != nil && !errors.Is(err, io.ErrUnexpectedEOF): // a chunk is flushed, not ended
		return frames, fmt.Errorf("%w: %w", ErrDamaged, err)
	case len(frames) < c.Frames || len(frames) == 0:
		return frames, fmt.Errorf("%w: pictures are missing", ErrDamaged)
	}
	return frames, nil
}

// unpackFirst returns the first frame of a chunk, which holds all that there was; nil
// where it is torn.
func (o *file) unpackFirst(c chunkAt, u *unpacker) ([]byte, error) {
	z, err := u.begin(o, c)
	if err != nil {
		return nil, err
	}
	r := bufio.NewReader(z)
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
	case errors.Is(err, errTooLarge):
		return nil, err //nolint:wrapcheck // it says so
	case err != nil:
		return nil, fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	return frame.Bytes(), nil
}

// unpacker unpacks one chunk after the other: its buffers are large.
type unpacker struct{ z *zstd.Decoder }

// begin returns what unpacks a chunk of a file.
func (u *unpacker) begin(o *file, c chunkAt) (io.Reader, error) {
	pieces := &pieces{blocks: o.blocksOf(c)}
	var err error
	if u.z == nil {
		u.z, err = zstd.NewReader(pieces, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(mostChunk), zstd.WithDecoderMaxWindow(8<<20))
	} else {
		err = u.z.Reset(pieces)
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	return &bounded{z: u.z, of: pieces}, nil
}

// bounded is a chunk as it unpacks, up to as much as it may.
type bounded struct {
	z   io.Reader
	of  *pieces
	len int
}

func (b *bounded) Read(into []byte) (int, error) {
	n, err := b.z.Read(into)
	if b.len += n; b.len > min(mostChunk, firstPart+mostTimes*b.of.read) {
		return 0, errTooLarge
	}
	return n, err //nolint:wrapcheck // who asks knows of what
}

func (u *unpacker) close() {
	if u.z != nil {
		u.z.Close()
	}
}

// pieces reads the stream of one chunk out of its blocks.
type pieces struct {
	blocks blocks
	begun  bool // its first block was there
	some   bool // a piece of it was
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

// next returns the next piece, nil behind the last that is as it was written.
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
				return nil, nil // the block that begins its chunk is missing
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

// streamBegins is what a stream of zstd begins with: each chunk is one.
var streamBegins = []byte{0x28, 0xb5, 0x2f, 0xfd}

func (o *file) close() error { return o.f.Close() } //nolint:wrapcheck // it names the file
