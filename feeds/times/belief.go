package times

import (
	"math"
	"time"
)

// barred is the weight of a unit in which most numbers are impossible.
const barred = unlikely * mostRows

const (
	// agreed is after how many full states that agree a unit is known.
	agreed = 2
	// decisive is by how much evidence has to favour a unit to count for it.
	decisive = 3
	// mostRows is how many numbers of a full state count as much as all of them:
	// they are not independent.
	mostRows = 4
	// What the changes in earlier full states have told counts up to memory, or
	// up to firmMemory for a unit that is known: less than the next full state.
	memory     = 3
	firmMemory = 6
	// pinned and recalled are what a pin, and a unit found in an earlier run, add.
	pinned   = 6
	recalled = 4
)

// belief is the evidence about the unit of one field.
type belief struct {
	at     weights     // by the positions of the numbers that came first
	barred [units]bool // most numbers of the last full state are impossible in it
	moved  weights     // by the changes up to then
	unit   Unit        // the likeliest one; unknown while all are impossible
	agrees int         // full states in a row that favour it
	seen   bool        // there was evidence on this connection
	stale  bool        // values were read in another unit before
	read   bool        // values were read in this unit

	look look
}

// look is what a full state tells of a field, until it ends.
type look struct {
	rows       int
	impossible [units]int
	fresh      int // rows that were not in the full state before
	at         weights
	changed    int // rows whose change tells something
	moved      weights
}

// observe takes one number. Only one that was not told before tells something by
// its position: of the others it follows from their changes.
func (l *look) observe(f Field, raw float64, fresh bool, now time.Time) {
	at := float64(now.UnixMilli()) / 1e3
	w := position(f, raw, at)
	least := w[w.best(dates)] - mostTold
	for u := UnixSeconds; u < units; u++ {
		if implausible(f, u, raw, at, w[u]) {
			l.impossible[u]++
		}
		if fresh {
			l.at[u] += max(w[u], least)
		}
	}
	if l.rows++; fresh {
		l.fresh++
	}
}

// rarely is longer than most agents are in a state, or most calls wait.
const rarely = 14 * 24 * time.Hour

// implausible reports whether a number, which has some weight as one of a unit, is
// impossible, or too long a time to be that of most records.
func implausible(f Field, u Unit, raw, now, weight float64) bool {
	long := rarely.Seconds()
	switch {
	case weight <= unlikely:
		return true
	case u.Length():
		return f != Codes && u.Seconds(raw) > long
	default:
		return now-u.Seconds(raw) > long
	}
}

// follow takes the change of one number.
func (l *look) follow(f Field, before, after float64, apart time.Duration) {
	w := change(f, before, after, apart.Seconds())
	if !w.tells(f) {
		return
	}
	l.changed++
	l.moved = l.moved.plus(&w, 1)
}

// tells reports whether the weights favour one of the units that a field may have.
func (w *weights) tells(f Field) bool {
	least, most := math.Inf(1), math.Inf(-1)
	for u := UnixSeconds; u < units; u++ {
		if f.Date() || u.Length() {
			least, most = min(least, w[u]), max(most, w[u])
		}
	}
	return most-least > 0.5
}

// conclude makes the evidence of the full state that of the belief. It reports
// whether that is more than the first one has told: the same numbers again are no
// second observation.
func (b *belief) conclude() (tells bool) {
	l := &b.look
	for u := range b.barred {
		b.barred[u] = 2*l.impossible[u] > l.rows
	}
	if 2*l.fresh >= l.rows {
		b.at = weights{}.plus(&l.at, float64(min(l.fresh, mostRows))/float64(l.fresh))
	}
	bound := float64(memory)
	if b.agrees >= agreed {
		bound = firmMemory
	}
	b.moved = b.moved.clipped(bound)
	if l.changed > 0 {
		b.moved = b.moved.plus(&l.moved, float64(min(l.changed, mostRows))/float64(l.changed))
	}
	tells = l.changed > 0 || !b.seen
	b.seen = true
	b.look = look{}
	return tells
}

// evidence returns all there is about the units of the field.
func (b *belief) evidence() weights {
	w := b.at.plus(&b.moved, 1)
	for u, is := range b.barred {
		if is {
			w[u] = barred
		}
	}
	return w
}

// kinds are the fields that have the same unit: those of one scalar type, and
// those of one object.
var kinds = [...][]Field{{State, Hold}, {QueueLongest, QueueAverage}, {Codes}, {HoldTotal}}

// dates is the first of the kinds. The others are lengths.
const dates = 0

// shared is how likely all lengths of a platform have the same unit.
const shared = 0.85

// weigh returns the weights of the units of a kind, from the evidence about all of
// them.
func weigh(kind int, evidence *[len(kinds)]weights, prior *weights) weights {
	if kind == dates {
		return evidence[kind].plus(prior, 1)
	}
	together, apart := *prior, *prior
	apart = apart.plus(&evidence[kind], 1)
	others := 0.0
	for k := dates + 1; k < len(kinds); k++ {
		together = together.plus(&evidence[k], 1)
		if k == kind {
			continue
		}
		sum := math.Inf(-1)
		for u := Seconds; u < units; u++ {
			sum = logSum(sum, lengthPrior[u]+evidence[k][u])
		}
		others += sum
	}
	for u := Seconds; u < units; u++ {
		apart[u] = logSum(together[u]+math.Log(shared), apart[u]+others+math.Log(1-shared))
	}
	return apart
}
