package records

import (
	"errors"
	"iter"
	"time"

	"wallboard/feeds/graphql"
	"wallboard/feeds/merge"
)

// DriftKind is a kind of difference between our records and the platform's.
type DriftKind string

// Kinds of differences, as named in logs and metrics.
const (
	DriftValue   DriftKind = "value"   // our value differs from the platform's
	DriftCleared DriftKind = "cleared" // we have a value, the platform has none
	DriftMissing DriftKind = "missing" // the platform has the record, we do not
	DriftDeleted DriftKind = "ghost"   // we have the record, the platform has deleted it
)

// SuspectKey identifies a value that may be wrong: a field of a record, or the whole record.
type SuspectKey struct {
	Key  any
	Path string
}

// SuspectValue describes the difference that makes a value suspect.
type SuspectValue struct {
	Name         string
	Ours, Theirs string
	TimeOffset   time.Duration // ours minus theirs, if both are instants
	CheckCount   int           // number of checks in which the value differed
	Changed      bool          // since the first check, an update has changed or repeated the value
}

// CompareScope selects the values that a check compares.
type CompareScope struct {
	Covers   func(name string) bool       // reports whether a record is compared, by name; nil: all are
	Suspects map[SuspectKey]*SuspectValue // values to compare; nil: all values, in the first check of a chunk
	// SinceFullState makes an early check compare only the values that no update has changed since
	// the full state. Such a value may be wrong even if no update was lost: a platform that
	// collects updates sends none if a value changed before the query for the full state and
	// changed back before the next update.
	SinceFullState bool
	SinceVersion   uint64        // version that the store had MaxReplicaLag before the query
	AnswerTime     time.Duration // how long the answer to the query took
}

// Difference is a difference between our records and a full state.
type Difference struct {
	SuspectKey
	Name            string
	Kind            DriftKind
	Ours, Theirs    string
	RecentlyUpdated bool // an update changed the record less than MaxReplicaLag ago
	CounterFell     bool // a counter that should never decrease is lower in theirs
	Diff            merge.Difference
}

// Findings holds the differences that a check found.
type Findings struct {
	Diffs        []Difference
	NonZeroCount int // number of compared records with counters above 0; not set for checks that compare all values
	ApplyResult      // content of the answer if it cannot be compared
}

// errNotComparable means that an answer contains errors or no data, and therefore cannot be compared
// with the records.
var errNotComparable = errors.New("the full state came with errors")

// growingCounters lists the counters that decrease only when the platform restarts or the day ends.
func growingCounters() []string {
	return []string{
		"receivedCalls", "answeredCalls", "closedCalls", "hangupCalls", "numberCallFromService",
		"numberCallFromServiceAnswered", "numberCallIn", "startedCalls", "triedContacts",
	}
}

// Compare compares the records in scope with a full answer. later holds the updates since the
// query. They are merged into the answer first. The table keeps the answer for [Table.Repair],
// which must be called next. An error means that the answer cannot be compared.
func (t *Table[K, T, R]) Compare(answer FullState, later iter.Seq[[]byte], env *merge.Env, scope CompareScope) (Findings, error) {
	t.reset()
	var out Findings
	res, err := t.readFull(answer, env)
	switch {
	case err != nil:
		return out, err
	case !res.HasData || len(res.Errors) > 0:
		out.ApplyResult = ApplyResult{HasData: res.HasData, Errors: res.Errors}
		return out, errors.Join(errNotComparable, errors.New(graphql.ErrorMessages(res.Errors)))
	}
	t.keepSteadyInstants(env, scope.AnswerTime)
	touched, err := t.applyLater(later, env)
	if err != nil {
		return out, err
	}
	t.forgetOldRemovals(env.ReceivedAt)
	for _, rec := range t.rows {
		k := R(rec).Key()
		if gone, fresh := t.removed[k]; t.IsDeletion != nil && t.IsDeletion(rec) || touched[k] == effectRemoved || fresh && env.ReceivedAt.Sub(gone) < MaxReplicaLag {
			continue
		}
		if t.omittedCount > 0 && t.storeTable.Get(k) == nil {
			continue // the record was left out because there are too many
		}
		out.Diffs = t.compareRecord(out.Diffs, k, rec, scope)
	}
	if t.atFullState = nil; !scope.SinceFullState {
		t.addDeletedRecords(&out, touched, scope)
	}
	return out, nil
}

