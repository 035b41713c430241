package records

import (
	"maps"
	"slices"
	"time"
)

// forget removes the record k, which was deleted at now. It remembers the removal for [MaxReplicaLag], so
// that an answer from before does not bring the record back.
func (t *Table[K, T, R]) forget(k K, now time.Time) {
	t.storeTable.Delete(k)
	delete(t.doubtReasons, k)
	t.removed[k] = now
}

// forgetMatching removes the records for which isGone returns true. It reports whether it removed
// any record.
func (t *Table[K, T, R]) forgetMatching(isGone func(K) bool, now time.Time) (removed bool) {
	for _, rec := range slices.Clone(t.storeTable.Rows()) {
		if k := R(rec).Key(); isGone(k) {
			t.forget(k, now)
			removed = true
		}
	}
	return removed
}

// forgetOldRemovals forgets removals that are at least [MaxReplicaLag] old, because all answers that still
// arrive are newer.
func (t *Table[K, T, R]) forgetOldRemovals(now time.Time) {
	maps.DeleteFunc(t.removed, func(_ K, at time.Time) bool { return now.Sub(at) >= MaxReplicaLag })
}

// DropDeparted removes the records of users for whom departed returns true. It returns the names of
// users whose records were removed recently but for whom departed returns false now. Later answers
// may bring the records of these users back.
func (t *Table[K, T, R]) DropDeparted(departed func(K) bool, now time.Time) (returned []string) {
	t.forgetMatching(departed, now)
	for k := range t.removed {
		if !departed(k) {
			delete(t.removed, k)
			returned = append(returned, FilterName(k))
		}
	}
	return returned
}
