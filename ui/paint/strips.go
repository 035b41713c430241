package paint

import (
	"bytes"
	"hash/maphash"
	"sync"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"

	"wallboard/internal/lately"
)

// Strips are what brings rows from one text to another, shared by viewers who see the
// same: the second of them need not find it out again. It is safe for concurrent use.
type Strips struct {
	seed maphash.Seed
	pens pens

	mu    sync.Mutex
	known lately.Kept[stripKey, *strip]
}

// stripKey tells strips apart, as far as hashes can.
type stripKey struct {
	from, to uint64
	y, width int
	profile  colorprofile.Profile
	widths   ansi.Method
}

// strip is one. It does not change.
type strip struct {
	from, to []byte
	out      []byte // but for the first pen, which stands at first
	first    int    // < 0: it writes nothing
	pen      []byte // the first
	last     []byte // the pen that it leaves
}

// What is kept of the strips of the last seconds, in bytes.
const (
	mostStripBytes = 8 << 20
	perStrip       = 250 // beside the texts
)

// NewStrips returns strips of which there are none yet.
func NewStrips() *Strips {
	return &Strips{seed: maphash.MakeSeed(), known: lately.Kept[stripKey, *strip]{Most: mostStripBytes}}
}

// Forget lets go of all strips: nobody looks any more.
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

// paste brings a row to a text as another viewer's was, if there is one.
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

// cut makes the strip that brings a row to a text, whatever the pen is before.
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
