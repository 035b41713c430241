package model

import "math"

// The definitions are usual in contact centers (ICMI, Call Centre Helper, Amazon Connect, Avaya
// Proactive Contact); docs/user/kpis.md compares them. Document 2 lists only the names of the
// counters. The comment of each figure therefore states the assumptions about the counters.

// ServiceLevelFormula determines how abandoned calls count in the service level. The usual formulas
// differ by several points on the same day, so the board always shows which formula it used.
type ServiceLevelFormula string

// The formulas that the platform's counters allow.
const (
	// SLAllAbandons counts every abandoned call as missed: answered in time /
	// (answered + abandoned). ICMI's third formula, and the default.
	SLAllAbandons ServiceLevelFormula = "all_abandons"
	// SLAnsweredOnly leaves abandoned calls out: answered in time / answered.
	// ICMI's second formula, which it advises against.
	SLAnsweredOnly ServiceLevelFormula = "answered_only"
	// SLShortIgnored leaves short calls out: answered in time / (answered + abandoned -
	// short). Assumption: short calls are part of the abandoned ones.
	SLShortIgnored ServiceLevelFormula = "short_ignored"
)

// ServiceLevelFormulas returns all formulas.
func ServiceLevelFormulas() []ServiceLevelFormula {
	return []ServiceLevelFormula{SLAllAbandons, SLAnsweredOnly, SLShortIgnored}
}

// denominator returns the number of calls that the formula counts. It is unknown if a counter is
// missing or if there are more short calls than abandoned ones.
func (f ServiceLevelFormula) denominator(c *ServiceCalls) Int {
	switch f {
	case SLAnsweredOnly:
		return c.AnsweredCalls
	case SLShortIgnored:
		if c.ShortCalls.Or(0) > c.HangupCalls.Or(0) {
			return Int{} // a contradiction: short calls are a part of the abandoned ones
		}
		return subtractInts(sumInts(c.AnsweredCalls, c.HangupCalls), c.ShortCalls)
	case SLAllAbandons:
	}
	return sumInts(c.AnsweredCalls, c.HangupCalls)
}

// ServiceLevel returns the share of calls answered within the platform's speed limit, 0 to 1, from
// answeredCallsUnderSpeedLimit, answeredCalls, hangupCalls and shortCalls. Assumption: hangupCalls
// counts callers who hung up while they waited. The result is unknown if the counters contradict
// each other, and not applicable if no call has counted yet.
func (c *ServiceCalls) ServiceLevel(f ServiceLevelFormula) Figure {
	if c.AnsweredCallsUnderSpeedLimit.Or(0) > f.denominator(c).Or(0) {
		return Figure{}
	}
	return divideInts(c.AnsweredCallsUnderSpeedLimit, f.denominator(c))
}

// AbandonRate returns the share of received calls whose caller left while waiting, 0 to 1:
// hangupCalls / receivedCalls. Calls closed by the platform, including callbacks, are not
// abandoned (Amazon Connect's definition).
func (c *ServiceCalls) AbandonRate() Figure { return divideInts(c.HangupCalls, c.ReceivedCalls) }

// LongAbandonRate returns the abandon rate without short calls, 0 to 1: (hangupCalls -
// shortCalls) / (receivedCalls - shortCalls) (Call Centre Helper). Assumption: short calls
// are part of the abandoned ones.
func (c *ServiceCalls) LongAbandonRate() Figure {
	return divideInts(subtractInts(c.HangupCalls, c.ShortCalls), subtractInts(c.ReceivedCalls, c.ShortCalls))
}

// AnswerRate returns the share of received calls that were answered, 0 to 1: answeredCalls
// / receivedCalls.
func (c *ServiceCalls) AnswerRate() Figure { return divideInts(c.AnsweredCalls, c.ReceivedCalls) }

