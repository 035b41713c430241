package feeds

import (
	"errors"
	"maps"
	"slices"
	"strconv"
	"time"

	"wallboard/feeds/graphqlws"
	"wallboard/feeds/merge"
	"wallboard/model"
)

// driftKind says what was wrong.
type driftKind string

// The kinds of drift, as the log and the metrics name them.
const (
	driftValue   driftKind = "value"   // another value than the platform's
	driftCleared driftKind = "cleared" // a value that the platform has no more
	driftMissing driftKind = "missing" // a record that is not here
	driftGhost   driftKind = "ghost"   // a record that is gone
)

// scope is what a look is about.
type scope struct {
	covers func(name string) bool // of records; nil: all
	only   map[suspect]*suspicion // nil at first sight
	since  uint64                 // the store's version lagBound ago
	took   time.Duration          // by the answer
}

// difference is one thing that the full state has otherwise than we do.
type difference struct {
	suspect
	name         string
	kind         driftKind
	ours, theirs string
	recent       bool // an update touched the record within lagBound
	counter      bool // a counter that only ever grows has fallen
	diff         merge.Difference
}

// findings are what a look brought to light.
type findings struct {
	diffs    []difference
	counting int // records in scope that have counters above 0; not at first sight
	refused  []graphqlws.GraphQLError
}

// errPartial says that an answer cannot be compared with.
var errPartial = errors.New("the full state came with errors")

// growing are the counters that fall only when the platform starts anew, or
// with the day.
func growing() []string {
	return []string{
		"receivedCalls", "answeredCalls", "closedCalls", "hangupCalls", "numberCallFromService",
		"numberCallFromServiceAnswered", "numberCallIn", "startedCalls", "triedContacts",
	}
}

// nameOf is what a filter calls the record with a key, "" where no filter can
// name one.
func nameOf(key any) string {
	switch k := key.(type) {
	case model.ServiceKey:
		return k.Code
	case model.GroupKey:
		return k.Code
	case model.AttendantKey:
		return k.Code
	case model.UserStatKey:
		return k.Username
	case model.ProfileKey:
		return strconv.FormatInt(k.ID, 10)
	case int64:
		return strconv.FormatInt(k, 10)
	}
	return ""
}

// look holds the records in scope against a full answer, with the updates that
// came since it was asked for on top. The answer is kept for [table.repair].
func (t *table[K, T, R]) look(answer fullState, later [][]byte, env *merge.Env, in scope) (findings, error) {
	t.reset()
	var out findings
	res, err := t.readFull(answer, env)
	switch {
	case err != nil:
		return out, err
	case !res.HasData || len(res.Errors) > 0:
		out.refused = refusal(applied{hasData: res.HasData, errs: res.Errors})
		return out, errors.Join(errPartial, errors.New(graphQLErrors(res.Errors)))
	}
	t.settle(env, in.took)
	touched, err := t.window(later, env)
	if err != nil {
		return out, err
	}
	t.forgetGone(env.Received)
	for _, rec := range t.rows {
		k := R(rec).Key()
		if gone, fresh := t.gone[k]; t.drop != nil && t.drop(rec) || touched[k] == touchGone || fresh && env.Received.Sub(gone) < lagBound {
			continue
		}
		if t.left > 0 && t.live.Get(k) == nil {
			continue // there is no room for it
		}
		out.diffs = t.compare(out.diffs, k, rec, in)
	}
	t.ghosts(&out, touched, in)
	return out, nil
}

// ghosts notes the records in scope that a full answer lacks.
func (t *table[K, T, R]) ghosts(out *findings, touched map[K]touch, in scope) {
	for _, rec := range t.live.Rows() {
		k := R(rec).Key()
		name := nameOf(k)
		if in.covers != nil && !in.covers(name) {
			continue
		}
		if in.only != nil && t.differ.Growing(rec) {
			out.counting++
		}
		if t.get(k) != nil || touched[k] != 0 {
			continue
		}
		d := difference{
			suspect: suspect{key: k}, name: name, kind: driftGhost, ours: "there", theirs: "gone",
			recent: t.live.ChangedSince(rec, in.since),
		}
		if in.only == nil || in.only[d.suspect] != nil {
			out.diffs = append(out.diffs, d)
		}
	}
}

// touch is what the updates since the query did to a record that the answer
// lacks.
type touch uint8

const (
	touchSome touch = iota + 1
	touchGone
)

// window merges the updates since the query onto the answer. It returns what
// they did to records that the answer lacks, and which they removed.
func (t *table[K, T, R]) window(later [][]byte, env *merge.Env) (map[K]touch, error) {
	touched := make(map[K]touch)
	part := stage[K, T]{index: make(map[K]int)}
	for _, p := range later {
		part.reset()
		if _, err := t.read(&part, p, env, t.get); err != nil {
			return nil, err
		}
		for _, rec := range part.rows {
			k := R(rec).Key()
			switch {
			case t.drop != nil && t.drop(rec):
				touched[k] = touchGone
			case t.get(k) != nil:
				delete(touched, k)
				t.put(k, rec)
			default:
				touched[k] = touchSome
			}
		}
	}
	return touched, nil
}

