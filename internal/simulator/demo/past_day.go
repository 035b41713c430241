// Package demo produces snapshots of the day up to the start of a simulated platform, and of
// earlier days, as a board would have shown them. The package creates the simulated world again
// and simulates the day step by step. It encodes the changes of each step as messages of the
// real-time display service and merges them like the messages of a feed.
//
// The package starts no goroutines. Snapshots are yielded in order of time.
package demo

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"time"

	"wallboard/feeds/dialect"
	"wallboard/feeds/graphql"
	"wallboard/feeds/merge"
	"wallboard/feeds/records"
	"wallboard/internal/simulator/rtd"
	"wallboard/internal/simulator/world"
	"wallboard/model"
)

// SnapshotInterval is the recommended step for [PastDay.Snapshots]. It is as short as needed
// for the displays of a board.
const SnapshotInterval = 10 * time.Second

// PastDay is a simulated day. It begins at the start of the day and ends when the simulated
// platform starts, or at a given time.
type PastDay struct {
	// OnMessage is called with each message of the real-time service before the message is
	// merged. It may be nil.
	OnMessage func(payload []byte)
	// UpdatesPerSecond is the number of additional agent updates per second, for load tests. 0
	// means none.
	UpdatesPerSecond int

	world       *world.World
	waitMeaning model.WaitMeaning // meaning of maxTimeCallOnQueue; model.WaitAsSent: to be detected from the data
}

// knownWaitMeaning returns the meaning of maxTimeCallOnQueue in a world with the options o. If
// the world does not use the default meaning, it returns model.WaitAsSent, because the meaning
// must then be detected from the data.
func knownWaitMeaning(o world.Options) model.WaitMeaning {
	if o.LongestWait == "" || o.LongestWait == world.LongestNow {
		return model.WaitCurrent
	}
	return model.WaitAsSent
}

// NewPastDay returns the simulated day from its beginning to the start of a world with the options
// o. Its snapshots can be iterated only once.
func NewPastDay(o world.Options) *PastDay {
	return &PastDay{world: world.NewAtDayStart(o), waitMeaning: knownWaitMeaning(o)}
}

// Start returns the beginning of the day on the platform's clock. It must be called before [PastDay.Snapshots].
func (d *PastDay) Start() time.Time { return d.world.Now() }

// Snapshots yields snapshots at intervals of step, from start to the end of the day. start and
// step are on the platform's clock. The sequence ends early if ctx ends or after an error.
func (d *PastDay) Snapshots(ctx context.Context, start time.Time, step time.Duration) iter.Seq2[*model.Snapshot, error] {
	return func(yield func(*model.Snapshot, error) bool) {
		t, err := newSnapshotBuilder()
		if err != nil {
			yield(nil, err)
			return
		}
		t.onMessage, t.waits = d.OnMessage, dialect.NewWaitTracker(d.waitMeaning)
		t.health.Link = model.Link{State: model.LinkUp, Since: d.Start()}
		for at := range d.world.RunToOpening(step) {
			if ctx.Err() != nil {
				return
			}
			if at.Before(start) {
				continue // the first snapshot will include the changes of this step
			}
			if d.UpdatesPerSecond > 0 {
				d.world.ForceUpdate(int(float64(d.UpdatesPerSecond) * step.Seconds()))
			}
			s, err := t.applyChanges(d.world.TakeChanges(), at)
			if !yield(s, err) || err != nil {
				return
			}
		}
	}
}

// snapshotBuilder encodes changes of the simulated world as messages, merges them into a
// store, and publishes the store's content as snapshots.
type snapshotBuilder struct {
	store      *model.Store
	encoder    *rtd.UpdateEncoder
	tables     map[string]storedTable // by root field
	tableSizes []func() int           // each returns the number of records of a table; in the order of the subscriptions
	env        merge.Env
	health     model.Health
	waits      *dialect.WaitTracker
	onMessage  func(payload []byte)
}

// storedTable changes a table of the store: update merges a message, and remove deletes the records
// that a message contains.
type storedTable struct {
	update, remove func(payload []byte, env *merge.Env) error
}

func newSnapshotBuilder() (*snapshotBuilder, error) {
	m := &snapshotBuilder{store: model.NewStore(), tables: make(map[string]storedTable), env: merge.Env{CompleteLists: true}}
	var texts []string
	var errs []error
	for _, t := range records.Tables(m.store) {
		doc, err := graphql.LoadDocument(string(t.Op))
		if err != nil {
			errs = append(errs, err)
			continue
		}
		update, remove, err := t.Merge(doc.Root, doc.Fields)
		errs = append(errs, err)
		m.tables[doc.Root] = storedTable{update, remove}
		m.tableSizes = append(m.tableSizes, t.Len)
		m.health.Subscriptions = append(m.health.Subscriptions, model.Subscription{Name: t.Op, State: model.SubLive})
		texts = append(texts, doc.RenderHead(graphql.ServerNames{}, graphql.KindQuery, "", "{}")+doc.Selection+" }")
	}
	var err error
	m.encoder, err = rtd.NewUpdateEncoder(texts)
	if err = errors.Join(append(errs, err)...); err != nil {
		return nil, fmt.Errorf("simulate the day before: %w", err)
	}
	return m, nil
}

// applyChanges merges the changes c and returns the resulting snapshot. until is the time of the snapshot.
func (t *snapshotBuilder) applyChanges(c *world.Changes, until time.Time) (*model.Snapshot, error) {
	t.env.Now, t.env.ReceivedAt = until, until
	err := t.encoder.EncodeRemoved(c, until, func(root string, payload []byte) error { return t.tables[root].remove(payload, &t.env) })
	if err == nil {
		err = t.encoder.Encode(c, until, func(root string, payload []byte) error {
			if t.onMessage != nil {
				t.onMessage(payload)
			}
			return t.tables[root].update(payload, &t.env)
		})
	}
	if err != nil {
		return nil, fmt.Errorf("simulate the day before: %w", err)
	}
	t.health.Link.LastFrame = until
	for i := range t.health.Subscriptions {
		s := &t.health.Subscriptions[i]
		s.Since, s.LastData, s.VerifiedAt, s.Records = t.health.Link.Since, until, until, t.tableSizes[i]()
	}
	t.waits.UpdateWaits(&t.store.Services, true, until)
	return t.store.Publish(until, t.health), nil
}
