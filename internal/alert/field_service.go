package alert

import (
	"wallboard/model"
	"wallboard/model/kpi"
)

// calls returns the fields of a service's counters, for every record that has them.
func calls[T any](of func(*T) *model.ServiceCalls) []field {
	type c = model.ServiceCalls
	on := func(get func(*c) model.Int) func(*T) model.Int {
		return func(r *T) model.Int { return get(of(r)) }
	}
	wait := field{
		name: "averageTimeOnQueue", format: Duration, presumable: model.PresumedAverage,
		number: func(f *frame) model.Figure {
			return of(record[T](f)).AverageTimeOnQueue.Figure()
		},
	}
	longest := seconds("maxTimeCallOnQueue", on(sentWait))
	longest.presumable = model.PresumedLongest
	return []field{
		total("answeredCalls", on(func(c *c) model.Int { return c.AnsweredCalls })),
		total("answeredCallsUnderSpeedLimit", on(func(c *c) model.Int { return c.AnsweredCallsUnderSpeedLimit })),
		total("closedCalls", on(func(c *c) model.Int { return c.ClosedCalls })),
		total("closedCallsCallBack", on(func(c *c) model.Int { return c.ClosedCallsCallBack })),
		level("connectedCall", on(func(c *c) model.Int { return c.ConnectedCall })),
		total("hangupCalls", on(func(c *c) model.Int { return c.HangupCalls })),
		total("outboundAnsweredCalls", on(func(c *c) model.Int { return c.OutboundAnsweredCalls })),
		total("outboundClosedCallsGenericCause", on(func(c *c) model.Int { return c.OutboundClosedCallsGenericCause })),
		total("outboundHangupCalls", on(func(c *c) model.Int { return c.OutboundHangupCalls })),
		total("outboundReceivedCalls", on(func(c *c) model.Int { return c.OutboundReceivedCalls })),
		total("receivedCalls", on(func(c *c) model.Int { return c.ReceivedCalls })),
		total("receivedCallsInAccessList", on(func(c *c) model.Int { return c.ReceivedCallsInAccessList })),
		total("receivedCallsWithVendor4you", on(func(c *c) model.Int { return c.ReceivedCallsWithVendor4you })),
		total("receivedCallsWithVendor4youAnonymous", on(func(c *c) model.Int { return c.ReceivedCallsWithVendor4youAnonymous })),
		total("receivedCallsWithVendor4youMultiple", on(func(c *c) model.Int { return c.ReceivedCallsWithVendor4youMultiple })),
		total("receivedCallsWithVendor4youSingle", on(func(c *c) model.Int { return c.ReceivedCallsWithVendor4youSingle })),
		total("shortCalls", on(func(c *c) model.Int { return c.ShortCalls })),
		wait, longest,
	}
}

// sentWait returns maxTimeCallOnQueue if it is the longest current wait, else an
// unknown value. A rule about waiting callers must not use a figure of the day.
func sentWait(c *model.ServiceCalls) model.Int {
	if c.Wait.Meaning.Current() {
		return c.MaxTimeCallOnQueue
	}
	return model.Int{}
}

func serviceFields() []field {
	type r = model.Service
	of := func(r *r) *model.ServiceCalls { return &r.ChannelStats }
	fs := append(calls(of),
		naming(word("code", func(r *r) model.Text { return r.Code })),
		naming(enum("channel", func(r *r) model.Channel { return r.Channel })),
		heads("busyOnDNCallInUsers", func(r *r) *model.ProfilesInStatus { return &r.UserStats.BusyOnDNCallInUsers }),
		heads("busyOnDNCallOutUsers", func(r *r) *model.ProfilesInStatus { return &r.UserStats.BusyOnDNCallOutUsers }),
		heads("busyOnDNCallOutUsersPrivate", func(r *r) *model.ProfilesInStatus { return &r.UserStats.BusyOnDNCallOutUsersPrivate }),
		heads("busyOnDNCallUsers", func(r *r) *model.ProfilesInStatus { return &r.UserStats.BusyOnDNCallUsers }),
		heads("busyUsers", func(r *r) *model.ProfilesInStatus { return &r.UserStats.BusyUsers }),
	)
	return append(fs, catalogFields(Service, func(f *kpi.Form) numeric {
		if get := f.Users; get != nil {
			return func(f *frame) model.Figure { return get(&record[r](f).UserStats) }
		}
		get := f.Calls
		return func(f *frame) model.Figure { return get(&record[r](f).ChannelStats, *f.goal) }
	})...)
}

func groupFields() []field {
	type r = model.Group
	fs := []field{
		total("answeredCalls", func(r *r) model.Int { return r.ChannelStats.AnsweredCalls }),
		total("closedCalls", func(r *r) model.Int { return r.ChannelStats.ClosedCalls }),
		total("hangupCalls", func(r *r) model.Int { return r.ChannelStats.HangupCalls }),
		total("receivedCalls", func(r *r) model.Int { return r.ChannelStats.ReceivedCalls }),
		total("shortCalls", func(r *r) model.Int { return r.ChannelStats.ShortCalls }),
		naming(word("code", func(r *r) model.Text { return r.Code })),
		naming(enum("channel", func(r *r) model.Channel { return r.Channel })),
	}
	return append(fs, catalogFields(Group, func(f *kpi.Form) numeric {
		get := f.Group
		return func(f *frame) model.Figure { return get(record[r](f)) }
	})...)
}
