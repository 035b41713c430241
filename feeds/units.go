package feeds

import (
	"wallboard/feeds/times"
	"wallboard/model"
)

// Unit is how a server tells a time whose unit document 2 does not show.
type Unit struct {
	Field    times.Field
	Unit     times.Unit // unknown where no unit makes times of its numbers
	Wrong    bool       // it is pinned to another one
	Presumed bool       // fewer than two full states agree on it
}

// Units returns the units of the fields that came as numbers and are not what
// document 2 has others in, in the order of [times.Fields], and how many minutes
// instants without a zone are ahead of UTC, where there are any. more tells that
// another full state may tell more. It may be called from any goroutine.
func (f *Feed) Units() (found []Unit, zone times.Zone, more bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	l := f.env.Times
	for _, field := range times.Fields() {
		if l.Came(field) {
			found = append(found, Unit{field, l.Unit(field), l.Wrong(field), l.Presumed(field)})
		}
	}
	return found, l.Zone(), l.Pending(times.Fields())
}

// takeUnits asks for everything again that was read in another unit than the one
// that is the likeliest now. The caller holds mu.
func (f *Feed) takeUnits() {
	l := f.env.Times
	if !l.Changed() {
		return
	}
	f.dirty = true
	f.log.Info("units of times", "found", l.String())
	for _, s := range f.subs {
		if l.Stale(traits[s.doc.Root].times) && s.active != "" {
			s.losses.resync = true
			l.Reread(s.doc.Root, true)
		}
	}
	l.Renewed()
}

// presumed returns the times whose unit, or zone, is presumed.
func presumed(l *times.Learner) (set model.Presumed) {
	for _, f := range times.Fields() {
		if !l.Guess(f) {
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
