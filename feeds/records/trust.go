package records

import "wallboard/feeds/merge"

// An update may be newer than a full state from a lagging replica, but may contain only a part of a
// record. This file combines the records from updates with those of the full state.

// DoubtfulRecord describes in which respect a record may be wrong or incomplete after a message.
type DoubtfulRecord struct {
	RecordName  string
	RecordIsNew bool // the record is new and may be incomplete
	KeyOnly     bool // the update contains only the key, and may hide a change
	Signs       merge.ListSigns
}

// ResolvedDoubtCounts counts, by result, the records for which a full answer resolved a doubt.
type ResolvedDoubtCounts struct {
	NewComplete, NewIncomplete        int // new records that were complete on arrival; new records that were not
	ListReallyShorter, ListNotShorter int // records in which a list lost elements; records in which an update had only left them out
	KeyOnlyChanged, KeyOnlyUnchanged  int // records that had changed although an update contained only the key; records that had not
}

// doubtReasons is a set of reasons why our record may be incomplete.
type doubtReasons uint8

const (
	newInFirstMessage doubtReasons = 1 << iota // new in the first message of a subscription
	newInUpdate                                // new in an update
	listShortened                              // a list in an update lacked elements
	keyOnlyUpdate                              // an update contained only the key
)

// markNewRecord records that the record k is new. opening is true if the record arrived with the
// first message of a subscription.
func (t *Table[K, T, R]) markNewRecord(k K, opening bool) {
	if opening {
		t.doubtReasons[k] |= newInFirstMessage
		return
	}
	t.doubtReasons[k] |= newInUpdate
	t.doubtfulRecords = append(t.doubtfulRecords, DoubtfulRecord{RecordName: FilterName(k), RecordIsNew: true})
}

// markKeyOnly marks a record in unchanged as doubtful if the update payload contains only its key. Such a
// record may have left the filter and come back changed.
func (t *Table[K, T, R]) markKeyOnly(payload []byte, unchanged map[K]bool, env *merge.Env) {
	// [Table.ApplyUpdate] has read this payload without an error. Reading it again changes nothing
	// in env.
	_, _ = t.plan.Read(payload, t.root, env, func(it *merge.Item[T]) error {
		k := R(it.Key).Key()
		key, update := *it.Key, *it.Key
		if !unchanged[k] || it.Merge(&update) != nil {
			return nil
		}
		for d := range t.differ.Diff(&key, &update) {
			if d.Path != "loggedProfileId" && d.Path != "userSite" { // these two fields belong to the identity of an agent, like the key
				return nil
			}
		}
		t.doubtReasons[k] |= keyOnlyUpdate
		t.doubtfulRecords = append(t.doubtfulRecords, DoubtfulRecord{RecordName: FilterName(k), KeyOnly: true})
		return nil
	})
}

// DoubtfulRecords returns the doubts that the last message raised about records.
func (t *Table[K, T, R]) DoubtfulRecords() []DoubtfulRecord { return t.doubtfulRecords }

// trustedRecords selects our records that take precedence over those in an answer.
type trustedRecords struct {
	sinceVersion         uint64             // our records are newer than the answer if they changed after this version of the store
	inAnswer, wasCovered func(key any) bool // report whether a key is in the filter of the answer, and in the previous filter
}

// TrustLocalRecords makes the next [Table.Replace] keep our records that changed after the version since of the
// store, because the answer may come from a lagging replica.
//
// inAnswer reports whether the filter of the answer includes a record, and wasCovered whether the
// previous filter included it. A record that is not in the answer is kept only if inAnswer is true
// for it. A record that is in the answer is kept only if wasCovered is true for it.
func (t *Table[K, T, R]) TrustLocalRecords(since uint64, inAnswer, wasCovered func(any) bool) {
	t.trustedRecords = &trustedRecords{since, inAnswer, wasCovered}
}

// keepTrustedRecords puts our records that take precedence over the answer into t.stagedRecords. If such a
// record may be incomplete, it adds fields from the answer.
func (t *Table[K, T, R]) keepTrustedRecords() {
	if t.trustedRecords == nil {
		return
	}
	for _, rec := range t.storeTable.Rows() {
		k := R(rec).Key()
		theirs := t.get(k)
		if theirs != nil && t.doubtReasons[k]&keyOnlyUpdate != 0 {
			continue // use the answer's record: an update that contained only the key may have hidden a change
		}
		if !t.storeTable.ChangedSince(rec, t.trustedRecords.sinceVersion) || theirs != nil && !t.trustedRecords.wasCovered(k) || theirs == nil && !t.trustedRecords.inAnswer(k) {
			continue
		}
		own := *rec
		if theirs != nil && t.doubtReasons[k] != 0 {
			t.fillUnknown(&own, theirs)
		}
		t.put(k, &own)
	}
}

// fillUnknown copies the fields and list elements that record lacks from theirs, the platform's record, and
// removes list elements that theirs lacks. It changes no other fields: their values in theirs may be older.
func (t *Table[K, T, R]) fillUnknown(record, theirs *T) {
	ours := *record
	for d := range t.differ.Diff(&ours, theirs) {
		t.differ.FillDifference(record, theirs, d)
	}
}

// resolveDoubts compares the doubtful records with the answer in t.stagedRecords. It returns the number
// of resolved doubts by result.
func (t *Table[K, T, R]) resolveDoubts() (e ResolvedDoubtCounts) {
	for k, why := range t.doubtReasons {
		ours, theirs := t.storeTable.Get(k), t.get(k)
		if ours == nil || theirs == nil || why&newInFirstMessage != 0 {
			continue
		}
		gained, removed, differs := false, false, false
		for d := range t.differ.Diff(ours, theirs) {
			gained = gained || d.Ours == "null" && !d.IsElement()
			removed = removed || d.IsElement() && d.MissingInTheirs()
			differs = true
		}
		if why&keyOnlyUpdate != 0 && differs {
			e.KeyOnlyChanged++
		} else if why&keyOnlyUpdate != 0 {
			e.KeyOnlyUnchanged++
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
