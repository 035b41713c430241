package alert

import "wallboard/model"

func campaignFields() []field {
	type r = model.Campaign
	kpi := func(name, title, expr string, d Direction, get func(*r) model.Figure) field {
		return builtIn(KPI{Name: name, Title: title, Scope: Campaign, Expr: expr, Format: Percent, Direction: d}, get)
	}
	attempts := builtIn(KPI{
		Name: "attemptsPerContact", Title: "Attempts per contact", Scope: Campaign, Format: Number, Direction: Lower,
		Expr: "startedCalls / triedContacts",
	}, (*r).AttemptsPerContact)
	return []field{
		level("campaignId", func(r *r) model.Int { return r.CampaignID }),
		total("startedCalls", func(r *r) model.Int { return r.StartedCalls }),
		level("availableResources", func(r *r) model.Int { return r.AvailableResources }),
		level("freeResources", func(r *r) model.Int { return r.FreeResources }),
		level("allocatedChannels", func(r *r) model.Int { return r.AllocatedChannels }),
		level("usedChannels", func(r *r) model.Int { return r.UsedChannels }),
		level("totalContacts", func(r *r) model.Int { return r.TotalContacts }),
		total("triedContacts", func(r *r) model.Int { return r.TriedContacts }),
		level("ringingContacts", func(r *r) model.Int { return r.RingingContacts }),
		total("okContacts", func(r *r) model.Int { return r.OkContacts }),
		level("talkingContacts", func(r *r) model.Int { return r.TalkingContacts }),
		level("toDoContacts", func(r *r) model.Int { return r.ToDoContacts }),
		attempts,
		kpi("penetration", "List penetration", "triedContacts / totalContacts", "", (*r).Penetration),
		kpi("hitRate", "Hit rate", "okContacts / startedCalls", Higher, (*r).HitRate),
		kpi("contactRate", "Contact rate", "okContacts / triedContacts", Higher, (*r).ContactRate),
		kpi("linesBusy", "Lines in use", "usedChannels / allocatedChannels", "", (*r).LinesBusy),
		kpi("resourcesBusy", "Agents not free", "(availableResources - freeResources) / availableResources", "", (*r).ResourcesBusy),
	}
}

// floorRecord is the floor on one channel.
type floorRecord struct {
	model.Floor
	channel model.Channel
}

// floorFields are the sums over services and users, and head counts under the
// names that services have for them.
func floorFields() []field {
	type r = floorRecord
	ofCalls := func(r *r) *model.ServiceCalls { return &r.Calls }
	ofAgents := func(r *r) *model.AgentFigures { return &r.Agents }
	fs := append(calls(ofCalls), callKPIs(Floor, ofCalls)...)
	fs = append(fs, agent(ofAgents)...)
	fs = append(fs, agentKPIs(Floor, ofAgents)...)
	return append(fs,
		enum("channel", func(r *r) model.Channel { return r.channel }),
		level("services", func(r *r) model.Int { return model.IntOf(int64(r.Services)) }),
		level("bookedUsers", func(r *r) model.Int { return r.heads(model.Booked) }),
		level("busyOnServUsers", func(r *r) model.Int { return r.heads(model.Busy) }),
		level("busyOnDNCallUsers", func(r *r) model.Int {
			return r.heads(model.BusyDNCallIn, model.BusyDNCallOut, model.BusyDNCallOutPrivate)
		}),
		level("loggedUsers", func(r *r) model.Int {
			if r.Users == 0 {
				return model.Int{}
			}
			return model.IntOf(int64(r.Users - r.States[""]))
		}),
		level("notReadyUsers", func(r *r) model.Int { return r.heads(model.NotReady, model.NotReadyBusy) }),
		level("postCallUsers", func(r *r) model.Int { return r.heads(model.WNR) }),
		level("readyUsers", func(r *r) model.Int { return r.heads(model.Ready) }),
	)
}

// heads counts users by state. Without any user nobody knows.
func (r *floorRecord) heads(states ...model.UserStatus) model.Int {
	if r.Users == 0 {
		return model.Int{}
	}
	n := 0
	for _, s := range states {
		n += r.States[s]
	}
	return model.IntOf(int64(n))
}

// link is the code of the connection among the feed's records.
const link = "link"

// feedRecord is the connection or one subscription, as far as alerts care.
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
		word("state", func(r *r) model.Text { return model.TextOf(r.state) }),
		word("reason", func(r *r) model.Text { return model.TextOf(r.reason) }),
		level("records", func(r *r) model.Int { return model.IntOf(int64(r.records)) }),
		{name: "stale", kind: truthKind, truth: func(f *frame) truth { return truthOf(record[r](f).stale) }},
	}
}
