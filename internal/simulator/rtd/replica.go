package rtd

import (
	"maps"
	"math/rand/v2"
	"time"

	"wallboard/internal/simulator/world"
)

// replica answers queries with the rows of a table at a random time within the last maxLag.
// The caller must hold the mutex of the table.
type replica[R any] struct {
	maxLag time.Duration
	now    func() time.Time
	random *rand.Rand
	undos  []undo[R] // oldest first
}

// undo holds the data needed to revert a change of a record.
type undo[R any] struct {
	time time.Time
	key  world.Key
	old  *R // previous record; nil if there was none
}

func newReplica[R any](o *Options) *replica[R] {
	if o.ReplicaLag <= 0 {
		return nil
	}
	return &replica[R]{
		maxLag: o.ReplicaLag, now: o.Now,
		random: rand.New(rand.NewPCG(uint64(o.Seed), 2)), //nolint:gosec // random delays need no secure source
	}
}

// recordChanges adds the changes of a step to undos, and drops undos older than maxLag.
func (r *replica[R]) recordChanges(changes []world.Change[R], keyOf func(*R) world.Key) {
	now := r.now()
	for len(r.undos) > 0 && now.Sub(r.undos[0].time) > r.maxLag {
		r.undos = r.undos[1:]
	}
	for _, c := range changes {
		record := c.New
		if record == nil {
			record = c.Old
		}
		r.undos = append(r.undos, undo[R]{now, keyOf(record), c.Old})
	}
}

// pastRows returns the rows at a random time within the last maxLag. current holds the current
// rows.
func (r *replica[R]) pastRows(current map[world.Key]*R) map[world.Key]*R {
	pastTime := r.now().Add(-time.Duration(r.random.Int64N(int64(r.maxLag) + 1)))
	rows := maps.Clone(current)
	for i := len(r.undos) - 1; i >= 0 && r.undos[i].time.After(pastTime); i-- {
		if u := r.undos[i]; u.old == nil {
			delete(rows, u.key)
		} else {
			rows[u.key] = u.old
		}
	}
	return rows
}
