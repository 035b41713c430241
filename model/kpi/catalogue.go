package kpi

import (
	"slices"

	"wallboard/model"
)

// catalogue holds all built-in figures. Lists without an order of their own use the order of
// catalogue.
var catalogue = slices.Concat(countFigures(), goalFigures(), callFigures(), outboundFigures(), agentFigures(), campaignFigures())

type (
	serviceCalls = model.ServiceCalls
	serviceUsers = model.ServiceUsers
	group        = model.Group
	agent        = model.AgentFigures
	campaign     = model.Campaign
)

const (
	amazonDefinition = "Amazon Connect"
	usualDefinition  = "usual"
	hangupAssumption = "`hangupCalls` are callers who left while they waited" //nolint:gosec // no credentials
)

// ignoringGoal converts get to a function that accepts a goal and ignores it.
func ignoringGoal(get func(*serviceCalls) model.Figure) func(*serviceCalls, Goal) model.Figure {
	return func(c *serviceCalls, _ Goal) model.Figure { return get(c) }
}

// goalFigures returns the figures that depend on the targets of a service.
func goalFigures() []Figure {
	return []Figure{
		{
			Name: "serviceLevel", Title: "Service level", Unit: Percent, IsDaily: true, Better: Higher, DependsOnGoal: true, Tile: Tile{"Service level", 3},
			Column: Column{"SL", 2}, Target: func(g Goal) model.Float { return g.ServiceLevel },
			Forms: []Form{{
				Heading: "SL", Formula: "answeredCallsUnderSpeedLimit / calls of the service's formula",
				Definition: "ICMI, three formulas: see below", Assumption: hangupAssumption,
				Calls: func(c *serviceCalls, g Goal) model.Figure { return c.ServiceLevel(g.Formula) },
			}},
		},
		{
			Name: "serviceLevelTarget", Title: "Service level target", Unit: Percent, DependsOnGoal: true,
			Forms: []Form{{
				Formula: "the service's target", Definition: "configured",
				Calls: func(_ *serviceCalls, g Goal) model.Figure { return g.ServiceLevel.Figure() },
			}},
		},
		{
			Name: "missesLeft", Title: "Misses left today", Unit: Number, IsDaily: true, Better: Higher, DependsOnGoal: true,
			Forms: []Form{{
				Formula:    "calls * (1 - serviceLevelTarget) - missed calls, rounded down, at least 0",
				Definition: "see below", Assumption: hangupAssumption,
				Calls: func(c *serviceCalls, g Goal) model.Figure {
					return budgetPart(c, g, func(b model.ServiceLevelBudget) int64 { return b.MissesLeft })
				},
			}},
		},
		{
			Name: "toRecover", Title: "Calls in a row to recover", Unit: Number, IsDaily: true, Better: Lower, DependsOnGoal: true,
			Forms: []Form{{
				Formula:    "(serviceLevelTarget * calls - answeredCallsUnderSpeedLimit) / (1 - serviceLevelTarget), rounded up, at least 0",
				Definition: "see below", Assumption: hangupAssumption,
				Calls: func(c *serviceCalls, g Goal) model.Figure {
					return budgetPart(c, g, func(b model.ServiceLevelBudget) int64 { return b.ToRecover })
				},
			}},
		},
	}
}

// budgetPart returns the part of a service's service-level budget that part selects. The result is
// not applicable if the service has no target or if no call has counted yet, and unknown if the
// budget is.
func budgetPart(c *serviceCalls, g Goal, part func(model.ServiceLevelBudget) int64) model.Figure {
	target, ok := g.ServiceLevel.Get()
	if !ok || c.ServiceLevel(g.Formula).IsNotApplicable() {
		return model.NotApplicable()
	}
	b, ok := c.ServiceLevelBudget(g.Formula, target)
	if !ok {
		return model.Figure{}
	}
	return model.FigureOf(float64(part(b)))
}

