package feeds

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"time"

	"wallboard/feeds/merge"
	"wallboard/feeds/queries"
	"wallboard/model"
)

// stream turns the payloads of one operation into records.
type stream interface {
	// delta merges a payload onto what is there, all of it or, after an error,
	// nothing of it. opening is whether it is the first of a subscription.
	delta(payload []byte, opening bool, env *merge.Env) (applied, error)
	// doubts are what the last message has left open.
	doubts() []doubt
	// late merges a payload onto the records that are there, and brings none: what
	// an older subscription tells of others is not wanted any more.
	late(payload []byte, env *merge.Env) (applied, error)
	// replace makes a full answer, with later deltas on top, the whole content, or
	// that of the names that were asked for; nil: all. Deltas that cannot be merged
	// are skipped; their errors are in the result.
	replace(answer fullState, later [][]byte, asked func(name string) bool, env *merge.Env) (applied, error)
	// look holds a full answer against what is there; repair takes some of the
	// differences over, and must follow.
	look(answer fullState, later [][]byte, env *merge.Env, in scope) (findings, error)
	repair(some []difference)
	// watch makes updates note in the suspicions what they change; nil ends it.
	watch(chunk int, suspects map[suspect]*suspicion)
	// trust makes the next replace keep the records that were written since the
	// store had a version: the answer may come from a replica that is behind.
	// Of those that the answer lacks it keeps those that were asked for, of the
	// others those that updates were for.
	trust(since uint64, asked, told func(key any) bool)
	// disown forgets the records with some names, and keeps updates from bringing
	// them back, until it is called with others.
	disown(names map[string]bool, now time.Time)
	// fallen is how many records had a counter fall in the last update, counting
	// how many have counters above 0.
	fallen() int
	counting() int
	// whole returns how many records a message has, 0 where one of them is not whole.
	whole(payload []byte, env *merge.Env) int
	// remove forgets the records with a name, which may come back.
	remove(name string)
	// clear forgets everything.
	clear()
	// records is how many records there are, leftOut how many there was no room for.
	records() int
	leftOut() int
	// keys are the keys of the records, as document 2 has them.
	keys() []recordKey
}

// applied says what a payload did.
type applied struct {
	records uint64
	known   uint64 // of them, that were there before
	hasData bool
	errs    []byte // the raw errors of the message
	skipped error  // of replace: why a later delta could not be merged
	shown
}

// errKeyless says that a message holds a record that does not say which it is.
// An element of a list without its key is not that: one subscription per record
// would not help.
var errKeyless = fmt.Errorf("%w; the full state is asked for instead", merge.ErrNoKey)

// stage holds records that were merged but not yet put into the store.
type stage[K comparable, T any] struct {
	rows  []*T
	index map[K]int
	bound bound // of the records that what they are merged onto does not have
}

func (s *stage[K, T]) get(k K) *T {
	if i, ok := s.index[k]; ok {
		return s.rows[i]
	}
	return nil
}

func (s *stage[K, T]) put(k K, rec *T) {
	if i, ok := s.index[k]; ok {
		s.rows[i] = rec
		return
	}
	s.index[k] = len(s.rows)
	s.rows = append(s.rows, rec)
}

func (s *stage[K, T]) reset() {
	clear(s.rows)
	s.rows = s.rows[:0]
	clear(s.index)
	s.bound = bound{}
}

// table is the stream of an operation whose result is a list of records.
type table[K comparable, T any, R model.Record[K, T]] struct {
	root string
	plan *merge.Plan[T]
	live *model.Live[K, T, R]
	stage[K, T]
	// drop reports whether an update removes its record; nil: no update does.
	drop func(*T) bool
	// matters reports whether an update changes what other subscriptions ask for;
	// old is nil for a new record. changed is called when it does, and after
	// every full answer. Both are nil where nobody asks.
	matters func(old, rec *T) bool
	changed func()

	differ  *merge.Differ[T]
	gone    map[K]time.Time // when updates removed records, for a while
	trusted *trust
	strange map[string]bool // whose records nobody wants
	partial map[K]incomplete
	noted   []doubt
	absent  uint64             // fields that some answer to a query lacked
	watched map[int]watched[K] // by chunk
	fell    int
	room    func(own int) int // how many records it may hold; nil: as many as come
	left    int               // that there was no room for
}

