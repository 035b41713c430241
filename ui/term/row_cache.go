package term

import (
	"bytes"
	"hash/maphash"
	"sync"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"

	"wallboard/internal/lib/powersave"
)

// RowCache caches the output that changes a row of a terminal. Viewers of the same board share this
// output. A RowCache is safe for concurrent use.
type RowCache struct {
	seed   maphash.Seed
	styles styleCache

	frames sync.Pool // buffers for frames, which are needed only until their changes are known

	mu    sync.Mutex
	cache powersave.RecentCache[rowUpdateKey, *rowUpdate]
}

// rowUpdateKey identifies a rowUpdate by hashes of the old and the new row.
type rowUpdateKey struct {
	from, to    uint64
	y, width    int
	profile     colorprofile.Profile
	widthMethod ansi.Method
	isolated    bool // see [RowPainter.IsolateRTL]
}

// rowUpdate is the output that changes a row from one text to another. It is immutable.
type rowUpdate struct {
	from, to  []byte // old and new text
	out       []byte // output without the change of the style to firstPen, which is inserted at penOffset
	penOffset int    // index in out; negative: there is no output
	firstPen  []byte // style of the first character that is written
	lastPen   []byte // style after the output
}

// maxCacheBytes is the maximum size of a cache in bytes. updateOverhead is the size in bytes of an
// update without its texts.
const (
	maxCacheBytes  = 8 << 20
	updateOverhead = 250
)

// NewRowCache returns an empty cache.
func NewRowCache() *RowCache {
	return &RowCache{seed: maphash.MakeSeed(), cache: powersave.RecentCache[rowUpdateKey, *rowUpdate]{MaxSize: maxCacheBytes}}
}

// DropAll removes all entries. It is called when the last viewer has left.
func (s *RowCache) DropAll() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.cache.Forget()
}

// takeFrameBuffer returns a buffer for a frame. The caller passes it to returnFrameBuffer when the frame
// is no longer needed. s may be nil.
func (s *RowCache) takeFrameBuffer() *[]byte {
	if s != nil {
		if b, ok := s.frames.Get().(*[]byte); ok {
			return b
		}
	}
	return new([]byte)
}

func (s *RowCache) returnFrameBuffer(b *[]byte) {
	if s != nil {
		s.frames.Put(b)
	}
}

func (s *RowCache) keyFor(r *RowPainter, y int, from, to []byte) rowUpdateKey {
	return rowUpdateKey{maphash.Bytes(s.seed, from), maphash.Bytes(s.seed, to), y, r.Width, r.Profile, r.WidthMethod, r.IsolateRTL}
}

func (s *RowCache) get(k rowUpdateKey, from, to []byte) *rowUpdate {
	s.mu.Lock()
	defer s.mu.Unlock()
	if x, ok := s.cache.Get(k); ok && bytes.Equal(x.from, from) && bytes.Equal(x.to, to) {
		return x
	}
	return nil
}

func (s *RowCache) put(k rowUpdateKey, x *rowUpdate) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.cache.Put(k, x, len(x.from)+len(x.to)+len(x.out)+updateOverhead)
}

// applyUpdate appends the output that changes row y to text. The output comes from the cache if it
// is there.
func (r *RowPainter) applyUpdate(y int, text []byte) {
	k := r.Shared.keyFor(r, y, r.shownRows[y], text)
	x := r.Shared.get(k, r.shownRows[y], text)
	if x == nil {
		x = r.recordUpdate(y, text)
		r.Shared.put(k, x)
	}
	if x.penOffset >= 0 {
		r.out = append(r.out, x.out[:x.penOffset]...)
		r.setPen(x.firstPen)
		r.out = append(r.out, x.out[x.penOffset:]...)
		r.pen = append(r.pen[:0], x.lastPen...)
	}
	r.shownRows[y] = x.to
	r.y = -1
}

// recordUpdate returns the update that changes row y to text. The update works for every style that
// the terminal has before it. recordUpdate does not change the painter's output.
func (r *RowPainter) recordUpdate(y int, text []byte) *rowUpdate {
	x := &rowUpdate{from: r.shownRows[y], to: bytes.Clone(text), penOffset: -1}
	begin, pen := len(r.out), bytes.Clone(r.pen)
	r.y, r.recording = -1, x
	r.updateRow(y, text)
	r.recording = nil
	x.out, x.lastPen = bytes.Clone(r.out[begin:]), bytes.Clone(r.pen)
	if x.penOffset >= 0 {
		x.penOffset -= begin
	}
	r.out, r.pen = r.out[:begin], append(r.pen[:0], pen...)
	return x
}
