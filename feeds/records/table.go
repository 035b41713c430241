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

// ApplyResult describes what a message contained and which parts of it were applied.
type ApplyResult struct {
	Records      uint64 // number of records in the message
	Existing     uint64 // number of these records that we had before
	HasData      bool   // the root field is present and not null
	Errors       []byte // errors in the message, as received
	SkippedError error  // for Replace: errors of the later updates that could not be merged
	ResolvedDoubtCounts
}

// ErrKeyless means that a record in a message does not contain its key. For a list element without
// a key there is a different error, because one subscription per record would not help.
var ErrKeyless = fmt.Errorf("%w; requesting the full state instead", merge.ErrNoKey)

const (
	// MaxReplicaLag is how far the data of a replica of the platform may lag behind the updates.
	MaxReplicaLag = 15 * time.Second
	// InstantTolerance is how much two instants computed from elapsed times may differ and still
	// count as equal. The platform's clock may be wrong by that much before the clock offset is
	// corrected.
	InstantTolerance = 2 * time.Second
)

// stagedRecords holds merged records that are not in the store yet, because a later error may discard them.
type stagedRecords[K comparable, T any] struct {
	rows  []*T
	index map[K]int
	limit recordLimit // limits new records
}

func (s *stagedRecords[K, T]) get(k K) *T {
	if i, ok := s.index[k]; ok {
		return s.rows[i]
	}
	return nil
}

func (s *stagedRecords[K, T]) put(k K, rec *T) {
	if i, ok := s.index[k]; ok {
		s.rows[i] = rec
		return
	}
	s.index[k] = len(s.rows)
	s.rows = append(s.rows, rec)
}

// maxKeptStage is the number of records up to which reset keeps the memory for reuse. More memory is released,
// because full states are rare.
const maxKeptStage = 4000

func (s *stagedRecords[K, T]) reset() {
	if len(s.rows) > maxKeptStage {
		*s = stagedRecords[K, T]{index: make(map[K]int)}
		return
	}
	clear(s.rows)
	s.rows = s.rows[:0]
	clear(s.index)
	s.limit = recordLimit{}
}

// Table keeps the records of an operation with a list of results.
type Table[K comparable, T any, R model.Record[K, T]] struct {
	root       string
	plan       *merge.Plan[T]
	storeTable *model.MutableTable[K, T, R]
	stagedRecords[K, T]
	// IsDeletion reports whether a record in an update or answer is marked as deleted. A nil function
	// means that no record is.
	IsDeletion func(*T) bool
	// ChangesFilters reports whether an update of a record affects the filters of other subscriptions. old is
	// the record before the update, or nil for a new record. OnChange is called after such updates, after
	// removals and after every full answer. Either both functions are nil or neither is.
	ChangesFilters func(old, rec *T) bool
	OnChange       func()

	differ          *merge.Differ[T]
	removed         map[K]time.Time            // when records were recently removed by updates
	trustedRecords  *trustedRecords            // set by TrustLocalRecords for the next Replace
	ignoredNames    map[string]bool            // names of records for which updates are ignored
	doubtReasons    map[K]doubtReasons         // records that may differ from the platform's, with the reasons
	doubtfulRecords []DoubtfulRecord           // doubts about records after the last message
	absentFields    uint64                     // bit set of the fields that were unknown in an answer
	watchedSuspects map[int]watchedSuspects[K] // suspects of the audit that updates have to mark, by chunk
	atFullState     map[K]*T                   // records after the last full state, until the next check; nil: there are many
	fallenCount     int                        // number of records in the last update with a counter that fell
	Capacity        func(own int) int          // returns how many records fit into the table, given its current number; nil: no limit
	omittedCount    int                        // number of records that were left out because they did not fit
	SumsAgents      bool                       // a record summarizes several agents
}

// NewTable returns a table for the operation root, which returns a list of records. The table keeps
// its records in live, a table of the store. fields is the selection. keys names the key fields.
// NewTable returns an error if the fields do not fit T.
func NewTable[K comparable, T any, R model.Record[K, T]](root string, fields []merge.Selection, live *model.MutableTable[K, T, R], keys ...string) (*Table[K, T, R], error) {
	plan, err := merge.NewPlan[T](fields, keys...)
	if err != nil {
		return nil, fmt.Errorf("document of %s: %w", root, err)
	}
	return &Table[K, T, R]{
		root: root, plan: plan, storeTable: live, stagedRecords: stagedRecords[K, T]{index: make(map[K]int)},
		differ: plan.NewDiffer(growingCounters(), "mutation"), removed: make(map[K]time.Time), doubtReasons: make(map[K]doubtReasons),
	}, nil
}