func newTable[K comparable, T any, R model.Record[K, T]](doc queries.Document, live *model.Live[K, T, R], keys ...string) (*table[K, T, R], error) {
	plan, err := merge.NewPlan[T](doc.Fields, keys...)
	if err != nil {
		return nil, fmt.Errorf("document of %s: %w", doc.Root, err)
	}
	return &table[K, T, R]{
		root: doc.Root, plan: plan, live: live, stage: stage[K, T]{index: make(map[K]int)},
		differ: plan.Differ(growing(), "mutation"), gone: make(map[K]time.Time), partial: make(map[K]incomplete),
	}, nil
}

// read stages copies of the records that a payload names, merged. base gives
// the record that an update lands on; nil for a new one.
func (t *table[K, T, R]) read(to *stage[K, T], payload []byte, env *merge.Env, base func(K) *T) (merge.Result, error) {
	res, err := t.plan.Read(payload, t.root, env, func(it *merge.Item[T]) error {
		if !it.Keyed {
			return errKeyless
		}
		k := R(it.Key).Key()
		rec := to.get(k)
		if rec == nil { // else it is named twice in one message
			rec = new(T)
			if old := base(k); old != nil {
				*rec = *old
			} else if !to.bound.takes() {
				return nil
			}
			to.put(k, rec)
		}
		t.noteTold(k, it, env)
		env.Lists, env.Raw = 0, merge.Raw{}
		err := it.Merge(rec)
		if env.Lists != 0 {
			t.noted = append(t.noted, doubt{name: nameOf(k), signs: env.Lists})
			if env.Lists&merge.ListShorter != 0 && !env.WholeLists {
				t.partial[k] |= shortened
			}
		}
		if err == nil && (env.Full && env.Raw.Some() || env.Raw.Waits()) {
			env.Learn(t.root, k, ofMany(t.root))
		}
		return err //nolint:wrapcheck // Read names the operation
	})
	if err != nil {
		return res, err //nolint:wrapcheck // Read names the operation
	}
	return res, nil
}

// settle holds the instants of the staged records of a full state, which took so
// long, against those that are there.
func (t *table[K, T, R]) settle(env *merge.Env, took time.Duration) {
	if !env.Elapsed() {
		return
	}
	for _, rec := range t.rows {
		t.differ.Settle(t.live.Get(R(rec).Key()), rec, clockTolerance+took)
	}
}

func (t *table[K, T, R]) delta(payload []byte, opening bool, env *merge.Env) (applied, error) {
	defer t.reset()
	t.bound.set(t.free(t.live.Len()))
	t.noted = t.noted[:0]
	res, err := t.read(&t.stage, payload, env, t.live.Get)
	t.left = max(t.left, t.bound.over)
	if err != nil {
		return applied{errs: res.Errors}, err
	}
	t.fell = 0
	known := uint64(0)
	for _, rec := range t.rows {
		k := R(rec).Key()
		old := t.live.Get(k)
		if old == nil && t.stranger(k) {
			continue
		}
		if t.matters != nil && t.matters(old, rec) {
			t.changed()
		}
		if t.drop != nil && t.drop(rec) {
			t.forget(k, env.Received)
			continue
		}
		if old == nil {
			delete(t.gone, k)
			t.arrive(k, opening)
		} else {
			known++
			if t.differ.Fallen(old, rec) {
				t.fell++
			}
		}
		t.write(k, old, rec)
	}
	return applied{records: uint64(len(t.rows)), known: known, hasData: res.HasData, errs: res.Errors}, nil
}

func (t *table[K, T, R]) late(payload []byte, env *merge.Env) (applied, error) {
	defer t.reset()
	t.noted = t.noted[:0]
	res, err := t.read(&t.stage, payload, env, t.live.Get)
	if err != nil {
		return applied{errs: res.Errors}, err
	}
	for _, rec := range t.rows {
		k := R(rec).Key()
		old := t.live.Get(k)
		if old == nil {
			continue
		}
		if t.matters != nil && t.matters(old, rec) {
			t.changed()
		}
		t.write(k, old, rec)
	}
	return applied{errs: res.Errors}, nil
}

// write puts a record in the place of the old one, which may be nil. One that
// says the same stays: an update that changes nothing makes nothing newer.
func (t *table[K, T, R]) write(k K, old, rec *T) {
	if old != nil {
		if t.differ.Equal(old, rec) {
			return
		}
		t.noteSuspects(k, old, rec)
	}
	t.live.Put(rec)
}

