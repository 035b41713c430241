package record

import (
	"encoding/binary"
	"errors"
	"fmt"
	"reflect"
	"time"
	"unsafe"

	"wallboard/model"
)

// ErrDamaged means that the content of a recording is invalid.
var ErrDamaged = errors.New("the recording is damaged")

// decoder reads the output of an encoder. After an error it reads nothing more.
type decoder struct {
	data       []byte
	words      []string
	wordBytes  int  // bytes of words
	frameBytes int  // bytes of the lists and records in this frame
	heldBytes  int  // bytes of the lists and records of the chunk so far
	trusted    bool // maxTrustedBytes applies
	err        error
}

const (
	// Limits against small files that expand to large records. maxWordBytes limits the texts of
	// a chunk; each text counts wordOverhead bytes more. maxHeldBytes limits the records of a
	// chunk, and those of a frame. An export holds up to four times as much: the records of two
	// chunks and their anonymized copies. The records of 20,000 agents take half of it.
	// maxTrustedBytes replaces maxHeldBytes for frames from another node.
	maxWordBytes    = 32 << 20
	wordOverhead    = 32
	maxHeldBytes    = 80 << 20
	maxTrustedBytes = 256 << 20
	// maxElements limits a list of a record.
	maxElements = 10_000
)

// maxBytes returns the limit of frameBytes and of heldBytes.
func (d *decoder) maxBytes() int {
	if d.trusted {
		return maxTrustedBytes
	}
	return maxHeldBytes
}

// addHeld accounts for a change in the memory of the chunk's records.
func (d *decoder) addHeld(bytes int) bool {
	if d.heldBytes += bytes; d.heldBytes > d.maxBytes() {
		d.fail("chunk too large")
	}
	return d.err == nil
}

// addMade accounts for n new values of a size.
func (d *decoder) addMade(n int, size uintptr) bool {
	if d.frameBytes += n * int(size); d.frameBytes > d.maxBytes() {
		d.fail("frame too large")
	}
	return d.err == nil
}

func (d *decoder) fail(why string) {
	if d.err == nil {
		d.err = fmt.Errorf("%w: %s", ErrDamaged, why)
		d.data = nil
	}
}

func (d *decoder) uint() uint64 {
	if b := d.data; len(b) > 0 && b[0] < 0x80 { // the common case
		d.data = b[1:]
		return uint64(b[0])
	}
	return d.longUint()
}

// longUint reads a number of several bytes.
func (d *decoder) longUint() uint64 {
	n, size := binary.Uvarint(d.data)
	if size <= 0 {
		d.fail("truncated number")
		return 0
	}
	d.data = d.data[size:]
	return n
}

func (d *decoder) int() int64 { return unzigzag(d.uint()) }

// count reads the number of elements of a list. It fails if that exceeds the remaining bytes plus
// more, because an element takes at least one byte.
func (d *decoder) count(more uint64) int {
	n := d.uint()
	if n > uint64(len(d.data))+more {
		d.fail("count exceeds the data")
		return 0
	}
	return int(n) //nolint:gosec // bounded
}

func (d *decoder) text() string {
	n := d.uint()
	switch {
	case d.err != nil:
		return ""
	case n > uint64(len(d.words)):
		d.fail("unknown text reference")
		return ""
	case n > 0:
		return d.words[n-1]
	}
	size := d.count(0)
	if d.wordBytes += size + wordOverhead; d.wordBytes > maxWordBytes {
		d.fail("too many texts")
	}
	if d.err != nil {
		return ""
	}
	s := model.CleanStored(string(d.data[:size])) // files may come from untrusted sources
	d.data = d.data[size:]
	d.words = append(d.words, s)
	return s
}

// mapping maps the leaves of a type in a file, in their order, to the current type.
type mapping struct{ leaves []leafTarget }

// leafTarget is the destination of a leaf. missing is set if the field no longer exists.
type leafTarget struct {
	kind     kind
	off      uintptr
	size     uintptr
	missing  bool
	elements *mapping
	list     reflect.Type
}

// apply reads the changed leaves of a value; with nil it skips them.
func (d *decoder) apply(r *mapping, to unsafe.Pointer) {
	next := uint64(0)
	for d.err == nil {
		n := d.uint()
		if n == 0 {
			return
		}
		if n > uint64(len(r.leaves))-next {
			d.fail("unknown field")
			return
		}
		next += n
		p := &r.leaves[next-1]
		if to == nil || p.missing {
			d.leaf(p, nil)
		} else {
			d.leaf(p, unsafe.Add(to, p.off))
		}
	}
}

