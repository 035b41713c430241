package table

import (
	"cmp"
	"slices"
	"strings"
)

// noUnmatchedRow is the value of unmatchedPos if there is no unmatched row. An unmatched row no
// longer matches the filter and is listed only because it is selected.
const noUnmatchedRow = -1

// noSortColumn is the value of sortCol if the rows are in the order of the source.
const noSortColumn = -1

// ordering sorts the rows of a source and selects the rows that match the filter. It remembers keys
// and versions. It can thus compare a new source in one pass and sort only the rows with a changed
// version. If the source is a [ChangeTracker], this pass is not necessary.
type ordering struct {
	source           Source
	rowSource        RowSource        // the source, if it is a RowSource; otherwise nil
	changeSignSource ChangeSignSource // the source, if it is a ChangeSignSource; otherwise nil

	tracker     ChangeTracker // the source, if it is a ChangeTracker; otherwise nil
	trackerMark uint64        // mark that the tracker returned last

	sortCol  int
	sortDesc bool
	filter   string

	remembered rememberedRows
	matched    []bool  // by source index: the row matches the filter
	changed    []bool  // by source index: the row must be sorted again
	order      []int32 // all source indices in sorted order
	rows       []int32 // elements of order whose rows match, and the unmatched row

	Pinned Pins // rows that come first in every order

	heldKey      string // key of the row that stays listed even if it no longer matches the filter
	unmatchedPos int    // position of the row with heldKey in rows, or [noUnmatchedRow]

	sortBuffers struct{ stay, move []int32 } // buffers that resort reuses

	shared *RowOrder // nil: not shared; otherwise the other slices may belong to it and must not be changed
}

// rememberedRows holds the keys and the versions of the rows at the last update, by source index.
type rememberedRows struct {
	keys     []string
	versions []uint64 // version when the row was last sorted
}

// sourceChange describes how much a source has changed.
type sourceChange int

const (
	sourceUnchanged sourceChange = iota
	orderUnchanged               // the rows changed but are in the same order
	orderChanged                 // the rows must be sorted and filtered again
)

// setSource replaces the source and returns how much the rows have changed.
func (o *ordering) setSource(src Source) sourceChange {
	lent := o.sharedRowOrder(src)
	if lent == nil && o.shared != nil {
		o.dropShared()
	}
	o.rowSource, _ = src.(RowSource)
	o.changeSignSource, _ = src.(ChangeSignSource)
	if lent != nil {
		o.source = src
		return o.setSharedSource(src, lent)
	}
	rows, same, ok := o.changedSince(src)
	o.source = src
	switch {
	case ok && same:
		return sourceUnchanged
	case ok:
		return o.updateRows(rows)
	case !o.sameKeys():
		o.reload()
		return orderChanged
	}
	n := sourceUnchanged
	for i, v := range o.remembered.versions {
		if o.source.Version(i) != v {
			o.markChanged(i)
			n = orderChanged
		}
	}
	return n
}

// changedSince asks a [ChangeTracker] for the rows that have changed. same is true if there are no
// changes at all. ok is false if every row must be checked, for example because src is not a
// ChangeTracker.
func (o *ordering) changedSince(src Source) (rows []int32, same, ok bool) {
	t, _ := src.(ChangeTracker)
	if t == nil {
		o.tracker = nil
		return nil, false, false
	}
	rows, current, ok := t.Since(o.trackerMark)
	ok = ok && t == o.tracker
	same = current == o.trackerMark
	o.tracker, o.trackerMark = t, current
	return rows, same, ok
}

// updateRows records that the given rows have changed, and returns whether the rows must be
// arranged again. No other row may have moved, or begun or ceased to match the filter. Other rows
// may look different, which is checked when they are drawn.
func (o *ordering) updateRows(rows []int32) sourceChange {
	refilter := false
	for _, i := range rows {
		previous := o.matched[i]
		o.markChanged(int(i))
		refilter = refilter || o.matched[i] != previous
	}
	if len(rows) == 0 {
		return orderUnchanged
	}
	if refilter || !o.isStillSorted(len(rows)) {
		return orderChanged
	}
	clear(o.changed)
	return orderUnchanged
}

// markChanged records that row i has changed. It updates the version of the row, and whether the
// row matches the filter.
func (o *ordering) markChanged(i int) {
	o.changed[i] = true
	o.remembered.versions[i] = o.source.Version(i)
	o.matched[i] = o.matches(i)
}

// isStillSorted reports whether the rows are still in the right order after n of them have changed.
func (o *ordering) isStillSorted(n int) bool {
	if o.sortCol == noSortColumn {
		return true
	}
	for index, i := range o.order {
		if !o.changed[i] {
			continue
		}
		if index > 0 && o.compare(o.order[index-1], i) > 0 {
			return false
		}
		if index+1 == len(o.order) {
			break
		}
		if next := o.order[index+1]; !o.changed[next] && o.compare(i, next) > 0 {
			return false
		}
		if n--; n <= 0 {
			break
		}
	}
	return true
}