func (t *table[K, T, R]) replace(answer fullState, later [][]byte, asked func(string) bool, env *merge.Env) (applied, error) {
	defer t.reset()
	defer func() { t.trusted = nil }()
	t.forgetGone(env.Received)
	t.bound.set(t.free(0))
	t.noted = t.noted[:0]
	res, err := t.readFull(answer, env)
	if err != nil || !res.HasData {
		return applied{errs: res.Errors}, err
	}
	if asked == nil {
		t.left = 0
	}
	t.left = max(t.left, t.bound.over)
	t.settle(env, 0)
	a := applied{hasData: true, errs: res.Errors, shown: t.weigh()}
	answered := slices.Clone(t.rows)
	t.keepTrusted()
	for _, rec := range answered {
		delete(t.partial, R(rec).Key())
		t.absent |= t.plan.Unknown(rec)
	}
	a.skipped = t.putLater(later, asked, env)
	keep := make([]*T, 0, len(t.rows))
	for _, rec := range t.rows {
		k := R(rec).Key()
		if _, gone := t.gone[k]; gone {
			continue // the answer is older than the update that removed it
		}
		if t.drop != nil && t.drop(rec) {
			t.gone[k] = env.Received
			continue
		}
		keep = append(keep, rec)
	}
	a.records = uint64(len(keep))
	if len(a.errs) > 0 || asked != nil { // what is not there may be what the errors are about
		for _, rec := range t.live.Rows() {
			k := R(rec).Key()
			if t.get(k) == nil && (len(a.errs) > 0 || !asked(nameOf(k))) {
				keep = append(keep, rec)
			}
		}
	}
	if n := t.free(0); len(keep) > n {
		t.left = max(t.left, len(keep)-n)
		keep = keep[:n]
	}
	t.live.Replace(keep)
	if t.changed != nil {
		t.changed()
	}
	return a, nil
}

// putLater merges the updates since the query onto the answer, and returns why
// some could not be. Those about records that were not asked for were merged when
// they came: the answer has nothing that they could be merged onto.
func (t *table[K, T, R]) putLater(later [][]byte, asked func(string) bool, env *merge.Env) (skipped error) {
	// Each is staged apart, so that one that breaks off in the middle leaves no
	// half record behind.
	part := stage[K, T]{index: make(map[K]int)}
	for _, p := range later {
		part.reset()
		part.bound.set(t.free(len(t.rows)))
		if _, err := t.read(&part, p, env, t.get); err != nil {
			skipped = errors.Join(skipped, err)
			continue
		}
		for _, rec := range part.rows {
			k := R(rec).Key()
			if t.get(k) == nil && t.stranger(k) || asked != nil && !asked(nameOf(k)) {
				continue
			}
			delete(t.gone, k)
			if t.get(k) == nil {
				t.arrive(k, false)
			}
			t.put(k, rec)
		}
	}
	return skipped
}

func (t *table[K, T, R]) disown(names map[string]bool, now time.Time) {
	maps.DeleteFunc(t.gone, func(k K, _ time.Time) bool { return t.stranger(k) && !names[nameOf(k)] })
	if t.strange = names; len(names) == 0 {
		return
	}
	if t.forgetAll(t.stranger, now) && t.matters != nil {
		t.changed()
	}
}

// stranger reports whether nobody wants the record with a key.
func (t *table[K, T, R]) stranger(k K) bool { return len(t.strange) > 0 && t.strange[nameOf(k)] }

func (t *table[K, T, R]) fallen() int { return t.fell }

func (t *table[K, T, R]) counting() int {
	n := 0
	for _, rec := range t.live.Rows() {
		if t.differ.Growing(rec) {
			n++
		}
	}
	return n
}

func (t *table[K, T, R]) remove(name string) {
	for _, rec := range slices.Clone(t.live.Rows()) {
		if k := R(rec).Key(); nameOf(k) == name {
			t.live.Delete(k)
			delete(t.partial, k)
			if t.matters != nil {
				t.changed()
			}
		}
	}
}

func (t *table[K, T, R]) clear() {
	t.live.Replace(nil)
	t.left = 0
	clear(t.partial)
}

func (t *table[K, T, R]) records() int { return t.live.Len() }

func (t *table[K, T, R]) leftOut() int { return t.left }

// free is how many records there is room for beside so many.
func (t *table[K, T, R]) free(taken int) int {
	if t.room == nil {
		return math.MaxInt
	}
	return t.room(t.live.Len()) - taken
}

func (t *table[K, T, R]) keys() []recordKey {
	keys := make([]recordKey, 0, t.live.Len())
	for _, rec := range t.live.Rows() {
		keys = append(keys, keyOf(R(rec).Key()))
	}
	return keys
}
