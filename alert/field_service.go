package alert

import "wallboard/model"

// calls are the names of a service's counters, for every record that has them.
func calls[T any](of func(*T) *model.ServiceCalls) []field {
	type c = model.ServiceCalls
	on := func(get func(*c) model.Int) func(*T) model.Int {
		return func(r *T) model.Int { return get(of(r)) }
	}
	wait := field{
		name: "averageTimeOnQueue", format: Duration,
		number: func(f *frame) model.Figure {
			if v, ok := of(record[T](f)).AverageTimeOnQueue.Get(); ok {
				return model.FigureOf(v)
			}
			return model.Figure{}
		},
	}
	return []field{
		total("answeredCalls", on(func(c *c) model.Int { return c.AnsweredCalls })),
		total("answeredCallsUnderSpeedLimit", on(func(c *c) model.Int { return c.AnsweredCallsUnderSpeedLimit })),
		total("closedCalls", on(func(c *c) model.Int { return c.ClosedCalls })),
		total("closedCallsCallBack", on(func(c *c) model.Int { return c.ClosedCallsCallBack })),
		level("connectedCall", on(func(c *c) model.Int { return c.ConnectedCall })),
		level("currentCalls", on(func(c *c) model.Int { return c.CurrentCalls })),
		total("hangupCalls", on(func(c *c) model.Int { return c.HangupCalls })),
		seconds("maxTimeCallOnQueue", on(func(c *c) model.Int { return c.MaxTimeCallOnQueue })),
		total("outboundAnsweredCalls", on(func(c *c) model.Int { return c.OutboundAnsweredCalls })),
		total("outboundClosedCallsGenericCause", on(func(c *c) model.Int { return c.OutboundClosedCallsGenericCause })),
		total("outboundHangupCalls", on(func(c *c) model.Int { return c.OutboundHangupCalls })),
		total("outboundReceivedCalls", on(func(c *c) model.Int { return c.OutboundReceivedCalls })),
		level("queuedCalls", on(func(c *c) model.Int { return c.QueuedCalls })),
		total("receivedCalls", on(func(c *c) model.Int { return c.ReceivedCalls })),
		total("receivedCallsInAccessList", on(func(c *c) model.Int { return c.ReceivedCallsInAccessList })),
		total("receivedCallsWithVendor4you", on(func(c *c) model.Int { return c.ReceivedCallsWithVendor4you })),
		total("receivedCallsWithVendor4youAnonymous", on(func(c *c) model.Int { return c.ReceivedCallsWithVendor4youAnonymous })),
		total("receivedCallsWithVendor4youMultiple", on(func(c *c) model.Int { return c.ReceivedCallsWithVendor4youMultiple })),
		total("receivedCallsWithVendor4youSingle", on(func(c *c) model.Int { return c.ReceivedCallsWithVendor4youSingle })),
		total("shortCalls", on(func(c *c) model.Int { return c.ShortCalls })),
		wait,
	}
}

// callKPIs are the built-in KPIs of a service's counters.
func callKPIs[T any](s Scope, of func(*T) *model.ServiceCalls) []field {
	kpi := func(name, title, expr string, f Format, d Direction, get func(*model.ServiceCalls) model.Figure) field {
		return builtIn(KPI{Name: name, Title: title, Scope: s, Expr: expr, Format: f, Direction: d},
			func(r *T) model.Figure { return get(of(r)) })
	}
	return append(goalKPIs(s, of),
		kpi("longestWait", "Longest wait", "queuedCalls == 0 ? 0 : maxTimeCallOnQueue",
			Duration, Lower, longestWait),
		kpi("abandonRate", "Abandon rate", "hangupCalls / receivedCalls",
			Percent, Lower, (*model.ServiceCalls).AbandonRate),
		kpi("abandonRateLong", "Abandon rate without short calls", "(hangupCalls - shortCalls) / (receivedCalls - shortCalls)",
			Percent, Lower, (*model.ServiceCalls).AbandonRateLong),
		kpi("answerRate", "Answer rate", "answeredCalls / receivedCalls",
			Percent, Higher, (*model.ServiceCalls).AnswerRate),
		kpi("asa", "Average speed of answer", "averageTimeOnQueue",
			Duration, Lower, (*model.ServiceCalls).ASA),
		kpi("outboundAnswerRate", "Answer rate of outbound calls", "outboundAnsweredCalls / outboundReceivedCalls",
			Percent, Higher, (*model.ServiceCalls).OutboundAnswerRate),
		kpi("nuisanceEstimate", "Dropped outbound calls (estimate)", "outboundHangupCalls / (outboundAnsweredCalls + outboundHangupCalls)",
			Percent, Lower, (*model.ServiceCalls).NuisanceEstimate),
	)
}

