package model

// Floor holds the figures of the whole floor, or a part of it, on one channel: sums over
// services and head counts over users. Its KPIs are computed from the sums, because a mean
// of ratios would be wrong.
//
// A sum is known only if every record with any figures has this one. Otherwise a ratio of
// two sums would compare different sets.
type Floor struct {
	Services int // services summed up
	Calls    ServiceCalls
	States   map[UserStatus]int // users by state on the channel; "" is unknown
	Users    int                // users counted in States
	Agents   AgentFigures       // only the counters and times of service calls
}

// CountInStates returns the number of users in the given states, unknown if the floor has no users.
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

// Logged returns the number of users whose state is known, unknown if the floor has no
// users.
func (f *Floor) Logged() Int {
	if f.Users == 0 {
		return Int{}
	}
	return IntOf(int64(f.Users - f.States[""]))
}

// waitAverage averages the waits of several services.
type waitAverage struct {
	totalWait float64 // total wait of the answered calls, in seconds
	answered  float64 // number of those calls
}

func (a *waitAverage) add(c *ServiceCalls) {
	avg, okAvg := c.AverageTimeOnQueue.Get()
	if n, ok := c.AnsweredCalls.Get(); ok && okAvg && n > 0 {
		a.totalWait += avg * float64(n)
		a.answered += float64(n)
	}
}

// mean returns the average wait of the answered calls whose wait is known. It is unknown if
// there are none.
func (a *waitAverage) mean() Float { return FloatOf(a.totalWait / a.answered) }

// FloorOf sums up one channel of a snapshot. keepService and keepUser return false for
// records to leave out; nil keeps all of them.
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

// floorOfServices sums up the services on one channel.
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

// counterSums adds up the counters of records of one type. If a record has some counters but lacks
// one, the sum of that counter is unknown.
type counterSums[T any] struct {
	totals  [maxCounters]int64
	missing [maxCounters]int // number of records that have other counters but lack this one
	records int              // number of records with any counter
	scratch [maxCounters]*Int
}

const maxCounters = 20

// add adds the counters of a record (sign 1) or subtracts them (sign -1).
func (s *counterSums[T]) add(r *T, counters func(*T, []*Int) []*Int, sign int) {
	cs := counters(r, s.scratch[:0])
	known := false
	for _, c := range cs {
		known = known || c.Known()
	}
	if !known {
		return // the record has no figures at all: ignore it
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

// writeTo writes the sums into a record.
func (s *counterSums[T]) writeTo(r *T, counters func(*T, []*Int) []*Int) {
	for i, c := range counters(r, s.scratch[:0]) {
		*c = Int{}
		if s.records > 0 && s.missing[i] == 0 {
			*c = IntOf(s.totals[i])
		}
	}
}

// callCounters appends the counters of a service that add up over services.
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

// agentCounters appends the counters and times of an agent that add up over agents.
func agentCounters(a *AgentFigures, dst []*Int) []*Int {
	return append(dst,
		&a.NumberCallFromService, &a.NumberCallFromServiceAnswered, &a.NumberCallFromServiceNotAnswered,
		&a.NumberCallServiceOverSpeedAnswer, &a.NumberCallIn, &a.NumberCallOut, &a.NumberCallOutPrivate,
		&a.TimeInStateBooked, &a.TimeInStateBusy, &a.TimeInStateBusyOnService, &a.TimeInStateNotReady,
		&a.TimeInStateReady, &a.TimeInStateWNR,
	)
}
