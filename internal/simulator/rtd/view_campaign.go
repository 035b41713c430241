package rtd

import "wallboard/internal/simulator/world"

type campaignView struct {
	CampaignID, StartedCalls, AvailableResources, FreeResources   *intScalar
	AllocatedChannels, UsedChannels, TotalContacts, TriedContacts *intScalar
	RingingContacts, OkContacts, TalkingContacts, ToDoContacts    *intScalar
}

func newCampaignView(d *viewBuilder, old, cur *world.CampaignStat) campaignView {
	return campaignView{
		CampaignID:         (*intScalar)(keyField(d, &cur.CampaignID)),
		StartedCalls:       d.changedNumber(&old.StartedCalls, &cur.StartedCalls),
		AvailableResources: d.changedNumber(&old.AvailableResources, &cur.AvailableResources),
		FreeResources:      d.changedNumber(&old.FreeResources, &cur.FreeResources),
		AllocatedChannels:  d.changedNumber(&old.AllocatedChannels, &cur.AllocatedChannels),
		UsedChannels:       d.changedNumber(&old.UsedChannels, &cur.UsedChannels),
		TotalContacts:      d.changedNumber(&old.TotalContacts, &cur.TotalContacts),
		TriedContacts:      d.changedNumber(&old.TriedContacts, &cur.TriedContacts),
		RingingContacts:    d.changedNumber(&old.RingingContacts, &cur.RingingContacts),
		OkContacts:         d.changedNumber(&old.OkContacts, &cur.OkContacts),
		TalkingContacts:    d.changedNumber(&old.TalkingContacts, &cur.TalkingContacts),
		ToDoContacts:       d.changedNumber(&old.ToDoContacts, &cur.ToDoContacts),
	}
}
