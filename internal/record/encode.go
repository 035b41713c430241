package record

import (
	"encoding/binary"
	"unsafe"
)

// encoder encodes values as differences from earlier values. It writes each string once per
// chunk, and after that only the number of the string.
type encoder struct {
	buf         []byte
	textNumbers map[string]uint64
}

// startChunk empties the buffer and forgets the strings of the last chunk.
func (e *encoder) startChunk() {
	e.buf = e.buf[:0]
	if e.textNumbers == nil {
		e.textNumbers = make(map[string]uint64)
	}
	clear(e.textNumbers)
}

func (e *encoder) writeUint(n uint64) { e.buf = binary.AppendUvarint(e.buf, n) }
func (e *encoder) writeInt(n int64)   { e.buf = binary.AppendVarint(e.buf, n) }

// writeDiff writes the leaves of now that differ from those of old. For each of them it writes
// the distance from the previously written leaf and then the value. A zero ends the list. some
// reports whether any leaf differs.
func (e *encoder) writeDiff(p *typePlan, old, now unsafe.Pointer) (some bool) {
	next := 0
	for i := range p.leaves {
		l := &p.leaves[i]
		a, b := unsafe.Add(old, l.offset), unsafe.Add(now, l.offset)
		if l.isEightBytes { // the common case
			if *(*uint64)(a) == *(*uint64)(b) {
				continue
			}
		} else if l.equal(a, b) {
			continue
		}
		e.writeUint(uint64(i - next + 1))
		next = i + 1
		e.writeLeaf(l, a, b)
	}
	e.writeUint(0)
	return next > 0
}

func (e *encoder) writeLeaf(l *leaf, old, now unsafe.Pointer) {
	switch l.kind {
	case kindNumber:
		e.writeNumber(*(*int64)(old), *(*int64)(now))
	case kindBits:
		e.buf = binary.LittleEndian.AppendUint64(e.buf, *(*uint64)(now))
	case kindText:
		e.writeText(*(*string)(now))
	case kindTime:
		e.writeInt(millis(now) - millis(old))
	case kindList:
		e.writeList(l.elements, (*sliceHeader)(old), (*sliceHeader)(now))
	case kindIntList:
		e.writeIntList(*(*[]int64)(old), *(*[]int64)(now))
	case kindInt, kindUint, kindBool:
		e.writeInt(loadInt(now, l.size) - loadInt(old, l.size))
	}
}

// Prefixes of a number that may be unknown.
const (
	numberUnknown = 0
	numberWhole   = 1 // the value follows
	numberDelta   = 2 // added to the zigzag-encoded difference
)

// writeNumber writes the change of a model.Int from old to now, both given as bits.
func (e *encoder) writeNumber(old, now int64) {
	if now == 0 {
		e.writeUint(numberUnknown)
		return
	}
	folded := zigzag(now - old)
	if old == 0 || folded > ^uint64(0)-numberDelta {
		e.writeUint(numberWhole)
		e.writeInt(now ^ minInt)
		return
	}
	e.writeUint(folded + numberDelta)
}

// minInt converts between a number and the bits of a [model.Int]: the exclusive or of one of
// them with minInt is the other.
const minInt = -1 << 63

// zigzag maps signed numbers close to 0 to small unsigned numbers.
func zigzag(n int64) uint64 { return uint64(n)<<1 ^ uint64(n>>63) } //nolint:gosec // bits

// unzigzag is the inverse of zigzag.
func unzigzag(n uint64) int64 { return int64(n>>1) ^ -int64(n&1) }

// writeText writes s. If s occurred before in the chunk, writeText writes its number,
// otherwise 0 and the string.
func (e *encoder) writeText(s string) {
	if n, ok := e.textNumbers[s]; ok {
		e.writeUint(n)
		return
	}
	e.textNumbers[s] = uint64(len(e.textNumbers)) + 1
	e.writeUint(0)
	e.writeUint(uint64(len(s)))
	e.buf = append(e.buf, s...)
}

// writeList writes the length of a list plus one, or 0 for nil, followed by the difference of
// each element from the old element at the same index.
func (e *encoder) writeList(of *typePlan, old, now *sliceHeader) {
	if now.data == nil {
		e.writeUint(0)
		return
	}
	e.writeUint(uint64(now.len) + 1) //nolint:gosec // not negative
	for i := range now.len {
		was := of.zeroValue
		if i < old.len {
			was = old.element(of, i)
		}
		e.writeDiff(of, was, now.element(of, i))
	}
}

// writeIntList writes a list of integers as edits of the old list. It writes the length plus one,
// or 0 for nil, and then groups of edits. Each group consists of three counts: of elements that
// stay, elements to remove, and elements to insert. The inserted elements follow, as differences
// from the previous element. An insertion into a long list takes only a few bytes.
func (e *encoder) writeIntList(old, now []int64) {
	if now == nil {
		e.writeUint(0)
		return
	}
	e.writeUint(uint64(len(now)) + 1)
	last := int64(0)
	for len(now) > 0 {
		same := 0
		for same < min(len(old), len(now)) && old[same] == now[same] {
			same++
		}
		e.writeUint(uint64(same))
		if same > 0 {
			last = now[same-1]
		}
		if old, now = old[same:], now[same:]; len(now) == 0 {
			return
		}
		gone, put := countEdits(old, now)
		e.writeUint(uint64(gone)) //nolint:gosec // not negative
		e.writeUint(uint64(put))  //nolint:gosec // not negative
		for _, n := range now[:put] {
			e.writeInt(n - last)
			last = n
		}
		old, now = old[gone:], now[put:]
	}
}

// countEdits returns the number of elements to remove at the beginning of old, and the number
// of elements of now to insert in their place. Behind them, both lists continue with the same
// element, unless one of them ends.
func countEdits(old, now []int64) (removed, inserted int) {
	for removed < len(old) && inserted < len(now) && old[removed] != now[inserted] {
		g, p := nextMatch(old[removed:], now[inserted:])
		removed, inserted = removed+g, inserted+p
	}
	if removed == len(old) {
		inserted = len(now)
	}
	return removed, inserted
}

// maxMatchDistance limits how far nextMatch searches.
const maxMatchDistance = 32

// nextMatch returns the numbers of elements of old and of now to skip to reach equal elements.
// It returns 1 and 1 if there are none within maxMatchDistance.
func nextMatch(old, now []int64) (gone, put int) {
	for d := 1; d < maxMatchDistance; d++ {
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