// goalNames are the names of [goalKPIs].
func goalNames() []string {
	return []string{"serviceLevel", "serviceLevelTarget", "missesLeft", "toRecover"}
}

// goalKPIs are the built-in KPIs that stand on a service's goal.
func goalKPIs[T any](s Scope, of func(*T) *model.ServiceCalls) []field {
	kpi := func(name, title, expr string, format Format, d Direction, get func(*model.ServiceCalls, *Goal) model.Figure) field {
		f := builtIn[T](KPI{Name: name, Title: title, Scope: s, Expr: expr, Format: format, Direction: d}, nil)
		f.number = func(f *frame) model.Figure { return get(of(record[T](f)), f.goal) }
		return f
	}
	return []field{
		kpi("serviceLevel", "Service level", "answeredCallsUnderSpeedLimit / calls of the service's formula",
			Percent, Higher, func(c *model.ServiceCalls, g *Goal) model.Figure { return c.ServiceLevel(g.Formula) }),
		kpi("serviceLevelTarget", "Service level target", "the service's target",
			Percent, "", func(_ *model.ServiceCalls, g *Goal) model.Figure { return ofFloat(g.ServiceLevel) }),
		kpi("missesLeft", "Misses left today", "calls * (1 - serviceLevelTarget) - missed calls, rounded down, at least 0",
			Number, Higher, func(c *model.ServiceCalls, g *Goal) model.Figure { return budget(c, g, missesLeft) }),
		kpi("toRecover", "Calls in a row to recover", "(serviceLevelTarget * calls - answeredCallsUnderSpeedLimit) / (1 - serviceLevelTarget), rounded up, at least 0",
			Number, Lower, func(c *model.ServiceCalls, g *Goal) model.Figure { return budget(c, g, toRecover) }),
	}
}

func missesLeft(b model.ServiceLevelBudget) int64 { return b.MissesLeft }
func toRecover(b model.ServiceLevelBudget) int64  { return b.ToRecover }

// budget returns a part of the service-level budget. Before the first call and
// without a target it is n/a.
func budget(c *model.ServiceCalls, g *Goal, part func(model.ServiceLevelBudget) int64) model.Figure {
	target, ok := g.ServiceLevel.Get()
	if !ok || c.ServiceLevel(g.Formula).NA() {
		return model.NotApplicable()
	}
	b, ok := c.Budget(g.Formula, target)
	if !ok {
		return model.Figure{}
	}
	return model.FigureOf(float64(part(b)))
}

// longestWait is the longest wait of who waits now: what the platform sends
// for an empty queue is the wait of somebody who has gone.
func longestWait(c *model.ServiceCalls) model.Figure {
	if c.QueuedCalls == model.IntOf(0) {
		return model.FigureOf(0)
	}
	return figureOf(c.MaxTimeCallOnQueue)
}

func ofFloat(v model.Float) model.Figure {
	if x, ok := v.Get(); ok {
		return model.FigureOf(x)
	}
	return model.Figure{}
}

