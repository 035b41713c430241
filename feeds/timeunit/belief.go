package timeunit

import (
	"math"
	"time"
)

// barred is the weight of a unit in which most numbers are impossible.
const barred = unlikely * maxRowWeight

const (
	// enoughAgreeing is the number of agreeing full states after which a unit is known.
	enoughAgreeing = 2
	// decisive is how strongly evidence must favour a unit to count for it.
	decisive = 3
	// maxRowWeight caps the weight of the numbers of one full state, which are not
	// independent.
	maxRowWeight = 4
	// memory limits the weight of changes in earlier full states, firmMemory
	// for a known unit: less than the weight of the next full state.
	memory     = 3
	firmMemory = 6
	// pinned and recalled are the weights added for a pinned unit and for one
	// found in an earlier run.
	pinned   = 6
	recalled = 4
)

// belief is the evidence about the unit of one field.
type belief struct {
	byValue  weights     // from the values of new numbers
	barred   [units]bool // impossible for most numbers of the last full state
	byChange weights     // from earlier changes
	unit     Unit        // most likely unit; Unknown if all are impossible
	agreeing int         // full states in a row that favour it
	seen     bool        // this connection has provided evidence
	stale    bool        // values were read in another unit before
	read     bool        // values were read in this unit

	observed observation
}

// observation collects what one full state says about the unit of a field.
type observation struct {
	rows       int
	impossible [units]int
	fresh      int // records not in the previous full state
	byValue    weights
	changed    int // records whose change is informative
	byChange   weights
}

// observe adds a number. Only the value of a new number is evidence; the others
// are evaluated by their changes.
func (l *observation) observe(f Field, raw float64, fresh bool, now time.Time) {
	at := float64(now.UnixMilli()) / 1e3
	w := valueWeights(f, raw, at)
	least := w[w.best(dateGroup)] - maxWeight
	for u := UnixSeconds; u < units; u++ {
		if implausible(f, u, raw, at, w[u]) {
			l.impossible[u]++
		}
		if fresh {
			l.byValue[u] += max(w[u], least)
		}
	}
	if l.rows++; fresh {
		l.fresh++
	}
}

// longTime is longer than most agents stay in a state and most calls wait.
const longTime = 14 * 24 * time.Hour

// implausible reports whether a number is impossible in a unit, given its
// weight, or so long that most records cannot have it.
func implausible(f Field, u Unit, raw, now, weight float64) bool {
	long := longTime.Seconds()
	switch {
	case weight <= unlikely:
		return true
	case u.IsDuration():
		return f != Codes && u.Seconds(raw) > long
	default:
		return now-u.Seconds(raw) > long
	}
}

// observeChange adds the change of a number.
func (l *observation) observeChange(f Field, before, after float64, apart time.Duration) {
	w := changeWeights(f, before, after, apart.Seconds())
	if !w.informative(f) {
		return
	}
	l.changed++
	l.byChange = l.byChange.plus(&w, 1)
}

// informative reports whether the weights distinguish the possible units of a field.
func (w *weights) informative(f Field) bool {
	least, most := math.Inf(1), math.Inf(-1)
	for u := UnixSeconds; u < units; u++ {
		if f.IsDate() || u.IsDuration() {
			least, most = min(least, w[u]), max(most, w[u])
		}
	}
	return most-least > 0.5
}

// conclude moves the evidence of the full state into the belief. It reports
// whether that adds to the first one: the same numbers again are no second
// observation.
func (b *belief) conclude() (tells bool) {
	l := &b.observed
	for u := range b.barred {
		b.barred[u] = 2*l.impossible[u] > l.rows
	}
	if 2*l.fresh >= l.rows {
		b.byValue = weights{}.plus(&l.byValue, float64(min(l.fresh, maxRowWeight))/float64(l.fresh))
	}
	bound := float64(memory)
	if b.agreeing >= enoughAgreeing {
		bound = firmMemory
	}
	b.byChange = b.byChange.clipped(bound)
	if l.changed > 0 {
		b.byChange = b.byChange.plus(&l.byChange, float64(min(l.changed, maxRowWeight))/float64(l.changed))
	}
	tells = l.changed > 0 || !b.seen
	b.seen = true
	b.observed = observation{}
	return tells
}

// evidence returns the total evidence about the units of the field.
func (b *belief) evidence() weights {
	w := b.byValue.plus(&b.byChange, 1)
	for u, is := range b.barred {
		if is {
			w[u] = barred
		}
	}
	return w
}

// unitGroups groups the fields that have the same unit: those of one scalar type and
// those of one object.
var unitGroups = [...][]Field{{State, Hold}, {QueueLongest, QueueAverage}, {Codes}, {HoldTotal}}

// dateGroup is the index of the Date fields in kinds. The others are durations.
const dateGroup = 0

// sameUnitPrior is the prior probability that all durations of a platform have the
// same unit.
const sameUnitPrior = 0.85

// weigh returns the weights of the units of a kind, from the evidence about all
// kinds.
func weigh(kind int, evidence *[len(unitGroups)]weights, prior *weights) weights {
	if kind == dateGroup {
		return evidence[kind].plus(prior, 1)
	}
	together, apart := *prior, *prior
	apart = apart.plus(&evidence[kind], 1)
	others := 0.0
	for k := dateGroup + 1; k < len(unitGroups); k++ {
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
		apart[u] = logSum(together[u]+math.Log(sameUnitPrior), apart[u]+others+math.Log(1-sameUnitPrior))
	}
	return apart
}