// addDeletedRecords adds to out the records in scope that the answer lacks. It leaves out the records in
// touched, which updates changed or removed after the query.
func (t *Table[K, T, R]) addDeletedRecords(out *Findings, touched map[K]updateEffect, scope CompareScope) {
	for _, rec := range t.storeTable.Rows() {
		k := R(rec).Key()
		name := FilterName(k)
		if scope.Covers != nil && !scope.Covers(name) {
			continue
		}
		if scope.Suspects != nil && t.differ.HasNonZeroCounter(rec) {
			out.NonZeroCount++
		}
		if t.get(k) != nil || touched[k] != 0 {
			continue
		}
		d := Difference{
			SuspectKey: SuspectKey{Key: k}, Name: name, Kind: DriftDeleted, Ours: "there", Theirs: "gone",
			RecentlyUpdated: t.storeTable.ChangedSince(rec, scope.SinceVersion),
		}
		if scope.Suspects == nil || scope.Suspects[d.SuspectKey] != nil {
			out.Diffs = append(out.Diffs, d)
		}
	}
}

// updateEffect is the effect that an update after the query had on a record.
type updateEffect uint8

const (
	effectChanged updateEffect = iota + 1
	effectRemoved
)

// applyLater merges the updates since the query into the answer. The result holds the records that
// the updates removed, and those that the updates changed although the answer lacks them.
func (t *Table[K, T, R]) applyLater(later iter.Seq[[]byte], env *merge.Env) (map[K]updateEffect, error) {
	touched := make(map[K]updateEffect)
	part := stagedRecords[K, T]{index: make(map[K]int)}
	for p := range later {
		part.reset()
		if _, err := t.stageRecords(&part, p, env, t.get); err != nil {
			return nil, err
		}
		for _, rec := range part.rows {
			k := R(rec).Key()
			switch {
			case t.IsDeletion != nil && t.IsDeletion(rec):
				touched[k] = effectRemoved
			case t.get(k) != nil:
				delete(touched, k)
				t.put(k, rec)
			default:
				touched[k] = effectChanged
			}
		}
	}
	return touched, nil
}

// compareRecord compares our record with the key k with theirs, the platform's record. It appends
// the differences in scope to the list to and returns the list.
func (t *Table[K, T, R]) compareRecord(to []Difference, k K, theirs *T, scope CompareScope) []Difference {
	name := FilterName(k)
	add := func(d Difference) {
		if d.Key, d.Name = k, name; scope.Suspects == nil || scope.Suspects[d.SuspectKey] != nil {
			to = append(to, d)
		}
	}
	ours := t.storeTable.Get(k)
	if scope.SinceFullState {
		return t.compareUnchanged(to, k, ours, theirs, scope)
	}
	if ours == nil {
		add(Difference{Kind: DriftMissing, Ours: "not there", Theirs: "there"})
		return to
	}
	if t.differ.Equal(ours, theirs) {
		return to
	}
	recent := t.storeTable.ChangedSince(ours, scope.SinceVersion)
	for diff := range t.differ.Diff(ours, theirs) {
		if scope.isJitter(diff) {
			continue
		}
		d := newDifference(diff)
		d.RecentlyUpdated = recent
		add(d)
	}
	return to
}

// compareUnchanged is like compareRecord but for an early check, see [CompareScope.SinceFullState].
// It skips records that are new or that were deleted here.
func (t *Table[K, T, R]) compareUnchanged(to []Difference, k K, ours, theirs *T, scope CompareScope) []Difference {
	before := t.atFullState[k]
	if before == nil || ours == nil || t.differ.Equal(ours, theirs) {
		return to
	}
	changed := make(map[string]bool)
	if before != ours {
		for diff := range t.differ.Diff(before, ours) {
			changed[diff.Path] = true
		}
	}
	for diff := range t.differ.Diff(ours, theirs) {
		if changed[diff.Path] || scope.isJitter(diff) {
			continue
		}
		d := newDifference(diff)
		d.Key, d.Name = k, FilterName(k)
		to = append(to, d)
	}
	return to
}

