package rtd

import (
	"maps"
	"math/rand/v2"
	"time"

	"wallboard/internal/simulator/world"
)

// replica answers queries with the rows of a table as they were up to most ago. The
// caller holds the table's mutex.
type replica[R any] struct {
	most time.Duration
	now  func() time.Time
	dice *rand.Rand
	past []undo[R] // oldest first
}

// undo reverts a change of a record.
type undo[R any] struct {
	at  time.Time
	key world.Key
	old *R // previous record; nil if there was none
}

func newReplica[R any](o *Options) *replica[R] {
	if o.ReplicaLag <= 0 {
		return nil
	}
	return &replica[R]{
		most: o.ReplicaLag, now: o.Now,
		dice: rand.New(rand.NewPCG(uint64(o.Seed), 2)), //nolint:gosec // random delays need no secure source
	}
}

// note remembers the changes of a step.
func (r *replica[R]) note(changes []world.Change[R], keyOf func(*R) world.Key) {
	now := r.now()
	for len(r.past) > 0 && now.Sub(r.past[0].at) > r.most {
		r.past = r.past[1:]
	}
	for _, c := range changes {
		of := c.New
		if of == nil {
			of = c.Old
		}
		r.past = append(r.past, undo[R]{now, keyOf(of), c.Old})
	}
}

// rows returns the rows at a random earlier time.
func (r *replica[R]) rows(present map[world.Key]*R) map[world.Key]*R {
	then := r.now().Add(-time.Duration(r.dice.Int64N(int64(r.most) + 1)))
	rows := maps.Clone(present)
	for i := len(r.past) - 1; i >= 0 && r.past[i].at.After(then); i-- {
		if u := r.past[i]; u.old == nil {
			delete(rows, u.key)
		} else {
			rows[u.key] = u.old
		}
	}
	return rows
}
