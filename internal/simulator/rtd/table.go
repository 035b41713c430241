package rtd

import (
	"context"
	"slices"
	"sync"
	"time"

	"wallboard/internal/simulator/world"
)

// selection is a compiled filter. match selects records. If the filter also restricts the
// content of records, project returns a record with the allowed content. A subscription with a
// projection cannot share its updates with other subscriptions.
type selection[R any] struct {
	match   func(*R) bool
	project func(*R) *R // nil: records are not changed
}

func (s selection[R]) applyProjection(r *R) *R {
	if s.project == nil {
		return r
	}
	return s.project(r)
}

// table holds the current records of one kind and the subscriptions to them. Its methods are
// safe for concurrent use.
type table[R, V any] struct {
	root        string // root field of the operation
	keyOf       func(*R) world.Key
	changes     func(*world.Changes) []world.Change[R] // returns the changes of the table's records
	newView     func(*viewBuilder, *R, *R) V
	removedView func(*R) *V       // returns the view that reports a removed record; nil: removals are not reported
	pacer       *fullStateLimiter // limits how fast full states are collected; nil: no limit
	style       deltaStyle

	mu            sync.Mutex
	rows          map[world.Key]*R
	latestChanges []change[R, V] // changes of the latest step
	replica       *replica[R]    // answers queries instead of rows; nil: rows answer them
	subs          map[*subscription[R, V]]struct{}
}

func newTable[R, V any](o *Options, p *fullStateLimiter, keyOf func(*R) world.Key, fill func(*viewBuilder, *R, *R) V, records []*R) *table[R, V] {
	t := &table[R, V]{
		keyOf: keyOf, newView: fill, style: newDeltaStyle(o), pacer: p, replica: newReplica[R](o),
		rows: make(map[world.Key]*R, len(records)),
		subs: make(map[*subscription[R, V]]struct{}),
	}
	for _, r := range records {
		t.rows[keyOf(r)] = r
	}
	return t
}

// change is a change of a record in a step. old is nil if the record was added, and cur if it
// was removed. delta is the update shared by all subscriptions. It is nil for added and
// removed records, and if there were no subscriptions.
type change[R, V any] struct {
	key      world.Key
	old, cur *R
	delta    *V
}

func (t *table[R, V]) rootName() string { return t.root }

// applyStep applies the changes of a step of the world.
func (t *table[R, V]) applyStep(c *world.Changes) { t.apply(t.changes(c)) }

// apply applies the changes of a step and passes them to the subscriptions.
func (t *table[R, V]) apply(changes []world.Change[R]) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.replica != nil {
		t.replica.recordChanges(changes, t.keyOf)
	}
	t.latestChanges = t.latestChanges[:0]
	for _, c := range splitKeyChanges(changes, t.keyOf) {
		t.latestChanges = append(t.latestChanges, t.applyChange(c))
	}
	for sub := range t.subs {
		sub.pushChanges(t.latestChanges)
	}
}

// splitKeyChanges replaces each change of a record's key with a removal and an addition. It
// may modify changes.
func splitKeyChanges[T any](changes []world.Change[T], keyOf func(*T) world.Key) []world.Change[T] {
	out := changes
	for i, c := range changes {
		if c.Old != nil && c.New != nil && keyOf(c.Old) != keyOf(c.New) {
			out = append(slices.Clip(out), world.Change[T]{New: c.New})
			out[i] = world.Change[T]{Old: c.Old}
		}
	}
	return out
}

func (t *table[R, V]) applyChange(c world.Change[R]) change[R, V] {
	if c.New == nil {
		k := t.keyOf(c.Old)
		delete(t.rows, k)
		return change[R, V]{key: k, old: c.Old}
	}
	k := t.keyOf(c.New)
	t.rows[k] = c.New
	ch := change[R, V]{key: k, old: c.Old, cur: c.New}
	if c.Old != nil && len(t.subs) > 0 {
		ch.delta = buildView(t.style, c.Old, c.New, t.newView)
	}
	return ch
}

// query returns views of the selected records with all fields, sorted by key.
func (t *table[R, V]) query(sel selection[R]) *[]*V {
	t.mu.Lock()
	rows := t.rows
	if t.replica != nil {
		rows = t.replica.pastRows(t.rows)
	}
	records := selectRecords(sel, rows)
	t.mu.Unlock()
	return t.fullViews(sel, records)
}

func selectRecords[R any](sel selection[R], rows map[world.Key]*R) []*R {
	records := []*R{}
	for _, r := range rows {
		if sel.match(r) {
			records = append(records, r)
		}
	}
	return records
}

func (t *table[R, V]) fullViews(sel selection[R], records []*R) *[]*V {
	t.pacer.waitFor(len(records))
	world.SortByKey(records, t.keyOf)
	views := make([]*V, len(records))
	for i, r := range records {
		views[i] = buildView(t.style, nil, sel.applyProjection(r), t.newView)
	}
	return &views
}

// keyViews returns views that contain only the keys of records, sorted by key.
func (t *table[R, V]) keyViews(records []*R) *[]*V {
	world.SortByKey(records, t.keyOf)
	views := make([]*V, len(records))
	for i, r := range records {
		views[i] = keyView(r, t.newView)
	}
	return &views
}

// subscribe returns a channel of updates of the selected records. The channel is closed after
// ctx is done. first selects the first message. A positive limit is the maximum number of
// records in a message. gather is the minimum time between messages. subscribe passes the
// function that sends to the channel to start, which must run it in a goroutine.
func (t *table[R, V]) subscribe(
	ctx context.Context, sel selection[R], first FirstMessage, limit int, gather time.Duration, start func(func()),
) <-chan *[]*V {
	sub := &subscription[R, V]{
		table: t, selection: sel, limit: limit, gatherTime: gather,
		pending: make(map[world.Key]*pendingChange[R, V]),
		wake:    make(chan struct{}, 1),
	}
	var records []*R
	t.mu.Lock()
	t.subs[sub] = struct{}{}
	if first == FirstFull || first == FirstKeys {
		records = selectRecords(sel, t.rows)
	}
	if first == FirstDelta {
		sub.pushChanges(t.latestChanges)
	}
	t.mu.Unlock()

	out := make(chan *[]*V)
	start(func() {
		defer t.unsubscribe(sub)
		var opening *[]*V
		switch first {
		case FirstFull:
			opening = t.fullViews(sel, records)
		case FirstKeys:
			opening = t.keyViews(records)
		case FirstDelta:
			views := sub.takeUpdates()
			opening = &views
		case FirstNone:
		}
		sub.run(ctx, opening, out)
	})
	return out
}

// detachSubscriptions removes all subscriptions from the table. They receive no further updates.
func (t *table[R, V]) detachSubscriptions() {
	t.mu.Lock()
	defer t.mu.Unlock()
	clear(t.subs)
}

func (t *table[R, V]) unsubscribe(sub *subscription[R, V]) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.subs, sub)
}
