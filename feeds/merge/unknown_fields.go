package merge

import (
	"slices"
	"unsafe"

	"wallboard/model"
)

// UnknownFields returns a bit set of the record's unknown fields. Bit i stands for field i of the
// selection. An object counts as unknown if one of its fields is unknown.
func (p *Plan[T]) UnknownFields(rec *T) uint64 { return p.root.unknownFields(unsafe.Pointer(rec)) }

// FieldCount returns the number of fields, and thus of bits in [Plan.UnknownFields].
func (p *Plan[T]) FieldCount() int { return len(p.root.fields) }

func (o *objectPlan) unknownFields(base unsafe.Pointer) uint64 {
	var bits uint64
	for i := range o.fields {
		f := &o.fields[i]
		if !f.isKnown(unsafe.Add(base, f.offset)) {
			bits |= 1 << uint(i)
		}
	}
	return bits
}

// isKnown reports whether the value at p is known. For an object, all its fields must be known.
func (f *fieldPlan) isKnown(p unsafe.Pointer) bool {
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
		return *(*unsafe.Pointer)(p) != nil // a slice begins with its data pointer
	case kindObject:
		return f.object.unknownFields(p) == 0
	}
	return false
}

// FillDifference copies the value described by diff from src to dst if it is unknown in dst. diff
// is a difference between dst (ours) and src (theirs). A list element is added if dst lacks it and
// removed if src lacks it. If both have the element, only its fields that are unknown in dst are
// copied.
func (d *Differ[T]) FillDifference(dst, src *T, diff Difference) {
	switch {
	case diff.IsElement() && diff.Ours != "null" && !diff.MissingInTheirs():
		c := diff.leaf
		c.list.fillUnknown(unsafe.Add(unsafe.Pointer(dst), c.offset), unsafe.Add(unsafe.Pointer(src), c.offset), diff.element)
	case diff.IsElement() || diff.Ours == "null":
		d.CopyDifference(dst, src, diff)
	}
}

// fillUnknown copies fields from the list at from to the list at to: those fields of the element with the
// key element that are unknown in the list at to.
func (l *listPlan[E]) fillUnknown(to, from unsafe.Pointer, element string) {
	dst, src := (*[]E)(to), *(*[]E)(from)
	i, j := l.find(*dst, element, 0), l.find(src, element, 0)
	if i < 0 || j < 0 {
		return
	}
	fresh := slices.Clone(*dst)
	l.object.fillUnknown(unsafe.Pointer(&fresh[i]), unsafe.Pointer(&src[j]))
	*dst = fresh
}

func (o *objectPlan) fillUnknown(to, from unsafe.Pointer) {
	for i := range o.fields {
		f := &o.fields[i]
		a, b := unsafe.Add(to, f.offset), unsafe.Add(from, f.offset)
		switch {
		case f.kind == kindObject:
			f.object.fillUnknown(a, b)
		case !f.isKnown(a):
			f.copyValue(a, b, "")
		}
	}
}