// callFigures returns the figures about calls of services, groups and the floor.
func callFigures() []Figure {
	return []Figure{
		{
			Name: "longestWait", Title: "Longest wait", Unit: Duration, Better: Lower, Tile: Tile{"Longest wait", 2},
			CertainPart: (*serviceCalls).CertainWait, Presumable: model.PresumedLongest,
			Forms: []Form{{
				Formula: "queuedCalls == 0 ? 0 : maxTimeCallOnQueue", Definition: usualDefinition,
				Assumption: "`maxTimeCallOnQueue` is the longest current wait; where it is that of the day, the wait is estimated: see below",
				Calls:      ignoringGoal((*serviceCalls).LongestWait),
			}},
		},
		{
			Name: "longestToday", Title: "Longest today", Unit: Duration, IsDaily: true, Better: Lower,
			Presumable: model.PresumedLongest,
			Forms: []Form{{
				Formula: "maxTimeCallOnQueue", Definition: usualDefinition,
				Assumption: "`maxTimeCallOnQueue` is the longest wait of the day; else this is unknown",
				Calls:      ignoringGoal((*serviceCalls).LongestToday),
			}},
		},
		{
			Name: "abandonRate", Title: "Abandon rate", Unit: Percent, IsDaily: true, Better: Lower, Tile: Tile{"Abandoned", 4},
			Column: Column{"abandoned", 1}, Target: func(g Goal) model.Float { return g.Abandon },
			Forms: []Form{
				{
					Label: "Abandoned", Heading: "Abandon", Formula: "hangupCalls / receivedCalls",
					Definition: amazonDefinition + ": callbacks (`closedCallsCallBack`) are not abandoned", Assumption: hangupAssumption,
					Calls: ignoringGoal((*serviceCalls).AbandonRate),
				},
				{
					Label: "Abandoned", Heading: "Abandon", Formula: "hangupCalls / receivedCalls", Definition: amazonDefinition, Assumption: hangupAssumption,
					Group: func(g *group) model.Figure { return g.ChannelStats.AbandonRate() },
				},
			},
		},
		{
			Name: "abandonRateLong", Title: "Abandon rate without short calls", Unit: Percent, IsDaily: true, Better: Lower,
			Forms: []Form{{
				Label: "Abandoned (excl. short)", Formula: "(hangupCalls - shortCalls) / (receivedCalls - shortCalls)",
				Definition: "Call Centre Helper", Assumption: "`shortCalls` are a part of `hangupCalls`",
				Calls: ignoringGoal((*serviceCalls).AbandonRateLong),
			}},
		},
		answerRateFigure(),
		{
			Name: "asa", Title: "Average speed of answer", Unit: Duration, IsDaily: true, Better: Lower, Tile: Tile{"ASA", 5}, Column: Column{"ASA", 3},
			Presumable: model.PresumedAverage,
			Forms: []Form{{
				Label: "ASA", Heading: "ASA", Formula: "averageTimeOnQueue",
				Definition: amazonDefinition + ", average queue answer time; over several services the mean weighted by `answeredCalls`",
				Assumption: "the platform averages over answered calls",
				Calls:      ignoringGoal((*serviceCalls).ASA),
			}},
		},
	}
}

func answerRateFigure() Figure {
	return Figure{
		Name: "answerRate", Title: "Answer rate", Unit: Percent, IsDaily: true, Better: Higher,
		Forms: []Form{
			{
				Label: "Answered", Formula: "answeredCalls / receivedCalls", Definition: usualDefinition,
				Calls: ignoringGoal((*serviceCalls).AnswerRate),
			},
			{
				Label: "Answered", Heading: "Answer", Formula: "answeredCalls / receivedCalls", Definition: usualDefinition,
				Group: func(g *group) model.Figure { return g.ChannelStats.AnswerRate() },
			},
			{
				Label: "Answer rate", Formula: "numberCallFromServiceAnswered / numberCallFromService", Definition: usualDefinition,
				User: (*agent).AnswerRate,
			},
		},
	}
}

// outboundFigures returns the figures about the outbound calls of a service.
func outboundFigures() []Figure {
	return []Figure{
		{
			Name: "outboundAnswerRate", Title: "Answer rate of outbound calls", Unit: Percent, IsDaily: true, Better: Higher,
			Forms: []Form{{
				Label: "Outbound answered", Heading: "OutAns", Formula: "outboundAnsweredCalls / outboundReceivedCalls", Definition: usualDefinition,
				Calls: ignoringGoal((*serviceCalls).OutboundAnswerRate),
			}},
		},
		{
			Name: "nuisanceEstimate", Title: "Dropped outbound calls (estimate)", Unit: Percent, IsDaily: true, Better: Lower,
			Forms: []Form{{
				Label: "Dropped calls (est.)", Formula: "outboundHangupCalls / (outboundAnsweredCalls + outboundHangupCalls)",
				Definition: "an estimate, **never proof of compliance** (see below)",
				Assumption: "hang-ups are dropped live calls, and only one campaign uses the service",
				Calls:      ignoringGoal((*serviceCalls).NuisanceEstimate),
			}},
		},
	}
}

