package feeds

import "wallboard/feeds/times"

// Unit is how a server tells a time whose unit document 2 does not show.
type Unit struct {
	Field times.Field
	Unit  times.Unit // unknown while nothing has told it
	Wrong bool       // it is pinned to another one
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
		if u := l.Unit(field); u != times.Unknown || l.Waits(field) {
			found = append(found, Unit{field, u, l.Wrong(field)})
		}
	}
	return found, l.Zone(), l.Pending(times.Fields())
}

// takeUnits asks for everything again that was read in another unit, or not at
// all, after one was found. The caller holds mu.
func (f *Feed) takeUnits() {
	l := f.env.Times
	if !l.Changed() {
		return
	}
	f.dirty = true
	f.log.Info("units of times", "found", l.String())
	for _, s := range f.subs {
		if len(traits[s.doc.Root].times) > 0 && s.active != "" {
			s.losses.resync = true
			l.Reread(s.doc.Root, true)
		}
	}
}
