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
		if other != ch && r.Statuses.On(other).isOccupied() {
			return BusyElsewhere
		}
	}
	return told
}

// isOccupied reports whether an agent in this state has a contact, a call or after-call work
// on that channel. NOT_READY_BUSY alone does not show on which channel.
func (s UserStatus) isOccupied() bool {
	switch s {
	case Busy, Booked, WNR, BusyDNCallIn, BusyDNCallOut, BusyDNCallOutPrivate:
		return true
	case Ready, NotReady, NotReadyBusy, BusyElsewhere:
	}
	return false
}

// isOccupied reports whether an agent is busy on the channel of the record.
func (r *UserStat) isOccupied() bool {
	return r.Status.isOccupied() || r.Status == NotReadyBusy && r.CurrentService.text() != ""
}

// stateResolver derives the state of each agent on each channel. A published table holds the
// derived states instead of those that the platform sent, so all readers of a snapshot see
// the same.
//
//   - An agent who is not ready on one channel and busy on another is [BusyElsewhere],
//     from the moment when both became true.
//   - A break begins when the last channel of the agent becomes not ready: until then the
//     agent was busy or available on another channel.
type stateResolver struct {
	sent, shown *Table[UserStatKey, UserStat]
	decisions   []derivedRecord  // by row index
	lastRow     map[string]int32 // last row index of each agent
	previousRow []int32          // by row index: the previous row of the same agent, -1 if none
}

// derivedRecord is the derived record for one that the platform sent.
type derivedRecord struct {
	sent, shown *UserStat // shown is nil if the platform's record is shown unchanged
}

// resolve returns the table to show for the table that the platform sent. A record whose derived
// state did not change keeps its identity.
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

// indexRows indexes the rows of each agent and keeps the decisions for rows that were in the
// previous table.
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

// deriveStates derives the states of an agent on all channels. clock is the version counter for
// changed records.
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

// breakSince returns the time since when an agent has been not ready on all channels with
// the activity code of a record.
func (s *stateResolver) breakSince(name string, r *UserStat) Instant {
	since := r.TimeInState
	for at := s.lastRow[name]; at >= 0; at = s.previousRow[at] {
		if o := s.sent.rows[at]; o.ActivityCode.text() == r.ActivityCode.text() {
			since = laterInstant(since, o.TimeInState)
		}
	}
	return since
}

// laterInstant returns the later of an instant and another one, which may be unknown.
func laterInstant(in, other Instant) Instant {
	a, known := in.Get()
	if b, ok := other.Get(); known && ok && b.After(a) {
		return other
	}
	return in
}

// buildShown builds the table to show.
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
