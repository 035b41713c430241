package picture

import "wallboard/feeds/merge"

// What updates have told of a record may be better than a full state, which may
// come from a replica that is behind, and may lack what only that has. Here the
// two are held against each other.

// Doubt is what an update leaves open about a record.
type Doubt struct {
	Name    string
	Arrived bool // it was not there before
	Named   bool // the update holds nothing but what names it
	Signs   merge.ListSigns
}

// Shown is what a full answer shows of the updates before it.
type Shown struct {
	Whole, Bare   int // records that came: told whole, or not
	Removed, Left int // records with a list that became shorter: elements are gone, or none is
	Behind, Same  int // records that an update only named: changed nevertheless, or not
}

// incomplete says why there may be more of a record than updates have told.
type incomplete uint8

const (
	begun     incomplete = 1 << iota // the first message of a subscription made it of nothing
	arrived                          // an update did
	shortened                        // a list of it lacked elements
	named                            // an update held nothing but what names it
)

// arrive notes that a record was made of nothing.
func (t *Table[K, T, R]) arrive(k K, opening bool) {
	if opening {
		t.partial[k] |= begun
		return
	}
	t.partial[k] |= arrived
	t.noted = append(t.noted, Doubt{Name: NameOf(k), Arrived: true})
}

// noteNamed notes which of some records an update only names: they may have left the
// filter and come back.
func (t *Table[K, T, R]) noteNamed(payload []byte, of map[K]bool, env *merge.Env) {
	// Delta has read the payload without an error, and this reading leaves nothing in
	// env that the other did not.
	_, _ = t.plan.Read(payload, t.root, env, func(it *merge.Item[T]) error {
		k := R(it.Key).Key()
		key, told := *it.Key, *it.Key
		if !of[k] || it.Merge(&told) != nil {
			return nil
		}
		for d := range t.differ.Diff(&key, &told) {
			if d.Path != "loggedProfileId" && d.Path != "userSite" { // they name an agent, too
				return nil
			}
		}
		t.partial[k] |= named
		t.noted = append(t.noted, Doubt{Name: NameOf(k), Named: true})
		return nil
	})
}

// Doubts are what the last message has left open.
func (t *Table[K, T, R]) Doubts() []Doubt { return t.noted }

// trust is which records are better than an answer's.
type trust struct {
	since       uint64
	asked, told func(key any) bool
}

// Trust makes the next Replace keep the records that were written since the store
// had a version: the answer may come from a replica that is behind. Of those that the
// answer lacks it keeps those that were asked for, of the others those that updates
// were for.
func (t *Table[K, T, R]) Trust(since uint64, asked, told func(any) bool) {
	t.trusted = &trust{since, asked, told}
}

// keepTrusted stages the records that are better than the answer's, completed by
// that.
func (t *Table[K, T, R]) keepTrusted() {
	if t.trusted == nil {
		return
	}
	for _, rec := range t.live.Rows() {
		k := R(rec).Key()
		theirs := t.get(k)
		if theirs != nil && t.partial[k]&named != 0 {
			continue // only the answer has what changed while the record was away
		}
		if !t.live.ChangedSince(rec, t.trusted.since) || theirs != nil && !t.trusted.told(k) || theirs == nil && !t.trusted.asked(k) {
			continue
		}
		own := *rec
		if theirs != nil && t.partial[k] != 0 {
			t.complete(&own, theirs)
		}
		t.put(k, &own)
	}
}

// complete gives a record what it lacks, and its lists the elements that theirs
// have. What ours has stays: theirs may be older.
func (t *Table[K, T, R]) complete(own, theirs *T) {
	ours := *own
	for d := range t.differ.Diff(&ours, theirs) {
		t.differ.Fill(own, theirs, d)
	}
}

// weigh holds what updates have left open against the answer.
func (t *Table[K, T, R]) weigh() (e Shown) {
	for k, why := range t.partial {
		ours, theirs := t.live.Get(k), t.get(k)
		if ours == nil || theirs == nil || why&begun != 0 {
			continue
		}
		gained, removed, differs := false, false, false
		for d := range t.differ.Diff(ours, theirs) {
			gained = gained || d.Ours == "null" && !d.Element()
			removed = removed || d.Element() && d.Cleared()
			differs = true
		}
		if why&named != 0 && differs {
			e.Behind++
		} else if why&named != 0 {
			e.Same++
		}
		switch {
		case why&arrived != 0 && gained:
			e.Bare++
		case why&arrived != 0:
			e.Whole++
		case why&shortened == 0:
		case removed:
			e.Removed++
		default:
			e.Left++
		}
	}
	return e
}
