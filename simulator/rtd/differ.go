package rtd

import (
	"math"
	"slices"
)

// deltaStyle is how updates are written (see [Switches]).
type deltaStyle struct {
	keyless      bool
	partialLists bool
	bareArrivals bool
	eachType     bool // of each of them one
	mediaTypes   bool // the figures of other channels than calls are of a type of their own
	neverHeld    bool // who has not held a call has no instant of a hold
	millis       bool // lengths come in milliseconds
}

func newDeltaStyle(o *Options) deltaStyle {
	return deltaStyle{
		keyless: o.Switches.KeylessDeltas, partialLists: o.Switches.PartialLists,
		bareArrivals: o.Arrivals == ArrivalsKeys, mediaTypes: o.Switches.ChannelTypes != TypesOne,
		eachType:  o.Switches.ChannelTypes == TypesEach,
		neverHeld: o.Switches.NeverHeld != NeverHeldLogin, millis: o.Switches.Lengths == LengthsMilliseconds,
	}
}

// differ builds the view of one record: of a full record every field, of an
// update those that changed, nil for the others. The pointers it returns lead
// into the world's records, which nobody mutates.
type differ struct {
	deltaStyle

	full    bool
	changed bool // something went into the view
}

// view builds the view of cur with fill: a full one when there is no old
// record, otherwise an update. It is nil when nothing changed.
func view[R, V any](style deltaStyle, old, cur *R, fill func(*differ, *R, *R) V) *V {
	d := &differ{deltaStyle: style}
	if old == nil {
		d.full, d.changed, old = true, true, cur
	}
	v := fill(d, old, cur)
	if !d.changed {
		return nil
	}
	return &v
}

// bare builds the view of a record that holds what names it, and nothing else.
func bare[R, V any](cur *R, fill func(*differ, *R, *R) V) *V {
	v := fill(&differ{}, cur, cur)
	return &v
}

// nested builds the view of a part of the record. It is nil when nothing in
// the part changed.
func nested[R, V any](d *differ, old, cur *R, fill func(*differ, *R, *R) V) *V {
	part := &differ{deltaStyle: d.deltaStyle, full: d.full, changed: d.full}
	v := fill(part, old, cur)
	if !part.changed {
		return nil
	}
	d.changed = true
	return &v
}

// pick returns cur when it belongs into the view.
func pick[T comparable](d *differ, old, cur *T) *T {
	if !d.full && *old == *cur {
		return nil
	}
	d.changed = true
	return cur
}

// key returns a field that names the record. It is in every view unless
// updates are key-less.
func key[T any](d *differ, cur *T) *T {
	if d.keyless && !d.full {
		return nil
	}
	return cur
}

func (d *differ) num(old, cur *int64) *number { return (*number)(pick(d, old, cur)) }

// length is num of a time whose unit document 2 does not show.
func (d *differ) length(old, cur *int64) *number { return d.inUnit(d.num(old, cur)) }

// inUnit is a time of so many seconds in the unit of the switches.
func (d *differ) inUnit(n *number) *number {
	if n == nil || !d.millis {
		return n
	}
	ms := *n * 1000
	return &ms
}

// average is length of a time with a fraction.
func (d *differ) average(old, cur *float64) *float64 {
	f := pick(d, old, cur)
	if f == nil || !d.millis {
		return f
	}
	ms := math.Round(*f * 1000)
	return &ms
}

func (d *differ) text(old, cur *string) *string { return pick(d, old, cur) }

// optional is text where "" stands for null.
func (d *differ) optional(old, cur *string) *string {
	if *cur == "" {
		return nil
	}
	return pick(d, old, cur)
}

func (d *differ) texts(old, cur *[]string) *[]string {
	if !d.full && slices.Equal(*old, *cur) {
		return nil
	}
	d.changed = true
	return cur
}

func (d *differ) ids(old, cur []int64) *[]number {
	if !d.full && slices.Equal(old, cur) {
		return nil
	}
	d.changed = true
	return numbers(cur)
}

func numbers(ids []int64) *[]number {
	list := make([]number, len(ids))
	for i, id := range ids {
		list[i] = number(id)
	}
	return &list
}

// keyed builds the view of a list whose elements have a key. It is nil when
// nothing changed, otherwise the whole list, or only its changed elements when
// the switches ask for that.
func keyed[E, V any](d *differ, old, cur []E, equal func(a, b E) bool, show func(E) V) *[]V {
	if !d.full && slices.EqualFunc(old, cur, equal) {
		return nil
	}
	d.changed = true
	list := make([]V, 0, len(cur))
	for _, e := range cur {
		same := func(o E) bool { return equal(o, e) }
		if d.partialLists && !d.full && slices.ContainsFunc(old, same) {
			continue
		}
		list = append(list, show(e))
	}
	return &list
}
