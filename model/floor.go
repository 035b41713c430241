package model

// Floor is what the whole floor, or a part of it, is doing on one channel:
// sums over services and head counts over users. Its KPIs come from the sums;
// a mean of ratios would be wrong.
//
// A sum is known when everybody who sent figures at all sent that one: a sum
// over a part would make a ratio of two sums compare different sets.
type Floor struct {
	Services int // services summed up
	Calls    ServiceCalls
	States   map[UserStatus]int // users by state on the channel; "" is unknown
	Users    int                // users counted in States
	Agents   AgentFigures       // only the counters and times of service calls
}

// Heads counts the users in some states. Without any user nobody knows.
func (f *Floor) Heads(states ...UserStatus) Int {
	if f.Users == 0 {
		return Int{}
	}
	n := 0
	for _, s := range states {
		n += f.States[s]
	}
	return IntOf(int64(n))
}

// Logged counts the users whose state is known. Without any user nobody knows.
func (f *Floor) Logged() Int {
	if f.Users == 0 {
		return Int{}
	}
	return IntOf(int64(f.Users - f.States[""]))
}

// queue collects the average waits of several services.
type queue struct {
	waited   float64 // seconds that the answered calls waited together
	answered float64 // the calls that waited
}

func (q *queue) add(c *ServiceCalls) {
	avg, okAvg := c.AverageTimeOnQueue.Get()
	if n, ok := c.AnsweredCalls.Get(); ok && okAvg && n > 0 {
		q.waited += avg * float64(n)
		q.answered += float64(n)
	}
}

// mean returns the average wait of the answered calls whose wait is known;
// without such calls it is unknown.
func (q *queue) mean() Float { return FloatOf(q.waited / q.answered) }

// FloorOf sums up one channel of a snapshot. keepService and keepUser leave
// records out when they return false; nil keeps all.
func FloorOf(s *Snapshot, ch Channel, keepService func(*Service) bool, keepUser func(*UserStat) bool) Floor {
	f := floorOfServices(s, ch, keepService)
	f.States = make(map[UserStatus]int)
	var agents sums[AgentFigures]
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
	agents.into(&f.Agents, agentCounters)
	return f
}

// floorOfServices sums up the services.
func floorOfServices(s *Snapshot, ch Channel, keep func(*Service) bool) Floor {
	var (
		f     Floor
		q     queue
		waits longest
		calls sums[ServiceCalls]
	)
	for r := range s.Services.All() {
		if r.Channel == ch && (keep == nil || keep(r)) {
			f.Services++
			calls.add(&r.ChannelStats, callCounters, 1)
			q.add(&r.ChannelStats)
			waits.add(&r.ChannelStats)
		}
	}
	calls.into(&f.Calls, callCounters)
	f.Calls.AverageTimeOnQueue = q.mean()
	waits.into(&f.Calls)
	return f
}

// sums adds counters of records of one type. An unknown counter of a record
// that has known ones makes the counter's sum unknown.
type sums[T any] struct {
	n    [maxCounters]int64
	lack [maxCounters]int // records that have others, but not this one
	some int              // records that had figures
	buf  [maxCounters]*Int
}

const maxCounters = 20

// add adds the counters of a record, or takes them away again: sign is 1 or -1.
func (s *sums[T]) add(r *T, counters func(*T, []*Int) []*Int, sign int) {
	cs := counters(r, s.buf[:0])
	known := false
	for _, c := range cs {
		known = known || c.Known()
	}
	if !known {
		return // it sent nothing: it has no part in anything
	}
	s.some += sign
	for i, c := range cs {
		if n, ok := c.Get(); ok {
			s.n[i] += int64(sign) * n
		} else {
			s.lack[i] += sign
		}
	}
}

// into writes the sums into a record.
func (s *sums[T]) into(r *T, counters func(*T, []*Int) []*Int) {
	for i, c := range counters(r, s.buf[:0]) {
		*c = Int{}
		if s.some > 0 && s.lack[i] == 0 {
			*c = IntOf(s.n[i])
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

// agentCounters appends the counters and times of an agent that add up over
// agents.
func agentCounters(a *AgentFigures, dst []*Int) []*Int {
	return append(dst,
		&a.NumberCallFromService, &a.NumberCallFromServiceAnswered, &a.NumberCallFromServiceNotAnswered,
		&a.NumberCallServiceOverSpeedAnswer, &a.NumberCallIn, &a.NumberCallOut, &a.NumberCallOutPrivate,
		&a.TimeInStateBooked, &a.TimeInStateBusy, &a.TimeInStateBusyOnService, &a.TimeInStateNotReady,
		&a.TimeInStateReady, &a.TimeInStateWNR,
	)
}
