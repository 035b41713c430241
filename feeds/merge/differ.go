package merge

import (
	"encoding/json"
	"fmt"
	"iter"
	"slices"
	"time"
	"unsafe"

	"wallboard/model"
)

// Differ compares two records of type T. It compares only the fields that a GraphQL document
// selects, without those excluded when the Differ was made.
type Differ[T any] struct {
	leaves        []leaf
	growingLeaves []int // indices in leaves of the counters that should never decrease
}

// leaf is a field of the record, at any depth, that has a value instead of further fields.
type leaf struct {
	path string // path within the record, such as "channelStats.queuedCalls"
	*fieldPlan
	offset uintptr // offset from the beginning of the record, in bytes
}

// Difference is a value that differs between two records, ours and theirs. Each element of a keyed
// list that differs is one Difference.
type Difference struct {
	Path         string        // "channelStats.queuedCalls", or "customStats[key]"
	Ours, Theirs string        // as JSON; null if unknown or absent
	TimeOffset   time.Duration // ours minus theirs, if both are instants
	FromElapsed  bool          // ours or theirs is an instant computed from an elapsed time
	UnitUnknown  bool          // ours or theirs is an instant that is unknown because its unit is unknown
	CounterFell  bool          // a counter that should never decrease is lower in theirs

	leaf    *leaf
	element string // key of the list element that differs
}

// MissingInTheirs reports whether theirs has no value.
func (d *Difference) MissingInTheirs() bool { return d.Theirs == "null" }

// IsElement reports whether the difference is in a keyed list.
func (d *Difference) IsElement() bool { return d.leaf != nil && d.leaf.kind == kindKeyedList }

// NewDiffer returns a Differ for the records of the plan. It skips the root fields named in except.
// growing names integer fields, at any depth, that should never decrease.
func (p *Plan[T]) NewDiffer(growing []string, except ...string) *Differ[T] {
	d := &Differ[T]{leaves: p.root.appendLeaves(nil, "", 0, except)}
	for i := range d.leaves {
		if c := &d.leaves[i]; c.kind == kindInt && slices.Contains(growing, c.name) {
			d.growingLeaves = append(d.growingLeaves, i)
		}
	}
	return d
}

// HasNonZeroCounter reports whether one of the record's counters that should never decrease is
// above 0.
func (d *Differ[T]) HasNonZeroCounter(rec *T) bool {
	for _, i := range d.growingLeaves {
		if (*model.Int)(unsafe.Add(unsafe.Pointer(rec), d.leaves[i].offset)).Or(0) > 0 {
			return true
		}
	}
	return false
}

// CounterFell reports whether one of the counters that should never decrease is lower in now than
// in before.
func (d *Differ[T]) CounterFell(before, now *T) bool {
	for _, i := range d.growingLeaves {
		c := &d.leaves[i]
		if c.hasDecreased(unsafe.Add(unsafe.Pointer(before), c.offset), unsafe.Add(unsafe.Pointer(now), c.offset)) {
			return true
		}
	}
	return false
}

func (o *objectPlan) appendLeaves(to []leaf, path string, base uintptr, except []string) []leaf {
	for i := range o.fields {
		f := &o.fields[i]
		switch {
		case slices.Contains(except, f.name):
		case f.kind == kindObject:
			to = f.object.appendLeaves(to, path+f.name+".", base+f.offset, nil)
		default:
			to = append(to, leaf{path: path + f.name, fieldPlan: f, offset: base + f.offset})
		}
	}
	return to
}

// Equal reports whether two records have the same values in the compared fields.
func (d *Differ[T]) Equal(a, b *T) bool {
	pa, pb := unsafe.Pointer(a), unsafe.Pointer(b)
	for i := range d.leaves {
		c := &d.leaves[i]
		if !c.equal(unsafe.Add(pa, c.offset), unsafe.Add(pb, c.offset)) {
			return false
		}
	}
	return true
}

