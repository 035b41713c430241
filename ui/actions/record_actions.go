package actions

import (
	tea "charm.land/bubbletea/v2"

	"wallboard/internal/words"
	"wallboard/model"
	"wallboard/model/resource"
	"wallboard/ui/floorview"
)

// actionsOn returns the actions on a target, the most likely ones first. An action that currently
// makes little sense has a note, but remains possible, because the snapshot may be outdated.
func (a *Actions) actionsOn(t floorview.Target) []action {
	var out []action
	switch t.Kind {
	case floorview.Agent:
		out = a.agentActions(t)
	case floorview.Campaign:
		out = a.campaignActions(t)
	case floorview.Service, floorview.Group, floorview.Subscription:
	}
	return append(out, a.extraActionsOn(t)...)
}

// extraActionsOn returns the local actions on a target. The function set by
// [Actions.SetExtraActions] provides them.
func (a *Actions) extraActionsOn(t floorview.Target) []action {
	if a.extraActions == nil {
		return nil
	}
	var out []action
	for _, e := range a.extraActions(t) {
		out = append(out, action{isLocal: true, key: e.Key, description: words.Name(e.Description), run: func(floorview.Target) tea.Cmd { return e.Run() }})
	}
	return out
}

func (a *Actions) agentActions(t floorview.Target) []action {
	k := a.keys
	calls := func(v resource.Operation) func(floorview.Target) tea.Cmd {
		return func(t floorview.Target) tea.Cmd { return a.agents.openCalls(t, v) }
	}
	dial := action{key: k.Dial, description: words.ActMenuDial(), operation: resource.OpDial, run: a.agents.openDialForm}
	show := action{key: k.CallsOrSettings, description: words.ActMenuCalls(), run: calls("")}
	callAction := []action{
		{key: k.Stop, description: words.ActMenuHangUp(), operation: resource.OpHangUp, run: calls(resource.OpHangUp)},
		{key: k.Record, description: words.ActMenuRecord(), operation: resource.OpRecordingStart, run: calls(resource.OpRecordingStart)},
	}
	onCall, known := a.orders.isOnCall(t.Key)
	if onCall {
		dial.note = words.ActMenuOnCall()
		return append(callAction, show, dial)
	}
	if known {
		for i := range callAction {
			callAction[i].note = words.ActMenuNoCall()
		}
	}
	return append(append([]action{dial}, callAction...), show)
}

func (a *Actions) campaignActions(t floorview.Target) []action {
	k := a.keys
	start := action{key: k.Dial, description: words.ActMenuStart(), operation: resource.OpCampaignStart, run: a.campaigns.askStart}
	stop := action{key: k.Stop, description: words.ActMenuStop(), operation: resource.OpCampaignStop, run: a.campaigns.askStop}
	first := []action{start, stop}
	if s := a.orders.floor.Newest; s != nil && !a.orders.floor.DoubtAbout(model.OpCampaigns).Stale {
		switch c := s.Campaigns.Get(int64(t.CampaignID())); {
		case isDialing(c):
			start.note = words.ActMenuRunning()
			first = []action{stop, start}
		case c != nil:
			stop.note = words.ActMenuNotCalling()
			first = []action{start, stop}
		}
	}
	return append(first,
		action{key: k.CallsOrSettings, description: words.ActMenuSettings(), run: a.campaigns.openCampaign},
		action{key: k.Edit, description: words.ActMenuEdit(), operation: resource.OpCampaignUpdate, run: a.campaigns.editCampaign})
}

// isOnCall reports whether an agent is on a call. known is false if the newest snapshot is missing
// or outdated, or if the agent's state leaves it open.
func (o *orderSender) isOnCall(username string) (onCall, known bool) {
	if o.floor.Newest == nil || o.floor.DoubtAbout(model.OpUserStats).Stale {
		return false, false
	}
	status, _, _ := floorview.CallState(o.floor.Newest, username)
	switch status {
	case model.Ready, model.NotReady, model.BusyElsewhere, model.WNR:
		return false, true
	case model.Busy, model.NotReadyBusy, model.BusyDNCallIn, model.BusyDNCallOut, model.BusyDNCallOutPrivate:
		return true, true
	case model.Booked:
	}
	return false, false
}
