package model

import "slices"

// BusyElsewhere is the state of an agent who is not ready on one channel while they are
// busy on another one. Document 2 does not say what the platform sends in that case; some
// platforms send NOT_READY, which is not a break.
const BusyElsewhere UserStatus = "BUSY_ELSEWHERE"

// States returns the states that a snapshot can hold, [BusyElsewhere] last.
func States() [10]UserStatus {
	var out [10]UserStatus
	all := UserStatuses()
	out[copy(out[:], all[:])] = BusyElsewhere
	return out
}

// StateOn returns the state of a user on a channel, by the same rules as
// [Snapshot.UserStats].
func (r *User) StateOn(ch Channel) UserStatus {
	told := r.Statuses.On(ch)
	if told != NotReady {
		return told
	}
	for _, other := range Channels() {
		if other != ch && r.Statuses.On(other).occupies() {
			return BusyElsewhere
		}
	}
	return told
}

// occupies reports whether an agent in this state has a contact, a call or after-call work
// on that channel. NOT_READY_BUSY alone does not tell the channel.
func (s UserStatus) occupies() bool {
	switch s {
	case Busy, Booked, WNR, BusyDNCallIn, BusyDNCallOut, BusyDNCallOutPrivate:
		return true
	case Ready, NotReady, NotReadyBusy, BusyElsewhere:
	}
	return false
}

// occupied reports whether an agent is busy on the channel of the record.
func (r *UserStat) occupied() bool {
	return r.Status.occupies() || r.Status == NotReadyBusy && r.CurrentService.text() != ""
}

// states derives the state of each agent on each channel. A published table holds the
// derived states instead of those that the platform sent, so all readers of a snapshot see
// the same.
//
//   - An agent who is not ready on one channel and busy on another is [BusyElsewhere],
//     from the moment when both became true.
//   - A break begins when the last channel of the agent becomes not ready: until then the
//     agent was busy or available on another channel.
type states struct {
	told, shown *Table[UserStatKey, UserStat]
	decided     []decision       // by row index
	last        map[string]int32 // last row index of each agent
	before      []int32          // by row index: the previous row of the same agent, -1 if none
}

// decision is the derived record for one that the platform sent.
type decision struct {
	told, shown *UserStat // shown is nil if the platform's record is shown unchanged
}

// of returns the table to show for the table that the platform sent. A record whose derived
// state did not change keeps its identity.
func (d *states) of(told *Table[UserStatKey, UserStat], clock *uint64) *Table[UserStatKey, UserStat] {
	if told == d.told {
		return d.shown
	}
	was := d.told
	d.told = told
	if moved := was.Generation() != told.Generation() || was.Len() != told.Len(); moved {
		d.place(was)
		for name := range d.last {
			d.decide(name, clock)
		}
	} else {
		for at, r := range told.Rows() {
			if was.rows[at] != r {
				d.decide(r.Username.text(), clock)
			}
		}
	}
	d.show()
	return d.shown
}

// place indexes the rows of each agent and keeps the decisions for rows that were in the
// previous table.
func (d *states) place(was *Table[UserStatKey, UserStat]) {
	old := d.decided
	d.last, d.before, d.decided = make(map[string]int32, d.told.Len()), make([]int32, d.told.Len()), make([]decision, d.told.Len())
	for at, r := range d.told.Rows() {
		name := r.Username.text()
		before, ok := d.last[name]
		if !ok {
			before = -1
		}
		d.last[name], d.before[at] = int32(at), before
		if i, ok := was.Place(r.Key()); ok {
			d.decided[at] = old[i]
		}
	}
}

// decide derives the states of an agent on all channels.
func (d *states) decide(name string, clock *uint64) {
	var busySince Instant
	busy, away, all := 0, 0, 0
	for at := d.last[name]; at >= 0; at = d.before[at] {
		r := d.told.rows[at]
		all++
		switch {
		case r.occupied():
			if at, ok := r.TimeInState.Get(); ok {
				if first, some := busySince.Get(); !some || at.Before(first) {
					busySince = r.TimeInState
				}
			}
			busy++
		case r.Status == NotReady:
			away++
		}
	}
	for at := d.last[name]; at >= 0; at = d.before[at] {
		r := d.told.rows[at]
		status, since := r.Status, r.TimeInState
		switch {
		case status != NotReady:
		case busy > 0:
			status, since = BusyElsewhere, later(since, busySince)
		case away == all:
			since = d.breakSince(name, r)
		}
		was := d.decided[at]
		d.decided[at] = decision{told: r}
		switch {
		case status == r.Status && since == r.TimeInState:
		case was.told == r && was.shown != nil && was.shown.Status == status && was.shown.TimeInState == since:
			d.decided[at].shown = was.shown
		default:
			shown := *r
			*clock++
			shown.Status, shown.TimeInState, shown.Version = status, since, *clock
			d.decided[at].shown = &shown
		}
	}
}

// breakSince returns the time since when an agent has been not ready on all channels with
// the activity code of a record.
func (d *states) breakSince(name string, r *UserStat) Instant {
	since := r.TimeInState
	for at := d.last[name]; at >= 0; at = d.before[at] {
		if o := d.told.rows[at]; o.ActivityCode.text() == r.ActivityCode.text() {
			since = later(since, o.TimeInState)
		}
	}
	return since
}

// later returns the later of an instant and another one, which may be unknown.
func later(in, other Instant) Instant {
	a, known := in.Get()
	if b, ok := other.Get(); known && ok && b.After(a) {
		return other
	}
	return in
}

// show builds the table to show.
func (d *states) show() {
	if !slices.ContainsFunc(d.decided, func(o decision) bool { return o.shown != nil }) {
		d.shown = d.told
		return
	}
	rows := slices.Clone(d.told.rows)
	for at, o := range d.decided {
		if o.shown != nil {
			rows[at] = o.shown
		}
	}
	d.shown = &Table[UserStatKey, UserStat]{rows: rows, index: d.told.index, generation: d.told.generation}
}
