package term

import (
	"bytes"
	"hash/maphash"
	"sync"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"

	"wallboard/internal/lib/recentcache"
)

// RowCache caches the output that changes a row from one text to another, so that viewers
// of the same board share it. It is safe for concurrent use.
type RowCache struct {
	seed maphash.Seed
	pens styleCache

	mu    sync.Mutex
	known recentcache.Cache[rowUpdateKey, *rowUpdate]
}

// rowUpdateKey identifies a strip by hashes.
type rowUpdateKey struct {
	from, to uint64
	y, width int
	profile  colorprofile.Profile
	widths   ansi.Method
}

// rowUpdate is one entry. It does not change.
type rowUpdate struct {
	from, to []byte
	out      []byte // without the first pen, which belongs at first
	first    int    // < 0: no output
	pen      []byte // the first pen
	last     []byte // the pen at the end
}

// Size of the cache in bytes.
const (
	maxCacheBytes = 8 << 20
	entryOverhead = 250 // overhead beside the texts
)

// NewRowCache returns an empty cache.
func NewRowCache() *RowCache {
	return &RowCache{seed: maphash.MakeSeed(), known: recentcache.Cache[rowUpdateKey, *rowUpdate]{MaxSize: maxCacheBytes}}
}

// Forget empties the cache when there are no viewers.
func (s *RowCache) Forget() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.known.Forget()
}

func (s *RowCache) key(r *Rows, y int, from, to []byte) rowUpdateKey {
	return rowUpdateKey{maphash.Bytes(s.seed, from), maphash.Bytes(s.seed, to), y, r.Width, r.Profile, r.Widths}
}

func (s *RowCache) get(k rowUpdateKey, from, to []byte) *rowUpdate {
	s.mu.Lock()
	defer s.mu.Unlock()
	if x, is := s.known.Get(k); is && bytes.Equal(x.from, from) && bytes.Equal(x.to, to) {
		return x
	}
	return nil
}

func (s *RowCache) put(k rowUpdateKey, x *rowUpdate) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.known.Put(k, x, len(x.from)+len(x.to)+len(x.out)+entryOverhead)
}

// applyUpdate changes a row to a text, with a cached strip if there is one.
func (r *Rows) applyUpdate(y int, text []byte) {
	k := r.Shared.key(r, y, r.shown[y], text)
	x := r.Shared.get(k, r.shown[y], text)
	if x == nil {
		x = r.recordUpdate(y, text)
		r.Shared.put(k, x)
	}
	if x.first >= 0 {
		r.out = append(r.out, x.out[:x.first]...)
		r.use(x.pen)
		r.out = append(r.out, x.out[x.first:]...)
		r.pen = append(r.pen[:0], x.last...)
	}
	r.shown[y] = x.to
	r.y = -1
}

// recordUpdate makes the strip that changes a row to a text, for any pen before it.
func (r *Rows) recordUpdate(y int, text []byte) *rowUpdate {
	x := &rowUpdate{from: r.shown[y], to: bytes.Clone(text), first: -1}
	begin, pen := len(r.out), bytes.Clone(r.pen)
	r.y, r.recording = -1, x
	r.row(y, text)
	r.recording = nil
	x.out, x.last = bytes.Clone(r.out[begin:]), bytes.Clone(r.pen)
	if x.first >= 0 {
		x.first -= begin
	}
	r.out, r.pen = r.out[:begin], append(r.pen[:0], pen...)
	return x
}
