package feeds

import (
	"slices"

	"wallboard/feeds/picture"
	"wallboard/feeds/times"
	"wallboard/model"
)

// timed returns the fields of an operation that tell a time in a unit that
// document 2 does not show.
func timed(op string) []times.Field {
	switch op {
	case opServices:
		return []times.Field{times.QueueLongest, times.QueueAverage}
	case opUserStats:
		return []times.Field{times.State, times.Codes}
	case opProfiles, opOperatorProfiles:
		return []times.Field{times.State, times.Codes, times.HoldTotal, times.Hold}
	}
	return nil
}

// ofMany reports whether a record of an operation sums up several agents.
func ofMany(op string) bool { return op == opProfiles || op == opOperatorProfiles }

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
	return found, l.Zone(), l.Pending()
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
		if len(timed(s.doc.Root)) > 0 && s.active != "" {
			s.resync = true
			l.Reread(s.doc.Root, true)
		}
	}
	f.withdraw()
}

// withdraw forgets the lengths that were taken for seconds and may not be: the
// full state that is asked for brings them again.
func (f *Feed) withdraw() {
	l := f.env.Times
	lost := func(field times.Field) bool { return l.Unit(field) == times.Unknown && !l.Presumed(field) }
	if longest, average := lost(times.QueueLongest), lost(times.QueueAverage); longest || average {
		for _, r := range slices.Clone(f.store.Services.Rows()) {
			own := *r
			c := &own.ChannelStats
			some := withdrawInt(&c.MaxTimeCallOnQueue, longest)
			if average && c.AverageTimeOnQueue.Or(0) != 0 {
				c.AverageTimeOnQueue, some = model.Float{}, true
			}
			if some {
				f.store.Services.Put(&own)
			}
		}
	}
	codes, hold := lost(times.Codes), lost(times.HoldTotal)
	if !codes && !hold {
		return
	}
	for _, r := range slices.Clone(f.store.UserStats.Rows()) {
		if own := *r; withdrawCodes(&own.AgentFigures, codes) {
			f.store.UserStats.Put(&own)
		}
	}
	for _, r := range slices.Clone(f.store.Profiles.Rows()) {
		if own := *r; withdrawProfile(&own, codes, hold) {
			f.store.Profiles.Put(&own)
		}
	}
	for _, r := range slices.Clone(f.store.OperatorProfiles.Rows()) {
		if own := *r; withdrawProfile(&own, codes, hold) {
			f.store.OperatorProfiles.Put(&own)
		}
	}
}

// withdrawInt makes a length unknown, if it is lost, and reports whether that
// changed it. 0 is none in any unit.
func withdrawInt(n *model.Int, lost bool) bool {
	if !lost || n.Or(0) == 0 {
		return false
	}
	*n = model.Int{}
	return true
}

func withdrawProfile(r *model.ProfileStat, codes, hold bool) bool {
	held := withdrawInt(&r.TimeInHold.Time, hold)
	return withdrawCodes(&r.AgentFigures, codes) || held
}

func withdrawCodes(a *model.AgentFigures, lost bool) (some bool) {
	for _, list := range []*[]model.ActivityTime{&a.TimeInActivityCode, &a.TimeInActivityCodeStateBusy, &a.TimeInActivityCodeStateNotReady} {
		*list = slices.Clone(*list)
		for i := range *list {
			some = withdrawInt(&(*list)[i].TotalTime, lost) || some
		}
	}
	return some
}

// doubtSeconds holds the times in codes, whose unit document 2 does not show,
// against the time in the state that has them, which it tells in seconds: together
// they are not longer.
func (f *Feed) doubtSeconds(s *sub) {
	l := f.env.Times
	if s.doc.Root != opUserStats || l.Unit(times.Codes) != times.Unknown || !l.Presumed(times.Codes) {
		return
	}
	for _, r := range f.store.UserStats.Rows() {
		state, ok := r.TimeInStateNotReady.Get()
		if !ok {
			continue
		}
		sum := int64(0)
		for _, c := range r.TimeInActivityCodeStateNotReady {
			sum += c.TotalTime.Or(0)
		}
		if sum > 2*state+int64(picture.LagBound.Seconds()) {
			l.Doubt()
		}
	}
}

// seeksUnits reports whether another full state of an operation would help to find
// a unit.
func seeksUnits(op string, l *times.Learner) bool {
	return slices.Contains(timed(op), times.State) && l.Pending()
}

// timesText says which times of a subscription are not known, or not in the unit
// that they are pinned to.
func (s *sub) timesText() string {
	fields, l := timed(s.doc.Root), s.env.Times
	if len(fields) == 0 || l == nil {
		return ""
	}
	if l.Rereads(s.doc.Root) && !s.resync && s.query == "" {
		l.Reread(s.doc.Root, false)
	}
	said := l.Say(fields)
	if said == "" && l.Rereads(s.doc.Root) {
		for i, f := range fields {
			if i > 0 {
				said += ", "
			}
			said += f.String()
		}
		said += ": a unit was found; they are asked for again"
	}
	return said
}
