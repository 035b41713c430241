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

// ignoringGoal converts get to a function that accepts a goal and ignores it.
func ignoringGoal(get func(*serviceCalls) model.Figure) func(*serviceCalls, Goal) model.Figure {
	return func(c *serviceCalls, _ Goal) model.Figure { return get(c) }
}

// goalFigures returns the figures that depend on the targets of a service.
func goalFigures() []Figure {
	return []Figure{
		{
			Name: "serviceLevel", Unit: Percent, IsDaily: true, Better: HigherIsBetter, DependsOnGoal: true, Tile: 3,
			Column: 2, Target: func(g Goal) model.Float { return g.ServiceLevel },
			Forms: []ScopeFigure{{
				HasColumn: true, Formula: "answeredCallsUnderSpeedLimit / calls of the service's formula",
				Calls: func(c *serviceCalls, g Goal) model.Figure { return c.ServiceLevel(g.Formula) },
			}},
		},
		{
			Name: "serviceLevelTarget", Unit: Percent, DependsOnGoal: true,
			Forms: []ScopeFigure{{
				Formula: "the service's target",
				Calls:   func(_ *serviceCalls, g Goal) model.Figure { return g.ServiceLevel.Figure() },
			}},
		},
		{
			Name: "missesLeft", Unit: Number, IsDaily: true, Better: HigherIsBetter, DependsOnGoal: true,
			Forms: []ScopeFigure{{
				Formula: "calls * (1 - serviceLevelTarget) - missed calls, rounded down, at least 0",
				Calls: func(c *serviceCalls, g Goal) model.Figure {
					return budgetPart(c, g, func(b model.ServiceLevelBudget) int64 { return b.MissesLeft })
				},
			}},
		},
		{
			Name: "toRecover", Unit: Number, IsDaily: true, Better: LowerIsBetter, DependsOnGoal: true,
			Forms: []ScopeFigure{{
				Formula: "(serviceLevelTarget * calls - answeredCallsUnderSpeedLimit) / (1 - serviceLevelTarget), rounded up, at least 0",
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
			Name: "longestWait", Unit: Duration, Better: LowerIsBetter, Tile: 2,
			CertainPart: (*serviceCalls).CertainWait, Presumable: model.PresumedLongest,
			Forms: []ScopeFigure{{
				Formula: "queuedCalls == 0 ? 0 : maxTimeCallOnQueue",
				Calls:   ignoringGoal((*serviceCalls).LongestWait),
			}},
		},
		{
			Name: "longestToday", Unit: Duration, IsDaily: true, Better: LowerIsBetter,
			Presumable: model.PresumedLongest,
			Forms: []ScopeFigure{{
				Formula: "maxTimeCallOnQueue",
				Calls:   ignoringGoal((*serviceCalls).LongestToday),
			}},
		},
		{
			Name: "abandonRate", Unit: Percent, IsDaily: true, Better: LowerIsBetter, Tile: 4,
			Column: 1, Target: func(g Goal) model.Float { return g.Abandon },
			Forms: []ScopeFigure{
				{
					InDetail: true, HasColumn: true, Formula: "hangupCalls / receivedCalls",
					Calls: ignoringGoal((*serviceCalls).AbandonRate),
				},
				{
					InDetail: true, HasColumn: true, Formula: "hangupCalls / receivedCalls",
					Group: func(g *group) model.Figure { return g.ChannelStats.AbandonRate() },
				},
			},
		},
		{
			Name: "abandonRateLong", Unit: Percent, IsDaily: true, Better: LowerIsBetter,
			Forms: []ScopeFigure{{
				InDetail: true, Formula: "(hangupCalls - shortCalls) / (receivedCalls - shortCalls)",
				Calls: ignoringGoal((*serviceCalls).LongAbandonRate),
			}},
		},
		answerRateFigure(),
		{
			Name: "asa", Unit: Duration, IsDaily: true, Better: LowerIsBetter, Tile: 5, Column: 3,
			Presumable: model.PresumedAverage,
			Forms: []ScopeFigure{{
				InDetail: true, HasColumn: true, Formula: "averageTimeOnQueue",
				Calls: ignoringGoal((*serviceCalls).ASA),
			}},
		},
	}
}

func answerRateFigure() Figure {
	return Figure{
		Name: "answerRate", Unit: Percent, IsDaily: true, Better: HigherIsBetter,
		Forms: []ScopeFigure{
			{
				InDetail: true, Formula: "answeredCalls / receivedCalls",
				Calls: ignoringGoal((*serviceCalls).AnswerRate),
			},
			{
				InDetail: true, HasColumn: true, Formula: "answeredCalls / receivedCalls",
				Group: func(g *group) model.Figure { return g.ChannelStats.AnswerRate() },
			},
			{
				InDetail: true, Formula: "numberCallFromServiceAnswered / numberCallFromService",
				User: (*agent).AnswerRate,
			},
		},
	}
}

// outboundFigures returns the figures about the outbound calls of a service.
func outboundFigures() []Figure {
	return []Figure{
		{
			Name: "outboundAnswerRate", Unit: Percent, IsDaily: true, Better: HigherIsBetter,
			Forms: []ScopeFigure{{
				InDetail: true, HasColumn: true, Formula: "outboundAnsweredCalls / outboundReceivedCalls",
				Calls: ignoringGoal((*serviceCalls).OutboundAnswerRate),
			}},
		},
		{
			Name: "nuisanceEstimate", Unit: Percent, IsDaily: true, Better: LowerIsBetter,
			Forms: []ScopeFigure{{
				InDetail: true, Formula: "outboundHangupCalls / (outboundAnsweredCalls + outboundHangupCalls)",
				Calls: ignoringGoal((*serviceCalls).NuisanceEstimate),
			}},
		},
	}
}

// agentFigures returns the figures about agents' time and availability.
func agentFigures() []Figure {
	return []Figure{
		{
			Name: "aht", Unit: Duration, IsDaily: true, Better: LowerIsBetter, Tile: 6, Column: 4,
			Forms: []ScopeFigure{{
				InDetail: true, HasColumn: true,
				Formula: "(timeInStateBusyOnService + timeInStateWNR) / numberCallFromServiceAnswered",
				Agent:   (*agent).AHT,
			}},
		},
		{
			Name: "occupancy", Unit: Percent, Tile: 12,
			Forms: []ScopeFigure{
				{
					InDetail: true, HasColumn: true,
					Formula: "(busyOnServUsers + postCallUsers) / (busyOnServUsers + postCallUsers + readyUsers)",
					Users:   (*serviceUsers).Occupancy,
				},
				{
					InDetail: true, HasColumn: true,
					Formula: "(timeInStateBusyOnService + timeInStateWNR + timeInStateBooked) / (timeInStateBusyOnService + timeInStateWNR + timeInStateBooked + timeInStateReady)",
					Agent:   (*agent).Occupancy,
				},
			},
		},
		{
			Name: "loggedTime", Unit: Duration, IsDaily: true,
			Forms: []ScopeFigure{{
				InDetail: true, Formula: "timeInStateBooked + timeInStateBusy + timeInStateNotReady + timeInStateReady + timeInStateWNR",
				Agent: func(a *agent) model.Figure { return a.LoggedTime().Figure() },
			}},
		},
		{
			Name: "shrinkage", Unit: Percent, Better: LowerIsBetter,
			Forms: []ScopeFigure{
				{
					InDetail: true, Formula: "notReadyUsers / loggedUsers",
					Users: (*serviceUsers).Shrinkage,
				},
				{
					InDetail: true, HasColumn: true, Formula: "notReadyUsers / loggedUsers",
					Group: func(g *group) model.Figure { return g.UserStats.Shrinkage() },
				},
			},
		},
	}
}

// campaignFigures returns the figures about dialer campaigns.
func campaignFigures() []Figure {
	share := func(name string, d Direction, f ScopeFigure) Figure {
		return Figure{Name: name, Unit: Percent, Better: d, Forms: []ScopeFigure{f}}
	}
	return []Figure{
		{
			Name: "attemptsPerContact", Unit: Number, Better: LowerIsBetter,
			Forms: []ScopeFigure{{
				InDetail: true, Formula: "startedCalls / triedContacts",
				Campaign: (*campaign).AttemptsPerContact,
			}},
		},
		share("penetration", "", ScopeFigure{
			InDetail: true, HasColumn: true, Formula: "triedContacts / totalContacts",
			Campaign: (*campaign).Penetration,
		}),
		share("hitRate", HigherIsBetter, ScopeFigure{
			InDetail: true, HasColumn: true, Formula: "okContacts / startedCalls",
			Campaign: (*campaign).HitRate,
		}),
		share("contactRate", HigherIsBetter, ScopeFigure{
			InDetail: true, HasColumn: true, Formula: "okContacts / triedContacts",
			Campaign: (*campaign).ContactRate,
		}),
		share("linesBusy", "", ScopeFigure{
			InDetail: true, Formula: "usedChannels / allocatedChannels", Campaign: (*campaign).LineUtilization,
		}),
		share("resourcesBusy", "", ScopeFigure{
			InDetail: true, Formula: "(availableResources - freeResources) / availableResources",
			Campaign: (*campaign).ResourceUtilization,
		}),
	}
}