// Diff returns the differences between our record and theirs, field by field.
func (d *Differ[T]) Diff(ours, theirs *T) iter.Seq[Difference] {
	return func(yield func(Difference) bool) {
		pa, pb := unsafe.Pointer(ours), unsafe.Pointer(theirs)
		for i := range d.leaves {
			c := &d.leaves[i]
			a, b := unsafe.Add(pa, c.offset), unsafe.Add(pb, c.offset)
			if c.equal(a, b) {
				continue
			}
			if c.kind == kindKeyedList {
				if !c.list.diff(a, b, func(diff Difference) bool {
					diff.leaf, diff.Path = c, c.path+"["+diff.element+"]"
					return yield(diff)
				}) {
					return
				}
				continue
			}
			fromElapsed, unitUnknown := c.fromElapsed(a, b)
			if !yield(Difference{
				TimeOffset: c.timeOffset(a, b), FromElapsed: fromElapsed, UnitUnknown: unitUnknown, Path: c.path, Ours: c.json(a), Theirs: c.json(b), CounterFell: slices.Contains(d.growingLeaves, i) && c.hasDecreased(a, b), leaf: c,
			}) {
				return
			}
		}
	}
}

// CopyDifference copies the value described by diff from src to dst. The records may then share
// lists, because lists are never changed in place.
func (d *Differ[T]) CopyDifference(dst, src *T, diff Difference) {
	c := diff.leaf
	to, from := unsafe.Add(unsafe.Pointer(dst), c.offset), unsafe.Add(unsafe.Pointer(src), c.offset)
	c.copyValue(to, from, diff.element)
}

func (l *leaf) timeOffset(a, b unsafe.Pointer) time.Duration {
	if l.kind != kindInstant {
		return 0
	}
	x, okX := (*model.Instant)(a).Milli()
	y, okY := (*model.Instant)(b).Milli()
	if !okX || !okY {
		return 0
	}
	return time.Duration(x-y) * time.Millisecond
}

func (l *leaf) hasDecreased(a, b unsafe.Pointer) bool {
	if l.kind != kindInt {
		return false
	}
	x, okX := (*model.Int)(a).Get()
	y, okY := (*model.Int)(b).Get()
	return okX && okY && y < x
}

// equal reports whether a field has the same value at a and at b.
func (f *fieldPlan) equal(a, b unsafe.Pointer) bool {
	switch f.kind {
	case kindInt:
		return *(*model.Int)(a) == *(*model.Int)(b)
	case kindFloat:
		return *(*model.Float)(a) == *(*model.Float)(b)
	case kindText:
		return *(*model.Text)(a) == *(*model.Text)(b)
	case kindString:
		return *(*string)(a) == *(*string)(b)
	case kindInstant:
		return (*model.Instant)(a).Same(*(*model.Instant)(b))
	case kindScalar:
		return *(*model.Scalar)(a) == *(*model.Scalar)(b)
	case kindInts:
		x, y := *(*[]int64)(a), *(*[]int64)(b)
		return (x == nil) == (y == nil) && slices.Equal(x, y)
	case kindStrings:
		x, y := *(*[]string)(a), *(*[]string)(b)
		return (x == nil) == (y == nil) && slices.Equal(x, y)
	case kindKeyedList:
		return f.list.equal(a, b)
	case kindObject:
		return f.object.equal(a, b)
	}
	return false
}

func (o *objectPlan) equal(a, b unsafe.Pointer) bool {
	for i := range o.fields {
		f := &o.fields[i]
		if !f.equal(unsafe.Add(a, f.offset), unsafe.Add(b, f.offset)) {
			return false
		}
	}
	return true
}

// json returns the value of a field as JSON.
func (f *fieldPlan) json(p unsafe.Pointer) string {
	switch f.kind {
	case kindInt:
		return encodeJSON(*(*model.Int)(p))
	case kindFloat:
		return encodeJSON(*(*model.Float)(p))
	case kindText:
		return encodeJSON(*(*model.Text)(p))
	case kindString:
		if s := *(*string)(p); s != "" {
			return encodeJSON(s)
		}
	case kindInstant:
		return encodeJSON(*(*model.Instant)(p))
	case kindScalar:
		return encodeJSON(*(*model.Scalar)(p))
	case kindInts:
		return encodeJSON(*(*[]int64)(p))
	case kindStrings:
		return encodeJSON(*(*[]string)(p))
	case kindKeyedList, kindObject: // compared part by part
	}
	return "null"
}

