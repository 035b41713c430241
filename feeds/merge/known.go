package merge

import (
	"unsafe"

	"wallboard/model"
)

// Unknown returns which fields of a record are not known, one bit for each in the
// order of the selection; of a field with fields of its own, whether one of them
// is not.
func (p *Plan[T]) Unknown(rec *T) uint64 { return p.root.unknown(unsafe.Pointer(rec)) }

// Fields returns how many bits [Plan.Unknown] has.
func (p *Plan[T]) Fields() int { return len(p.root.fields) }

func (o *object) unknown(base unsafe.Pointer) uint64 {
	var bits uint64
	for i := range o.fields {
		f := &o.fields[i]
		if !f.known(unsafe.Add(base, f.off)) {
			bits |= 1 << uint(i)
		}
	}
	return bits
}

// known reports whether the value at p is known: what is not is all zero.
func (f *field) known(p unsafe.Pointer) bool {
	switch f.kind {
	case kindInt:
		return (*model.Int)(p).Known()
	case kindFloat:
		return (*model.Float)(p).Known()
	case kindText:
		return (*model.Text)(p).Known()
	case kindString:
		return *(*string)(p) != ""
	case kindInstant:
		return (*model.Instant)(p).Known()
	case kindScalar:
		return (*model.Scalar)(p).Known()
	case kindInts, kindStrings, kindKeyedList:
		return *(*unsafe.Pointer)(p) != nil // a slice begins with the address of its elements
	case kindObject:
		return f.obj.unknown(p) == 0
	}
	return false
}