// ASA returns the average speed of answer in seconds: averageTimeOnQueue. It is not applicable if
// no call was answered. Assumption: the platform averages over answered calls.
func (c *ServiceCalls) ASA() Figure {
	if n, ok := c.AnsweredCalls.Get(); ok && n == 0 {
		return Figure{state: figureNA}
	}
	f, ok := c.AverageTimeOnQueue.Get()
	if !ok {
		return Figure{}
	}
	return FigureOf(f)
}

// OutboundAnswerRate returns the share of outbound calls that were answered, 0 to 1:
// outboundAnsweredCalls / outboundReceivedCalls.
func (c *ServiceCalls) OutboundAnswerRate() Figure {
	return divideInts(c.OutboundAnsweredCalls, c.OutboundReceivedCalls)
}

// NuisanceEstimate estimates the share of live outbound calls that were dropped, 0 to 1:
// outboundHangupCalls / (outboundAnsweredCalls + outboundHangupCalls). The platform counts
// neither live answers nor dropped calls of a campaign, so this is an estimate and never
// proof of compliance.
func (c *ServiceCalls) NuisanceEstimate() Figure {
	return divideInts(c.OutboundHangupCalls, sumInts(c.OutboundAnsweredCalls, c.OutboundHangupCalls))
}

// ServiceLevelBudget is the distance to a service-level target on the current day. If the
// target is met, it is the number of calls that may still be missed. Otherwise it is the
// number of calls in a row that must be answered in time to reach the target.
type ServiceLevelBudget struct {
	MissesLeft int64 // calls that may still be missed; 0 if the target is missed
	ToRecover  int64 // calls in a row that must be answered in time to reach the target; 0 if it is met
}

// ServiceLevelCounts returns the number of calls answered in time, and the number of all calls that
// the formula counts. ok is false if a counter is unknown or the counters contradict each other.
func (c *ServiceCalls) ServiceLevelCounts(f ServiceLevelFormula) (inTime, all int64, ok bool) {
	k, okK := c.AnsweredCallsUnderSpeedLimit.Get()
	n, okN := f.denominator(c).Get()
	return k, n, okK && okN && k >= 0 && k <= n
}

// ServiceLevelBudget returns the budget for a target between 0 and 1. ok is false if the
// counters are unknown or contradict each other. It is also false if a target of 1 is missed,
// because no number of calls can reach it again.
func (c *ServiceCalls) ServiceLevelBudget(f ServiceLevelFormula, target float64) (b ServiceLevelBudget, ok bool) {
	k, n, ok := c.ServiceLevelCounts(f)
	if !ok {
		return b, false
	}
	// eps corrects rounding errors: 0.8*500 is 400.00000000000006.
	const eps = 1e-9
	left := int64(math.Floor(float64(n)*(1-target)+eps)) - (n - k)
	if left >= 0 {
		return ServiceLevelBudget{MissesLeft: left}, true
	}
	if target >= 1 {
		return b, false
	}
	need := math.Ceil((target*float64(n)-float64(k))/(1-target) - eps)
	return ServiceLevelBudget{ToRecover: int64(max(need, 0))}, true
}

// Occupancy returns the share of agents who handle a contact among those who handle one or are
// ready, 0 to 1: (busyOnServUsers + postCallUsers) / (busyOnServUsers + postCallUsers +
// readyUsers). It is the current value for a service, which fluctuates.
func (u *ServiceUsers) Occupancy() Figure {
	busy := sumInts(u.BusyOnServUsers.Count, u.PostCallUsers.Count)
	return divideInts(busy, sumInts(busy, u.ReadyUsers.Count))
}

// Shrinkage returns the share of a service's logged-in agents who are currently not available,
// 0 to 1: notReadyUsers / loggedUsers.
func (u *ServiceUsers) Shrinkage() Figure {
	return divideInts(u.NotReadyUsers.Count, u.LoggedUsers.Count)
}

