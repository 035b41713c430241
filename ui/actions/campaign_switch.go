package actions

import (
	"context"
	"strconv"

	tea "charm.land/bubbletea/v2"

	"wallboard/internal/words"
	"wallboard/model"
	"wallboard/model/resource"
	"wallboard/ui/dialog"
	"wallboard/ui/floorview"
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
		{Name: a.orders.translate(words.ActCampaignPaletteStopAll()), AffectsOthers: true, Run: func() tea.Cmd {
			return a.switchAll(a.bulkStop(), isRunning, words.ActCampaignNoneRunning())
		}},
		{Name: a.orders.translate(words.ActCampaignPaletteStartAll()), AffectsOthers: true, Run: func() tea.Cmd {
			return a.switchAll(a.bulkStart(), canStart, words.ActCampaignNoneStartable())
		}},
	}
	stale := a.orders.floor.DoubtAbout(model.OpCampaigns).Stale
	for r := range s.Campaigns.All() {
		t, ok := a.orders.floor.TargetOf(floorview.Campaign, strconv.FormatInt(r.Key(), 10))
		if !ok {
			continue
		}
		add := func(name words.Text, one action) {
			out = append(out, dialog.Command{Name: a.orders.translate(name), AffectsOthers: true, Run: func() tea.Cmd { return one.execute(a.orders, t) }})
		}
		add(words.ActCampaignPaletteStop(t.Name), action{key: k.Stop, description: words.ActMenuStop(), operation: resource.OpCampaignStop, run: a.askStop})
		if stale || !isDialing(r) {
			add(words.ActCampaignPaletteStart(t.Name), action{key: k.Dial, description: words.ActMenuStart(), operation: resource.OpCampaignStart, run: a.askStart})
		}
	}
	return out
}

// askStart asks for confirmation and starts a campaign.
func (a *campaignActions) askStart(t floorview.Target) tea.Cmd {
	q := dialog.Question{
		Text: a.orders.translate(words.ActCampaignAskStart(t.Name)), YesLabel: a.orders.translate(words.ActButtonStart()),
		CheckboxLabel: a.orders.translate(words.ActCampaignClearBefore()),
	}
	if s := a.orders.floor.Newest; s != nil && isDialing(s.Campaigns.Get(int64(t.CampaignID()))) {
		q.Text, q.YesLabel = a.orders.translate(words.ActCampaignAskStartAgain(t.Name)), a.orders.translate(words.ActButtonStartAgain())
	}
	return a.askStartStop(t, resource.OpCampaignStart, q)
}

// askStop asks for confirmation and stops a campaign. The question warns if contacts are or may be
// talking. The viewer need not type a word to confirm, because a stop is urgent and can be undone.
func (a *campaignActions) askStop(t floorview.Target) tea.Cmd {
	q := dialog.Question{
		Text: a.orders.translate(words.ActCampaignAskStop(t.Name)), YesLabel: a.orders.translate(words.ActButtonStop()),
		NoLabel: a.orders.translate(words.ActButtonLeaveRunning()), CheckboxLabel: a.orders.translate(words.ActCampaignClearAfter()),
	}
	switch talking, known := a.talkingContacts(t); {
	case !known:
		q.Lines = []string{a.orders.translate(words.ActCampaignTalkingUnknown())}
	case talking > 0:
		q.Lines = []string{a.orders.translate(words.ActCampaignTalking())}
	}
	return a.askStartStop(t, resource.OpCampaignStop, q)
}

// talkingContacts returns the number of contacts of a campaign who are on a call. known is false if
// the number is unknown or outdated.
func (a *campaignActions) talkingContacts(t floorview.Target) (n int64, known bool) {
	if a.orders.floor.Newest == nil || a.orders.floor.DoubtAbout(model.OpCampaigns).Stale {
		return 0, false
	}
	r := a.orders.floor.Newest.Campaigns.Get(int64(t.CampaignID()))
	if r == nil {
		return 0, false
	}
	return r.TalkingContacts.Get()
}

// askStartStop asks the question q and, if the viewer confirms, carries out v, the operation that
// starts or stops a campaign.
func (a *campaignActions) askStartStop(t floorview.Target, v resource.Operation, q dialog.Question) tea.Cmd {
	q.Name, q.Subject = a.orders.translate(words.OperationTitle(v)), a.orders.questionSubject(t)
	q.OnYes = func(reset bool) tea.Cmd {
		s := resource.CampaignSwitch{ID: t.CampaignID(), ResetStats: reset}
		o := actionOrder{operation: v, target: words.Name(t.Name), names: []string{t.Name}, markedTarget: t}
		if reset {
			o.target, o.names = words.ActCampaignTargetClear(t.Name), nil
		}
		o.execute = func(ctx context.Context, c *Controller) words.ActionReport { return c.Campaigns.StartCampaign(ctx, s) }
		if v == resource.OpCampaignStop {
			o.execute = func(ctx context.Context, c *Controller) words.ActionReport { return c.Campaigns.StopCampaign(ctx, s) }
		}
		return a.orders.send(o, nil)
	}
	return a.orders.dialogs.OpenQuestionDialog(q)
}