// stageRecords merges the records of a payload and adds them to the parameter to. base returns the existing
// record with a key, or nil for a new record. An update is merged into a copy of the existing record.
func (t *Table[K, T, R]) stageRecords(to *stagedRecords[K, T], payload []byte, env *merge.Env, base func(K) *T) (merge.Result, error) {
	res, err := t.plan.Read(payload, t.root, env, func(it *merge.Item[T]) error {
		if !it.Keyed {
			return ErrKeyless
		}
		k := R(it.Key).Key()
		rec := to.get(k)
		if rec == nil { // not nil: a record from earlier in the same message
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
			t.doubtfulRecords = append(t.doubtfulRecords, DoubtfulRecord{RecordName: FilterName(k), Signs: env.ListSigns})
			if env.ListSigns&merge.ListShorter != 0 && !env.CompleteLists {
				t.doubtReasons[k] |= listShortened
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

// keepSteadyInstants avoids changes of start times that are only jitter. If a start time in a staged record
// was computed from an elapsed time and is close to the existing start time, it keeps the existing one. took
// is the time that the full state took to arrive, by which the start times may also differ.
func (t *Table[K, T, R]) keepSteadyInstants(env *merge.Env, took time.Duration) {
	if !env.HasElapsedTimes() {
		return
	}
	for _, rec := range t.rows {
		t.differ.KeepSteadyInstants(t.storeTable.Get(R(rec).Key()), rec, InstantTolerance+took, env.Now)
	}
}

// ApplyUpdate merges an update. After an error, it merges nothing of the update. opening is true
// for the first message of a subscription.
func (t *Table[K, T, R]) ApplyUpdate(payload []byte, opening bool, env *merge.Env) (ApplyResult, error) {
	defer t.reset()
	t.limit.setRemaining(t.freeCapacity(t.storeTable.Len()))
	t.doubtfulRecords = t.doubtfulRecords[:0]
	res, err := t.stageRecords(&t.stagedRecords, payload, env, t.storeTable.Get)
	t.omittedCount = max(t.omittedCount, t.limit.refused)
	if err != nil {
		return ApplyResult{Errors: res.Errors}, err
	}
	t.fallenCount = 0
	known := uint64(0)
	var same map[K]bool // existing records that the update did not change
	for _, rec := range t.rows {
		k := R(rec).Key()
		old := t.storeTable.Get(k)
		if old == nil && t.isIgnored(k) {
			continue
		}
		if t.ChangesFilters != nil && t.ChangesFilters(old, rec) {
			t.OnChange()
		}
		if t.IsDeletion != nil && t.IsDeletion(rec) {
			t.forget(k, env.ReceivedAt)
			continue
		}
		if old == nil {
			delete(t.removed, k)
			t.markNewRecord(k, opening)
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
		t.markKeyOnly(payload, same, env)
	}
	return ApplyResult{Records: uint64(len(t.rows)), Existing: known, HasData: res.HasData, Errors: res.Errors}, nil
}

// ApplyLate merges an update of a replaced subscription into existing records. It adds no records:
// a record that only the replaced subscription covers is not wanted.
func (t *Table[K, T, R]) ApplyLate(payload []byte, env *merge.Env) (ApplyResult, error) {
	defer t.reset()
	t.doubtfulRecords = t.doubtfulRecords[:0]
	res, err := t.stageRecords(&t.stagedRecords, payload, env, t.storeTable.Get)
	if err != nil {
		return ApplyResult{Errors: res.Errors}, err
	}
	for _, rec := range t.rows {
		k := R(rec).Key()
		old := t.storeTable.Get(k)
		if old == nil {
			continue
		}
		if t.ChangesFilters != nil && t.ChangesFilters(old, rec) {
			t.OnChange()
		}
		t.replaceRecord(k, old, rec)
	}
	return ApplyResult{Errors: res.Errors}, nil
}

// replaceRecord puts rec into the store unless rec equals old, the existing record. So an unchanged
// record does not count as newer. old is nil for a new record. replaceRecord reports whether it put
// rec into the store.
func (t *Table[K, T, R]) replaceRecord(k K, old, rec *T) bool {
	if old != nil {
		if t.differ.Equal(old, rec) {
			return false
		}
		t.markChangedSuspects(k, old, rec)
	}
	t.storeTable.Put(rec)
	return true
}

// Replace replaces the records with those in a full answer and merges the updates in later on top.
// asked reports whether a record, given by name, was requested. Records that were not requested
// stay. If asked is nil, all were requested. Replace skips updates that cannot be merged. The
// SkippedError of the result contains their errors.
func (t *Table[K, T, R]) Replace(answer FullState, later iter.Seq[[]byte], asked func(string) bool, env *merge.Env) (ApplyResult, error) {
	defer t.reset()
	defer func() { t.trustedRecords = nil }()
	t.forgetOldRemovals(env.ReceivedAt)
	t.limit.setRemaining(t.freeCapacity(0))
	t.doubtfulRecords = t.doubtfulRecords[:0]
	res, err := t.readFull(answer, env)
	if err != nil || !res.HasData {
		return ApplyResult{Errors: res.Errors}, err
	}
	if asked == nil {
		t.omittedCount = 0
	}
	t.omittedCount = max(t.omittedCount, t.limit.refused)
	t.keepSteadyInstants(env, 0)
	a := ApplyResult{HasData: true, Errors: res.Errors, ResolvedDoubtCounts: t.resolveDoubts()}
	answered := slices.Clone(t.rows)
	t.keepTrustedRecords()
	for _, rec := range answered {
		delete(t.doubtReasons, R(rec).Key())
		t.absentFields |= t.plan.UnknownFields(rec)
	}
	a.SkippedError = t.stageLater(later, asked, env)
	keep := make([]*T, 0, len(t.rows))
	for _, rec := range t.rows {
		k := R(rec).Key()
		if _, gone := t.removed[k]; gone {
			continue // an update newer than the answer removed the record
		}
		if t.IsDeletion != nil && t.IsDeletion(rec) {
			t.removed[k] = env.ReceivedAt
			continue
		}
		keep = append(keep, rec)
	}
	a.Records = uint64(len(keep))
	if len(a.Errors) > 0 || asked != nil { // records that the answer lacks stay if they were not requested or if errors may concern them
		for _, rec := range t.storeTable.Rows() {
			k := R(rec).Key()
			if t.get(k) == nil && (len(a.Errors) > 0 || !asked(FilterName(k))) {
				keep = append(keep, rec)
			}
		}
	}
	if n := t.freeCapacity(0); len(keep) > n {
		t.omittedCount = max(t.omittedCount, len(keep)-n)
		keep = keep[:n]
	}
	t.storeTable.Replace(keep)
	if t.atFullState = nil; asked == nil && len(keep) <= maxEarlyRecords {
		t.atFullState = make(map[K]*T, len(keep))
		for _, rec := range keep {
			t.atFullState[R(rec).Key()] = rec
		}
	}
	if t.OnChange != nil {
		t.OnChange()
	}
	return a, nil
}

// stageLater merges the updates since the query into the answer and returns the errors of the
// updates that it skipped. asked is as in [Table.Replace]. Updates of records that were not
// requested are ignored, because they were merged on arrival.
func (t *Table[K, T, R]) stageLater(later iter.Seq[[]byte], asked func(string) bool, env *merge.Env) (skipped error) {
	// Each update is staged separately, so a failed one leaves no half-merged record.
	part := stagedRecords[K, T]{index: make(map[K]int)}
	for p := range later {
		part.reset()
		part.limit.setRemaining(t.freeCapacity(len(t.rows)))
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
				t.markNewRecord(k, false)
			}
			t.put(k, rec)
		}
	}
	return skipped
}

// IgnoreNames removes the records with the given names and makes the table ignore updates for these
// names until the next call of IgnoreNames.
func (t *Table[K, T, R]) IgnoreNames(names map[string]bool, now time.Time) {
	maps.DeleteFunc(t.removed, func(k K, _ time.Time) bool { return t.isIgnored(k) && !names[FilterName(k)] })
	if t.ignoredNames = names; len(names) == 0 {
		return
	}
	if t.forgetMatching(t.isIgnored, now) && t.ChangesFilters != nil {
		t.OnChange()
	}
}

func (t *Table[K, T, R]) isIgnored(k K) bool {
	return len(t.ignoredNames) > 0 && t.ignoredNames[FilterName(k)]
}

// FallenCounters returns the number of records in the last update in which a counter fell.
func (t *Table[K, T, R]) FallenCounters() int { return t.fallenCount }

// NonZeroCount returns the number of records with a counter above 0. It considers only counters
// that should never decrease.
func (t *Table[K, T, R]) NonZeroCount() int {
	n := 0
	for _, rec := range t.storeTable.Rows() {
		if t.differ.HasNonZeroCounter(rec) {
			n++
		}
	}
	return n
}

// Remove removes the records with the given name. Later messages may add the records again.
func (t *Table[K, T, R]) Remove(name string) {
	for _, rec := range slices.Clone(t.storeTable.Rows()) {
		if k := R(rec).Key(); FilterName(k) == name {
			t.storeTable.Delete(k)
			delete(t.doubtReasons, k)
			if t.ChangesFilters != nil {
				t.OnChange()
			}
		}
	}
}

// Clear removes all records.
func (t *Table[K, T, R]) Clear() {
	t.storeTable.Replace(nil)
	t.omittedCount = 0
	clear(t.doubtReasons)
}

// Records returns the number of records.
func (t *Table[K, T, R]) Records() int { return t.storeTable.Len() }

// OmittedRecords returns how many records were left out because they did not fit.
func (t *Table[K, T, R]) OmittedRecords() int { return t.omittedCount }

// freeCapacity returns how many more records fit if the table holds taken records.
func (t *Table[K, T, R]) freeCapacity(taken int) int {
	if t.Capacity == nil {
		return math.MaxInt
	}
	return t.Capacity(t.storeTable.Len()) - taken
}

// Keys returns the keys of the records.
func (t *Table[K, T, R]) Keys() []any {
	keys := make([]any, 0, t.storeTable.Len())
	for _, rec := range t.storeTable.Rows() {
		keys = append(keys, R(rec).Key())
	}
	return keys
}