func (o *ordering) sameKeys() bool {
	if o.source.Len() != len(o.remembered.keys) {
		return false
	}
	for i, k := range o.remembered.keys {
		if o.source.Key(i) != k {
			return false
		}
	}
	return true
}

// reload reads the keys and versions of all rows again. It starts with the old order of the keys,
// because the new order hardly differs from it.
func (o *ordering) reload() {
	n := o.source.Len()
	previous := o.remembered
	o.remembered = rememberRows(o.source, n)

	indexes := make(map[string]int32, n)
	for i, k := range o.remembered.keys {
		indexes[k] = int32(i)
	}
	o.changed = resize(o.changed, n)
	for i := range o.changed {
		o.changed[i] = true
	}
	// Every row must be in the order exactly once, even if a faulty source has two rows with the
	// same key. The first of these rows uses up the key.
	placed, order := make([]bool, n), slices.Grow(o.sortBuffers.stay[:0], n)
	for _, old := range o.order {
		i, ok := indexes[previous.keys[old]]
		if !ok || placed[i] {
			continue
		}
		placed[i] = true
		order = append(order, i)
		o.changed[i] = o.remembered.versions[i] != previous.versions[old]
	}
	for i, handled := range placed {
		if !handled {
			order = append(order, int32(i))
		}
	}
	o.order, o.sortBuffers.stay = order, o.order
	o.matchAll()
}

func rememberRows(src Source, n int) rememberedRows {
	k := rememberedRows{make([]string, n), make([]uint64, n)}
	for i := range n {
		k.keys[i], k.versions[i] = src.Key(i), src.Version(i)
	}
	return k
}

// refilter lists the rows that match the new filter.
func (o *ordering) refilter() {
	if o.shared != nil {
		o.arrange()
		return
	}
	o.matchAll()
	o.listMatches()
}

// matchAll determines for each row whether it matches the filter.
func (o *ordering) matchAll() {
	o.matched = resize(o.matched, len(o.remembered.keys))
	for i := range o.matched {
		o.matched[i] = o.matches(i)
	}
}

func (o *ordering) matches(i int) bool {
	return o.filter == "" || o.source.Matches(i, o.filter)
}

// arrange sorts the changed rows and lists the rows that match the filter.
func (o *ordering) arrange() {
	if o.shared != nil {
		if a := o.sharedRowOrder(o.source); a != o.shared {
			o.useShared(a)
		}
		return
	}
	if o.sortCol == noSortColumn {
		for i := range o.order {
			o.order[i] = int32(i)
		}
	} else {
		o.resort()
	}
	clear(o.changed)
	o.listMatches()
}

// listMatches lists the rows that match the filter, and the row with heldKey. Pinned rows come
// first.
func (o *ordering) listMatches() {
	o.rows, o.unmatchedPos = o.rows[:0], noUnmatchedRow
	add := func(pinned bool) {
		for _, i := range o.order {
			switch {
			case len(o.Pinned.keys) > 0 && slices.Contains(o.Pinned.keys, o.remembered.keys[i]) != pinned:
				continue
			case o.matched[i]:
			case o.unmatchedPos == noUnmatchedRow && o.heldKey != "" && o.remembered.keys[i] == o.heldKey:
				o.unmatchedPos = len(o.rows)
			default:
				continue
			}
			o.rows = append(o.rows, i)
		}
	}
	if len(o.Pinned.keys) > 0 {
		add(true)
	}
	add(false)
}

// resort removes the changed rows from the order, sorts them, and merges them with the other rows,
// which are still in order. This takes k log n comparisons for k changed rows. If most rows have
// changed, resort sorts all rows instead.
func (o *ordering) resort() {
	stay, move := o.sortBuffers.stay[:0], o.sortBuffers.move[:0]
	for _, i := range o.order {
		if o.changed[i] {
			move = append(move, i)
		} else {
			stay = append(stay, i)
		}
	}
	o.sortBuffers.stay, o.sortBuffers.move = stay, move
	if len(move) > len(stay) {
		slices.SortFunc(o.order, o.compare)
		return
	}
	slices.SortFunc(move, o.compare)
	out := o.order[:0]
	for _, i := range move {
		index, _ := slices.BinarySearchFunc(stay, i, o.compare)
		out = append(out, stay[:index]...)
		out = append(out, i)
		stay = stay[index:]
	}
	o.order = append(out, stay...)
}

// compare compares two rows by the sort column. Rows with equal values are compared by key and
// index, so the result is 0 only for a row and itself.
func (o *ordering) compare(a, b int32) int {
	c := o.source.Compare(int(a), int(b), o.sortCol)
	if o.sortDesc {
		c = -c
	}
	if c != 0 {
		return c
	}
	return cmp.Or(strings.Compare(o.remembered.keys[a], o.remembered.keys[b]), cmp.Compare(a, b))
}

// resize returns s with length n and undefined contents.
func resize(s []bool, n int) []bool { return slices.Grow(s[:0], n)[:n] }
