package model

import "math"

// The definitions follow the field's standard ones (ICMI, Call Centre Helper,
// Amazon Connect, Avaya Proactive Contact); docs/kpis.md compares them. Each
// names what it takes for granted about the platform's counters, because
// document 2 lists them by name only.

// ServiceLevelFormula is a way to treat abandoned calls in the service level.
// On the same day the usual formulas differ by points, so the board always
// shows which one it used.
type ServiceLevelFormula string

// The formulas that the platform's counters allow.
const (
	// SLAllAbandons counts every abandoned call as missed: answered in time /
	// (answered + abandoned). ICMI's third formula, and the default.
	SLAllAbandons ServiceLevelFormula = "all_abandons"
	// SLAnsweredOnly leaves abandoned calls out: answered in time / answered.
	// ICMI's second formula, which it advises against.
	SLAnsweredOnly ServiceLevelFormula = "answered_only"
	// SLShortIgnored leaves short calls out: answered in time / (answered +
	// abandoned - short). Taken for granted: short calls are part of the
	// abandoned ones.
	SLShortIgnored ServiceLevelFormula = "short_ignored"
)

// ServiceLevelFormulas returns all formulas.
func ServiceLevelFormulas() []ServiceLevelFormula {
	return []ServiceLevelFormula{SLAllAbandons, SLAnsweredOnly, SLShortIgnored}
}

// String returns the formula as it is shown to people.
func (f ServiceLevelFormula) String() string {
	switch f {
	case SLAnsweredOnly:
		return "answered in time / answered"
	case SLShortIgnored:
		return "answered in time / (answered + abandoned - short)"
	case SLAllAbandons:
	}
	return "answered in time / (answered + abandoned)"
}

// base returns the denominator of the formula: the calls that count.
func (f ServiceLevelFormula) base(c *ServiceCalls) Int {
	switch f {
	case SLAnsweredOnly:
		return c.AnsweredCalls
	case SLShortIgnored:
		if c.ShortCalls.Or(0) > c.HangupCalls.Or(0) {
			return Int{} // short calls are not part of the abandoned ones after all
		}
		return sub(add(c.AnsweredCalls, c.HangupCalls), c.ShortCalls)
	case SLAllAbandons:
	}
	return add(c.AnsweredCalls, c.HangupCalls)
}

// ServiceLevel is the share of calls answered within the platform's speed
// limit, 0 to 1. From answeredCallsUnderSpeedLimit, answeredCalls, hangupCalls
// and shortCalls. Taken for granted: hangupCalls are callers who left while
// they waited. Counters that contradict each other make it unknown.
func (c *ServiceCalls) ServiceLevel(f ServiceLevelFormula) Figure {
	if c.AnsweredCallsUnderSpeedLimit.Or(0) > f.base(c).Or(0) {
		return Figure{}
	}
	return ratio(c.AnsweredCallsUnderSpeedLimit, f.base(c))
}

// AbandonRate is the share of received calls whose caller left while waiting,
// 0 to 1: hangupCalls / receivedCalls. Calls closed by the platform, callbacks
// among them, are not abandoned (Amazon Connect's definition).
func (c *ServiceCalls) AbandonRate() Figure { return ratio(c.HangupCalls, c.ReceivedCalls) }

// AbandonRateLong is AbandonRate without short calls: (hangupCalls -
// shortCalls) / (receivedCalls - shortCalls), 0 to 1 (Call Centre Helper).
// Taken for granted: short calls are part of the abandoned ones.
func (c *ServiceCalls) AbandonRateLong() Figure {
	return ratio(sub(c.HangupCalls, c.ShortCalls), sub(c.ReceivedCalls, c.ShortCalls))
}

// AnswerRate is the share of received calls that were answered, 0 to 1:
// answeredCalls / receivedCalls.
func (c *ServiceCalls) AnswerRate() Figure { return ratio(c.AnsweredCalls, c.ReceivedCalls) }

// ASA is the average speed of answer in seconds: averageTimeOnQueue. Taken for
// granted: the platform averages over answered calls.
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

// OutboundAnswerRate is the share of outbound calls that were answered, 0 to
// 1: outboundAnsweredCalls / outboundReceivedCalls.
func (c *ServiceCalls) OutboundAnswerRate() Figure {
	return ratio(c.OutboundAnsweredCalls, c.OutboundReceivedCalls)
}

// NuisanceEstimate estimates the share of live outbound calls that were
// dropped, 0 to 1: outboundHangupCalls / (outboundAnsweredCalls +
// outboundHangupCalls). The platform counts neither live answers nor dropped
// calls of a campaign, so it is an estimate and never proof of compliance.
func (c *ServiceCalls) NuisanceEstimate() Figure {
	return ratio(c.OutboundHangupCalls, add(c.OutboundAnsweredCalls, c.OutboundHangupCalls))
}

// ServiceLevelBudget is what is left of a service-level target for the rest of
// the counting period: how many calls may still be missed, or, when the target
// is missed, how many calls in a row must be answered in time to reach it.
type ServiceLevelBudget struct {
	MissesLeft int64
	ToRecover  int64
}

