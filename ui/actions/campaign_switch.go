package actions

import (
	"context"
	"strconv"

	tea "charm.land/bubbletea/v2"

	"wallboard/model"
	"wallboard/model/resource"
	"wallboard/ui/dialog"
	"wallboard/ui/snapshot"
	"wallboard/ui/style"
)

// campaigns holds the actions on campaigns.
type campaigns struct {
	do    *orders
	lists *lists
}

// commands returns the palette's commands that start and stop campaigns. Stop is always
// offered, because a campaign that looks idle may be between two calls.
func (a *campaigns) commands(k *Keys) []dialog.Command {
	s := a.do.floor.Newest
	if s == nil {
		return nil
	}
	var out []dialog.Command
	stale := a.do.floor.DoubtAbout(model.OpCampaigns).Stale
	for r := range s.Campaigns.All() {
		t, ok := a.do.floor.TargetOf(snapshot.Campaign, strconv.FormatInt(r.Key(), 10))
		if !ok {
			continue
		}
		add := func(does string, one action) {
			out = append(out, dialog.Command{Name: does + " " + t.Name, Keywords: "campaign", Run: func() tea.Cmd { return one.take(a.do, t) }})
		}
		add("stop", action{key: k.Stop, does: "stop", verb: resource.OpCampaignStop, run: a.askStop})
		if stale || !running(r) {
			add("start", action{key: k.Dial, does: "start", verb: resource.OpCampaignStart, run: a.askStart})
		}
	}
	return out
}

// askStart asks for confirmation and starts a campaign.
func (a *campaigns) askStart(t snapshot.Target) tea.Cmd {
	q := dialog.Question{
		Text: "Start " + t.Name + "? It begins to call people.", Yes: "Start",
		Option: "clear its statistics before the start",
	}
	if s := a.do.floor.Newest; s != nil && running(s.Campaigns.Get(int64(t.ID()))) {
		q.Text, q.Yes = t.Name+" is running already. Start it once more?", "Start again"
	}
	return a.askSwitch(t, resource.OpCampaignStart, q)
}

// askStop asks for confirmation and stops a campaign; it warns if contacts are talking. It
// is as easy as starting, because a stop is urgent and can be undone.
func (a *campaigns) askStop(t snapshot.Target) tea.Cmd {
	q := dialog.Question{
		Text: "Stop " + t.Name + "? It calls nobody any more until it is started again.", Yes: "Stop", No: "Leave it running",
		Option: "clear its statistics after the stop",
	}
	switch talking, known := a.talking(t); {
	case !known:
		q.Lines = []string{"Nobody knows whether contacts are talking: the board has no figures of it."}
	case talking > 0:
		q.Lines = []string{"Contacts are talking: the platform may cut them off."}
	}
	return a.askSwitch(t, resource.OpCampaignStop, q)
}

// talking returns how many contacts of a campaign are talking.
func (a *campaigns) talking(t snapshot.Target) (n int64, known bool) {
	if a.do.floor.Newest == nil || a.do.floor.DoubtAbout(model.OpCampaigns).Stale {
		return 0, false
	}
	r := a.do.floor.Newest.Campaigns.Get(int64(t.ID()))
	if r == nil {
		return 0, false
	}
	return r.TalkingContacts.Get()
}

func (a *campaigns) askSwitch(t snapshot.Target, v resource.Operation, q dialog.Question) tea.Cmd {
	q.Name, q.About = style.Capitalize(v.Words()), a.do.about(t)
	q.Then = func(reset bool) tea.Cmd {
		s := resource.CampaignSwitch{ID: t.ID(), ResetStats: reset}
		o := order{verb: v, target: t.Name, about: t}
		if reset {
			o.target += ", clear its statistics"
		}
		o.do = func(ctx context.Context, c *Controller) resource.Report { return c.Campaigns.StartCampaign(ctx, s) }
		if v == resource.OpCampaignStop {
			o.do = func(ctx context.Context, c *Controller) resource.Report { return c.Campaigns.StopCampaign(ctx, s) }
		}
		return a.do.send(o, nil)
	}
	return a.do.dialogs.Ask(q)
}
