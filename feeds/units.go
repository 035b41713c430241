package feeds

import (
	"wallboard/feeds/timeunit"
	"wallboard/model"
)

// DetectedUnit is a time whose unit document 2 does not specify, with the unit that the server
// seems to use.
type DetectedUnit struct {
	Field          timeunit.Field
	Unit           timeunit.Unit // the unit that gives plausible times; unknown if no unit does
	ContradictsPin bool          // the configuration pins another unit
	Presumed       bool          // the unit is the most likely one, but neither pinned nor confirmed by two full states
}

// Units returns the detected units of the times that have arrived as numbers, in the order of
// [timeunit.Fields]. zone is the detected zone of the times that arrive without a zone. more
// reports whether another full state may show more units. It is safe for concurrent use.
func (f *Feed) Units() (found []DetectedUnit, zone timeunit.Zone, more bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	l := f.env.Times
	for _, field := range timeunit.Fields() {
		if l.WasReceived(field) {
			found = append(found, DetectedUnit{field, l.Unit(field), l.ContradictsPin(field), l.IsPresumed(field)})
		}
	}
	return found, l.Zone(), l.NeedsFullState(timeunit.Fields())
}

// requeryChangedUnits requests the full state of operations with times whose most likely unit has
// changed since they were read. The caller holds mu.
func (f *Feed) requeryChangedUnits() {
	l := f.env.Times
	if !l.ConsumeChange() {
		return
	}
	f.dirty = true
	f.log.Info("detected the units of times", "found", l.String())
	for _, s := range f.subs {
		if l.HasStaleValues(traitsByOperation[s.doc.Root].timeFields) && s.activeID != "" {
			s.losses.needsResync = true
			l.SetRereading(s.doc.Root, true)
		}
	}
	l.ClearStaleValues()
}

// presumedTimes returns the set of times whose unit or zone is uncertain.
func presumedTimes(l *timeunit.Learner) (set model.Presumed) {
	for _, f := range timeunit.Fields() {
		if !l.IsUncertain(f) {
			continue
		}
		switch f {
		case timeunit.FieldState:
			set |= model.PresumedInState
		case timeunit.FieldHold, timeunit.FieldHoldTotal:
			set |= model.PresumedHold
		case timeunit.FieldCodes:
			set |= model.PresumedCodes
		case timeunit.FieldQueueLongest:
			set |= model.PresumedLongest
		case timeunit.FieldQueueAverage:
			set |= model.PresumedAverage
		case timeunit.FieldNone:
		}
	}
	return set
}
