package alert

import (
	"slices"

	"wallboard/model"
	"wallboard/model/kpi"
)

func campaignFields() []field {
	type r = model.Campaign
	fs := []field{
		timeToEmptyField(),
		gaugeField("campaignId", func(r *r) model.Int { return r.CampaignID }),
		counterField("startedCalls", func(r *r) model.Int { return r.StartedCalls }),
		gaugeField("availableResources", func(r *r) model.Int { return r.AvailableResources }),
		gaugeField("allocatedChannels", func(r *r) model.Int { return r.AllocatedChannels }),
		gaugeField("totalContacts", func(r *r) model.Int { return r.TotalContacts }),
		counterField("triedContacts", func(r *r) model.Int { return r.TriedContacts }),
		counterField("okContacts", func(r *r) model.Int { return r.OkContacts }),
	}
	return append(fs, catalogFields(Campaign, func(f *kpi.ScopeFigure) numberFunc {
		get := f.Campaign
		return func(f *evalEnv) model.Figure { return get(record[r](f)) }
	})...)
}

// floorRecord holds the figures of all services and users on one channel.
type floorRecord struct {
	model.Floor
	channel model.Channel
}

// floorFields returns the fields of the floor: sums over services and users, and the numbers of
// agents under the names that services use.
func floorFields() []field {
	type r = floorRecord
	ofCalls := func(r *r) *model.ServiceCalls { return &r.Calls }
	ofAgents := func(r *r) *model.AgentFigures { return &r.Agents }
	fs := slices.Concat(callFields(ofCalls), agentFields(ofAgents), forecastFields())
	fs = append(fs,
		asIdentifier(enumField("channel", func(r *r) model.Channel { return r.channel })),
		gaugeField("services", func(r *r) model.Int { return model.IntOf(int64(r.Services)) }),
		gaugeField("bookedUsers", func(r *r) model.Int { return r.CountInStates(model.Booked) }),
		gaugeField("busyOnDNCallUsers", func(r *r) model.Int {
			return r.CountInStates(model.BusyDNCallIn, model.BusyDNCallOut, model.BusyDNCallOutPrivate)
		}),
	)
	return append(fs, catalogFields(Floor, func(f *kpi.ScopeFigure) numberFunc {
		get := f.FloorValue
		return func(f *evalEnv) model.Figure { return get(&record[r](f).Floor, *f.goal) }
	})...)
}

// linkCode is the code of the feed record for the connection to the platform.
const linkCode = "link"

// feedRecord is the state of the connection to the platform, or of one subscription.
type feedRecord struct {
	code    string
	state   string
	reason  string
	stale   bool
	records int
}

func feedFields() []field {
	type r = feedRecord
	return []field{
		textField("state", func(r *r) model.Text { return model.TextOf(r.state) }),
		textField("reason", func(r *r) model.Text { return model.TextOf(r.reason) }),
		gaugeField("records", func(r *r) model.Int { return model.IntOf(int64(r.records)) }),
		{name: "stale", kind: truthKind, truth: func(f *evalEnv) truth { return truthOf(record[r](f).stale) }},
	}
}
