package ui

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"wallboard/model"
	"wallboard/model/resource"
	"wallboard/ui/dialog"
	"wallboard/ui/floor"
)

// askStart asks whether a campaign is to be started.
func (m *Model) askStart(t floor.Target) tea.Cmd {
	q := dialog.Question{
		Text: "Start " + t.Name + "? It begins to call people.", Yes: "Start",
		Option: "clear its statistics before the start",
	}
	if s := m.scene.floor.Newest; s != nil && running(s.Campaigns.Get(int64(t.ID()))) {
		q.Text, q.Yes = t.Name+" is running already. Start it once more?", "Start again"
	}
	return m.askSwitch(t, resource.VerbStartCampaign, q)
}

// askStop asks whether a campaign is to be stopped. While people are talking, or
// nobody knows, its name must be typed.
func (m *Model) askStop(t floor.Target) tea.Cmd {
	q := dialog.Question{
		Text: "Stop " + t.Name + "? It calls nobody any more until it is started again.", Yes: "Stop", No: "Leave it running",
		Option: "clear its statistics after the stop",
	}
	switch talking, known := m.scene.talking(t); {
	case !known:
		q.Lines, q.Word = []string{"Nobody knows whether contacts are talking: the board has no figures of it."}, m.typedName(t)
	case talking > 0:
		q.Lines, q.Word = []string{"Contacts are talking: the platform may cut them off."}, m.typedName(t)
	}
	return m.askSwitch(t, resource.VerbStopCampaign, q)
}

// typedName is what is typed to tell that a campaign is really meant.
func (m *Model) typedName(t floor.Target) string { return m.scene.Names.Of(model.NameCampaign, t.Key) }

// talking returns how many contacts of a campaign are talking.
func (sc *scene) talking(t floor.Target) (n int64, known bool) {
	if sc.floor.Newest == nil || sc.floor.DoubtAbout(model.OpCampaigns).Stale {
		return 0, false
	}
	r := sc.floor.Newest.Campaigns.Get(int64(t.ID()))
	if r == nil {
		return 0, false
	}
	return r.TalkingContacts.Get()
}

func (m *Model) askSwitch(t floor.Target, v resource.Verb, q dialog.Question) tea.Cmd {
	q.Name, q.About = capital(verbName(v)), m.about(t)
	q.Then = func(reset bool) tea.Cmd {
		s := resource.CampaignSwitch{ID: t.ID(), ResetStats: reset}
		o := order{verb: v, target: t.Name, about: t}
		if reset {
			o.target += ", clear its statistics"
		}
		o.do = func(ctx context.Context, c Controller) resource.Report { return c.StartCampaign(ctx, s) }
		if v == resource.VerbStopCampaign {
			o.do = func(ctx context.Context, c Controller) resource.Report { return c.StopCampaign(ctx, s) }
		}
		return m.send(o, nil)
	}
	return m.dialogs.Ask(q)
}