// leaf reads a value; with nil it skips it.
func (d *decoder) leaf(p *leafTarget, to unsafe.Pointer) {
	switch p.kind {
	case kindNumber:
		d.number(to)
	case kindBits:
		d.bits(to)
	case kindText:
		if s := d.text(); to != nil {
			*(*string)(to) = s
		}
	case kindTime:
		d.time(to)
	case kindList:
		d.list(p, to)
	case kindRow:
		d.row((*[]int64)(to))
	case kindInt, kindUint, kindBool:
		n := d.int()
		if to == nil {
			return
		}
		if n += word(to, p.size); p.kind == kindBool {
			n &= 1 // other bit patterns are invalid
		}
		setWord(to, p.size, n)
	}
}

func (d *decoder) number(to unsafe.Pointer) {
	switch n := d.uint(); {
	case n == numberUnknown:
		setBits(to, 0)
	case n == numberWhole:
		setBits(to, d.int()^minInt)
	case to != nil:
		*(*int64)(to) += unzigzag(n - numberDelta)
	}
}

func (d *decoder) bits(to unsafe.Pointer) {
	if len(d.data) < 8 {
		d.fail("truncated number")
		return
	}
	setBits(to, int64(binary.LittleEndian.Uint64(d.data))) //nolint:gosec // bits
	d.data = d.data[8:]
}

func setBits(to unsafe.Pointer, n int64) {
	if to != nil {
		*(*int64)(to) = n
	}
}

func (d *decoder) time(to unsafe.Pointer) {
	n := d.int()
	if to == nil {
		return
	}
	t := (*time.Time)(to)
	if ms := millis(to) + n; ms != noTime {
		*t = time.UnixMilli(ms)
	} else {
		*t = time.Time{}
	}
}

// list reads a list into a new slice, because the old one belongs to a published
// record.
func (d *decoder) list(p *leafTarget, to unsafe.Pointer) {
	n := d.count(1) - 1 // the count is encoded plus one; 0 is nil
	if n < 0 {
		if to != nil && d.err == nil {
			d.heldBytes -= (*sliceHeader)(to).len * int(p.list.Elem().Size())
			*(*sliceHeader)(to) = sliceHeader{}
		}
		return
	}
	if to == nil {
		for range n {
			d.apply(p.elements, nil)
		}
		return
	}
	if n > maxElements {
		d.fail("list too long")
		return
	}
	size := p.list.Elem().Size()
	if !d.addMade(n, size) || !d.addHeld((n-(*sliceHeader)(to).len)*int(size)) {
		return
	}
	made := reflect.MakeSlice(p.list, n, n)
	reflect.Copy(made, reflect.NewAt(p.list, to).Elem())
	for i := range n {
		if d.err != nil {
			return
		}
		d.apply(p.elements, made.Index(i).Addr().UnsafePointer())
	}
	reflect.NewAt(p.list, to).Elem().Set(made)
}

// row reads a list of integers into a new slice; with nil it skips it.
func (d *decoder) row(to *[]int64) {
	n := d.uint()
	switch {
	case n == 0:
		if to != nil && d.err == nil {
			d.heldBytes -= len(*to) * int(typeRow.Elem().Size())
			*to = nil
		}
	case to == nil:
		d.edits(nil, nil, n-1)
	case n-1 > uint64(len(*to)+len(d.data)):
		d.fail("count exceeds the data")
	case d.addMade(int(n-1), typeRow.Elem().Size()) && d.addHeld((int(n-1)-len(*to))*int(typeRow.Elem().Size())): //nolint:gosec // bounded
		if made := d.edits(*to, make([]int64, 0, n-1), n-1); d.err == nil {
			*to = made
		}
	}
}

// edits reads n numbers, copied from an older list or new, and appends them to a list;
// with nil it skips them.
func (d *decoder) edits(old, to []int64, n uint64) []int64 {
	wanted := to != nil
	for n > 0 && d.err == nil {
		same := d.uint()
		if same > n || wanted && same > uint64(len(old)) {
			d.fail("more unchanged elements than the list had")
			break
		}
		if wanted {
			to, old = append(to, old[:same]...), old[same:]
		}
		if n -= same; n == 0 {
			break
		}
		gone, put := d.uint(), d.uint()
		if put > n || put > uint64(len(d.data)) || wanted && gone > uint64(len(old)) {
			d.fail("count exceeds the data")
			break
		}
		n -= put
		if wanted {
			old = old[gone:]
		}
		to = d.appendDeltas(to, put, wanted)
	}
	return to
}

// appendDeltas reads n delta-encoded numbers and appends them if keep is set.
func (d *decoder) appendDeltas(to []int64, n uint64, keep bool) []int64 {
	last := int64(0)
	if len(to) > 0 {
		last = to[len(to)-1]
	}
	for range n {
		if last += d.int(); keep {
			to = append(to, last)
		}
	}
	return to
}
