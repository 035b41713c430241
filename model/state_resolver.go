package model

import "slices"

// BusyElsewhere is the state of an agent who is not ready on one channel because of a contact on
// another channel. Document 2 does not say which state the platform sends in this case. Some
// platforms send NOT_READY, although the agent is not on a break.
const BusyElsewhere UserStatus = "BUSY_ELSEWHERE"

// States returns the states that the records of a snapshot can have. [BusyElsewhere] is the last.
func States() [10]UserStatus {
	var out [10]UserStatus
	all := UserStatuses()
	out[copy(out[:], all[:])] = BusyElsewhere
	return out
}

// StateOn returns the state of a user on a channel. It returns [BusyElsewhere] if the user is not
// ready on the channel and has a contact, a call or after-call work on another one.
func (r *User) StateOn(ch Channel) UserStatus {
	told := r.Statuses.ForChannel(ch)
	if told != NotReady {
		return told
	}
	for _, other := range Channels() {
		if other != ch && r.Statuses.ForChannel(other).isOccupied() {
			return BusyElsewhere
		}
	}
	return told
}

// isOccupied reports whether the state means that the agent has a contact, a call or
// after-call work on the channel. It is false for NOT_READY_BUSY, which does not show on which
// channel the agent is busy.
func (s UserStatus) isOccupied() bool {
	switch s {
	case Busy, Booked, WNR, BusyDNCallIn, BusyDNCallOut, BusyDNCallOutPrivate:
		return true
	case Ready, NotReady, NotReadyBusy, BusyElsewhere:
	}
	return false
}

// isOccupied reports whether the agent is busy on the channel of the record.
func (r *UserStat) isOccupied() bool {
	return r.Status.isOccupied() || r.Status == NotReadyBusy && r.CurrentService.text() != ""
}

// stateResolver derives the state of each agent on each channel from the states that the platform
// sent. A snapshot contains the derived states, so all its readers see the same.
//
//   - An agent who is not ready on one channel and busy on another is [BusyElsewhere],
//     from the moment when both became true.
//   - A break begins when the last channel of the agent becomes not ready. Until then the
//     agent was busy or available on another channel.
type stateResolver struct {
	sent, shown *Table[UserStatKey, UserStat]
	decisions   []derivedRecord  // derived records by row index
	lastRow     map[string]int32 // last row index of each agent
	previousRow []int32          // by row index: index of the previous row of the same agent, or -1 if there is none
}

// derivedRecord holds a record that the platform sent, and the record with the derived state.
type derivedRecord struct {
	sent, shown *UserStat // shown is nil if it does not differ from sent
}

// resolve returns the table received, which the platform sent, with derived states. A record whose
// derived state has not changed keeps its pointer from the last result. clock counts the versions
// of changed records.
func (s *stateResolver) resolve(received *Table[UserStatKey, UserStat], clock *uint64) *Table[UserStatKey, UserStat] {
	if received == s.sent {
		return s.shown
	}
	was := s.sent
	s.sent = received
	if moved := was.Generation() != received.Generation() || was.Len() != received.Len(); moved {
		s.indexRows(was)
		for name := range s.lastRow {
			s.deriveStates(name, clock)
		}
	} else {
		for at, r := range received.Rows() {
			if was.rows[at] != r {
				s.deriveStates(r.Username.text(), clock)
			}
		}
	}
	s.buildShown()
	return s.shown
}

// indexRows rebuilds the index of each agent's rows. It is called after rows were added or removed,
// and keeps the derived records of rows that were already in the previous table.
func (s *stateResolver) indexRows(previous *Table[UserStatKey, UserStat]) {
	old := s.decisions
	s.lastRow, s.previousRow, s.decisions = make(map[string]int32, s.sent.Len()), make([]int32, s.sent.Len()), make([]derivedRecord, s.sent.Len())
	for at, r := range s.sent.Rows() {
		name := r.Username.text()
		before, ok := s.lastRow[name]
		if !ok {
			before = -1
		}
		s.lastRow[name], s.previousRow[at] = int32(at), before
		if i, ok := previous.IndexOf(r.Key()); ok {
			s.decisions[at] = old[i]
		}
	}
}

// deriveStates derives the states of an agent on all channels. clock counts the versions of changed
// records.
func (s *stateResolver) deriveStates(name string, clock *uint64) {
	var busySince Instant
	busy, away, all := 0, 0, 0
	for at := s.lastRow[name]; at >= 0; at = s.previousRow[at] {
		r := s.sent.rows[at]
		all++
		switch {
		case r.isOccupied():
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
	for at := s.lastRow[name]; at >= 0; at = s.previousRow[at] {
		r := s.sent.rows[at]
		status, since := r.Status, r.TimeInState
		switch {
		case status != NotReady:
		case busy > 0:
			status, since = BusyElsewhere, laterInstant(since, busySince)
		case away == all:
			since = s.breakSince(name, r)
		}
		was := s.decisions[at]
		s.decisions[at] = derivedRecord{sent: r}
		switch {
		case status == r.Status && since == r.TimeInState:
		case was.sent == r && was.shown != nil && was.shown.Status == status && was.shown.TimeInState == since:
			s.decisions[at].shown = was.shown
		default:
			shown := *r
			*clock++
			shown.Status, shown.TimeInState, shown.Version = status, since, *clock
			s.decisions[at].shown = &shown
		}
	}
}

// breakSince returns the start of the break of an agent who is not ready on any channel. It is the
// latest time at which a channel with the activity code of r became not ready.
func (s *stateResolver) breakSince(name string, r *UserStat) Instant {
	since := r.TimeInState
	for at := s.lastRow[name]; at >= 0; at = s.previousRow[at] {
		if o := s.sent.rows[at]; o.ActivityCode.text() == r.ActivityCode.text() {
			since = laterInstant(since, o.TimeInState)
		}
	}
	return since
}

// laterInstant returns the later of two instants. If one of them is unknown, it returns in.
func laterInstant(in, other Instant) Instant {
	a, known := in.Get()
	if b, ok := other.Get(); known && ok && b.After(a) {
		return other
	}
	return in
}

// buildShown builds the table with the derived states.
func (s *stateResolver) buildShown() {
	if !slices.ContainsFunc(s.decisions, func(o derivedRecord) bool { return o.shown != nil }) {
		s.shown = s.sent
		return
	}
	rows := slices.Clone(s.sent.rows)
	for at, o := range s.decisions {
		if o.shown != nil {
			rows[at] = o.shown
		}
	}
	s.shown = &Table[UserStatKey, UserStat]{rows: rows, index: s.sent.index, generation: s.sent.generation}
}
