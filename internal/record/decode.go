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

// decoder reads values written by an [encoder]. After an error it returns zero values.
type decoder struct {
	data       []byte
	texts      []string
	textBytes  int  // bytes of all texts of the chunk so far
	frameBytes int  // bytes of the lists and records that this frame creates
	heldBytes  int  // bytes of all current lists and records of the chunk
	isTrusted  bool // the data comes from another node of the cluster, so maxTrustedBytes applies
	err        error
}

const (
	// Limits against small files that expand to large records. maxTextBytes limits the strings
	// of a chunk; each string counts textOverhead bytes more than its length. maxHeldBytes
	// limits the records of a chunk, and separately the records that a single frame creates.
	// The records of 20,000 agents take half of this limit. An export needs up to four times
	// the limit, for the records of two chunks and their anonymized copies. maxTrustedBytes
	// replaces maxHeldBytes for frames from another node.
	maxTextBytes    = 32 << 20
	textOverhead    = 32
	maxHeldBytes    = 80 << 20
	maxTrustedBytes = 256 << 20
	// maxElements limits the length of a list in a record.
	maxElements = 10_000
)

// maxBytes returns the limit that applies to frameBytes and to heldBytes.
func (d *decoder) maxBytes() int {
	if d.isTrusted {
		return maxTrustedBytes
	}
	return maxHeldBytes
}

// addHeldBytes adds the growth of the chunk's records, in bytes, to heldBytes. It returns false if
// the limit is exceeded or the decoder has failed before.
func (d *decoder) addHeldBytes(bytes int) bool {
	if d.heldBytes += bytes; d.heldBytes > d.maxBytes() {
		d.fail("chunk too large")
	}
	return d.err == nil
}

