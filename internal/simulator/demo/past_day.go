// Package demo produces snapshots of the day before a simulated platform started, as a board
// would have shown them. The package creates the simulated world again and simulates its day
// step by step. It encodes the changes of each step as messages of the real-time service and
// merges them like the messages of a feed.
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
	"wallboard/feeds/merge"
	"wallboard/feeds/queries"
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

// Start returns the beginning of the day on the platform's clock.
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
			s, err := t.apply(d.world.TakeChanges(), at)
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
	mergers    map[string]func(payload []byte, env *merge.Env) error // by root field; each merges a payload into the store
	tableSizes []func() int                                          // each returns the number of records of a table; in the order of the subscriptions
	env        merge.Env
	health     model.Health
	waits      *dialect.WaitTracker
	onMessage  func(payload []byte)
}

func newSnapshotBuilder() (*snapshotBuilder, error) {
	m := &snapshotBuilder{store: model.NewStore(), mergers: make(map[string]func([]byte, *merge.Env) error)}
	var texts []string
	var errs []error
	s := m.store
	addTable(m, &texts, &errs, model.OpUsers, &s.Users)
	addTable(m, &texts, &errs, model.OpServices, &s.Services)
	addTable(m, &texts, &errs, model.OpGroups, &s.Groups)
	addTable(m, &texts, &errs, model.OpUserStats, &s.UserStats)
	addTable(m, &texts, &errs, model.OpProfiles, &s.Profiles)
	addTable(m, &texts, &errs, model.OpCampaigns, &s.Campaigns)
	addTable(m, &texts, &errs, model.OpAttendants, &s.Attendants)
	addTable(m, &texts, &errs, model.OpOperators, &s.Operators)
	addTable(m, &texts, &errs, model.OpOperatorProfiles, &s.OperatorProfiles)
	var err error
	m.encoder, err = rtd.NewUpdateEncoder(texts)
	if err = errors.Join(append(errs, err)...); err != nil {
		return nil, fmt.Errorf("simulate the day before: %w", err)
	}
	m.env = merge.Env{CompleteLists: true}
	return m, nil
}

// addTable makes the messages of an operation update table. It appends the query of the operation
// to texts, or an error to errs.
func addTable[K comparable, T any, R model.Record[K, T]](
	t *snapshotBuilder, texts *[]string, errs *[]error, op model.Op, table *model.MutableTable[K, T, R],
) {
	doc, err := queries.Load(string(op))
	if err != nil {
		*errs = append(*errs, err)
		return
	}
	plan, err := merge.NewPlan[T](doc.Fields, op.Keys()...)
	if err != nil {
		*errs = append(*errs, err)
		return
	}
	*texts = append(*texts, doc.RenderHead(queries.ServerNames{}, queries.KindQuery, "", "{}")+doc.Selection+" }")
	t.health.Subscriptions = append(t.health.Subscriptions, model.Subscription{Name: op, State: model.SubLive})
	t.tableSizes = append(t.tableSizes, table.Len)
	t.mergers[doc.Root] = func(payload []byte, env *merge.Env) error {
		_, err := plan.Read(payload, doc.Root, env, func(it *merge.Item[T]) error {
			rec := new(T)
			if previous := table.Get(R(it.Key).Key()); previous != nil {
				*rec = *previous
			}
			if err := it.Merge(rec); err != nil {
				return err
			}
			table.Put(rec)
			return nil
		})
		return err
	}
}

// apply merges the changes c and returns the resulting snapshot. until is the time of the snapshot.
func (t *snapshotBuilder) apply(c *world.Changes, until time.Time) (*model.Snapshot, error) {
	t.env.Now, t.env.ReceivedAt = until, until
	t.removeLoggedOut(c)
	err := t.encoder.Encode(c, until, func(root string, payload []byte) error {
		if t.onMessage != nil {
			t.onMessage(payload)
		}
		return t.mergers[root](payload, &t.env)
	})
	if err != nil {
		return nil, fmt.Errorf("simulate the day before: %w", err)
	}
	t.health.Link.LastFrame = until
	for i := range t.health.Subscriptions {
		s := &t.health.Subscriptions[i]
		s.Since, s.LastData, s.VerifiedAt, s.Records = t.health.Link.Since, until, until, t.tableSizes[i]()
	}
	t.waits.Follow(&t.store.Services, true, until)
	return t.store.Publish(until, t.health), nil
}

// removeLoggedOut deletes the records of users who have logged out, because updates do not
// report removed records.
func (t *snapshotBuilder) removeLoggedOut(c *world.Changes) {
	userKey := func(username, channel string) model.UserStatKey {
		return model.UserStatKey{Username: username, Channel: model.Channel(channel)}
	}
	profileKey := func(r *world.UserProfileStat) model.ProfileKey {
		return model.ProfileKey{ID: r.ID, Channel: model.Channel(r.Channel)}
	}
	deleteRemoved(c.Users, t.store.Users.Delete, func(r *world.User) string { return r.Username })
	deleteRemoved(c.UserStats, t.store.UserStats.Delete, func(r *world.UserStat) model.UserStatKey { return userKey(r.Username, r.Channel) })
	deleteRemoved(c.UserProfileStats, t.store.Profiles.Delete, profileKey)
	deleteRemoved(c.Operators, t.store.Operators.Delete, func(r *world.OperatorStat) model.UserStatKey { return userKey(r.Username, r.Channel) })
	deleteRemoved(c.OperatorProfileStats, t.store.OperatorProfiles.Delete, profileKey)
}

// deleteRemoved calls remove with the key of each removed record.
func deleteRemoved[R, K any](changes []world.Change[R], remove func(K) bool, keyOf func(*R) K) {
	for _, c := range changes {
		if c.New == nil {
			remove(keyOf(c.Old))
		}
	}
}