// Counted returns the calls that a service level is made of: how many were answered
// in time, and of how many; ok is false where the counters are unknown or contradict
// each other.
func (c *ServiceCalls) Counted(f ServiceLevelFormula) (inTime, all int64, ok bool) {
	k, okK := c.AnsweredCallsUnderSpeedLimit.Get()
	n, okN := f.base(c).Get()
	return k, n, okK && okN && k >= 0 && k <= n
}

// Budget returns the service-level budget for a target between 0 and 1; ok is
// false when the counters are unknown or the target is not below 1 and missed,
// so that no run of calls reaches it.
func (c *ServiceCalls) Budget(f ServiceLevelFormula, target float64) (b ServiceLevelBudget, ok bool) {
	k, n, ok := c.Counted(f)
	if !ok {
		return b, false
	}
	// The tiny shift keeps 0.8*500 from being 400.00000000000006.
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

// Occupancy is the share of a service's agents who handle a contact among
// those who handle one or are ready, now, 0 to 1: (busyOnServUsers +
// postCallUsers) / (these + readyUsers). Head counts are noisy.
func (u *ServiceUsers) Occupancy() Figure {
	busy := add(u.BusyOnServUsers.Count, u.PostCallUsers.Count)
	return ratio(busy, add(busy, u.ReadyUsers.Count))
}

// Shrinkage is the share of logged-in agents who are not available, now, 0 to
// 1: notReadyUsers / loggedUsers.
func (u *ServiceUsers) Shrinkage() Figure {
	return ratio(u.NotReadyUsers.Count, u.LoggedUsers.Count)
}

// AbandonRate is the share of a group's received calls whose caller left while
// waiting, 0 to 1: hangupCalls / receivedCalls.
func (c *GroupCalls) AbandonRate() Figure { return ratio(c.HangupCalls, c.ReceivedCalls) }

// AnswerRate is the share of a group's received calls that were answered, 0 to
// 1: answeredCalls / receivedCalls.
func (c *GroupCalls) AnswerRate() Figure { return ratio(c.AnsweredCalls, c.ReceivedCalls) }

// Shrinkage is the share of a group's logged-in agents who are not available,
// now, 0 to 1: notReadyUsers / loggedUsers.
func (u *GroupUsers) Shrinkage() Figure {
	return ratio(u.NotReadyUsers.Count, u.LoggedUsers.Count)
}

// AHT is the average handling time of service calls in seconds:
// (timeInStateBusyOnService + timeInStateWNR) / numberCallFromServiceAnswered
// (talk and after-call work over handled calls, Amazon Connect). Taken for
// granted: time on hold is part of the busy time.
func (a *AgentFigures) AHT() Figure {
	return ratio(add(a.TimeInStateBusyOnService, a.TimeInStateWNR), a.NumberCallFromServiceAnswered)
}

// Occupancy is the share of handling time in handling and available time, 0 to
// 1: (busyOnService + WNR + booked) / (these + ready), of the times in state
// (Call Centre Helper). timeInStateBusy is left out: it contains busyOnService.
func (a *AgentFigures) Occupancy() Figure {
	busy := add(a.TimeInStateBusyOnService, a.TimeInStateWNR, a.TimeInStateBooked)
	return ratio(busy, add(busy, a.TimeInStateReady))
}

// LoggedTime is how long the user was logged in, in seconds: the sum of the
// times in the states that exclude each other (booked, busy, not ready, ready,
// WNR).
func (a *AgentFigures) LoggedTime() Int {
	return add(a.TimeInStateBooked, a.TimeInStateBusy, a.TimeInStateNotReady,
		a.TimeInStateReady, a.TimeInStateWNR)
}

// AnswerRate is the share of service calls offered to the user that they
// answered, 0 to 1: numberCallFromServiceAnswered / numberCallFromService.
func (a *AgentFigures) AnswerRate() Figure {
	return ratio(a.NumberCallFromServiceAnswered, a.NumberCallFromService)
}

// Penetration is the share of the list that was tried, 0 to 1: triedContacts /
// totalContacts (PureConnect).
func (c *Campaign) Penetration() Figure { return ratio(c.TriedContacts, c.TotalContacts) }

// AttemptsPerContact is calls started per contact tried: startedCalls /
// triedContacts. Taken for granted: startedCalls counts attempts.
func (c *Campaign) AttemptsPerContact() Figure { return ratio(c.StartedCalls, c.TriedContacts) }

// HitRate is the share of attempts that reached a person, 0 to 1: okContacts /
// startedCalls (Avaya Proactive Contact). Taken for granted: okContacts counts
// contacts reached.
func (c *Campaign) HitRate() Figure { return ratio(c.OkContacts, c.StartedCalls) }

// ContactRate is the share of tried contacts that were reached, 0 to 1:
// okContacts / triedContacts.
func (c *Campaign) ContactRate() Figure { return ratio(c.OkContacts, c.TriedContacts) }

// LinesBusy is the share of the allocated channels in use, 0 to 1:
// usedChannels / allocatedChannels.
func (c *Campaign) LinesBusy() Figure { return ratio(c.UsedChannels, c.AllocatedChannels) }

// ResourcesBusy is the share of the campaign's resources (agents) that are not
// free, 0 to 1: 1 - freeResources / availableResources.
func (c *Campaign) ResourcesBusy() Figure {
	return ratio(sub(c.AvailableResources, c.FreeResources), c.AvailableResources)
}
