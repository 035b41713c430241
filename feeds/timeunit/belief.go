package timeunit

import (
	"math"
	"time"
)

// impossibleWeight is the weight of a unit that is impossible for most numbers of a full state.
const impossibleWeight = impossibleLikelihood * maxFullStateWeight

const (
	// minAgreeingCount is the number of agreeing full states after which a unit is known.
	minAgreeingCount = 2
	// minWeightLead is the smallest lead of the best unit's weight over the second-best at which a full
	// state counts as agreeing with the unit.
	minWeightLead = 3
	// maxFullStateWeight limits the weight of one full state: it counts as at most this number of
	// independent numbers, because the numbers of a full state depend on each other.
	maxFullStateWeight = 4
	// earlierChangeWeight limits the weight of the changes observed in earlier full states, so that the
	// next full state counts more. For a field whose unit is known, the limit is knownChangeWeight.
	earlierChangeWeight = 3
	knownChangeWeight   = 6
	// pinnedWeight is the weight added for a pinned unit. savedUnitWeight is the weight added for a
	// known unit, which may be from an earlier run.
	pinnedWeight    = 6
	savedUnitWeight = 4
)

// unitEstimate holds the evidence about the unit of one field and the most likely unit.
type unitEstimate struct {
	byValue         weights         // weights from the values of the numbers in the last full state with enough new records
	impossible      [unitCount]bool // the unit is impossible for most numbers of the last full state
	byChange        weights         // weights from the changes of numbers between full states
	unit            Unit            // most likely unit; UnitUnknown if all are impossible
	agreeingCount   int             // number of full states that agree with unit
	hasEvidence     bool            // numbers were received on this connection
	readInOtherUnit bool            // values in use were read in another unit
	readInUnit      bool            // values in use were read in unit

	observation observation
}

// observation holds the evidence of one full state about the unit of a field.
type observation struct {
	sampleCount int
	impossible  [unitCount]int
	newRecords  int // number of records that were not in the previous full state
	byValue     weights
	changed     int // number of records whose change distinguishes between units
	byChange    weights
}

// addNumber adds a number of the field f. fresh is true if the record was not in the previous full
// state or its number was 0. The value of a number is evidence only if the number is fresh. Other
// numbers are evidence by their change.
func (o *observation) addNumber(f Field, raw float64, fresh bool, now time.Time) {
	at := float64(now.UnixMilli()) / 1e3
	w := valueWeights(f, raw, at)
	minWeight := w[w.bestUnit(dateGroup)] - maxWeight
	for u := UnixSeconds; u < unitCount; u++ {
		if isImplausible(f, u, raw, at, w[u]) {
			o.impossible[u]++
		}
		if fresh {
			o.byValue[u] += max(w[u], minWeight)
		}
	}
	if o.sampleCount++; fresh {
		o.newRecords++
	}
}

// maxUsualTime is a duration that few agents exceed in one state and few callers in a queue.
const maxUsualTime = 14 * 24 * time.Hour

// isImplausible reports whether the number raw in the unit u is implausible: its weight says that
// it is impossible, or the time would be longer than maxUsualTime. now is in seconds since 1970.
func isImplausible(f Field, u Unit, raw, now, weight float64) bool {
	long := maxUsualTime.Seconds()
	switch {
	case weight <= impossibleLikelihood:
		return true
	case u.IsDuration():
		return f != FieldCodes && u.Seconds(raw) > long
	default:
		return now-u.Seconds(raw) > long
	}
}

// addChange adds a change of the number of the field f. apart is the time between the two values.
func (o *observation) addChange(f Field, before, after float64, apart time.Duration) {
	w := changeWeights(f, before, after, apart.Seconds())
	if !w.isInformative(f) {
		return
	}
	o.changed++
	o.byChange = o.byChange.plusScaled(&w, 1)
}

// isInformative reports whether the weights clearly differ between the possible units of the field
// f.
func (w *weights) isInformative(f Field) bool {
	least, most := math.Inf(1), math.Inf(-1)
	for u := UnixSeconds; u < unitCount; u++ {
		if f.IsDate() || u.IsDuration() {
			least, most = min(least, w[u]), max(most, w[u])
		}
	}
	return most-least > 0.5
}

// absorbObservation moves the observation of a full state into the estimate. isNew is true if the
// full state was new evidence. Numbers that do not distinguish between units by their change are
// new only in the first full state of a connection.
func (b *unitEstimate) absorbObservation() (isNew bool) {
	l := &b.observation
	for u := range b.impossible {
		b.impossible[u] = 2*l.impossible[u] > l.sampleCount
	}
	if 2*l.newRecords >= l.sampleCount {
		b.byValue = weights{}.plusScaled(&l.byValue, float64(min(l.newRecords, maxFullStateWeight))/float64(l.newRecords))
	}
	bound := float64(earlierChangeWeight)
	if b.agreeingCount >= minAgreeingCount {
		bound = knownChangeWeight
	}
	if l.changed > 0 {
		b.byChange = b.byChange.clipped(bound).plusScaled(&l.byChange, float64(min(l.changed, maxFullStateWeight))/float64(l.changed))
	}
	isNew = l.changed > 0 || !b.hasEvidence
	b.hasEvidence = true
	b.observation = observation{}
	return isNew
}

// evidence returns the weight of each unit according to all evidence about the field.
func (b *unitEstimate) evidence() weights {
	w := b.byValue.plusScaled(&b.byChange, 1)
	for u, is := range b.impossible {
		if is {
			w[u] = impossibleWeight
		}
	}
	return w
}

// unitGroups groups the fields that must have the same unit, because they have the same scalar
// type, belong to the same object or are used alike.
var unitGroups = [...][]Field{{FieldState, FieldHold}, {FieldQueueLongest, FieldQueueAverage}, {FieldCodes}, {FieldHoldTotal}}

// dateGroup is the index in unitGroups of the fields of the type Date. The fields of the other
// groups are durations.
const dateGroup = 0

// sameUnitPrior is the prior probability that all durations of a platform have the same unit.
const sameUnitPrior = 0.85

// unitWeights returns the weight of each unit for a group of fields. It combines the evidence about
// the group with prior, the prior weights of the group. For durations, evidence about the other
// durations also counts.
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
