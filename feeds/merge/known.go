package merge

import (
	"slices"
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

// Fill gives dst what it lacks of what differs, whole elements and single fields of
// them too, and takes away an element that src lacks.
func (d *Differ[T]) Fill(dst, src *T, diff Difference) {
	switch {
	case diff.Element() && diff.Ours != "null" && !diff.Cleared():
		c := diff.cell
		c.list.fill(unsafe.Add(unsafe.Pointer(dst), c.off), unsafe.Add(unsafe.Pointer(src), c.off), diff.element)
	case diff.Element() || diff.Ours == "null":
		d.Take(dst, src, diff)
	}
}

// fill gives an element of the list at to what it lacks and theirs has.
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
			f.take(a, b, "")
		}
	}
}
