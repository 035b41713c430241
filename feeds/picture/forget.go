package picture

import (
	"maps"
	"slices"
	"time"
)

// forget removes a record that is gone, and keeps answers that are older from
// bringing it back.
func (t *Table[K, T, R]) forget(k K, now time.Time) {
	t.live.Delete(k)
	delete(t.partial, k)
	t.gone[k] = now
}

// forgetAll forgets all who are gone, and reports whether there were any.
func (t *Table[K, T, R]) forgetAll(gone func(K) bool, now time.Time) (some bool) {
	for _, rec := range slices.Clone(t.live.Rows()) {
		if k := R(rec).Key(); gone(k) {
			t.forget(k, now)
			some = true
		}
	}
	return some
}

// forgetGone drops the marks of records that have been gone long enough.
func (t *Table[K, T, R]) forgetGone(now time.Time) {
	maps.DeleteFunc(t.gone, func(_ K, at time.Time) bool { return now.Sub(at) >= LagBound })
}

// DropStrangers removes the records of users who are gone, and returns the names
// of those who are here again: answers may bring them back.
func (t *Table[K, T, R]) DropStrangers(gone func(K) bool, now time.Time) (back []string) {
	t.forgetAll(gone, now)
	for k := range t.gone {
		if !gone(k) {
			delete(t.gone, k)
			back = append(back, NameOf(k))
		}
	}
	return back
}
