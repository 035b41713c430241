package actions

import (
	"context"
	"strconv"

	tea "charm.land/bubbletea/v2"

	"wallboard/internal/phrases"
	"wallboard/model"
	"wallboard/model/resource"
	"wallboard/ui/dialog"
	"wallboard/ui/snapshot"
)

// campaignActions implements the actions on campaigns of the dialer.
type campaignActions struct {
	orders *orderSender
	lists  *listActions
}

// commands returns the palette commands for starting and stopping campaigns. There is also a
// command to stop a campaign that looks idle, because the campaign may be between two calls.
func (a *campaignActions) commands(k *Keys) []dialog.Command {
	s := a.orders.floor.Newest
	if s == nil {
		return nil
	}
	out := []dialog.Command{
		{Name: "stop all campaigns", Acts: true, Run: func() tea.Cmd { return a.switchAll(a.bulkStop(), isRunning, "No campaign is running.") }},
		{Name: "start all campaigns", Acts: true, Run: func() tea.Cmd {
			return a.switchAll(a.bulkStart(), canStart, "No campaign can be started: each is running or has no contacts left.")
		}},
	}
	stale := a.orders.floor.DoubtAbout(model.OpCampaigns).Stale
	for r := range s.Campaigns.All() {
		t, ok := a.orders.floor.TargetOf(snapshot.Campaign, strconv.FormatInt(r.Key(), 10))
		if !ok {
			continue
		}
		add := func(description string, one action) {
			out = append(out, dialog.Command{Name: description + " " + t.Name, Acts: true, Run: func() tea.Cmd { return one.execute(a.orders, t) }})
		}
		add("stop", action{key: k.Stop, description: "stop", operation: resource.OpCampaignStop, run: a.askStop})
		if stale || !isDialing(r) {
			add("start", action{key: k.Dial, description: "start", operation: resource.OpCampaignStart, run: a.askStart})
		}
	}
	return out
}

// askStart asks for confirmation and starts a campaign.
func (a *campaignActions) askStart(t snapshot.Target) tea.Cmd {
	q := dialog.Question{
		Text: "Start " + t.Name + "? It begins to call people.", YesLabel: "Start",
		CheckboxLabel: "clear its statistics before the start",
	}
	if s := a.orders.floor.Newest; s != nil && isDialing(s.Campaigns.Get(int64(t.CampaignID()))) {
		q.Text, q.YesLabel = t.Name+" is running already. Start it once more?", "Start again"
	}
	return a.askSwitch(t, resource.OpCampaignStart, q)
}

// askStop asks for confirmation and stops a campaign. The question warns if contacts are talking.
// The viewer need not type a word to confirm, because a stop is urgent and can be undone.
func (a *campaignActions) askStop(t snapshot.Target) tea.Cmd {
	q := dialog.Question{
		Text: "Stop " + t.Name + "? It makes no calls until it is started again.", YesLabel: "Stop", NoLabel: "Leave it running",
		CheckboxLabel: "clear its statistics after the stop",
	}
	switch talking, known := a.talkingContacts(t); {
	case !known:
		q.Lines = []string{"Contacts may be talking: the board has no figures of this campaign."}
	case talking > 0:
		q.Lines = []string{"Contacts are talking: the platform may cut them off."}
	}
	return a.askSwitch(t, resource.OpCampaignStop, q)
}

// talkingContacts returns the number of contacts of a campaign who are on a call. known is false if
// the number is unknown or outdated.
func (a *campaignActions) talkingContacts(t snapshot.Target) (n int64, known bool) {
	if a.orders.floor.Newest == nil || a.orders.floor.DoubtAbout(model.OpCampaigns).Stale {
		return 0, false
	}
	r := a.orders.floor.Newest.Campaigns.Get(int64(t.CampaignID()))
	if r == nil {
		return 0, false
	}
	return r.TalkingContacts.Get()
}

// askSwitch asks the question q and, if the viewer confirms, carries out v, the operation that
// starts or stops a campaign.
func (a *campaignActions) askSwitch(t snapshot.Target, v resource.Operation, q dialog.Question) tea.Cmd {
	q.Name, q.Subject = phrases.Capital(v.Description()), a.orders.subjectOf(t)
	q.OnYes = func(reset bool) tea.Cmd {
		s := resource.CampaignSwitch{ID: t.CampaignID(), ResetStats: reset}
		o := order{operation: v, target: t.Name, markedTarget: t}
		if reset {
			o.target += ", clear its statistics"
		}
		o.execute = func(ctx context.Context, c *Controller) resource.Report { return c.Campaigns.StartCampaign(ctx, s) }
		if v == resource.OpCampaignStop {
			o.execute = func(ctx context.Context, c *Controller) resource.Report { return c.Campaigns.StopCampaign(ctx, s) }
		}
		return a.orders.send(o, nil)
	}
	return a.orders.dialogs.Ask(q)
}
