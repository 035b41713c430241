package record

import (
	"encoding/binary"
	"unsafe"
)

// encoder writes values as what is new in them. A text is written once in a
// chunk, after that its number.
type encoder struct {
	buf   []byte
	words map[string]uint64
}

// restart begins a chunk.
func (e *encoder) restart() {
	e.buf = e.buf[:0]
	if e.words == nil {
		e.words = make(map[string]uint64)
	}
	clear(e.words)
}

func (e *encoder) uint(n uint64) { e.buf = binary.AppendUvarint(e.buf, n) }
func (e *encoder) int(n int64)   { e.buf = binary.AppendVarint(e.buf, n) }

// diff writes the leaves in which a value differs from an older one: how many are
// passed over, and one more, then the value; 0 ends them. It reports whether there are any.
func (e *encoder) diff(p *plan, old, now unsafe.Pointer) (some bool) {
	next := 0
	for i := range p.leaves {
		l := &p.leaves[i]
		a, b := unsafe.Add(old, l.off), unsafe.Add(now, l.off)
		if l.bits { // most are
			if *(*uint64)(a) == *(*uint64)(b) {
				continue
			}
		} else if l.equal(a, b) {
			continue
		}
		e.uint(uint64(i - next + 1))
		next = i + 1
		e.leaf(l, a, b)
	}
	e.uint(0)
	return next > 0
}

func (e *encoder) leaf(l *leaf, old, now unsafe.Pointer) {
	switch l.kind {
	case kindNumber:
		e.number(*(*int64)(old), *(*int64)(now))
	case kindBits:
		e.buf = binary.LittleEndian.AppendUint64(e.buf, *(*uint64)(now))
	case kindText:
		e.text(*(*string)(now))
	case kindTime:
		e.int(millis(now) - millis(old))
	case kindList:
		e.list(l.of, (*slice)(old), (*slice)(now))
	case kindRow:
		e.row(*(*[]int64)(old), *(*[]int64)(now))
	case kindInt, kindUint, kindBool:
		e.int(word(now, l.size) - word(old, l.size))
	}
}

// How a number that may be unknown begins.
const (
	numberUnknown = 0
	numberWhole   = 1 // it follows
	numberDelta   = 2 // and what it is more than the old one, folded
)

// number writes the bits of a model.Int.
func (e *encoder) number(old, now int64) {
	if now == 0 {
		e.uint(numberUnknown)
		return
	}
	folded := fold(now - old)
	if old == 0 || folded > ^uint64(0)-numberDelta {
		e.uint(numberWhole)
		e.int(now ^ minInt)
		return
	}
	e.uint(folded + numberDelta)
}

// minInt is what the bits of a model.Int are flipped by.
const minInt = -1 << 63

// fold makes small numbers of those close to 0.
func fold(n int64) uint64 { return uint64(n)<<1 ^ uint64(n>>63) } //nolint:gosec // bits

// unfold is the other way.
func unfold(n uint64) int64 { return int64(n>>1) ^ -int64(n&1) }

// text writes the number of a text that was there before, or 0 and the text.
func (e *encoder) text(s string) {
	if n, ok := e.words[s]; ok {
		e.uint(n)
		return
	}
	e.words[s] = uint64(len(e.words)) + 1
	e.uint(0)
	e.uint(uint64(len(s)))
	e.buf = append(e.buf, s...)
}

// list writes how long a list is, and one more, 0 for none, and each element as
// what is new against the one in the same place.
func (e *encoder) list(of *plan, old, now *slice) {
	if now.data == nil {
		e.uint(0)
		return
	}
	e.uint(uint64(now.len) + 1) //nolint:gosec // not negative
	for i := range now.len {
		was := of.zero
		if i < old.len {
			was = old.at(of, i)
		}
		e.diff(of, was, now.at(of, i))
	}
}

// row writes a list of whole numbers: how long it is, and one more, 0 for none; then, until
// there are so many, how many are those of the older list, how many of these are passed over,
// and how many are new, each as what it is more than the one before it. Who is put into a
// long list in the middle costs a few bytes, and the others nothing.
func (e *encoder) row(old, now []int64) {
	if now == nil {
		e.uint(0)
		return
	}
	e.uint(uint64(len(now)) + 1)
	last := int64(0)
	for len(now) > 0 {
		same := 0
		for same < min(len(old), len(now)) && old[same] == now[same] {
			same++
		}
		e.uint(uint64(same))
		if same > 0 {
			last = now[same-1]
		}
		if old, now = old[same:], now[same:]; len(now) == 0 {
			return
		}
		gone, put := edit(old, now)
		e.uint(uint64(gone)) //nolint:gosec // not negative
		e.uint(uint64(put))  //nolint:gosec // not negative
		for _, n := range now[:put] {
			e.int(n - last)
			last = n
		}
		old, now = old[gone:], now[put:]
	}
}

// edit returns how many numbers to pass over, and how many to put in their place, until two
// lists go on with the same.
func edit(old, now []int64) (gone, put int) {
	for gone < len(old) && put < len(now) && old[gone] != now[put] {
		g, p := resume(old[gone:], now[put:])
		gone, put = gone+g, put+p
	}
	if gone == len(old) {
		put = len(now)
	}
	return gone, put
}

// farthest is how far two lists are looked through for where they go on with the same.
const farthest = 32

// resume returns the next place at which two lists may go on with the same.
func resume(old, now []int64) (gone, put int) {
	for d := 1; d < farthest; d++ {
		switch {
		case d < len(old) && old[d] == now[0]:
			return d, 0
		case d < len(now) && old[0] == now[d]:
			return 0, d
		case d < len(old) && d < len(now) && old[d] == now[d]:
			return d, d
		}
	}
	return 1, 1
}
