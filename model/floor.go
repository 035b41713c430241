package model

// Floor holds the figures of one channel for the whole floor or a part of it: sums over services
// and head counts over users. Its KPIs are computed from the sums, because a mean of ratios would
// be wrong.
//
// The sum of a counter is unknown if a record lacks this counter but has others. Otherwise a ratio
// of two sums would compare different sets of records.
type Floor struct {
	Services int // number of services in the sums
	Calls    ServiceCalls
	States   map[UserStatus]int // number of users by state on the channel; "" is the unknown state
	Users    int                // number of users in States
	Agents   AgentFigures       // sums of the counters and times in states; the other fields are not set
}

// CountInStates returns the number of users in any of the given states. It is unknown if the
// floor has no users.
func (f *Floor) CountInStates(states ...UserStatus) Int {
	if f.Users == 0 {
		return Int{}
	}
	n := 0
	for _, s := range states {
		n += f.States[s]
	}
	return IntOf(int64(n))
}

// LoggedIn returns the number of users whose state is known. It is unknown if the floor has no users.
func (f *Floor) LoggedIn() Int {
	if f.Users == 0 {
		return Int{}
	}
	return IntOf(int64(f.Users - f.States[""]))
}

// waitAverage averages the waits of answered calls over several services.
type waitAverage struct {
	totalWait float64 // total wait of the answered calls, in seconds
	answered  float64 // number of answered calls in totalWait
}

func (a *waitAverage) add(c *ServiceCalls) {
	avg, okAvg := c.AverageTimeOnQueue.Get()
	if n, ok := c.AnsweredCalls.Get(); ok && okAvg && n > 0 {
		a.totalWait += avg * float64(n)
		a.answered += float64(n)
	}
}

// mean returns the average wait. It is unknown if no service has answered calls with a known
// average wait, because 0 / 0 is NaN.
func (a *waitAverage) mean() Float { return FloatOf(a.totalWait / a.answered) }

// FloorOf sums up one channel of a snapshot. It omits records for which keepService or keepUser
// returns false; a nil function keeps all records. If keepUser is nil, FloorOf also counts users
// without a record in UserStats, see addUsers.
func FloorOf(s *Snapshot, ch Channel, keepService func(*Service) bool, keepUser func(*UserStat) bool) Floor {
	f := floorOfServices(s, ch, keepService)
	f.States = make(map[UserStatus]int)
	var agents counterSums[AgentFigures]
	for r := range s.UserStats.All() {
		if r.Channel == ch && (keepUser == nil || keepUser(r)) {
			f.Users++
			f.States[r.Status]++
			agents.add(&r.AgentFigures, agentCounters, 1)
		}
	}
	if keepUser == nil {
		f.addUsers(s, ch)
	}
	agents.writeTo(&f.Agents, agentCounters)
	return f
}

// floorOfServices sums up the services on channel ch for which keep returns true. A nil keep keeps
// all of them.
func floorOfServices(s *Snapshot, ch Channel, keep func(*Service) bool) Floor {
	var (
		f     Floor
		q     waitAverage
		waits longestWaits
		calls counterSums[ServiceCalls]
	)
	for r := range s.Services.All() {
		if r.Channel == ch && (keep == nil || keep(r)) {
			f.Services++
			calls.add(&r.ChannelStats, callCounters, 1)
			q.add(&r.ChannelStats)
			waits.add(&r.ChannelStats)
		}
	}
	calls.writeTo(&f.Calls, callCounters)
	f.Calls.AverageTimeOnQueue = q.mean()
	waits.writeTo(&f.Calls)
	return f
}

// SumFloors sums up the floors of several platforms.
func SumFloors(floors []Floor) Floor {
	var (
		f      = Floor{States: make(map[UserStatus]int)}
		q      waitAverage
		waits  longestWaits
		calls  counterSums[ServiceCalls]
		agents counterSums[AgentFigures]
	)
	for i := range floors {
		one := &floors[i]
		f.Services += one.Services
		f.Users += one.Users
		for state, n := range one.States {
			f.States[state] += n
		}
		calls.add(&one.Calls, callCounters, 1)
		agents.add(&one.Agents, agentCounters, 1)
		q.add(&one.Calls)
		waits.add(&one.Calls)
	}
	calls.writeTo(&f.Calls, callCounters)
	agents.writeTo(&f.Agents, agentCounters)
	f.Calls.AverageTimeOnQueue = q.mean()
	waits.writeTo(&f.Calls)
	return f
}

// counterSums adds up the counters of records of one type. A record without any counters is
// ignored. If a record has some counters but not all, the sums of the missing ones are unknown.
type counterSums[T any] struct {
	totals  [maxCounters]int64
	missing [maxCounters]int // number of records that have some counters but lack this one
	records int              // number of records with any counter
	scratch [maxCounters]*Int
}

const maxCounters = 20

// add adds the counters of a record if sign is 1, or subtracts them if sign is -1. The function
// counters appends pointers to the counters of a record.
func (s *counterSums[T]) add(r *T, counters func(*T, []*Int) []*Int, sign int) {
	cs := counters(r, s.scratch[:0])
	known := false
	for _, c := range cs {
		known = known || c.Known()
	}
	if !known {
		return // the record has no counters at all: ignore it
	}
	s.records += sign
	for i, c := range cs {
		if n, ok := c.Get(); ok {
			s.totals[i] += int64(sign) * n
		} else {
			s.missing[i] += sign
		}
	}
}

// writeTo writes the sums into the record r. The function counters appends pointers to the counters
// of a record.
func (s *counterSums[T]) writeTo(r *T, counters func(*T, []*Int) []*Int) {
	for i, c := range counters(r, s.scratch[:0]) {
		*c = Int{}
		if s.records > 0 && s.missing[i] == 0 {
			*c = IntOf(s.totals[i])
		}
	}
}

// callCounters appends pointers to the counters of a service that can be added up over services.
func callCounters(c *ServiceCalls, dst []*Int) []*Int {
	return append(dst,
		&c.AnsweredCalls, &c.AnsweredCallsUnderSpeedLimit, &c.ClosedCalls, &c.ClosedCallsCallBack,
		&c.ConnectedCall, &c.CurrentCalls, &c.HangupCalls,
		&c.OutboundAnsweredCalls, &c.OutboundClosedCallsGenericCause, &c.OutboundHangupCalls, &c.OutboundReceivedCalls,
		&c.QueuedCalls, &c.ReceivedCalls, &c.ReceivedCallsInAccessList,
		&c.ReceivedCallsWithVendor4you, &c.ReceivedCallsWithVendor4youAnonymous,
		&c.ReceivedCallsWithVendor4youMultiple, &c.ReceivedCallsWithVendor4youSingle, &c.ShortCalls,
	)
}

// agentCounters appends pointers to the counters and times of an agent that can be added up
// over agents.
func agentCounters(a *AgentFigures, dst []*Int) []*Int {
	return append(dst,
		&a.NumberCallFromService, &a.NumberCallFromServiceAnswered, &a.NumberCallFromServiceNotAnswered,
		&a.NumberCallServiceOverSpeedAnswer, &a.NumberCallIn, &a.NumberCallOut, &a.NumberCallOutPrivate,
		&a.TimeInStateBooked, &a.TimeInStateBusy, &a.TimeInStateBusyOnService, &a.TimeInStateNotReady,
		&a.TimeInStateReady, &a.TimeInStateWNR,
	)
}
