package model

// Floor is what the whole floor, or a part of it, is doing on one channel:
// sums over services and head counts over users. Its KPIs come from the sums;
// a mean of ratios would be wrong.
type Floor struct {
	Services int // services summed up
	Calls    ServiceCalls
	States   map[UserStatus]int // users by state on the channel; "" is unknown
	Users    int                // users counted in States
	Agents   AgentFigures       // only the counters and times of service calls
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
	f := Floor{States: make(map[UserStatus]int)}
	var q queue
	for r := range s.Services.All() {
		if r.Channel == ch && (keepService == nil || keepService(r)) {
			f.Services++
			f.Calls.sum(&r.ChannelStats)
			q.add(&r.ChannelStats)
		}
	}
	f.Calls.AverageTimeOnQueue = q.mean()
	for r := range s.UserStats.All() {
		if r.Channel == ch && (keepUser == nil || keepUser(r)) {
			f.Users++
			f.States[r.Status]++
			f.Agents.sum(&r.AgentFigures)
		}
	}
	return f
}

// sum adds the counters of another service. The longest wait is the longest of
// both; averages do not add up and are left alone.
func (c *ServiceCalls) sum(o *ServiceCalls) {
	if n, ok := o.MaxTimeCallOnQueue.Get(); ok {
		c.MaxTimeCallOnQueue = IntOf(max(n, c.MaxTimeCallOnQueue.Or(n)))
	}
	gather(&c.AnsweredCalls, o.AnsweredCalls)
	gather(&c.AnsweredCallsUnderSpeedLimit, o.AnsweredCallsUnderSpeedLimit)
	gather(&c.ClosedCalls, o.ClosedCalls)
	gather(&c.ClosedCallsCallBack, o.ClosedCallsCallBack)
	gather(&c.ConnectedCall, o.ConnectedCall)
	gather(&c.CurrentCalls, o.CurrentCalls)
	gather(&c.HangupCalls, o.HangupCalls)
	gather(&c.OutboundAnsweredCalls, o.OutboundAnsweredCalls)
	gather(&c.OutboundClosedCallsGenericCause, o.OutboundClosedCallsGenericCause)
	gather(&c.OutboundHangupCalls, o.OutboundHangupCalls)
	gather(&c.OutboundReceivedCalls, o.OutboundReceivedCalls)
	gather(&c.QueuedCalls, o.QueuedCalls)
	gather(&c.ReceivedCalls, o.ReceivedCalls)
	gather(&c.ReceivedCallsInAccessList, o.ReceivedCallsInAccessList)
	gather(&c.ReceivedCallsWithVendor4you, o.ReceivedCallsWithVendor4you)
	gather(&c.ReceivedCallsWithVendor4youAnonymous, o.ReceivedCallsWithVendor4youAnonymous)
	gather(&c.ReceivedCallsWithVendor4youMultiple, o.ReceivedCallsWithVendor4youMultiple)
	gather(&c.ReceivedCallsWithVendor4youSingle, o.ReceivedCallsWithVendor4youSingle)
	gather(&c.ShortCalls, o.ShortCalls)
}

// sum adds the counters and times of another user.
func (a *AgentFigures) sum(o *AgentFigures) {
	gather(&a.NumberCallFromService, o.NumberCallFromService)
	gather(&a.NumberCallFromServiceAnswered, o.NumberCallFromServiceAnswered)
	gather(&a.NumberCallFromServiceNotAnswered, o.NumberCallFromServiceNotAnswered)
	gather(&a.NumberCallServiceOverSpeedAnswer, o.NumberCallServiceOverSpeedAnswer)
	gather(&a.NumberCallIn, o.NumberCallIn)
	gather(&a.NumberCallOut, o.NumberCallOut)
	gather(&a.NumberCallOutPrivate, o.NumberCallOutPrivate)
	gather(&a.TimeInStateBooked, o.TimeInStateBooked)
	gather(&a.TimeInStateBusy, o.TimeInStateBusy)
	gather(&a.TimeInStateBusyOnService, o.TimeInStateBusyOnService)
	gather(&a.TimeInStateNotReady, o.TimeInStateNotReady)
	gather(&a.TimeInStateReady, o.TimeInStateReady)
	gather(&a.TimeInStateWNR, o.TimeInStateWNR)
}
