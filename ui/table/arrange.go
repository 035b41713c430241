package table

import "slices"

// SharedOrder is implemented by a [Source] that sorts its rows once for all tables with the same
// sort order and filter.
type SharedOrder interface {
	Source
	// RowOrder returns the order of the rows for a sort column, a direction and a filter. If col
	// is negative, the rows have the order of the source. A nil result means that the table must
	// sort the rows itself.
	RowOrder(col int, desc bool, filter string) *RowOrder
}

// RowOrder holds the order of the rows for one sort order and filter. A RowOrder is immutable.
type RowOrder struct {
	keys    []string // keys of the rows, by source index
	matched []bool   // by source index: the row matches the filter
	order   []int32  // all source indices in sorted order
	rows    []int32  // elements of order whose rows match the filter
}

// RowSorter creates the row orders of successive versions of a source, all with the same sort order
// and filter. The zero RowSorter is ready to use.
type RowSorter struct {
	ordering ordering
	last     *RowOrder
}

// Sort returns the order of the rows of src. If ok is true, changed lists the rows for which the
// results of Compare or Matches may differ from those in the previous call. ok must be false if
// rows were added, removed or moved since that call.
func (a *RowSorter) Sort(src Source, col int, desc bool, filter string, changed []int32, ok bool) *RowOrder {
	o := &a.ordering
	o.source, o.sortCol, o.sortDesc, o.filter = src, col, desc, filter
	defer func() { o.source = nil }() // not kept, because the source belongs to one board
	if ok && a.last != nil {
		if len(changed) == 0 || o.updateRows(changed) == orderUnchanged {
			return a.last
		}
	} else {
		o.reload()
	}
	o.arrange()
	a.last = &RowOrder{o.remembered.keys, slices.Clone(o.matched), slices.Clone(o.order), slices.Clone(o.rows)}
	return a.last
}

// sharedRowOrder returns the order that src shares between tables. It returns nil if the table must
// sort the rows itself.
func (o *ordering) sharedRowOrder(src Source) *RowOrder {
	if s, ok := src.(SharedOrder); ok {
		return s.RowOrder(o.sortCol, o.sortDesc, o.filter)
	}
	return nil
}

// useShared lists the rows of the shared order a, pinned rows first, and also the row with heldKey.
func (o *ordering) useShared(a *RowOrder) {
	o.shared, o.tracker = a, nil
	o.remembered, o.matched, o.changed = rememberedRows{keys: a.keys}, a.matched, nil
	o.order, o.rows, o.sortBuffers.stay, o.sortBuffers.move = a.order, nil, nil, nil
	if o.unmatchedPos = noUnmatchedRow; o.filter != "" && o.heldKey != "" || len(o.Pinned.keys) > 0 {
		o.listMatches()
	}
	if o.unmatchedPos == noUnmatchedRow && len(o.Pinned.keys) == 0 {
		o.rows = a.rows
	}
}

// dropShared stops using the shared order, so that the table sorts its rows itself.
func (o *ordering) dropShared() {
	o.shared, o.remembered, o.matched, o.order, o.rows, o.unmatchedPos = nil, rememberedRows{}, nil, nil, nil, noUnmatchedRow
}

// setSharedSource is like setSource, for a source with the shared order a.
func (o *ordering) setSharedSource(src Source, a *RowOrder) sourceChange {
	previous, mark := o.shared, o.trackerMark
	if t, ok := src.(ChangeTracker); ok {
		_, o.trackerMark, _ = t.Since(mark)
	}
	switch {
	case previous != a:
		o.useShared(a)
		return orderChanged
	case mark != o.trackerMark:
		return orderUnchanged
	}
	return sourceUnchanged
}
