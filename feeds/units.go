package feeds

import (
	"wallboard/feeds/times"
	"wallboard/model"
)

// DetectedUnit is the unit in which a server sends a time whose unit document 2 does
// not show.
type DetectedUnit struct {
	Field          times.Field
	Unit           times.Unit // unknown if no unit gives plausible times
	ContradictsPin bool       // it is pinned to another unit
	Presumed       bool       // fewer than two full states agree on it
}

// Units returns the units of the fields that arrived as numbers, in the order
// of [times.Fields], and the offset of times without a zone, if any. more
// reports whether another full state may tell more. It is safe for concurrent
// use.
func (f *Feed) Units() (found []DetectedUnit, zone times.Zone, more bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	l := f.env.Times
	for _, field := range times.Fields() {
		if l.WasReceived(field) {
			found = append(found, DetectedUnit{field, l.Unit(field), l.ContradictsPin(field), l.Presumed(field)})
		}
	}
	return found, l.Zone(), l.Pending(times.Fields())
}

// requeryChangedUnits queries everything again that was read in another unit than the one
// most likely now. The caller holds mu.
func (f *Feed) requeryChangedUnits() {
	l := f.env.Times
	if !l.Changed() {
		return
	}
	f.dirty = true
	f.log.Info("detected the units of times", "found", l.String())
	for _, s := range f.subs {
		if l.Stale(traits[s.doc.Root].times) && s.active != "" {
			s.losses.resync = true
			l.SetRereading(s.doc.Root, true)
		}
	}
	l.ClearStale()
}

// presumed returns the times whose unit or zone is presumed.
func presumed(l *times.Learner) (set model.Presumed) {
	for _, f := range times.Fields() {
		if !l.Uncertain(f) {
			continue
		}
		switch f {
		case times.State:
			set |= model.PresumedInState
		case times.Hold, times.HoldTotal:
			set |= model.PresumedHold
		case times.Codes:
			set |= model.PresumedCodes
		case times.QueueLongest:
			set |= model.PresumedLongest
		case times.QueueAverage:
			set |= model.PresumedAverage
		case times.None:
		}
	}
	return set
}
