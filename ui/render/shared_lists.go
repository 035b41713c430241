package render

import (
	"fmt"
	"slices"
	"sync"

	"wallboard/internal/lib/powersave"
	"wallboard/model"
	"wallboard/ui/table"
)

// SharedLists shares the rows of tables between boards. For each snapshot, it collects the rows once
// for each scope, and sorts them once for each order and filter. The zero SharedLists is empty. It is
// safe for concurrent use.
type SharedLists struct {
	mu    sync.Mutex
	cache powersave.RecentCache[sharedListKey, *sharedList]
}

// sharedListKey identifies a list of rows that boards can share. It does not contain the snapshot,
// because a list is updated from snapshot to snapshot.
type sharedListKey struct {
	noun        string
	options     *Options
	scope       Scope  // the Restriction of the scope is always nil
	restriction string // text of the Restriction
}

// sharedList holds the rows that all boards with the same sharedListKey share.
type sharedList struct {
	mu         sync.Mutex
	rows       Rows          // updated from each snapshot in turn
	shared     []*sharedRows // rows of the last maxSharedRows snapshots, the newest last
	rowSorters powersave.RecentCache[sortOrderKey, *rowSorter]
}

// sharedRows holds the rows of one snapshot. The rows are immutable.
type sharedRows struct {
	list      *sharedList
	rows      any // the rows, of type []row[R]
	snap      *model.Snapshot
	alarms    *alarms
	version   uint64 // version of the list when the rows were copied
	rowOrders map[sortOrderKey]*table.RowOrder
	memoized  map[any]any // results of [Rows.Memoize]
}

type sortOrderKey struct {
	column string
	desc   bool
	filter string
	second int64 // Unix time if the order depends on the clock; otherwise 0
}

// rowSorter sorts the rows of successive snapshots in the order of one sortOrderKey.
type rowSorter struct {
	table.RowSorter
	last *sharedRows
}

// maxSharedRows is the number of snapshots whose rows a list stores. It is more than one because
// boards are drawn one after the other, while up to ten snapshots a second arrive.
const maxSharedRows = 4

// shareable is implemented by [Rows] whose rows boards can share.
type shareable interface {
	Rows
	alarms(v *View) *alarms
	snapshotRows(previous any, since uint64) (rows any, version uint64)
	useShared(r *sharedRows, v *View)
}

// Update updates rows from the snapshot s and the view v, as [Rows.Update] does. It shares the
// collected and sorted rows with other boards that pass the same noun, which names the records, and
// an equal view. newRows creates another set of the same rows.
func (l *SharedLists) Update(rows Rows, noun string, newRows func() Rows, s *model.Snapshot, v *View) {
	shared, ok := rows.(shareable)
	if l == nil || !ok || v.CacheKey == nil || v.Marks != nil {
		rows.Update(s, v)
		return
	}
	key := sharedListKey{noun: noun, options: v.Options, scope: v.Scope}
	if key.scope.Restriction = nil; v.Restriction != nil {
		key.restriction = fmt.Sprintf("%+v", *v.Restriction)
	}
	l.mu.Lock()
	rowList, known := l.cache.Get(key)
	if !known {
		rowList = &sharedList{rows: newRows()}
		l.cache.Put(key, rowList, 0)
	}
	l.mu.Unlock()
	shared.useShared(rowList.rowsFor(s, v, shared.alarms(v)), v)
}

// DropUnused drops the lists that no board has used recently.
func (l *SharedLists) DropUnused() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.cache.Tidy()
}

