package alert

import (
	"slices"

	"wallboard/model"
	"wallboard/model/kpi"
)

// callFields returns the fields of the call figures that callsOf returns for a record.
func callFields[T any](callsOf func(*T) *model.ServiceCalls) []field {
	type c = model.ServiceCalls
	on := func(get func(*c) model.Int) func(*T) model.Int {
		return func(r *T) model.Int { return get(callsOf(r)) }
	}
	wait := field{
		name: "averageTimeOnQueue", format: Duration, presumableTime: model.PresumedAverage,
		number: func(f *evalEnv) model.Figure {
			return callsOf(record[T](f)).AverageTimeOnQueue.Figure()
		},
	}
	longest := secondsField("maxTimeCallOnQueue", on(currentLongestWait))
	longest.presumableTime = model.PresumedLongest
	return []field{
		counterField("answeredCalls", on(func(c *c) model.Int { return c.AnsweredCalls })),
		counterField("answeredCallsUnderSpeedLimit", on(func(c *c) model.Int { return c.AnsweredCallsUnderSpeedLimit })),
		counterField("closedCalls", on(func(c *c) model.Int { return c.ClosedCalls })),
		counterField("closedCallsCallBack", on(func(c *c) model.Int { return c.ClosedCallsCallBack })),
		gaugeField("connectedCall", on(func(c *c) model.Int { return c.ConnectedCall })),
		counterField("hangupCalls", on(func(c *c) model.Int { return c.HangupCalls })),
		counterField("outboundAnsweredCalls", on(func(c *c) model.Int { return c.OutboundAnsweredCalls })),
		counterField("outboundClosedCallsGenericCause", on(func(c *c) model.Int { return c.OutboundClosedCallsGenericCause })),
		counterField("outboundHangupCalls", on(func(c *c) model.Int { return c.OutboundHangupCalls })),
		counterField("outboundReceivedCalls", on(func(c *c) model.Int { return c.OutboundReceivedCalls })),
		counterField("receivedCalls", on(func(c *c) model.Int { return c.ReceivedCalls })),
		counterField("receivedCallsInAccessList", on(func(c *c) model.Int { return c.ReceivedCallsInAccessList })),
		counterField("receivedCallsWithVendor4you", on(func(c *c) model.Int { return c.ReceivedCallsWithVendor4you })),
		counterField("receivedCallsWithVendor4youAnonymous", on(func(c *c) model.Int { return c.ReceivedCallsWithVendor4youAnonymous })),
		counterField("receivedCallsWithVendor4youMultiple", on(func(c *c) model.Int { return c.ReceivedCallsWithVendor4youMultiple })),
		counterField("receivedCallsWithVendor4youSingle", on(func(c *c) model.Int { return c.ReceivedCallsWithVendor4youSingle })),
		counterField("shortCalls", on(func(c *c) model.Int { return c.ShortCalls })),
		wait, longest,
	}
}

// currentLongestWait returns maxTimeCallOnQueue if the platform uses it for the longest current
// wait. Otherwise the field may be a maximum of the day, which must not raise alerts about waiting
// callers, and currentLongestWait returns an unknown value.
func currentLongestWait(c *model.ServiceCalls) model.Int {
	if c.Wait.Meaning.IsCurrent() {
		return c.MaxTimeCallOnQueue
	}
	return model.Int{}
}

func serviceFields() []field {
	type r = model.Service
	of := func(r *r) *model.ServiceCalls { return &r.ChannelStats }
	fs := append(slices.Concat(callFields(of), forecastFields()),
		asIdentifier(textField("code", func(r *r) model.Text { return r.Code })),
		asIdentifier(enumField("channel", func(r *r) model.Channel { return r.Channel })),
		headCountField("busyOnDNCallInUsers", func(r *r) *model.ProfilesInStatus { return &r.UserStats.BusyOnDNCallInUsers }),
		headCountField("busyOnDNCallOutUsers", func(r *r) *model.ProfilesInStatus { return &r.UserStats.BusyOnDNCallOutUsers }),
		headCountField("busyOnDNCallOutUsersPrivate", func(r *r) *model.ProfilesInStatus { return &r.UserStats.BusyOnDNCallOutUsersPrivate }),
		headCountField("busyOnDNCallUsers", func(r *r) *model.ProfilesInStatus { return &r.UserStats.BusyOnDNCallUsers }),
		headCountField("busyUsers", func(r *r) *model.ProfilesInStatus { return &r.UserStats.BusyUsers }),
	)
	return append(fs, catalogFields(Service, func(f *kpi.ScopeFigure) numberFunc {
		if get := f.Users; get != nil {
			return func(f *evalEnv) model.Figure { return get(&record[r](f).UserStats) }
		}
		get := f.Calls
		return func(f *evalEnv) model.Figure { return get(&record[r](f).ChannelStats, *f.goal) }
	})...)
}

func groupFields() []field {
	type r = model.Group
	fs := []field{
		counterField("answeredCalls", func(r *r) model.Int { return r.ChannelStats.AnsweredCalls }),
		counterField("closedCalls", func(r *r) model.Int { return r.ChannelStats.ClosedCalls }),
		counterField("hangupCalls", func(r *r) model.Int { return r.ChannelStats.HangupCalls }),
		counterField("receivedCalls", func(r *r) model.Int { return r.ChannelStats.ReceivedCalls }),
		counterField("shortCalls", func(r *r) model.Int { return r.ChannelStats.ShortCalls }),
		asIdentifier(textField("code", func(r *r) model.Text { return r.Code })),
		asIdentifier(enumField("channel", func(r *r) model.Channel { return r.Channel })),
	}
	return append(fs, catalogFields(Group, func(f *kpi.ScopeFigure) numberFunc {
		get := f.Group
		return func(f *evalEnv) model.Figure { return get(record[r](f)) }
	})...)
}