func serviceFields() []field {
	type r = model.Service
	of := func(r *r) *model.ServiceCalls { return &r.ChannelStats }
	fs := append(calls(of), callKPIs(Service, of)...)
	return append(fs,
		word("code", func(r *r) model.Text { return r.Code }),
		enum("channel", func(r *r) model.Channel { return r.Channel }),
		heads("busyOnDNCallInUsers", func(r *r) *model.ProfilesInStatus { return &r.UserStats.BusyOnDNCallInUsers }),
		heads("busyOnDNCallOutUsers", func(r *r) *model.ProfilesInStatus { return &r.UserStats.BusyOnDNCallOutUsers }),
		heads("busyOnDNCallOutUsersPrivate", func(r *r) *model.ProfilesInStatus { return &r.UserStats.BusyOnDNCallOutUsersPrivate }),
		heads("busyOnDNCallUsers", func(r *r) *model.ProfilesInStatus { return &r.UserStats.BusyOnDNCallUsers }),
		heads("busyOnServUsers", func(r *r) *model.ProfilesInStatus { return &r.UserStats.BusyOnServUsers }),
		heads("busyUsers", func(r *r) *model.ProfilesInStatus { return &r.UserStats.BusyUsers }),
		heads("loggedUsers", func(r *r) *model.ProfilesInStatus { return &r.UserStats.LoggedUsers }),
		heads("notReadyUsers", func(r *r) *model.ProfilesInStatus { return &r.UserStats.NotReadyUsers }),
		heads("postCallUsers", func(r *r) *model.ProfilesInStatus { return &r.UserStats.PostCallUsers }),
		heads("readyUsers", func(r *r) *model.ProfilesInStatus { return &r.UserStats.ReadyUsers }),
		builtIn(KPI{
			Name: "occupancy", Title: "Occupancy now", Scope: Service, Format: Percent,
			Expr: "(busyOnServUsers + postCallUsers) / (busyOnServUsers + postCallUsers + readyUsers)",
		}, func(r *r) model.Figure { return r.UserStats.Occupancy() }),
		builtIn(KPI{
			Name: "shrinkage", Title: "Not available", Scope: Service, Format: Percent, Direction: Lower,
			Expr: "notReadyUsers / loggedUsers",
		}, func(r *r) model.Figure { return r.UserStats.Shrinkage() }),
	)
}

func groupFields() []field {
	type r = model.Group
	return []field{
		total("answeredCalls", func(r *r) model.Int { return r.ChannelStats.AnsweredCalls }),
		total("closedCalls", func(r *r) model.Int { return r.ChannelStats.ClosedCalls }),
		total("hangupCalls", func(r *r) model.Int { return r.ChannelStats.HangupCalls }),
		level("queuedCalls", func(r *r) model.Int { return r.ChannelStats.QueuedCalls }),
		total("receivedCalls", func(r *r) model.Int { return r.ChannelStats.ReceivedCalls }),
		total("shortCalls", func(r *r) model.Int { return r.ChannelStats.ShortCalls }),
		word("code", func(r *r) model.Text { return r.Code }),
		enum("channel", func(r *r) model.Channel { return r.Channel }),
		heads("loggedUsers", func(r *r) *model.ProfilesInStatus { return &r.UserStats.LoggedUsers }),
		heads("notReadyUsers", func(r *r) *model.ProfilesInStatus { return &r.UserStats.NotReadyUsers }),
		heads("postCallUsers", func(r *r) *model.ProfilesInStatus { return &r.UserStats.PostCallUsers }),
		heads("readyUsers", func(r *r) *model.ProfilesInStatus { return &r.UserStats.ReadyUsers }),
		builtIn(KPI{
			Name: "abandonRate", Title: "Abandon rate", Scope: Group, Format: Percent, Direction: Lower,
			Expr: "hangupCalls / receivedCalls",
		}, func(r *r) model.Figure { return r.ChannelStats.AbandonRate() }),
		builtIn(KPI{
			Name: "answerRate", Title: "Answer rate", Scope: Group, Format: Percent, Direction: Higher,
			Expr: "answeredCalls / receivedCalls",
		}, func(r *r) model.Figure { return r.ChannelStats.AnswerRate() }),
		builtIn(KPI{
			Name: "shrinkage", Title: "Not available", Scope: Group, Format: Percent, Direction: Lower,
			Expr: "notReadyUsers / loggedUsers",
		}, func(r *r) model.Figure { return r.UserStats.Shrinkage() }),
	}
}
