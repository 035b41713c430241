package table

import "slices"

// SharedOrder is implemented by a [Source] that sorts its rows once for all tables with the same
// sort order and filter.
type SharedOrder interface {
	Source
	// Arrangement returns the order of the rows for a sort column, a direction and a filter. If col
	// is negative, the rows have the order of the source. A nil result means that the table must
	// sort the rows itself.
	Arrangement(col int, desc bool, filter string) *Arrangement
}

// Arrangement holds the order of the rows for one sort order and filter. An Arrangement is
// immutable.
type Arrangement struct {
	keys    []string // keys of the rows, by source index
	matched []bool   // by source index: the row matches the filter
	order   []int32  // all source indices in sorted order
	rows    []int32  // elements of order whose rows match the filter
}

// Arranger creates arrangements for successive versions of a source, all with the same sort order
// and filter. The zero Arranger is ready to use.
type Arranger struct {
	ordering ordering
	last     *Arrangement
}

// Arrange returns the arrangement of a source. changed lists the rows for which the results of
// Compare or Matches may differ from those in the previous call. ok must be false if rows were
// added, removed or moved since that call.
func (a *Arranger) Arrange(src Source, col int, desc bool, filter string, changed []int32, ok bool) *Arrangement {
	o := &a.ordering
	o.source, o.sortCol, o.sortDesc, o.filter = src, col, desc, filter
	defer func() { o.source = nil }() // not kept, because the source belongs to one board
	if ok && a.last != nil {
		if len(changed) == 0 || o.updateRows(changed) == sameOrder {
			return a.last
		}
	} else {
		o.reload()
	}
	o.arrange()
	a.last = &Arrangement{o.remembered.keys, slices.Clone(o.matched), slices.Clone(o.order), slices.Clone(o.rows)}
	return a.last
}

// arrangement returns the shared arrangement of the source src. It returns nil if the table must
// sort the rows itself.
func (o *ordering) arrangement(src Source) *Arrangement {
	if s, ok := src.(SharedOrder); ok {
		return s.Arrangement(o.sortCol, o.sortDesc, o.filter)
	}
	return nil
}

// useShared lists the rows of the arrangement a, and also the held row if a does not contain it.
func (o *ordering) useShared(a *Arrangement) {
	o.shared, o.tracker = a, nil
	o.remembered, o.matched, o.changed = rememberedRows{keys: a.keys}, a.matched, nil
	o.order, o.rows, o.sortBuffers.stay, o.sortBuffers.move = a.order, nil, nil, nil
	if o.strayPos = noStray; o.filter != "" && o.heldKey != "" || len(o.Pinned.keys) > 0 {
		o.listMatches()
	}
	if o.strayPos == noStray && len(o.Pinned.keys) == 0 {
		o.rows = a.rows
	}
}

// dropShared stops using the shared arrangement, so that the table sorts its rows itself.
func (o *ordering) dropShared() {
	o.shared, o.remembered, o.matched, o.order, o.rows, o.strayPos = nil, rememberedRows{}, nil, nil, nil, noStray
}

// setSharedSource is like setSource, for a source with the shared arrangement a.
func (o *ordering) setSharedSource(src Source, a *Arrangement) sourceChange {
	previous, mark := o.shared, o.trackerMark
	if t, ok := src.(Tracker); ok {
		_, o.trackerMark, _ = t.Since(mark)
	}
	switch {
	case previous != a:
		o.useShared(a)
		return reordered
	case mark != o.trackerMark:
		return sameOrder
	}
	return unchanged
}
