package render

import (
	"fmt"
	"slices"
	"sync"

	"wallboard/internal/lately"
	"wallboard/model"
	"wallboard/ui/table"
)

// Lists have the rows of tables that several boards show: they are collected once for each
// part of the floor, and put in order once for each sort and filter. The zero Lists has
// none. It is safe for concurrent use.
type Lists struct {
	mu    sync.Mutex
	known lately.Kept[listKey, *list]
}

// listKey tells apart which rows there are, whatever they show at the moment.
type listKey struct {
	noun    string
	options *Options
	scope   Scope  // but for what keeps them
	keep    string // that, in words
}

// list is the rows of one of them.
type list struct {
	mu     sync.Mutex
	rows   Rows    // goes from one picture to another
	rolls  []*roll // of the last pictures, the newest last
	orders lately.Kept[orderKey, *arranger]
}

// roll is the rows of a picture. They do not change.
type roll struct {
	of       *list
	rows     any // []row[R]
	snap     *model.Snapshot
	alarms   *alarms
	mark     uint64 // of the list's rows
	arranged map[orderKey]*table.Arrangement
	made     map[any]any
}

// orderKey tells orders of rows apart.
type orderKey struct {
	column string
	desc   bool
	filter string
	second int64 // where the order goes by the clock
}

// arranger puts the rows of one roll after the other in order.
type arranger struct {
	table.Arranger
	last *roll
}

// mostRolls is how many pictures the rows are kept of: boards are drawn one after the
// other, and a picture comes ten times a second.
const mostRolls = 4

// lender is what of [Rows] is shared.
type lender interface {
	Rows
	alarms(v *View) *alarms
	lend(before any, since uint64) (rows any, mark uint64)
	borrow(r *roll, v *View)
}

// Update has rows take over a snapshot and a view as [Rows.Update] does, where other boards
// may show the same rows: what is collected and put in order is theirs, too. fresh makes such
// rows, and noun says which they are.
func (l *Lists) Update(to Rows, noun string, fresh func() Rows, s *model.Snapshot, v *View) {
	mine, is := to.(lender)
	if l == nil || !is || v.Shared == nil || v.Marks != nil {
		to.Update(s, v)
		return
	}
	key := listKey{noun: noun, options: v.Options, scope: v.Scope}
	if key.scope.Keep = nil; v.Keep != nil {
		key.keep = fmt.Sprintf("%+v", *v.Keep)
	}
	l.mu.Lock()
	of, known := l.known.Get(key)
	if !known {
		of = &list{rows: fresh()}
		l.known.Put(key, of, 0)
	}
	l.mu.Unlock()
	mine.borrow(of.at(s, v, mine.alarms(v)), v)
}

// Tidy lets go of the lists that nobody shows any more.
func (l *Lists) Tidy() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.known.Tidy()
}

// at returns the rows of a picture.
func (l *list) at(s *model.Snapshot, v *View, a *alarms) *roll {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, r := range slices.Backward(l.rolls) {
		if r.snap == s && r.alarms == a {
			return r
		}
	}
	l.rows.Update(s, &View{Options: v.Options, Scope: v.Scope, Alerts: v.Alerts}) // nothing of a board's own
	r := &roll{of: l, snap: s, alarms: a}
	last := &roll{}
	if n := len(l.rolls); n > 0 {
		last = l.rolls[n-1]
	}
	rows, mark := l.rows.(lender).lend(last.rows, last.mark) //nolint:forcetypeassert // as that of a board is
	if r.rows, r.mark = rows, mark; mark == last.mark {
		r.arranged, r.made = last.arranged, last.made
	} else {
		r.arranged, r.made = make(map[orderKey]*table.Arrangement), make(map[any]any)
	}
	if l.rolls = append(l.rolls, r); len(l.rolls) > mostRolls {
		l.rolls = slices.Delete(l.rolls, 0, 1)
	}
	return r
}

// alarms are those that rows may have.
func (s *source[R]) alarms(v *View) *alarms {
	if s.def.about == nil {
		return nil
	}
	return v.Alerts.in(s.def.alerted)
}

// lend returns the rows as they are now, for others: those that were lent before where
// nothing has changed since the mark of then.
func (s *source[R]) lend(before any, since uint64) (rows any, mark uint64) {
	if before != nil && since == s.mark {
		return before, since
	}
	return slices.Clone(s.rows), s.mark
}

// borrow has the rows be those of a picture that others show, too.
func (s *source[R]) borrow(r *roll, v *View) {
	old := s.take(v)
	if old.Options != v.Options || old.Scope != v.Scope || old.Marks != v.Marks {
		s.gen++
	}
	if s.lent != r || old.Now.Unix() != v.Now.Unix() {
		s.mark++
		s.changed, s.moved = nil, true
	}
	if s.lent == r {
		return
	}
	s.lent, s.found = r, nil
	s.rows, _ = r.rows.([]row[R])
	s.records, s.places, s.kept = nil, nil, 0
}

// giveBack has the rows be the source's own again, of which there are none yet.
func (s *source[R]) giveBack() { s.lent, s.rows, s.found = nil, nil, nil }

// Arrangement implements [table.Arranged].
func (s *source[R]) Arrangement(col int, desc bool, filter string) *table.Arrangement {
	r := s.lent
	if r == nil {
		return nil
	}
	key := orderKey{desc: desc, filter: filter}
	if col >= 0 {
		key.column = s.def.columns[col].ID
	}
	if s.def.moves {
		key.second = s.view.Now.Unix()
	}
	r.of.mu.Lock()
	defer r.of.mu.Unlock()
	if a := r.arranged[key]; a != nil {
		return a
	}
	by, known := r.of.orders.Get(key)
	if !known {
		by = &arranger{}
		r.of.orders.Put(key, by, 0)
	}
	changed, ok := s.differ(by.last)
	a := by.Arrange(s, col, desc, filter, changed, ok)
	by.last, r.arranged[key], s.found = r, a, nil
	return a
}

// differ returns the rows that are not those of another picture; ok is false where others
// have come, gone or moved.
func (s *source[R]) differ(from *roll) (changed []int32, ok bool) {
	if from == nil {
		return nil, false
	}
	was, _ := from.rows.([]row[R])
	if len(was) != len(s.rows) {
		return nil, false
	}
	for i := range was {
		is := &s.rows[i]
		if was[i].rec == is.rec && was[i].alarm == is.alarm {
			continue
		}
		if was[i].key != is.key {
			return nil, false
		}
		changed = append(changed, int32(i))
	}
	return changed, true
}

// Once implements [Rows].
func (s *source[R]) Once(key any, find func() any) any {
	if s.lent == nil {
		return find()
	}
	s.lent.of.mu.Lock()
	defer s.lent.of.mu.Unlock()
	found, is := s.lent.made[key]
	if !is {
		found = find()
		s.lent.made[key] = found
	}
	return found
}