// isJitter reports whether the two values are instants, at least one of them computed from an elapsed
// time, that differ so little that they may be the same.
func (s *CompareScope) isJitter(d merge.Difference) bool {
	return d.FromElapsed && d.TimeOffset != 0 && d.TimeOffset.Abs() <= InstantTolerance+s.AnswerTime
}

// newDifference returns a difference between two values. It does not set the key and the name of
// the record.
func newDifference(diff merge.Difference) Difference {
	d := Difference{
		SuspectKey: SuspectKey{Path: diff.Path}, Kind: DriftValue, Ours: diff.Ours, Theirs: diff.Theirs,
		CounterFell: diff.CounterFell, Diff: diff,
	}
	if diff.MissingInTheirs() {
		d.Kind = DriftCleared
	}
	return d
}

// Repair corrects our records with the values for diffs from the answer that [Table.Compare] kept.
// It then releases the answer.
func (t *Table[K, T, R]) Repair(diffs []Difference) {
	defer t.reset()
	fixed := make(map[K]*T)
	for i := range diffs {
		d := &diffs[i]
		k, ok := d.Key.(K)
		if !ok {
			continue
		}
		theirs, ours := t.get(k), t.storeTable.Get(k)
		switch {
		case d.Kind == DriftDeleted:
			if t.ChangesFilters != nil {
				t.OnChange()
			}
			t.storeTable.Delete(k)
		case theirs == nil:
		case ours == nil:
			fixed[k] = theirs
		default:
			if fixed[k] == nil {
				rec := *ours
				fixed[k] = &rec
			}
			t.differ.CopyDifference(fixed[k], theirs, d.Diff)
		}
	}
	for k, rec := range fixed {
		if t.ChangesFilters != nil && t.ChangesFilters(t.storeTable.Get(k), rec) {
			t.OnChange()
		}
		t.storeTable.Put(rec)
	}
}

// watchedSuspects holds the suspects of a chunk with the keys of the records that contain them.
type watchedSuspects[K comparable] struct {
	suspects map[SuspectKey]*SuspectValue
	keys     map[K]bool
}

// WatchSuspects makes updates mark the suspects of a chunk that they change or repeat. A difference that a
// later check finds for a marked suspect proves nothing. An empty map ends the watch of the chunk.
func (t *Table[K, T, R]) WatchSuspects(chunk int, suspects map[SuspectKey]*SuspectValue) {
	delete(t.watchedSuspects, chunk)
	if len(suspects) == 0 {
		return
	}
	w := watchedSuspects[K]{suspects, make(map[K]bool)}
	for sp := range suspects {
		if k, ok := sp.Key.(K); ok {
			w.keys[k] = true
		}
	}
	if t.watchedSuspects == nil {
		t.watchedSuspects = make(map[int]watchedSuspects[K])
	}
	t.watchedSuspects[chunk] = w
}

func (t *Table[K, T, R]) markChangedSuspects(k K, old, rec *T) {
	for _, w := range t.watchedSuspects {
		if !w.keys[k] {
			continue
		}
		for diff := range t.differ.Diff(old, rec) {
			if sn := w.suspects[SuspectKey{k, diff.Path}]; sn != nil {
				sn.Changed = true
			}
		}
	}
}

// markRepeatedSuspects marks the suspects of record k whose field is in an update, even if the
// value is unchanged. The update is newer than the first check, and a lagging replica that answers
// the second check may lack the update.
func (t *Table[K, T, R]) markRepeatedSuspects(k K, it *merge.Item[T], env *merge.Env) {
	if env.FullRecord {
		return // an answer, not an update
	}
	watching := false
	for _, w := range t.watchedSuspects {
		watching = watching || w.keys[k]
		if sn := w.suspects[SuspectKey{Key: k}]; sn != nil { // the update shows that the platform has the record
			sn.Changed = true
		}
	}
	if !watching {
		return
	}
	// This extra read changes env in no other way than the normal read of the update.
	var empty, update T // only allocated while there are suspects
	if it.Merge(&update) != nil {
		return // the caller reads the update again and reports the error
	}
	for diff := range t.differ.Diff(&empty, &update) {
		for _, w := range t.watchedSuspects {
			if sn := w.suspects[SuspectKey{k, diff.Path}]; sn != nil {
				sn.Changed = true
			}
		}
	}
}
