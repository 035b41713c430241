package timeunit

import (
	"math"
	"time"
)

// impossibleWeight is the weight of a unit in which most numbers are impossible.
const impossibleWeight = impossibleLikelihood * maxFullStateWeight

const (
	// minAgreeingCount is the number of agreeing full states after which a unit is known.
	minAgreeingCount = 2
	// minLead is the lead in weight that a unit needs for a full state to count for it.
	minLead = 3
	// maxFullStateWeight caps the weight of the numbers of one full state, which are not
	// independent.
	maxFullStateWeight = 4
	// changeMemory limits the weight that the changes in earlier full states keep to less than
	// that of the next full state; knownChangeMemory limits it for a known unit.
	changeMemory      = 3
	knownChangeMemory = 6
	// pinnedWeight is the weight added for a pinned unit, recalledWeight for one found in an
	// earlier run.
	pinnedWeight   = 6
	recalledWeight = 4
)

// belief is the evidence about the unit of one field.
type belief struct {
	byValue         weights         // from the values of new numbers
	impossible      [unitCount]bool // impossible for most numbers of the last full state
	byChange        weights         // from earlier changes
	unit            Unit            // most likely unit; Unknown if all are impossible
	agreeingCount   int             // number of full states in a row that favour it
	hasEvidence     bool            // this connection has provided evidence
	readInOtherUnit bool            // values were read in another unit before
	readInUnit      bool            // values were read in this unit

	observation observation
}

// observation collects what one full state says about the unit of a field.
type observation struct {
	sampleCount int
	impossible  [unitCount]int
	newRecords  int // records that were not in the previous full state
	byValue     weights
	changed     int // records whose change is informative
	byChange    weights
}

// addNumber adds a number. Only the value of a new number is evidence; the others
// are evaluated by their changes.
func (o *observation) addNumber(f Field, raw float64, fresh bool, now time.Time) {
	at := float64(now.UnixMilli()) / 1e3
	w := valueWeights(f, raw, at)
	least := w[w.bestUnit(dateGroup)] - maxWeight
	for u := UnixSeconds; u < unitCount; u++ {
		if isImplausible(f, u, raw, at, w[u]) {
			o.impossible[u]++
		}
		if fresh {
			o.byValue[u] += max(w[u], least)
		}
	}
	if o.sampleCount++; fresh {
		o.newRecords++
	}
}

// maxUsualTime is longer than most agents stay in a state and longer than most calls wait.
const maxUsualTime = 14 * 24 * time.Hour

// isImplausible reports whether a number is impossible in a unit, according to its weight, or so
// long that most records cannot have it.
func isImplausible(f Field, u Unit, raw, now, weight float64) bool {
	long := maxUsualTime.Seconds()
	switch {
	case weight <= impossibleLikelihood:
		return true
	case u.IsDuration():
		return f != Codes && u.Seconds(raw) > long
	default:
		return now-u.Seconds(raw) > long
	}
}

// addChange adds the change of a number.
func (o *observation) addChange(f Field, before, after float64, apart time.Duration) {
	w := changeWeights(f, before, after, apart.Seconds())
	if !w.isInformative(f) {
		return
	}
	o.changed++
	o.byChange = o.byChange.plusScaled(&w, 1)
}

// isInformative reports whether the weights distinguish the possible units of a field.
func (w *weights) isInformative(f Field) bool {
	least, most := math.Inf(1), math.Inf(-1)
	for u := UnixSeconds; u < unitCount; u++ {
		if f.IsDate() || u.IsDuration() {
			least, most = min(least, w[u]), max(most, w[u])
		}
	}
	return most-least > 0.5
}

// absorbObservation moves the observations of the full state into the belief. It reports whether
// they are new evidence; unchanged numbers are not.
func (b *belief) absorbObservation() (isNew bool) {
	l := &b.observation
	for u := range b.impossible {
		b.impossible[u] = 2*l.impossible[u] > l.sampleCount
	}
	if 2*l.newRecords >= l.sampleCount {
		b.byValue = weights{}.plusScaled(&l.byValue, float64(min(l.newRecords, maxFullStateWeight))/float64(l.newRecords))
	}
	bound := float64(changeMemory)
	if b.agreeingCount >= minAgreeingCount {
		bound = knownChangeMemory
	}
	if l.changed > 0 {
		b.byChange = b.byChange.clipped(bound).plusScaled(&l.byChange, float64(min(l.changed, maxFullStateWeight))/float64(l.changed))
	}
	isNew = l.changed > 0 || !b.hasEvidence
	b.hasEvidence = true
	b.observation = observation{}
	return isNew
}

// evidence returns the total evidence about the units of the field.
func (b *belief) evidence() weights {
	w := b.byValue.plusScaled(&b.byChange, 1)
	for u, is := range b.impossible {
		if is {
			w[u] = impossibleWeight
		}
	}
	return w
}

// unitGroups groups the fields that have the same unit, because they have the same scalar type
// or belong to the same object.
var unitGroups = [...][]Field{{State, Hold}, {QueueLongest, QueueAverage}, {Codes}, {HoldTotal}}

// dateGroup is the index of the Date fields in unitGroups. The others are durations.
const dateGroup = 0

// sameUnitPrior is the prior probability that all durations of a platform have the
// same unit.
const sameUnitPrior = 0.85

// unitWeights returns the weights of the units of a group of fields, given the evidence about all
// groups.
func unitWeights(group int, evidence *[len(unitGroups)]weights, prior *weights) weights {
	if group == dateGroup {
		return evidence[group].plusScaled(prior, 1)
	}
	together, apart := *prior, *prior
	apart = apart.plusScaled(&evidence[group], 1)
	others := 0.0
	for k := dateGroup + 1; k < len(unitGroups); k++ {
		together = together.plusScaled(&evidence[k], 1)
		if k == group {
			continue
		}
		sum := math.Inf(-1)
		for u := Seconds; u < unitCount; u++ {
			sum = logOfSum(sum, durationPrior[u]+evidence[k][u])
		}
		others += sum
	}
	for u := Seconds; u < unitCount; u++ {
		apart[u] = logOfSum(together[u]+math.Log(sameUnitPrior), apart[u]+others+math.Log(1-sameUnitPrior))
	}
	return apart
}
