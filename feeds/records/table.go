package records

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

// Applied describes the effect of a payload.
type Applied struct {
	Records  uint64 // number of records in it
	Existing uint64 // number of these that existed before
	HasData  bool   // the root field is present and not null
	Errors   []byte // raw errors of the message
	Skipped  error  // for Replace: why later updates could not be merged
	ResolvedDoubts
}

// ErrKeyless means that a record in a message does not identify itself. A list
// element without a key is a different error, because one subscription per
// record would not help.
var ErrKeyless = fmt.Errorf("%w; requesting the full state instead", merge.ErrNoKey)

const (
	// MaxLag is the maximum assumed lag of a platform replica.
	MaxLag = 15 * time.Second
	// InstantTolerance is the allowed difference between instants computed from elapsed times: the
	// platform's clock may be off by that much before the offset changes.
	InstantTolerance = 2 * time.Second
)

// stage holds merged records that are not yet in the store.
type stage[K comparable, T any] struct {
	rows  []*T
	index map[K]int
	limit recordLimit // limits new records
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

// maxKeptStage is the number of records above which a stage is released instead of reused,
// because full states are rare.
const maxKeptStage = 4000

func (s *stage[K, T]) reset() {
	if len(s.rows) > maxKeptStage {
		*s = stage[K, T]{index: make(map[K]int)}
		return
	}
	clear(s.rows)
	s.rows = s.rows[:0]
	clear(s.index)
	s.limit = recordLimit{}
}

// Table is the stream of an operation that returns a list of records.
type Table[K comparable, T any, R model.Record[K, T]] struct {
	root string
	plan *merge.Plan[T]
	live *model.Live[K, T, R]
	stage[K, T]
	// Drop reports whether an update removes its record; nil: never.
	Drop func(*T) bool
	// ChangesFilters reports whether an update affects the filters of other subscriptions; old is
	// nil for a new record. Changed is called after such updates and after every full answer. Both
	// may be nil.
	ChangesFilters func(old, rec *T) bool
	Changed        func()

	differ       *merge.Differ[T]
	removed      map[K]time.Time            // recently removed by updates
	trusted      *trustedRecords            // set by Trust for the next Replace
	ignored      map[string]bool            // names whose updates are ignored
	incomplete   map[K]doubtReasons         // records that may differ from the platform's
	doubts       []Doubt                    // doubts about the last message
	absentFields uint64                     // bits of the fields that were unknown in some answer
	watched      map[int]watchedSuspects[K] // by chunk
	fallenCount  int                        // records with a counter that fell in the last update
	Capacity     func(own int) int          // how many records fit, given our number; nil: unlimited
	leftOutCount int                        // number of records that did not fit
	SumsAgents   bool                       // a record summarizes several agents
}

// NewTable returns the stream of a list of records kept in a table of the
// store. root is the operation, fields the selection and keys the key fields.
// An error means that the fields are wrong.
func NewTable[K comparable, T any, R model.Record[K, T]](root string, fields []merge.Selection, live *model.Live[K, T, R], keys ...string) (*Table[K, T, R], error) {
	plan, err := merge.NewPlan[T](fields, keys...)
	if err != nil {
		return nil, fmt.Errorf("document of %s: %w", root, err)
	}
	return &Table[K, T, R]{
		root: root, plan: plan, live: live, stage: stage[K, T]{index: make(map[K]int)},
		differ: plan.Differ(growingCounters(), "mutation"), removed: make(map[K]time.Time), incomplete: make(map[K]doubtReasons),
	}, nil
}

// stageRecords stages merged copies of the records in a payload. base returns the record
// whose copy an update is merged into, nil for a new one.
func (t *Table[K, T, R]) stageRecords(to *stage[K, T], payload []byte, env *merge.Env, base func(K) *T) (merge.Result, error) {
	res, err := t.plan.Read(payload, t.root, env, func(it *merge.Item[T]) error {
		if !it.Keyed {
			return ErrKeyless
		}
		k := R(it.Key).Key()
		rec := to.get(k)
		if rec == nil { // otherwise the record occurs twice in the message
			rec = new(T)
			if old := base(k); old != nil {
				*rec = *old
			} else if !to.limit.accept() {
				return nil
			}
			to.put(k, rec)
		}
		t.markRepeatedSuspects(k, it, env)
		env.ListSigns, env.RawNumbers = 0, merge.RawNumbers{}
		err := it.Merge(rec)
		if env.ListSigns != 0 {
			t.doubts = append(t.doubts, Doubt{Name: FilterName(k), Signs: env.ListSigns})
			if env.ListSigns&merge.ListShorter != 0 && !env.CompleteLists {
				t.incomplete[k] |= listShortened
			}
		}
		if err == nil && !env.FullRecord && env.RawNumbers.HasLongestWait() {
			env.LearnUnits(t.root, k, t.SumsAgents)
			env.Times.EndFullState(env.ReceivedAt, env.Now)
		}
		return err
	})
	if err != nil {
		return res, err
	}
	return res, nil
}

// keepSteadyInstants keeps the existing start times in the staged records of a full state if the
// new ones, computed from elapsed times, differ only slightly. took is how long the full state took
// to arrive.
func (t *Table[K, T, R]) keepSteadyInstants(env *merge.Env, took time.Duration) {
	if !env.SawElapsed() {
		return
	}
	for _, rec := range t.rows {
		t.differ.KeepSteadyInstants(t.live.Get(R(rec).Key()), rec, InstantTolerance+took, env.Now)
	}
}

// ApplyUpdate merges an update, completely or, after an error, not at all. opening is
// set for the first message of a subscription.
func (t *Table[K, T, R]) ApplyUpdate(payload []byte, opening bool, env *merge.Env) (Applied, error) {
	defer t.reset()
	t.limit.setFree(t.freeRoom(t.live.Len()))
	t.doubts = t.doubts[:0]
	res, err := t.stageRecords(&t.stage, payload, env, t.live.Get)
	t.leftOutCount = max(t.leftOutCount, t.limit.refused)
	if err != nil {
		return Applied{Errors: res.Errors}, err
	}
	t.fallenCount = 0
	known := uint64(0)
	var same map[K]bool // unchanged records
	for _, rec := range t.rows {
		k := R(rec).Key()
		old := t.live.Get(k)
		if old == nil && t.isIgnored(k) {
			continue
		}
		if t.ChangesFilters != nil && t.ChangesFilters(old, rec) {
			t.Changed()
		}
		if t.Drop != nil && t.Drop(rec) {
			t.forget(k, env.ReceivedAt)
			continue
		}
		if old == nil {
			delete(t.removed, k)
			t.recordArrival(k, opening)
		} else {
			known++
			if t.differ.CounterFell(old, rec) {
				t.fallenCount++
			}
		}
		if !t.replaceRecord(k, old, rec) && !opening && !env.IgnoreRepeats {
			if same == nil {
				same = make(map[K]bool)
			}
			same[k] = true
		}
	}
	if same != nil {
		t.recordNamed(payload, same, env)
	}
	return Applied{Records: uint64(len(t.rows)), Existing: known, HasData: res.HasData, Errors: res.Errors}, nil
}

// ApplyLate merges an update into existing records without adding any: other records
// of a replaced subscription are not wanted.
func (t *Table[K, T, R]) ApplyLate(payload []byte, env *merge.Env) (Applied, error) {
	defer t.reset()
	t.doubts = t.doubts[:0]
	res, err := t.stageRecords(&t.stage, payload, env, t.live.Get)
	if err != nil {
		return Applied{Errors: res.Errors}, err
	}
	for _, rec := range t.rows {
		k := R(rec).Key()
		old := t.live.Get(k)
		if old == nil {
			continue
		}
		if t.ChangesFilters != nil && t.ChangesFilters(old, rec) {
			t.Changed()
		}
		t.replaceRecord(k, old, rec)
	}
	return Applied{Errors: res.Errors}, nil
}

// replaceRecord replaces old, which may be nil, by rec and reports whether it did. An
// equal record is not replaced, so that it does not count as newer.
func (t *Table[K, T, R]) replaceRecord(k K, old, rec *T) bool {
	if old != nil {
		if t.differ.Equal(old, rec) {
			return false
		}
		t.markChangedSuspects(k, old, rec)
	}
	t.live.Put(rec)
	return true
}

// Replace replaces the content by a full answer, with later updates on top.
// asked limits it to the requested names; nil: all. Updates that cannot be
// merged are skipped; the result contains their errors.
func (t *Table[K, T, R]) Replace(answer FullState, later iter.Seq[[]byte], asked func(string) bool, env *merge.Env) (Applied, error) {
	defer t.reset()
	defer func() { t.trusted = nil }()
	t.forgetOldRemovals(env.ReceivedAt)
	t.limit.setFree(t.freeRoom(0))
	t.doubts = t.doubts[:0]
	res, err := t.readFull(answer, env)
	if err != nil || !res.HasData {
		return Applied{Errors: res.Errors}, err
	}
	if asked == nil {
		t.leftOutCount = 0
	}
	t.leftOutCount = max(t.leftOutCount, t.limit.refused)
	t.keepSteadyInstants(env, 0)
	a := Applied{HasData: true, Errors: res.Errors, ResolvedDoubts: t.resolveDoubts()}
	answered := slices.Clone(t.rows)
	t.keepTrusted()
	for _, rec := range answered {
		delete(t.incomplete, R(rec).Key())
		t.absentFields |= t.plan.UnknownFields(rec)
	}
	a.Skipped = t.stageLater(later, asked, env)
	keep := make([]*T, 0, len(t.rows))
	for _, rec := range t.rows {
		k := R(rec).Key()
		if _, gone := t.removed[k]; gone {
			continue // the update that removed it is newer than the answer
		}
		if t.Drop != nil && t.Drop(rec) {
			t.removed[k] = env.ReceivedAt
			continue
		}
		keep = append(keep, rec)
	}
	a.Records = uint64(len(keep))
	if len(a.Errors) > 0 || asked != nil { // the errors may concern the missing records
		for _, rec := range t.live.Rows() {
			k := R(rec).Key()
			if t.get(k) == nil && (len(a.Errors) > 0 || !asked(FilterName(k))) {
				keep = append(keep, rec)
			}
		}
	}
	if n := t.freeRoom(0); len(keep) > n {
		t.leftOutCount = max(t.leftOutCount, len(keep)-n)
		keep = keep[:n]
	}
	t.live.Replace(keep)
	if t.Changed != nil {
		t.Changed()
	}
	return a, nil
}

// stageLater merges the updates since the query into the answer and returns their
// errors. Updates for records that were not requested were merged on arrival.
func (t *Table[K, T, R]) stageLater(later iter.Seq[[]byte], asked func(string) bool, env *merge.Env) (skipped error) {
	// Each update is staged separately, so that a failed one leaves no
	// half-merged record.
	part := stage[K, T]{index: make(map[K]int)}
	for p := range later {
		part.reset()
		part.limit.setFree(t.freeRoom(len(t.rows)))
		if _, err := t.stageRecords(&part, p, env, t.get); err != nil {
			skipped = errors.Join(skipped, err)
			continue
		}
		for _, rec := range part.rows {
			k := R(rec).Key()
			if t.get(k) == nil && t.isIgnored(k) || asked != nil && !asked(FilterName(k)) {
				continue
			}
			delete(t.removed, k)
			if t.get(k) == nil {
				t.recordArrival(k, false)
			}
			t.put(k, rec)
		}
	}
	return skipped
}

// IgnoreNames removes the records with the given names and ignores updates for them
// until the next call.
func (t *Table[K, T, R]) IgnoreNames(names map[string]bool, now time.Time) {
	maps.DeleteFunc(t.removed, func(k K, _ time.Time) bool { return t.isIgnored(k) && !names[FilterName(k)] })
	if t.ignored = names; len(names) == 0 {
		return
	}
	if t.forgetMatching(t.isIgnored, now) && t.ChangesFilters != nil {
		t.Changed()
	}
}

// isIgnored reports whether updates for the record are ignored, see [Table.IgnoreNames].
func (t *Table[K, T, R]) isIgnored(k K) bool { return len(t.ignored) > 0 && t.ignored[FilterName(k)] }

// FallenCount returns how many records had a counter fall in the last update.
func (t *Table[K, T, R]) FallenCount() int { return t.fallenCount }

// NonZeroCount returns how many records have counters above 0.
func (t *Table[K, T, R]) NonZeroCount() int {
	n := 0
	for _, rec := range t.live.Rows() {
		if t.differ.HasNonZeroCounter(rec) {
			n++
		}
	}
	return n
}

// Remove removes the records with a name; updates may bring them back.
func (t *Table[K, T, R]) Remove(name string) {
	for _, rec := range slices.Clone(t.live.Rows()) {
		if k := R(rec).Key(); FilterName(k) == name {
			t.live.Delete(k)
			delete(t.incomplete, k)
			if t.ChangesFilters != nil {
				t.Changed()
			}
		}
	}
}

// Clear removes all records.
func (t *Table[K, T, R]) Clear() {
	t.live.Replace(nil)
	t.leftOutCount = 0
	clear(t.incomplete)
}

// Records returns the number of records.
func (t *Table[K, T, R]) Records() int { return t.live.Len() }

// LeftOut returns how many records did not fit.
func (t *Table[K, T, R]) LeftOut() int { return t.leftOutCount }

// freeRoom returns how many records fit besides taken ones.
func (t *Table[K, T, R]) freeRoom(taken int) int {
	if t.Capacity == nil {
		return math.MaxInt
	}
	return t.Capacity(t.live.Len()) - taken
}

// Keys returns the keys of the records.
func (t *Table[K, T, R]) Keys() []any {
	keys := make([]any, 0, t.live.Len())
	for _, rec := range t.live.Rows() {
		keys = append(keys, R(rec).Key())
	}
	return keys
}
