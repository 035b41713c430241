package record

import (
	"bytes"
	"fmt"
	"reflect"
	"slices"
	"time"
	"unsafe"

	"wallboard/model"
)

// kind is the encoding of a value. Its values are part of the file format.
type kind string

const (
	kindNumber  kind = "number" // model.Int, which may be unknown
	kindInt     kind = "int"
	kindUint    kind = "uint"
	kindBits    kind = "bits" // the bits of a float64 or a model.Float
	kindBool    kind = "bool"
	kindText    kind = "text"
	kindTime    kind = "time" // in milliseconds since 1970
	kindList    kind = "list"
	kindIntList kind = "row" // []int64, encoded as edits
)

// typePlan describes how the values of a type are encoded. Its leaves are the lists and the fields that
// are not structs, in memory order.
type typePlan struct {
	typ         reflect.Type
	leaves      []leaf
	zeroValue   unsafe.Pointer
	byteRanges  []byteRange // adjacent leaves that are compared as bytes
	otherLeaves []*leaf     // the other leaves, compared one by one
	stampOffset uintptr     // offset of [model.Stamp] in a record
}

// version returns a pointer to the version of a record. The version is 0 for a record outside
// a store.
func (p *typePlan) version(record unsafe.Pointer) *uint64 {
	return &(*model.Stamp)(unsafe.Add(record, p.stampOffset)).Version
}

// recordSize returns the size of a record in memory, in bytes, including its lists.
func (p *typePlan) recordSize(record unsafe.Pointer) int {
	n := int(p.typ.Size())
	for i := range p.leaves {
		switch l := &p.leaves[i]; l.kind {
		case kindList:
			n += (*sliceHeader)(unsafe.Add(record, l.offset)).len * int(l.elements.typ.Size())
		case kindIntList:
			n += len(*(*[]int64)(unsafe.Add(record, l.offset))) * int(typeIntList.Elem().Size())
		default: // the value is within the record itself
		}
	}
	return n
}

// leaf is a list, or a field of a type that is not a struct.
type leaf struct {
	path         string // names of the nested fields that lead to the leaf, separated by dots
	kind         kind
	offset       uintptr
	size         uintptr
	elements     *typePlan // plan of the elements of a list; nil for other leaves
	isEightBytes bool      // the value has eight bytes and can be compared as an integer
}

var (
	typeInt     = reflect.TypeFor[model.Int]()
	typeFloat   = reflect.TypeFor[model.Float]()
	typeTime    = reflect.TypeFor[time.Time]()
	typeStamp   = reflect.TypeFor[model.Stamp]()
	typeIntList = reflect.TypeFor[[]int64]()
)

// newPlan returns the plan of a type. It panics if the type cannot be recorded; a test calls
// newPlan for all types of package model.
func newPlan(t reflect.Type) *typePlan {
	p := &typePlan{typ: t, zeroValue: reflect.New(t).UnsafePointer()}
	p.addLeaves("", t, 0)
	p.groupLeaves()
	return p
}

// addLeaves adds the leaves of a field of type t. path is the path of the field, and off its
// offset in the record.
func (p *typePlan) addLeaves(path string, t reflect.Type, off uintptr) {
	l := leaf{path: path, offset: off, size: t.Size()}
	switch t {
	case typeStamp:
		p.stampOffset = off
		return // the version is not recorded, because the store of the player assigns versions
	case typeInt:
		l.kind = kindNumber
	case typeFloat:
		l.kind = kindBits
	case typeTime:
		l.kind = kindTime
	case typeIntList:
		l.kind, l.elements = kindIntList, newPlan(t.Elem())
	default:
		if t.Kind() == reflect.Struct {
			for i := range t.NumField() {
				f := t.Field(i)
				name := f.Name
				if path != "" {
					name = path + "." + name
				}
				p.addLeaves(name, f.Type, off+f.Offset)
			}
			return
		}
		l.kind = basicKind(t)
		if l.kind == kindList {
			l.elements = newPlan(t.Elem())
		}
	}
	p.leaves = append(p.leaves, l)
}

func basicKind(t reflect.Type) kind {
	switch t.Kind() { //nolint:exhaustive // all other kinds are unsupported
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return kindInt
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return kindUint
	case reflect.Float64:
		return kindBits
	case reflect.Bool:
		return kindBool
	case reflect.String:
		return kindText
	case reflect.Slice:
		return kindList
	}
	panic(fmt.Sprintf("record: %v cannot be recorded", t))
}

