package picture

import (
	"errors"
	"fmt"
	"iter"
	"maps"
	"math"
	"slices"
	"time"

	"wallboard/feeds/merge"
	"wallboard/model"
)

// Applied says what a payload did.
type Applied struct {
	Records uint64
	Known   uint64 // of them, that were there before
	HasData bool
	Errs    []byte // the raw errors of the message
	Skipped error  // of replace: why a later delta could not be merged
	Shown
}

// ErrKeyless says that a message holds a record that does not say which it is.
// An element of a list without its key is not that: one subscription per record
// would not help.
var ErrKeyless = fmt.Errorf("%w; the full state is asked for instead", merge.ErrNoKey)

const (
	// LagBound is how far a replica of the platform may be behind.
	LagBound = 15 * time.Second
	// Tolerance is how far apart instants may be that were reckoned from lengths:
	// as far as the platform's clock may be off before it is set.
	Tolerance = 2 * time.Second
)

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

// Table is the stream of an operation whose result is a list of records.
type Table[K comparable, T any, R model.Record[K, T]] struct {
	root string
	plan *merge.Plan[T]
	live *model.Live[K, T, R]
	stage[K, T]
	// drop reports whether an update removes its record; nil: no update does.
	Drop func(*T) bool
	// matters reports whether an update changes what other subscriptions ask for;
	// old is nil for a new record. changed is called when it does, and after
	// every full answer. Both are nil where nobody asks.
	Matters func(old, rec *T) bool
	Changed func()

	differ  *merge.Differ[T]
	gone    map[K]time.Time // when updates removed records, for a while
	trusted *trust
	strange map[string]bool // whose records nobody wants
	partial map[K]incomplete
	noted   []Doubt
	absent  uint64             // fields that some answer to a query lacked
	watched map[int]watched[K] // by chunk
	fell    int
	Room    func(own int) int // how many records it may hold; nil: as many as come
	left    int               // that there was no room for
	OfMany  bool              // a record sums up several agents
}

// NewTable makes the stream of a list of records, kept in a table of the store. root
// is the name of the operation, fields are what is asked for, and keys are the fields
// that tell records apart. An error is a mistake in the fields.
func NewTable[K comparable, T any, R model.Record[K, T]](root string, fields []merge.Selection, live *model.Live[K, T, R], keys ...string) (*Table[K, T, R], error) {
	plan, err := merge.NewPlan[T](fields, keys...)
	if err != nil {
		return nil, fmt.Errorf("document of %s: %w", root, err)
	}
	return &Table[K, T, R]{
		root: root, plan: plan, live: live, stage: stage[K, T]{index: make(map[K]int)},
		differ: plan.Differ(growing(), "mutation"), gone: make(map[K]time.Time), partial: make(map[K]incomplete),
	}, nil
}