// AbandonRate returns the share of a group's received calls whose caller left while
// waiting, 0 to 1: hangupCalls / receivedCalls.
func (c *GroupCalls) AbandonRate() Figure { return divideInts(c.HangupCalls, c.ReceivedCalls) }

// AnswerRate returns the share of a group's received calls that were answered, 0 to 1:
// answeredCalls / receivedCalls.
func (c *GroupCalls) AnswerRate() Figure { return divideInts(c.AnsweredCalls, c.ReceivedCalls) }

// Shrinkage returns the share of a group's logged-in agents who are currently not available, 0
// to 1: notReadyUsers / loggedUsers.
func (u *GroupUsers) Shrinkage() Figure {
	return divideInts(u.NotReadyUsers.Count, u.LoggedUsers.Count)
}

// AHT returns the average handling time of service calls in seconds: (timeInStateBusyOnService +
// timeInStateWNR) / numberCallFromServiceAnswered (talk and after-call work over handled calls,
// Amazon Connect). Assumption: time on hold is part of the busy time.
func (a *AgentFigures) AHT() Figure {
	return divideInts(sumInts(a.TimeInStateBusyOnService, a.TimeInStateWNR), a.NumberCallFromServiceAnswered)
}

// Occupancy returns the share of handling time in handling and available time, 0 to 1:
// (busyOnService + WNR + booked) / (busyOnService + WNR + booked + ready), from the times in state
// (Call Centre Helper). timeInStateBusy is omitted: it contains busyOnService.
func (a *AgentFigures) Occupancy() Figure {
	busy := sumInts(a.TimeInStateBusyOnService, a.TimeInStateWNR, a.TimeInStateBooked)
	return divideInts(busy, sumInts(busy, a.TimeInStateReady))
}

// LoggedTime returns how long the user has been logged in, in seconds: the sum of the times
// in the mutually exclusive states (booked, busy, not ready, ready, WNR).
func (a *AgentFigures) LoggedTime() Int {
	return sumInts(a.TimeInStateBooked, a.TimeInStateBusy, a.TimeInStateNotReady,
		a.TimeInStateReady, a.TimeInStateWNR)
}

// AnswerRate returns the share of the service calls offered to the user that the user
// answered, 0 to 1: numberCallFromServiceAnswered / numberCallFromService.
func (a *AgentFigures) AnswerRate() Figure {
	return divideInts(a.NumberCallFromServiceAnswered, a.NumberCallFromService)
}

// Penetration returns the share of the list that was tried, 0 to 1: triedContacts /
// totalContacts (PureConnect).
func (c *Campaign) Penetration() Figure { return divideInts(c.TriedContacts, c.TotalContacts) }

// AttemptsPerContact returns the calls started per contact tried: startedCalls /
// triedContacts. Assumption: startedCalls counts attempts.
func (c *Campaign) AttemptsPerContact() Figure { return divideInts(c.StartedCalls, c.TriedContacts) }

// HitRate returns the share of attempts that reached a person, 0 to 1: okContacts /
// startedCalls (Avaya Proactive Contact). Assumption: okContacts counts contacts reached.
func (c *Campaign) HitRate() Figure { return divideInts(c.OkContacts, c.StartedCalls) }

// ContactRate returns the share of tried contacts that were reached, 0 to 1: okContacts /
// triedContacts.
func (c *Campaign) ContactRate() Figure { return divideInts(c.OkContacts, c.TriedContacts) }

// LineUtilization returns the share of the allocated channels in use, 0 to 1: usedChannels /
// allocatedChannels.
func (c *Campaign) LineUtilization() Figure { return divideInts(c.UsedChannels, c.AllocatedChannels) }

// ResourceUtilization returns the share of the campaign's resources (agents) that are not free, 0
// to 1: 1 - freeResources / availableResources.
func (c *Campaign) ResourceUtilization() Figure {
	return divideInts(subtractInts(c.AvailableResources, c.FreeResources), c.AvailableResources)
}