func encodeJSON(v any) string {
	b, err := json.Marshal(v)
	if err != nil { // values of package model can always be encoded
		return fmt.Sprint(v)
	}
	return string(b)
}

// copyValue copies the value of a field. For a keyed list, it copies only the element with the key
// element.
func (f *fieldPlan) copyValue(to, from unsafe.Pointer, element string) {
	switch f.kind {
	case kindInt:
		*(*model.Int)(to) = *(*model.Int)(from)
	case kindFloat:
		*(*model.Float)(to) = *(*model.Float)(from)
	case kindText:
		*(*model.Text)(to) = *(*model.Text)(from)
	case kindString:
		*(*string)(to) = *(*string)(from)
	case kindInstant:
		*(*model.Instant)(to) = *(*model.Instant)(from)
	case kindScalar:
		*(*model.Scalar)(to) = *(*model.Scalar)(from)
	case kindInts:
		*(*[]int64)(to) = *(*[]int64)(from)
	case kindStrings:
		*(*[]string)(to) = *(*[]string)(from)
	case kindKeyedList:
		f.list.copyElement(to, from, element)
	case kindObject: // an object is not a leaf
	}
}

// equal implements keyedList. Two lists are equal if they have the same elements in any order.
func (l *listPlan[E]) equal(pa, pb unsafe.Pointer) bool {
	a, b := *(*[]E)(pa), *(*[]E)(pb)
	if (a == nil) != (b == nil) || len(a) != len(b) {
		return false
	}
	for i := range a {
		j := l.find(b, l.keyOf(&a[i]), i)
		if j < 0 || !l.object.equal(unsafe.Pointer(&a[i]), unsafe.Pointer(&b[j])) {
			return false
		}
	}
	return true
}

// diff implements keyedList. If one list is nil and the other empty, it yields one Difference
// without an element.
func (l *listPlan[E]) diff(pa, pb unsafe.Pointer, yield func(Difference) bool) bool {
	a, b := *(*[]E)(pa), *(*[]E)(pb)
	found := false
	for i := range a {
		k := l.keyOf(&a[i])
		d := Difference{element: k, Ours: encodeJSON(a[i]), Theirs: "null"}
		if j := l.find(b, k, i); j >= 0 {
			if l.object.equal(unsafe.Pointer(&a[i]), unsafe.Pointer(&b[j])) {
				continue
			}
			d.Theirs = encodeJSON(b[j])
		}
		if found = true; !yield(d) {
			return false
		}
	}
	for j := range b {
		if k := l.keyOf(&b[j]); l.find(a, k, j) < 0 {
			if found = true; !yield(Difference{element: k, Ours: "null", Theirs: encodeJSON(b[j])}) {
				return false
			}
		}
	}
	if found {
		return true
	}
	return yield(Difference{Ours: encodeJSON(a), Theirs: encodeJSON(b)}) // one list is unknown, the other is empty
}

// copyElement implements keyedList.
func (l *listPlan[E]) copyElement(to, from unsafe.Pointer, element string) {
	dst, src := (*[]E)(to), *(*[]E)(from)
	if i := l.find(src, element, 0); i >= 0 {
		fresh := slices.Clone(*dst)
		if j := l.find(fresh, element, i); j >= 0 {
			fresh[j] = src[i]
		} else {
			fresh = append(fresh, src[i])
		}
		*dst = fresh
		return
	}
	if len(src) == 0 && len(*dst) <= 1 { // one list is unknown and the other empty: copy the list itself
		*dst = src
		return
	}
	*dst = slices.DeleteFunc(slices.Clone(*dst), func(e E) bool { return l.keyOf(&e) == element })
}

// find returns the index of the element with the given key, or -1. It first looks at the index
// likely.
func (l *listPlan[E]) find(elements []E, key string, likely int) int {
	if likely < len(elements) && l.keyOf(&elements[likely]) == key {
		return likely
	}
	return slices.IndexFunc(elements, func(e E) bool { return l.keyOf(&e) == key })
}