// sliceHeader is the memory layout of a slice.
type sliceHeader struct {
	data     unsafe.Pointer
	len, cap int
}

// element returns the address of element i. of is the plan of the elements.
func (s *sliceHeader) element(of *typePlan, i int) unsafe.Pointer {
	return unsafe.Add(s.data, uintptr(i)*of.typ.Size())
}

// byteRange is a range of a record's bytes. Two values of the range are equal if and only if
// their bytes are equal.
type byteRange struct{ offset, size uintptr }

// groupLeaves determines how to compare each leaf. Most leaves are adjacent numbers, which are
// combined into a byteRange.
func (p *typePlan) groupLeaves() {
	for i := range p.leaves {
		l := &p.leaves[i]
		switch l.kind {
		case kindText, kindTime, kindList, kindIntList:
			p.otherLeaves = append(p.otherLeaves, l)
			continue
		case kindNumber, kindBits, kindInt, kindUint, kindBool:
			l.isEightBytes = l.size == 8
		}
		if n := len(p.byteRanges); n > 0 && p.byteRanges[n-1].offset+p.byteRanges[n-1].size == l.offset {
			p.byteRanges[n-1].size += l.size
		} else {
			p.byteRanges = append(p.byteRanges, byteRange{l.offset, l.size})
		}
	}
}

// equal reports whether two values of the plan's type are equal.
func (p *typePlan) equal(a, b unsafe.Pointer) bool {
	for _, r := range p.byteRanges {
		if !bytes.Equal(unsafe.Slice((*byte)(unsafe.Add(a, r.offset)), r.size), unsafe.Slice((*byte)(unsafe.Add(b, r.offset)), r.size)) {
			return false
		}
	}
	for _, l := range p.otherLeaves {
		if !l.equal(unsafe.Add(a, l.offset), unsafe.Add(b, l.offset)) {
			return false
		}
	}
	return true
}

func (l *leaf) equal(a, b unsafe.Pointer) bool {
	switch l.kind {
	case kindText:
		return *(*string)(a) == *(*string)(b)
	case kindTime:
		return millis(a) == millis(b)
	case kindList:
		return l.equalLists((*sliceHeader)(a), (*sliceHeader)(b))
	case kindIntList:
		x, y := *(*[]int64)(a), *(*[]int64)(b)
		return (x == nil) == (y == nil) && slices.Equal(x, y)
	case kindNumber, kindBits:
		return *(*uint64)(a) == *(*uint64)(b)
	case kindInt, kindUint, kindBool:
	}
	return loadInt(a, l.size) == loadInt(b, l.size)
}

func (l *leaf) equalLists(a, b *sliceHeader) bool {
	if a.len != b.len || (a.data == nil) != (b.data == nil) {
		return false
	}
	if a.data == b.data {
		return true
	}
	for i := range a.len {
		if !l.elements.equal(a.element(l.elements, i), b.element(l.elements, i)) {
			return false
		}
	}
	return true
}

// loadInt returns the integer or boolean of the given size at p, sign-extended.
func loadInt(p unsafe.Pointer, size uintptr) int64 {
	switch size {
	case 1:
		return int64(*(*int8)(p))
	case 2:
		return int64(*(*int16)(p))
	case 4:
		return int64(*(*int32)(p))
	}
	return *(*int64)(p)
}

// storeInt stores n as an integer or boolean of the given size at p.
func storeInt(p unsafe.Pointer, size uintptr, n int64) {
	switch size { // truncation does not change a value that loadInt returned
	case 1:
		*(*int8)(p) = int8(n) //nolint:gosec // truncation is intended
	case 2:
		*(*int16)(p) = int16(n) //nolint:gosec // truncation is intended
	case 4:
		*(*int32)(p) = int32(n) //nolint:gosec // truncation is intended
	default:
		*(*int64)(p) = n
	}
}

// zeroTimeMillis encodes the zero time.
const zeroTimeMillis = -1 << 63

// millis returns the time at p in milliseconds since 1970, or [zeroTimeMillis] for the zero time.
func millis(p unsafe.Pointer) int64 {
	t := (*time.Time)(p)
	if t.IsZero() {
		return zeroTimeMillis
	}
	return t.UnixMilli()
}
