package timeunit

import (
	"cmp"
	"slices"
	"time"
)

// MaxDuration is the longest plausible duration.
const MaxDuration = 366 * 24 * time.Hour

const (
	// maxSamples limits how many numbers of each field are taken from a full state and compared
	// with the next full state.
	maxSamples = 64
	// minSampleInterval is the minimum interval between two full states whose numbers are compared.
	minSampleInterval = 1500 * time.Millisecond
	// maxSampleAge is the age at which a sample that was not renewed may be forgotten.
	maxSampleAge = 5 * time.Minute
)

// Learner learns the units of times from received numbers, and their time zone from text. Use [New] to make one,
// because the zero value cannot learn. A nil Learner is allowed and learns nothing.
type Learner struct {
	pinnedUnits   [fieldCount]Unit
	knownUnits    [fieldCount]Unit // known units, from this and earlier connections
	unitEstimates [fieldCount]unitEstimate
	samples       map[sampleKey]sample
	countedAt     [fieldCount]time.Time // when a full state last agreed with the unit

	zone             zoneEstimate
	unreadableFields [fieldCount]bool // text in an unknown format was received
	receivedFields   [fieldCount]bool // numbers were received

	unitChanged bool            // a unit or the zone has changed after values were read with the old one
	rereading   map[string]bool // operations that are being queried again because a unit changed
}

// sampleKey identifies a number by its field and record.
type sampleKey struct {
	field  Field
	op     string
	record any
}

// sample is a number from a full state, with the time of reception.
type sample struct {
	raw float64
	at  time.Time
}

// New returns a learner. The units in pins and the zone apply until evidence contradicts them.
func New(pins map[Field]Unit, zone Zone) *Learner {
	l := &Learner{samples: make(map[sampleKey]sample), rereading: make(map[string]bool)}
	l.zone.pinZone(zone)
	for f, u := range pins {
		l.pinnedUnits[f] = u
	}
	l.chooseUnits()
	return l
}

// LoadUnits loads the units found in an earlier run. found maps names of fields to names of units.
// LoadUnits ignores unknown names.
func (l *Learner) LoadUnits(found map[string]string) {
	for _, f := range Fields() {
		if u, ok := UnitNamed(found[f.String()]); ok && (f.IsDate() || u.IsDuration()) {
			l.knownUnits[f] = u
		}
	}
	l.chooseUnits()
}

// KnownUnits returns the names of the known units by the names of their fields.
func (l *Learner) KnownUnits() map[string]string {
	found := make(map[string]string)
	for _, f := range Fields() {
		if u := l.knownUnits[f]; u != UnitUnknown {
			found[f.String()] = u.String()
		}
	}
	return found
}

// ResetEvidence forgets the evidence. It is called at the start of a connection. The units found so
// far remain in use until new evidence contradicts them.
func (l *Learner) ResetEvidence() {
	if l == nil {
		return
	}
	clear(l.samples)
	l.zone.reset()
	for f := range l.unitEstimates {
		b := &l.unitEstimates[f]
		*b = unitEstimate{unit: b.unit, readInUnit: b.readInUnit, readInOtherUnit: b.readInOtherUnit}
	}
	l.chooseUnits()
}

// Unit returns the most likely unit of a field. It returns [UnitUnknown] for a Date that has neither a
// number nor a known or pinned unit, for numbers that are implausible in every unit, and for a nil
// Learner.
func (l *Learner) Unit(f Field) Unit {
	if l == nil {
		return UnitUnknown
	}
	return l.unitEstimates[f].unit
}

// IsPresumed reports whether numbers of a field were received and its unit is only the most likely
// one: it is neither pinned nor confirmed by two full states.
func (l *Learner) IsPresumed(f Field) bool {
	if l == nil || !l.receivedFields[f] || l.unitEstimates[f].unit == UnitUnknown {
		return false
	}
	return l.unitEstimates[f].unit != cmp.Or(l.knownUnits[f], l.pinnedUnits[f])
}

// AddSample adds raw, a number of the field f in a full state, or a sum of several numbers. op and
// record identify the record. at is the time of reception on our clock, and now the same moment on
// the platform's clock. After the last number of a full state, call [Learner.EndFullState].
func (l *Learner) AddSample(op string, record any, f Field, raw float64, at, now time.Time) {
	if l == nil || f == FieldNone {
		return
	}
	sampleID := sampleKey{f, op, record}
	if raw <= 0 {
		delete(l.samples, sampleID)
		if raw == 0 && f == FieldQueueLongest && len(l.samples) < maxSamples*int(fieldCount) {
			l.samples[sampleID] = sample{0, at} // to be compared when the next wait begins
		}
		return
	}
	l.receivedFields[f] = true
	observed := &l.unitEstimates[f].observation
	if observed.sampleCount >= maxSamples {
		return
	}
	previous, ok := l.samples[sampleID]
	observed.addNumber(f, raw, !ok || previous.raw == 0, now)
	switch apart := at.Sub(previous.at); {
	case !ok && len(l.samples) >= maxSamples*int(fieldCount):
		l.forgetOld(at)
	case ok && apart < minSampleInterval && previous.raw > 0:
		return
	case ok:
		observed.addChange(f, previous.raw, raw, apart)
	}
	l.samples[sampleID] = sample{raw, at}
}

// forgetOld forgets samples older than maxSampleAge. If too many samples are left, it forgets all
// of them.
func (l *Learner) forgetOld(now time.Time) {
	for where, s := range l.samples {
		if now.Sub(s.at) > maxSampleAge {
			delete(l.samples, where)
		}
	}
	if len(l.samples) >= maxSamples*int(fieldCount) {
		clear(l.samples)
	}
}

