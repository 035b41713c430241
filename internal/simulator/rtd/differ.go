package rtd

import (
	"math"
	"slices"
)

// deltaStyle holds the switches that determine the content of updates (see [Switches]).
type deltaStyle struct {
	omitKeys          bool // omit the key fields from updates
	partialLists      bool // lists in updates hold only the changed elements
	keyArrivals       bool // if a record starts to match a filter, send only its keys
	eachChannelType   bool // each media channel has its own type of counters
	mediaTypes        bool // media channels have other types of counters than calls
	nullNeverHeld     bool // the hold instant of a profile that never held a call is zero
	durationsInMillis bool // encode durations in milliseconds
}

func newDeltaStyle(o *Options) deltaStyle {
	return deltaStyle{
		omitKeys: o.Switches.KeylessDeltas, partialLists: o.Switches.PartialLists,
		keyArrivals: o.Arrivals == ArrivalsKeys, mediaTypes: o.Switches.ChannelTypes != TypesOne,
		eachChannelType: o.Switches.ChannelTypes == TypesEach,
		nullNeverHeld:   o.Switches.NeverHeld != NeverHeldLogin, durationsInMillis: o.Switches.DurationUnit == DurationsInMilliseconds,
	}
}

// viewBuilder builds the view of a record. The view of a full record has all fields. The view of an
// update has only the changed fields; other fields are nil. A view contains pointers to the
// world's records, which are immutable.
type viewBuilder struct {
	deltaStyle

	isFull     bool
	hasChanges bool // the view contains a changed field, or the record is full
}

// buildView builds the view of cur by calling fill. If old is nil, the view has all fields.
// Otherwise it is an update from old to cur, or nil if no field has changed.
func buildView[R, V any](style deltaStyle, old, cur *R, fill func(*viewBuilder, *R, *R) V) *V {
	d := &viewBuilder{deltaStyle: style}
	if old == nil {
		d.isFull, d.hasChanges, old = true, true, cur
	}
	v := fill(d, old, cur)
	if !d.hasChanges {
		return nil
	}
	return &v
}

// keyView returns a view with only the key fields of a record.
func keyView[R, V any](cur *R, fill func(*viewBuilder, *R, *R) V) *V {
	v := fill(&viewBuilder{}, cur, cur)
	return &v
}

// nestedView builds the view of a part of a record, for the view that d builds. It returns nil
// if no field of the part has changed.
func nestedView[R, V any](d *viewBuilder, old, cur *R, fill func(*viewBuilder, *R, *R) V) *V {
	partDiffer := &viewBuilder{deltaStyle: d.deltaStyle, isFull: d.isFull, hasChanges: d.isFull}
	v := fill(partDiffer, old, cur)
	if !partDiffer.hasChanges {
		return nil
	}
	d.hasChanges = true
	return &v
}

// pickChanged returns cur if its value differs from old or if d builds the view of a full
// record. Otherwise it returns nil.
func pickChanged[T comparable](d *viewBuilder, old, cur *T) *T {
	if !d.isFull && *old == *cur {
		return nil
	}
	d.hasChanges = true
	return cur
}

// keyField returns cur, a key field, or nil in an update if the switches omit keys from updates.
func keyField[T any](d *viewBuilder, cur *T) *T {
	if d.omitKeys && !d.isFull {
		return nil
	}
	return cur
}

func (d *viewBuilder) changedNumber(old, cur *int64) *intScalar {
	return (*intScalar)(pickChanged(d, old, cur))
}

// changedDuration is like changedNumber, but for a duration whose unit document 2 does not specify.
func (d *viewBuilder) changedDuration(old, cur *int64) *intScalar {
	return d.toUnit(d.changedNumber(old, cur))
}

// toUnit converts a number of seconds to the unit that the switches select.
func (d *viewBuilder) toUnit(n *intScalar) *intScalar {
	if n == nil || !d.durationsInMillis {
		return n
	}
	ms := *n * 1000
	return &ms
}

// changedAverage is like changedDuration, but for a duration with a fraction.
func (d *viewBuilder) changedAverage(old, cur *float64) *float64 {
	f := pickChanged(d, old, cur)
	if f == nil || !d.durationsInMillis {
		return f
	}
	ms := math.Round(*f * 1000)
	return &ms
}

func (d *viewBuilder) changedText(old, cur *string) *string { return pickChanged(d, old, cur) }

// changedOptionalText is like changedText, but returns nil, which is encoded as null, if the
// string is "".
func (d *viewBuilder) changedOptionalText(old, cur *string) *string {
	if *cur == "" {
		return nil
	}
	return pickChanged(d, old, cur)
}

func (d *viewBuilder) changedTexts(old, cur *[]string) *[]string {
	if !d.isFull && slices.Equal(*old, *cur) {
		return nil
	}
	d.hasChanges = true
	return cur
}

func (d *viewBuilder) changedIDs(old, cur []int64) *[]intScalar {
	if !d.isFull && slices.Equal(old, cur) {
		return nil
	}
	d.hasChanges = true
	return toNumbers(cur)
}

func toNumbers(ids []int64) *[]intScalar {
	list := make([]intScalar, len(ids))
	for i, id := range ids {
		list[i] = intScalar(id)
	}
	return &list
}

// keyedView builds the view of a list whose elements have keys. It returns nil if no element
// has changed. Otherwise it returns the whole list or, if the switches select this, only the
// changed elements. show builds the view of an element.
func keyedView[E, V any](d *viewBuilder, old, cur []E, equal func(a, b E) bool, show func(E) V) *[]V {
	if !d.isFull && slices.EqualFunc(old, cur, equal) {
		return nil
	}
	d.hasChanges = true
	list := make([]V, 0, len(cur))
	for _, e := range cur {
		same := func(o E) bool { return equal(o, e) }
		if d.partialLists && !d.isFull && slices.ContainsFunc(old, same) {
			continue
		}
		list = append(list, show(e))
	}
	return &list
}