// addFrameBytes adds the size of n values, each of size bytes, to frameBytes. It returns false if
// the limit is exceeded or the decoder has failed before.
func (d *decoder) addFrameBytes(n int, size uintptr) bool {
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

func (d *decoder) readUint() uint64 {
	if b := d.data; len(b) > 0 && b[0] < 0x80 { // the common case
		d.data = b[1:]
		return uint64(b[0])
	}
	return d.readLongUint()
}

// readLongUint reads a number that may take more than one byte.
func (d *decoder) readLongUint() uint64 {
	n, size := binary.Uvarint(d.data)
	if size <= 0 {
		d.fail("truncated number")
		return 0
	}
	d.data = d.data[size:]
	return n
}

func (d *decoder) readInt() int64 { return unzigzag(d.readUint()) }

// readCount reads the number of elements of a list. It fails if the number exceeds the number
// of remaining bytes plus more, because each further element takes at least one byte.
func (d *decoder) readCount(more uint64) int {
	n := d.readUint()
	if n > uint64(len(d.data))+more {
		d.fail("count exceeds the data")
		return 0
	}
	return int(n) //nolint:gosec // bounded
}

func (d *decoder) readText() string {
	n := d.readUint()
	switch {
	case d.err != nil:
		return ""
	case n > uint64(len(d.texts)):
		d.fail("unknown text reference")
		return ""
	case n > 0:
		return d.texts[n-1]
	}
	size := d.readCount(0)
	if d.textBytes += size + textOverhead; d.textBytes > maxTextBytes {
		d.fail("too many texts")
	}
	if d.err != nil {
		return ""
	}
	s := model.CleanStored(string(d.data[:size])) // the text may come from an untrusted source
	d.data = d.data[size:]
	d.texts = append(d.texts, s)
	return s
}

// schemaMapping maps the leaves in the schema of a file to the leaves of the current type, in the
// order of the file.
type schemaMapping struct{ leaves []leafTarget }

// leafTarget describes where to store a leaf of a file. isMissing means that the current type lacks
// the leaf and its value is skipped.
type leafTarget struct {
	kind      kind
	offset    uintptr
	size      uintptr
	isMissing bool
	elements  *schemaMapping
	listType  reflect.Type
}

// readDiff reads the changed leaves of a value and stores them in the value at to. If to is
// nil, it discards them.
func (d *decoder) readDiff(r *schemaMapping, to unsafe.Pointer) {
	next := uint64(0)
	for d.err == nil {
		n := d.readUint()
		if n == 0 {
			return
		}
		if n > uint64(len(r.leaves))-next {
			d.fail("unknown field")
			return
		}
		next += n
		p := &r.leaves[next-1]
		if to == nil || p.isMissing {
			d.readLeaf(p, nil)
		} else {
			d.readLeaf(p, unsafe.Add(to, p.offset))
		}
	}
}

// readLeaf reads the change of a leaf and applies it to the value at to. If to is nil, it
// discards the change.
func (d *decoder) readLeaf(p *leafTarget, to unsafe.Pointer) {
	switch p.kind {
	case kindNumber:
		d.readNumber(to)
	case kindBits:
		d.readBits(to)
	case kindText:
		if s := d.readText(); to != nil {
			*(*string)(to) = s
		}
	case kindTime:
		d.readTime(to)
	case kindList:
		d.readList(p, to)
	case kindIntList:
		d.readIntList((*[]int64)(to))
	case kindInt, kindUint, kindBool:
		n := d.readInt()
		if to == nil {
			return
		}
		if n += loadInt(to, p.size); p.kind == kindBool {
			n &= 1 // other bit patterns are invalid
		}
		storeInt(to, p.size, n)
	}
}

func (d *decoder) readNumber(to unsafe.Pointer) {
	switch n := d.readUint(); {
	case n == numberUnknown:
		storeBits(to, 0)
	case n == numberWhole:
		storeBits(to, d.readInt()^minInt)
	case to != nil:
		*(*int64)(to) += unzigzag(n - numberDelta)
	}
}

func (d *decoder) readBits(to unsafe.Pointer) {
	if len(d.data) < 8 {
		d.fail("truncated number")
		return
	}
	storeBits(to, int64(binary.LittleEndian.Uint64(d.data))) //nolint:gosec // bits
	d.data = d.data[8:]
}

func storeBits(to unsafe.Pointer, n int64) {
	if to != nil {
		*(*int64)(to) = n
	}
}

func (d *decoder) readTime(to unsafe.Pointer) {
	n := d.readInt()
	if to == nil {
		return
	}
	t := (*time.Time)(to)
	if ms := millis(to) + n; ms != zeroTimeMillis {
		*t = time.UnixMilli(ms)
	} else {
		*t = time.Time{}
	}
}

// readList reads the changes of a list and stores the result in a new slice, because the old
// slice belongs to a published record. If to is nil, it discards the changes.
func (d *decoder) readList(p *leafTarget, to unsafe.Pointer) {
	n := d.readCount(1) - 1 // 0 encodes nil; otherwise the count plus one
	if n < 0 {
		if to != nil && d.err == nil {
			d.heldBytes -= (*sliceHeader)(to).len * int(p.listType.Elem().Size())
			*(*sliceHeader)(to) = sliceHeader{}
		}
		return
	}
	if to == nil {
		for range n {
			d.readDiff(p.elements, nil)
		}
		return
	}
	if n > maxElements {
		d.fail("list too long")
		return
	}
	size := p.listType.Elem().Size()
	if !d.addFrameBytes(n, size) || !d.addHeldBytes((n-(*sliceHeader)(to).len)*int(size)) {
		return
	}
	made := reflect.MakeSlice(p.listType, n, n)
	reflect.Copy(made, reflect.NewAt(p.listType, to).Elem())
	for i := range n {
		if d.err != nil {
			return
		}
		d.readDiff(p.elements, made.Index(i).Addr().UnsafePointer())
	}
	reflect.NewAt(p.listType, to).Elem().Set(made)
}

// readIntList reads the changes of a list of integers and stores the result in a new slice. If
// to is nil, it discards the changes.
func (d *decoder) readIntList(to *[]int64) {
	n := d.readUint()
	switch {
	case n == 0:
		if to != nil && d.err == nil {
			d.heldBytes -= len(*to) * int(typeIntList.Elem().Size())
			*to = nil
		}
	case to == nil:
		d.readEdits(nil, nil, n-1)
	case n-1 > uint64(len(*to)+len(d.data)):
		d.fail("count exceeds the data")
	case d.addFrameBytes(int(n-1), typeIntList.Elem().Size()) && d.addHeldBytes((int(n-1)-len(*to))*int(typeIntList.Elem().Size())): //nolint:gosec // bounded
		if made := d.readEdits(*to, make([]int64, 0, n-1), n-1); d.err == nil {
			*to = made
		}
	}
}

// readEdits reads the edits of a list until n numbers are complete, and returns the new list
// with these numbers appended. Each number is either copied from old or read. If to is nil,
// readEdits discards the numbers.
func (d *decoder) readEdits(old, to []int64, n uint64) []int64 {
	wanted := to != nil
	for n > 0 && d.err == nil {
		same := d.readUint()
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
		gone, put := d.readUint(), d.readUint()
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

// appendDeltas reads n numbers, each encoded as the difference from the previous one. If keep
// is true, it appends them to the list.
func (d *decoder) appendDeltas(to []int64, n uint64, keep bool) []int64 {
	last := int64(0)
	if len(to) > 0 {
		last = to[len(to)-1]
	}
	for range n {
		if last += d.readInt(); keep {
			to = append(to, last)
		}
	}
	return to
}