// EndFullState evaluates the numbers sampled since its last call as one full state. It then chooses
// the most likely unit of each field. at is the time of reception on our clock, and now the same
// moment on the platform's clock.
func (l *Learner) EndFullState(at, now time.Time) {
	if l == nil {
		return
	}
	var isNew [len(unitGroups)]bool
	var sampled [fieldCount]bool
	for group, fields := range unitGroups {
		for _, f := range fields {
			b := &l.unitEstimates[f]
			if sampled[f] = b.observation.sampleCount > 0; sampled[f] {
				isNew[group] = b.absorbObservation() || isNew[group]
			}
		}
	}
	l.unitChanged = l.zone.chooseZone(now) || l.unitChanged
	l.chooseUnits()
	evidence := l.evidence()
	for group, fields := range unitGroups {
		withoutPrior := unitWeights(group, &evidence, &weights{})
		for _, f := range fields {
			if sampled[f] && isNew[group] {
				l.countFullState(f, group, withoutPrior, at)
			}
		}
	}
}

// countFullState counts a full state as agreeing with the unit of the field f if the evidence
// clearly favors that unit. withoutPrior holds the weights of the units without the prior. group is
// the group of f.
func (l *Learner) countFullState(f Field, group int, withoutPrior weights, at time.Time) {
	b := &l.unitEstimates[f]
	switch {
	case b.unit == UnitUnknown:
		b.agreeingCount, l.knownUnits[f] = 0, UnitUnknown
	case withoutPrior.bestUnit(group) != b.unit || withoutPrior.leadOfBest(group) < minWeightLead:
	case b.agreeingCount == 0 || at.Sub(l.countedAt[f]) >= minSampleInterval:
		l.countedAt[f] = at
		if b.agreeingCount++; b.agreeingCount >= minAgreeingCount {
			l.knownUnits[f] = b.unit
		}
	}
}

// evidence returns the weights of the units according to the evidence about each group of fields.
func (l *Learner) evidence() (all [len(unitGroups)]weights) {
	for group, fields := range unitGroups {
		for _, f := range fields {
			own := l.unitEstimates[f].evidence()
			all[group] = all[group].plusScaled(&own, 1)
		}
	}
	return all
}

// chooseUnits sets the unit of each field to the one that is most likely now.
func (l *Learner) chooseUnits() {
	evidence := l.evidence()
	for group, fields := range unitGroups {
		for _, f := range fields {
			evidence[group][l.pinnedUnits[f]] += pinnedWeight
			evidence[group][l.knownUnits[f]] += savedUnitWeight
		}
	}
	for group, fields := range unitGroups {
		w := unitWeights(group, &evidence, fields[0].prior())
		u := w.bestUnit(group)
		if group == dateGroup && !l.hasEvidence(fields) {
			u = UnitUnknown
		}
		for _, f := range fields {
			if u == UnitUnknown || l.unitEstimates[f].impossible[u] {
				l.setUnit(f, UnitUnknown)
			} else {
				l.setUnit(f, u)
			}
		}
	}
}

// hasEvidence reports whether one of the fields has any evidence or a known or pinned unit.
func (l *Learner) hasEvidence(fields []Field) bool {
	return slices.ContainsFunc(fields, func(f Field) bool {
		return l.unitEstimates[f].hasEvidence || cmp.Or(l.knownUnits[f], l.pinnedUnits[f]) != UnitUnknown
	})
}

// setUnit sets the unit of a field. If values were read in the previous unit, it marks them as
// stale.
func (l *Learner) setUnit(f Field, u Unit) {
	b := &l.unitEstimates[f]
	if b.unit == u {
		return
	}
	b.unit, b.agreeingCount = u, 0
	if l.knownUnits[f] != u {
		l.knownUnits[f] = UnitUnknown
	}
	if b.readInUnit {
		b.readInUnit, b.readInOtherUnit, l.unitChanged = false, true, true
	}
}

// MarkRead records that a value of the field was read in the current unit.
func (l *Learner) MarkRead(f Field) {
	if l != nil {
		l.receivedFields[f], l.unitEstimates[f].readInUnit = true, true
	}
}

// LearnFirstNumber learns from raw, a number of the field f. It is called for a Date in an update while
// the unit of f is unknown. It returns the unit that is most likely then.
func (l *Learner) LearnFirstNumber(f Field, raw float64, at, now time.Time) Unit {
	if l == nil {
		return UnitUnknown
	}
	l.AddSample("", nil, f, raw, at, now)
	l.EndFullState(at, now)
	return l.Unit(f)
}

// ConsumeChange reports whether, since the last call, a unit or the zone has changed in which values had
// already been read.
func (l *Learner) ConsumeChange() bool {
	if l == nil || !l.unitChanged {
		return false
	}
	l.unitChanged = false
	return true
}

// HasStaleValues reports whether values of the fields were read in a unit or zone that has changed
// since.
func (l *Learner) HasStaleValues(fields []Field) (stale bool) {
	for _, f := range fields {
		stale = stale || l.unitEstimates[f].readInOtherUnit || f.IsDate() && l.zone.readInOtherZone
	}
	return stale
}

// ClearStaleValues records that all stale values are being queried again.
func (l *Learner) ClearStaleValues() {
	for f := range l.unitEstimates {
		l.unitEstimates[f].readInOtherUnit = false
	}
	l.zone.readInOtherZone = false
}

// NeedsFullState reports whether another full state would help to determine the unit
// of one of the fields.
func (l *Learner) NeedsFullState(fields []Field) bool {
	return l != nil && slices.ContainsFunc(fields, l.IsPresumed)
}

// MarkUnreadable records that text in an unknown format was received for the field f.
func (l *Learner) MarkUnreadable(f Field) {
	if l != nil {
		l.unreadableFields[f] = true
	}
}