// rowsFor returns the shared rows for the snapshot s and the alarms a. The first board that needs
// them collects them.
func (l *sharedList) rowsFor(s *model.Snapshot, v *View, a *alarms) *sharedRows {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, r := range slices.Backward(l.shared) {
		if r.snap == s && r.alarms == a {
			return r
		}
	}
	l.rows.Update(s, &View{Options: v.Options, Scope: v.Scope, Alerts: v.Alerts}) // a view without data that belongs to a single board
	r := &sharedRows{list: l, snap: s, alarms: a}
	last := &sharedRows{}
	if n := len(l.shared); n > 0 {
		last = l.shared[n-1]
	}
	rows, version := l.rows.(shareable).snapshotRows(last.rows, last.version) //nolint:forcetypeassert // the rows of a board implement it
	if r.rows, r.version = rows, version; version == last.version {
		r.rowOrders, r.memoized = last.rowOrders, last.memoized
	} else {
		r.rowOrders, r.memoized = make(map[sortOrderKey]*table.RowOrder), make(map[any]any)
	}
	if l.shared = append(l.shared, r); len(l.shared) > maxSharedRows {
		l.shared = slices.Delete(l.shared, 0, 1)
	}
	return r
}

// alarms returns the alarms of the records that the rows show. It returns nil if there are no
// alerts about this kind of record.
func (s *source[R]) alarms(v *View) *alarms {
	if s.spec.alertKey == nil {
		return nil
	}
	return v.Alerts.alarmsInScope(s.spec.alertScope)
}

// snapshotRows returns a copy of the rows and the version of the copy. previous is an earlier copy
// and since its version. If the rows have not changed since then, snapshotRows returns previous.
func (s *source[R]) snapshotRows(previous any, since uint64) (rows any, version uint64) {
	if previous != nil && since == s.version {
		return previous, since
	}
	return slices.Clone(s.rows), s.version
}

// useShared makes the source use the shared rows r. The source must not change shared rows.
func (s *source[R]) useShared(r *sharedRows, v *View) {
	old := s.setView(v)
	if old.Options != v.Options || old.Scope != v.Scope || old.Marks != v.Marks {
		s.generation++
	}
	if s.shared != r || old.Now.Unix() != v.Now.Unix() {
		s.version++
		s.changed, s.rowsMoved = nil, true
	}
	if s.shared == r {
		return
	}
	s.shared, s.searchTexts = r, nil
	s.rows, _ = r.rows.([]row[R])
	s.records, s.rowIndexes, s.recordRowCount = nil, nil, 0
}

// RowOrder implements [table.SharedOrder].
func (s *source[R]) RowOrder(col int, desc bool, filter string) *table.RowOrder {
	r := s.shared
	if r == nil {
		return nil
	}
	key := sortOrderKey{desc: desc, filter: filter}
	if col >= 0 {
		key.column = s.spec.columns[col].ID
	}
	if s.spec.sortsByClock || table.HasConditions(filter) {
		key.second = s.view.Now.Unix()
	}
	r.list.mu.Lock()
	defer r.list.mu.Unlock()
	if a := r.rowOrders[key]; a != nil {
		return a
	}
	sorter, known := r.list.rowSorters.Get(key)
	if !known {
		sorter = &rowSorter{}
		r.list.rowSorters.Put(key, sorter, 0)
	}
	changed, ok := s.changedRows(sorter.last)
	a := sorter.Sort(s, col, desc, filter, changed, ok)
	sorter.last, r.rowOrders[key], s.searchTexts = r, a, nil
	return a
}

// changedRows returns the indexes of the rows that differ from older, the rows of an earlier
// snapshot. ok is false if older is nil, or if rows were added, removed or moved in the meantime.
func (s *source[R]) changedRows(older *sharedRows) (changed []int32, ok bool) {
	if older == nil {
		return nil, false
	}
	previous, _ := older.rows.([]row[R])
	if len(previous) != len(s.rows) {
		return nil, false
	}
	for i := range previous {
		current := &s.rows[i]
		if previous[i].record == current.record && previous[i].alarm == current.alarm && previous[i].nameDistinction == current.nameDistinction {
			continue
		}
		if previous[i].key != current.key {
			return nil, false
		}
		changed = append(changed, int32(i))
	}
	return changed, true
}

// Memoize implements [Rows].
func (s *source[R]) Memoize(key any, find func() any) any {
	if s.shared == nil {
		return find()
	}
	s.shared.list.mu.Lock()
	defer s.shared.list.mu.Unlock()
	found, ok := s.shared.memoized[key]
	if !ok {
		found = find()
		s.shared.memoized[key] = found
	}
	return found
}
