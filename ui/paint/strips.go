package paint

import (
	"bytes"
	"hash/maphash"
	"sync"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"

	"wallboard/internal/lately"
)

// Strips caches the output that changes a row from one text to another, so that viewers
// of the same board share it. It is safe for concurrent use.
type Strips struct {
	seed maphash.Seed
	pens pens

	mu    sync.Mutex
	known lately.Kept[stripKey, *strip]
}

// stripKey identifies a strip by hashes.
type stripKey struct {
	from, to uint64
	y, width int
	profile  colorprofile.Profile
	widths   ansi.Method
}

// strip is one entry. It does not change.
type strip struct {
	from, to []byte
	out      []byte // without the first pen, which belongs at first
	first    int    // < 0: no output
	pen      []byte // the first pen
	last     []byte // the pen at the end
}

// Size of the cache in bytes.
const (
	mostStripBytes = 8 << 20
	perStrip       = 250 // overhead beside the texts
)

// NewStrips returns an empty cache.
func NewStrips() *Strips {
	return &Strips{seed: maphash.MakeSeed(), known: lately.Kept[stripKey, *strip]{Most: mostStripBytes}}
}

// Forget empties the cache when there are no viewers.
func (s *Strips) Forget() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.known.Forget()
}

func (s *Strips) key(r *Rows, y int, from, to []byte) stripKey {
	return stripKey{maphash.Bytes(s.seed, from), maphash.Bytes(s.seed, to), y, r.Width, r.Profile, r.Widths}
}

func (s *Strips) get(k stripKey, from, to []byte) *strip {
	s.mu.Lock()
	defer s.mu.Unlock()
	if x, is := s.known.Get(k); is && bytes.Equal(x.from, from) && bytes.Equal(x.to, to) {
		return x
	}
	return nil
}

func (s *Strips) put(k stripKey, x *strip) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.known.Put(k, x, len(x.from)+len(x.to)+len(x.out)+perStrip)
}

// paste changes a row to a text, with a cached strip if there is one.
func (r *Rows) paste(y int, text []byte) {
	k := r.Shared.key(r, y, r.shown[y], text)
	x := r.Shared.get(k, r.shown[y], text)
	if x == nil {
		x = r.cut(y, text)
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

// cut makes the strip that changes a row to a text, for any pen before it.
func (r *Rows) cut(y int, text []byte) *strip {
	x := &strip{from: r.shown[y], to: bytes.Clone(text), first: -1}
	begin, pen := len(r.out), bytes.Clone(r.pen)
	r.y, r.cutting = -1, x
	r.row(y, text)
	r.cutting = nil
	x.out, x.last = bytes.Clone(r.out[begin:]), bytes.Clone(r.pen)
	if x.first >= 0 {
		x.first -= begin
	}
	r.out, r.pen = r.out[:begin], append(r.pen[:0], pen...)
	return x
}
