package records

import "wallboard/feeds/merge"

// Updates may be newer than a full state that a lagging replica has sent, but they may be
// incomplete. This file combines both.

// Doubt describes what an update left unclear about a record.
type Doubt struct {
	Name    string
	IsNew   bool // new record
	KeyOnly bool // the update contains only the key
	Signs   merge.ListSigns
}

// ResolvedDoubts counts the records about which a full answer resolved a doubt.
type ResolvedDoubts struct {
	NewComplete, NewIncomplete        int // new records that arrived complete, and incomplete
	ListReallyShorter, ListNotShorter int // records with a shorter list from which elements were removed, and were not
	NamedChanged, NamedUnchanged      int // records that an update only named: changed, and unchanged
}

// doubtReasons is a set of reasons why updates may not have shown all of a record.
type doubtReasons uint8

const (
	newInFirstMessage doubtReasons = 1 << iota // new in the first message of a subscription
	newInUpdate                                // new in an update
	listShortened                              // a list lacked elements
	onlyNamed                                  // an update contained only the key
)

// recordArrival records a new record.
func (t *Table[K, T, R]) recordArrival(k K, opening bool) {
	if opening {
		t.incomplete[k] |= newInFirstMessage
		return
	}
	t.incomplete[k] |= newInUpdate
	t.doubts = append(t.doubts, Doubt{Name: FilterName(k), IsNew: true})
}

// recordNamed records which of the unchanged records an update only names: they may have left the
// filter and returned.
func (t *Table[K, T, R]) recordNamed(payload []byte, unchanged map[K]bool, env *merge.Env) {
	// ApplyUpdate has read the payload without an error; this read leaves nothing else in env.
	_, _ = t.plan.Read(payload, t.root, env, func(it *merge.Item[T]) error {
		k := R(it.Key).Key()
		key, update := *it.Key, *it.Key
		if !unchanged[k] || it.Merge(&update) != nil {
			return nil
		}
		for d := range t.differ.Diff(&key, &update) {
			if d.Path != "loggedProfileId" && d.Path != "userSite" { // these also identify an agent
				return nil
			}
		}
		t.incomplete[k] |= onlyNamed
		t.doubts = append(t.doubts, Doubt{Name: FilterName(k), KeyOnly: true})
		return nil
	})
}

// Doubts returns what the last message left unclear.
func (t *Table[K, T, R]) Doubts() []Doubt { return t.doubts }

// trustedRecords describes which records take precedence over an answer.
type trustedRecords struct {
	sinceVersion         uint64             // version of the store
	inAnswer, wasCovered func(key any) bool // the key is in the filter of the answer, and in the one before
}

// Trust makes the next Replace keep records written after a version of the
// store, because the answer may come from a lagging replica. Records that the
// answer lacks are kept if the new filter includes them, others if the previous
// filter included them.
func (t *Table[K, T, R]) Trust(since uint64, inAnswer, wasCovered func(any) bool) {
	t.trusted = &trustedRecords{since, inAnswer, wasCovered}
}

// keepTrusted stages the records that take precedence over the answer,
// completed from it.
func (t *Table[K, T, R]) keepTrusted() {
	if t.trusted == nil {
		return
	}
	for _, rec := range t.live.Rows() {
		k := R(rec).Key()
		theirs := t.get(k)
		if theirs != nil && t.incomplete[k]&onlyNamed != 0 {
			continue // only the answer contains the changes made meanwhile
		}
		if !t.live.ChangedSince(rec, t.trusted.sinceVersion) || theirs != nil && !t.trusted.wasCovered(k) || theirs == nil && !t.trusted.inAnswer(k) {
			continue
		}
		own := *rec
		if theirs != nil && t.incomplete[k] != 0 {
			t.fillUnknown(&own, theirs)
		}
		t.put(k, &own)
	}
}

// fillUnknown copies unknown fields and missing list elements from theirs. Known values stay,
// because theirs may be older.
func (t *Table[K, T, R]) fillUnknown(record, theirs *T) {
	ours := *record
	for d := range t.differ.Diff(&ours, theirs) {
		t.differ.FillDifference(record, theirs, d)
	}
}

// resolveDoubts checks earlier doubts against the answer.
func (t *Table[K, T, R]) resolveDoubts() (e ResolvedDoubts) {
	for k, why := range t.incomplete {
		ours, theirs := t.live.Get(k), t.get(k)
		if ours == nil || theirs == nil || why&newInFirstMessage != 0 {
			continue
		}
		gained, removed, differs := false, false, false
		for d := range t.differ.Diff(ours, theirs) {
			gained = gained || d.Ours == "null" && !d.IsElement()
			removed = removed || d.IsElement() && d.MissingInTheirs()
			differs = true
		}
		if why&onlyNamed != 0 && differs {
			e.NamedChanged++
		} else if why&onlyNamed != 0 {
			e.NamedUnchanged++
		}
		switch {
		case why&newInUpdate != 0 && gained:
			e.NewIncomplete++
		case why&newInUpdate != 0:
			e.NewComplete++
		case why&listShortened == 0:
		case removed:
			e.ListReallyShorter++
		default:
			e.ListNotShorter++
		}
	}
	return e
}