// compare notes how one record of the answer differs from ours.
func (t *table[K, T, R]) compare(to []difference, k K, theirs *T, in scope) []difference {
	name := nameOf(k)
	add := func(d difference) {
		if d.key, d.name = k, name; in.only == nil || in.only[d.suspect] != nil {
			to = append(to, d)
		}
	}
	ours := t.live.Get(k)
	if ours == nil {
		add(difference{kind: driftMissing, ours: "not there", theirs: "there"})
		return to
	}
	if t.differ.Equal(ours, theirs) {
		return to
	}
	recent := t.live.ChangedSince(ours, in.since)
	for diff := range t.differ.Diff(ours, theirs) {
		if diff.Reckoned && diff.Apart != 0 && diff.Apart.Abs() <= clockTolerance+in.took {
			continue // what tells how long ago tells no better when
		}
		d := difference{
			suspect: suspect{path: diff.Path}, kind: driftValue, ours: diff.Ours, theirs: diff.Theirs,
			recent: recent, counter: diff.Fallen, diff: diff,
		}
		if diff.Cleared() {
			d.kind = driftCleared
		}
		add(d)
	}
	return to
}

// repair makes what differs as the answer of the last look has it, and forgets
// that.
func (t *table[K, T, R]) repair(diffs []difference) {
	defer t.reset()
	fixed := make(map[K]*T)
	for i := range diffs {
		d := &diffs[i]
		k, ok := d.key.(K)
		if !ok {
			continue
		}
		theirs, ours := t.get(k), t.live.Get(k)
		switch {
		case d.kind == driftGhost:
			if t.matters != nil {
				t.changed()
			}
			t.live.Delete(k)
		case theirs == nil:
		case ours == nil:
			fixed[k] = theirs
		default:
			if fixed[k] == nil {
				rec := *ours
				fixed[k] = &rec
			}
			t.differ.Take(fixed[k], theirs, d.diff)
		}
	}
	for k, rec := range fixed {
		if t.matters != nil && t.matters(t.live.Get(k), rec) {
			t.changed()
		}
		t.live.Put(rec)
	}
}

// watched are suspects that updates may touch.
type watched[K comparable] struct {
	suspects map[suspect]*suspicion
	keys     map[K]bool
}

// watch makes updates note in the suspicions of a chunk what they tell or change:
// a value that changed and changed back is no proof of anything.
func (t *table[K, T, R]) watch(chunk int, suspects map[suspect]*suspicion) {
	delete(t.watched, chunk)
	if len(suspects) == 0 {
		return
	}
	w := watched[K]{suspects, make(map[K]bool)}
	for sp := range suspects {
		if k, ok := sp.key.(K); ok {
			w.keys[k] = true
		}
	}
	if t.watched == nil {
		t.watched = make(map[int]watched[K])
	}
	t.watched[chunk] = w
}

func (t *table[K, T, R]) noteSuspects(k K, old, rec *T) {
	for _, w := range t.watched {
		if !w.keys[k] {
			continue
		}
		for diff := range t.differ.Diff(old, rec) {
			if sn := w.suspects[suspect{k, diff.Path}]; sn != nil {
				sn.changed = true
			}
		}
	}
}

// noteTold clears the suspects that an update tells, were it what is shown already:
// it is newer than the first look, and a replica may not have it at the second.
func (t *table[K, T, R]) noteTold(k K, it *merge.Item[T], env *merge.Env) {
	if env.Full {
		return // an answer
	}
	for _, w := range t.watched {
		if !w.keys[k] {
			continue
		}
		if sn := w.suspects[suspect{key: k}]; sn != nil { // a record that is told of is there
			sn.changed = true
		}
		var none, told T
		if it.Merge(&told) != nil {
			return // it is refused in a moment
		}
		for diff := range t.differ.Diff(&none, &told) {
			if sn := w.suspects[suspect{k, diff.Path}]; sn != nil {
				sn.changed = true
			}
		}
	}
}

// forget removes a record that is gone, and keeps answers that are older from
// bringing it back.
func (t *table[K, T, R]) forget(k K, now time.Time) {
	t.live.Delete(k)
	delete(t.partial, k)
	t.gone[k] = now
}

// forgetAll forgets all who are gone, and reports whether there were any.
func (t *table[K, T, R]) forgetAll(gone func(K) bool, now time.Time) (some bool) {
	for _, rec := range slices.Clone(t.live.Rows()) {
		if k := R(rec).Key(); gone(k) {
			t.forget(k, now)
			some = true
		}
	}
	return some
}

// forgetGone drops the marks of records that have been gone long enough.
func (t *table[K, T, R]) forgetGone(now time.Time) {
	maps.DeleteFunc(t.gone, func(_ K, at time.Time) bool { return now.Sub(at) >= lagBound })
}

// look takes the answer over: one object that is asked for costs nothing, and
// what says how the platform is must not wait for a second look.
func (s *single[T]) look(answer fullState, later [][]byte, env *merge.Env, _ scope) (findings, error) {
	a, err := s.replace(answer, later, nil, env)
	if err == nil && (!a.hasData || len(a.errs) > 0) {
		return findings{refused: refusal(a)}, errors.Join(errPartial, errors.New(graphQLErrors(a.errs)))
	}
	return findings{}, err
}

func (s *single[T]) repair([]difference) {}
