package merge

import (
	"slices"
	"unsafe"

	"wallboard/model"
)

// UnknownFields returns the unknown fields of a record, one bit each in selection
// order. A field with subfields counts as unknown if any of them is.
func (p *Plan[T]) UnknownFields(rec *T) uint64 { return p.root.unknown(unsafe.Pointer(rec)) }

// Fields returns the number of bits of [Plan.UnknownFields].
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

// known reports whether the value at p is known; unknown values are zero.
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
		return *(*unsafe.Pointer)(p) != nil // a slice begins with its data pointer
	case kindObject:
		return f.obj.unknown(p) == 0
	}
	return false
}

// FillDifference copies the value in diff from src to dst if it is unknown in dst. It also
// copies missing list elements and their unknown fields, and removes an element that src lacks.
func (d *Differ[T]) FillDifference(dst, src *T, diff Difference) {
	switch {
	case diff.Element() && diff.Ours != "null" && !diff.MissingInTheirs():
		c := diff.cell
		c.list.fill(unsafe.Add(unsafe.Pointer(dst), c.off), unsafe.Add(unsafe.Pointer(src), c.off), diff.element)
	case diff.Element() || diff.Ours == "null":
		d.CopyDifference(dst, src, diff)
	}
}

// fill fills the unknown fields of a list element from the other list.
func (l *list[E]) fill(to, from unsafe.Pointer, element string) {
	dst, src := (*[]E)(to), *(*[]E)(from)
	i, j := l.find(*dst, element, 0), l.find(src, element, 0)
	if i < 0 || j < 0 {
		return
	}
	fresh := slices.Clone(*dst)
	l.obj.fill(unsafe.Pointer(&fresh[i]), unsafe.Pointer(&src[j]))
	*dst = fresh
}

func (o *object) fill(to, from unsafe.Pointer) {
	for i := range o.fields {
		f := &o.fields[i]
		a, b := unsafe.Add(to, f.off), unsafe.Add(from, f.off)
		switch {
		case f.kind == kindObject:
			f.obj.fill(a, b)
		case !f.known(a):
			f.copyValue(a, b, "")
		}
	}
}
