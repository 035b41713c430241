package records

import (
	"maps"
	"slices"
	"time"
)

// forget removes a deleted record and prevents older answers from bringing it
// back.
func (t *Table[K, T, R]) forget(k K, now time.Time) {
	t.live.Delete(k)
	delete(t.partial, k)
	t.gone[k] = now
}

// forgetMatching removes all deleted records and reports whether there were any.
func (t *Table[K, T, R]) forgetMatching(gone func(K) bool, now time.Time) (some bool) {
	for _, rec := range slices.Clone(t.live.Rows()) {
		if k := R(rec).Key(); gone(k) {
			t.forget(k, now)
			some = true
		}
	}
	return some
}

// forgetGone drops the marks of records deleted long enough ago.
func (t *Table[K, T, R]) forgetGone(now time.Time) {
	maps.DeleteFunc(t.gone, func(_ K, at time.Time) bool { return now.Sub(at) >= MaxLag })
}

// DropDeparted removes the records of users who are gone. It returns the names
// of those who are back, whose records answers may bring back.
func (t *Table[K, T, R]) DropDeparted(gone func(K) bool, now time.Time) (back []string) {
	t.forgetMatching(gone, now)
	for k := range t.gone {
		if !gone(k) {
			delete(t.gone, k)
			back = append(back, FilterName(k))
		}
	}
	return back
}
