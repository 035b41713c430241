package table

import "slices"

// Arranged is a [Source] whose rows are put in order once for all tables that show them by
// the same sort and filter.
type Arranged interface {
	Source
	// Arrangement returns the rows by a column, unsorted where it is < 0; nil: of this source
	// a table does it alone.
	Arrangement(col int, desc bool, filter string) *Arrangement
}

// Arrangement is the order of rows by one sort and filter. It does not change.
type Arrangement struct {
	keys    []string
	matched []bool
	order   []int32 // all source indices, sorted
	rows    []int32 // those of order that match
}

// Arranger makes arrangements by one sort and filter, of sources that follow each other.
// The zero Arranger is ready.
type Arranger struct {
	o    ordering
	last *Arrangement
}

// Arrange puts the rows of a source in order. changed are those of which Compare or Matches
// may say something else than of the source before; ok is false when others have come,
// gone or moved since.
func (a *Arranger) Arrange(src Source, col int, desc bool, filter string, changed []int32, ok bool) *Arrangement {
	o := &a.o
	o.src, o.sortCol, o.sortDesc, o.filter = src, col, desc, filter
	defer func() { o.src = nil }() // it is a board's
	if ok && a.last != nil {
		if len(changed) == 0 || o.retouch(changed) == looks {
			return a.last
		}
	} else {
		o.retake()
	}
	o.arrange()
	a.last = &Arrangement{o.known.keys, slices.Clone(o.matched), slices.Clone(o.order), slices.Clone(o.rows)}
	return a.last
}

// arrangement is that of a source which others show, too; nil: there is none.
func (o *ordering) arrangement(src Source) *Arrangement {
	if s, is := src.(Arranged); is {
		return s.Arrangement(o.sortCol, o.sortDesc, o.filter)
	}
	return nil
}

// borrow has the rows be those of an arrangement, with the one that is held.
func (o *ordering) borrow(a *Arrangement) {
	o.lent, o.tracker = a, nil
	o.known, o.matched, o.changed = memory{keys: a.keys}, a.matched, nil
	o.order, o.rows, o.stay, o.move = a.order, nil, nil, nil
	if o.stray = none; o.filter != "" && o.held != "" {
		o.sieve()
	}
	if o.stray == none {
		o.rows = a.rows
	}
}

// giveBack has the table put rows in order itself again.
func (o *ordering) giveBack() {
	o.lent, o.known, o.matched, o.order, o.rows, o.stray = nil, memory{}, nil, nil, nil, none
}

// follow is take for a source that is arranged already.
func (o *ordering) follow(src Source, a *Arrangement) news {
	was, mark := o.lent, o.mark
	if t, is := src.(Tracker); is {
		_, o.mark, _ = t.Since(mark)
	}
	switch {
	case was != a:
		o.borrow(a)
		return anything
	case mark != o.mark:
		return looks
	}
	return nothing
}