// agentFigures returns the figures about agents' time and availability.
func agentFigures() []Figure {
	const logged = "counts logged-in staff only"
	const unavailable = "share of the staff that is not available"
	return []Figure{
		{
			Name: "aht", Title: "Average handling time", Unit: Duration, IsDaily: true, Better: Lower, Tile: Tile{"AHT", 6}, Column: Column{"AHT", 4},
			Forms: []Form{{
				Label: "Handling time", Heading: "AHT",
				Formula:    "(timeInStateBusyOnService + timeInStateWNR) / numberCallFromServiceAnswered",
				Definition: amazonDefinition + ": talk, hold and after-call work over handled calls",
				Assumption: "time on hold is a part of the busy time",
				Agent:      (*agent).AHT,
			}},
		},
		{
			Name: "occupancy", Title: "Occupancy", Unit: Percent, Tile: Tile{"Occupancy", 12},
			Forms: []Form{
				{
					Title: "Occupancy now", Label: "Occupancy now", Heading: "Occup",
					Formula:    "(busyOnServUsers + postCallUsers) / (busyOnServUsers + postCallUsers + readyUsers)",
					Definition: "Call Centre Helper, by heads", Assumption: "agents are counted at one moment, which jumps",
					Users: (*serviceUsers).Occupancy,
				},
				{
					Label: "Occupancy", Heading: "Occup",
					Formula:    "(timeInStateBusyOnService + timeInStateWNR + timeInStateBooked) / (timeInStateBusyOnService + timeInStateWNR + timeInStateBooked + timeInStateReady)",
					Definition: "Call Centre Helper",
					Assumption: "`timeInStateBusy` contains `timeInStateBusyOnService`, so that only the latter counts",
					Agent:      (*agent).Occupancy,
				},
			},
		},
		{
			Name: "loggedTime", Title: "Logged in for", Unit: Duration, IsDaily: true,
			Forms: []Form{{
				Label: "Logged in", Formula: "timeInStateBooked + timeInStateBusy + timeInStateNotReady + timeInStateReady + timeInStateWNR",
				Definition: "stands in for paid time, which the platform does not know", Assumption: "these states exclude each other",
				Agent: func(a *agent) model.Figure { return a.LoggedTime().Figure() },
			}},
		},
		{
			Name: "shrinkage", Title: "Not available", Unit: Percent, Better: Lower,
			Forms: []Form{
				{
					Label: "Not available", Formula: "notReadyUsers / loggedUsers", Definition: unavailable, Assumption: logged,
					Users: (*serviceUsers).Shrinkage,
				},
				{
					Label: "Not available", Heading: "Away", Formula: "notReadyUsers / loggedUsers", Definition: unavailable, Assumption: logged,
					Group: func(g *group) model.Figure { return g.UserStats.Shrinkage() },
				},
			},
		},
	}
}

// campaignFigures returns the figures about dialer campaigns.
func campaignFigures() []Figure {
	share := func(name, title string, d Direction, f Form) Figure {
		return Figure{Name: name, Title: title, Unit: Percent, Better: d, Forms: []Form{f}}
	}
	return []Figure{
		{
			Name: "attemptsPerContact", Title: "Attempts per contact", Unit: Number, Better: Lower,
			Forms: []Form{{
				Label: "Per contact", Formula: "startedCalls / triedContacts", Definition: usualDefinition,
				Assumption: "`startedCalls` counts attempts", Campaign: (*campaign).AttemptsPerContact,
			}},
		},
		share("penetration", "List called", "", Form{
			Label: "List called", Heading: "List", Formula: "triedContacts / totalContacts", Definition: "PureConnect",
			Campaign: (*campaign).Penetration,
		}),
		share("hitRate", "Hit rate", Higher, Form{
			Label: "Hit rate", Heading: "Hit", Formula: "okContacts / startedCalls", Definition: "Avaya Proactive Contact",
			Assumption: "`startedCalls` counts attempts, `okContacts` people reached", Campaign: (*campaign).HitRate,
		}),
		share("contactRate", "Contact rate", Higher, Form{
			Label: "Contact rate", Heading: "Contact", Formula: "okContacts / triedContacts", Definition: "one of four meanings in use",
			Assumption: "`okContacts` counts people reached", Campaign: (*campaign).ContactRate,
		}),
		share("linesBusy", "Lines in use", "", Form{
			Label: "Load", Formula: "usedChannels / allocatedChannels", Campaign: (*campaign).LinesBusy,
		}),
		share("resourcesBusy", "Agents not free", "", Form{
			Label: "Load", Formula: "(availableResources - freeResources) / availableResources",
			Assumption: "free resources are a part of the available ones", Campaign: (*campaign).ResourcesBusy,
		}),
	}
}