// read stages copies of the records that a payload names, merged. base gives
// the record that an update lands on; nil for a new one.
func (t *Table[K, T, R]) read(to *stage[K, T], payload []byte, env *merge.Env, base func(K) *T) (merge.Result, error) {
	res, err := t.plan.Read(payload, t.root, env, func(it *merge.Item[T]) error {
		if !it.Keyed {
			return ErrKeyless
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
			t.noted = append(t.noted, Doubt{Name: NameOf(k), Signs: env.Lists})
			if env.Lists&merge.ListShorter != 0 && !env.WholeLists {
				t.partial[k] |= shortened
			}
		}
		if err == nil && !env.Full && env.Raw.Waits() {
			env.Learn(t.root, k, t.OfMany)
			env.Times.Conclude(env.Received, env.Now)
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
func (t *Table[K, T, R]) settle(env *merge.Env, took time.Duration) {
	if !env.Elapsed() {
		return
	}
	for _, rec := range t.rows {
		t.differ.Settle(t.live.Get(R(rec).Key()), rec, Tolerance+took, env.Now)
	}
}

// Delta merges an update onto what is there, all of it or, after an error, nothing
// of it. opening is whether it is the first of a subscription.
func (t *Table[K, T, R]) Delta(payload []byte, opening bool, env *merge.Env) (Applied, error) {
	defer t.reset()
	t.bound.set(t.free(t.live.Len()))
	t.noted = t.noted[:0]
	res, err := t.read(&t.stage, payload, env, t.live.Get)
	t.left = max(t.left, t.bound.over)
	if err != nil {
		return Applied{Errs: res.Errors}, err
	}
	t.fell = 0
	known := uint64(0)
	var same map[K]bool // the records that the update left as they were
	for _, rec := range t.rows {
		k := R(rec).Key()
		old := t.live.Get(k)
		if old == nil && t.stranger(k) {
			continue
		}
		if t.Matters != nil && t.Matters(old, rec) {
			t.Changed()
		}
		if t.Drop != nil && t.Drop(rec) {
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
		if !t.write(k, old, rec) && !opening && !env.Repeats {
			if same == nil {
				same = make(map[K]bool)
			}
			same[k] = true
		}
	}
	if same != nil {
		t.noteNamed(payload, same, env)
	}
	return Applied{Records: uint64(len(t.rows)), Known: known, HasData: res.HasData, Errs: res.Errors}, nil
}

// Late merges an update onto the records that are there, and brings none: what an
// older subscription tells of others is not wanted any more.
func (t *Table[K, T, R]) Late(payload []byte, env *merge.Env) (Applied, error) {
	defer t.reset()
	t.noted = t.noted[:0]
	res, err := t.read(&t.stage, payload, env, t.live.Get)
	if err != nil {
		return Applied{Errs: res.Errors}, err
	}
	for _, rec := range t.rows {
		k := R(rec).Key()
		old := t.live.Get(k)
		if old == nil {
			continue
		}
		if t.Matters != nil && t.Matters(old, rec) {
			t.Changed()
		}
		t.write(k, old, rec)
	}
	return Applied{Errs: res.Errors}, nil
}

// write puts a record in the place of the old one, which may be nil, and reports
// whether it did. An equal record stays: an update that changes nothing makes nothing
// newer.
func (t *Table[K, T, R]) write(k K, old, rec *T) bool {
	if old != nil {
		if t.differ.Equal(old, rec) {
			return false
		}
		t.noteSuspects(k, old, rec)
	}
	t.live.Put(rec)
	return true
}

// Replace makes a full answer, with later updates on top, the whole content, or
// that of the names that were asked for; nil: all. Updates that cannot be merged
// are skipped; their errors are in the result.
func (t *Table[K, T, R]) Replace(answer FullState, later iter.Seq[[]byte], asked func(string) bool, env *merge.Env) (Applied, error) {
	defer t.reset()
	defer func() { t.trusted = nil }()
	t.forgetGone(env.Received)
	t.bound.set(t.free(0))
	t.noted = t.noted[:0]
	res, err := t.readFull(answer, env)
	if err != nil || !res.HasData {
		return Applied{Errs: res.Errors}, err
	}
	if asked == nil {
		t.left = 0
	}
	t.left = max(t.left, t.bound.over)
	t.settle(env, 0)
	a := Applied{HasData: true, Errs: res.Errors, Shown: t.weigh()}
	answered := slices.Clone(t.rows)
	t.keepTrusted()
	for _, rec := range answered {
		delete(t.partial, R(rec).Key())
		t.absent |= t.plan.Unknown(rec)
	}
	a.Skipped = t.putLater(later, asked, env)
	keep := make([]*T, 0, len(t.rows))
	for _, rec := range t.rows {
		k := R(rec).Key()
		if _, gone := t.gone[k]; gone {
			continue // the answer is older than the update that removed it
		}
		if t.Drop != nil && t.Drop(rec) {
			t.gone[k] = env.Received
			continue
		}
		keep = append(keep, rec)
	}
	a.Records = uint64(len(keep))
	if len(a.Errs) > 0 || asked != nil { // what is not there may be what the errors are about
		for _, rec := range t.live.Rows() {
			k := R(rec).Key()
			if t.get(k) == nil && (len(a.Errs) > 0 || !asked(NameOf(k))) {
				keep = append(keep, rec)
			}
		}
	}
	if n := t.free(0); len(keep) > n {
		t.left = max(t.left, len(keep)-n)
		keep = keep[:n]
	}
	t.live.Replace(keep)
	if t.Changed != nil {
		t.Changed()
	}
	return a, nil
}

// putLater merges the updates since the query onto the answer, and returns why
// some could not be. Those about records that were not asked for were merged when
// they came: the answer has nothing that they could be merged onto.
func (t *Table[K, T, R]) putLater(later iter.Seq[[]byte], asked func(string) bool, env *merge.Env) (skipped error) {
	// Each is staged apart, so that one that breaks off in the middle leaves no
	// half record behind.
	part := stage[K, T]{index: make(map[K]int)}
	for p := range later {
		part.reset()
		part.bound.set(t.free(len(t.rows)))
		if _, err := t.read(&part, p, env, t.get); err != nil {
			skipped = errors.Join(skipped, err)
			continue
		}
		for _, rec := range part.rows {
			k := R(rec).Key()
			if t.get(k) == nil && t.stranger(k) || asked != nil && !asked(NameOf(k)) {
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

// Disown forgets the records with some names, and keeps updates from bringing them
// back, until it is called with others.
func (t *Table[K, T, R]) Disown(names map[string]bool, now time.Time) {
	maps.DeleteFunc(t.gone, func(k K, _ time.Time) bool { return t.stranger(k) && !names[NameOf(k)] })
	if t.strange = names; len(names) == 0 {
		return
	}
	if t.forgetAll(t.stranger, now) && t.Matters != nil {
		t.Changed()
	}
}

// stranger reports whether nobody wants the record with a key.
func (t *Table[K, T, R]) stranger(k K) bool { return len(t.strange) > 0 && t.strange[NameOf(k)] }

// Fallen is how many records had a counter fall in the last update.
func (t *Table[K, T, R]) Fallen() int { return t.fell }

// Counting is how many records have counters above 0.
func (t *Table[K, T, R]) Counting() int {
	n := 0
	for _, rec := range t.live.Rows() {
		if t.differ.Growing(rec) {
			n++
		}
	}
	return n
}

// Remove forgets the records with a name, which may come back.
func (t *Table[K, T, R]) Remove(name string) {
	for _, rec := range slices.Clone(t.live.Rows()) {
		if k := R(rec).Key(); NameOf(k) == name {
			t.live.Delete(k)
			delete(t.partial, k)
			if t.Matters != nil {
				t.Changed()
			}
		}
	}
}

// Clear forgets everything.
func (t *Table[K, T, R]) Clear() {
	t.live.Replace(nil)
	t.left = 0
	clear(t.partial)
}

// Records is how many records there are.
func (t *Table[K, T, R]) Records() int { return t.live.Len() }

// LeftOut is how many records there was no room for.
func (t *Table[K, T, R]) LeftOut() int { return t.left }

// free is how many records there is room for beside so many.
func (t *Table[K, T, R]) free(taken int) int {
	if t.Room == nil {
		return math.MaxInt
	}
	return t.Room(t.live.Len()) - taken
}

// Keys are the keys of the records.
func (t *Table[K, T, R]) Keys() []any {
	keys := make([]any, 0, t.live.Len())
	for _, rec := range t.live.Rows() {
		keys = append(keys, R(rec).Key())
	}
	return keys
}
