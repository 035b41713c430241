package ui

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"wallboard/model"
	"wallboard/model/resource"
)

// askStart asks whether a campaign is to be started.
func (m *Model) askStart(t target) tea.Cmd {
	q := question{
		text: "Start " + t.name + "? It begins to call people.", yes: "Start",
		option: "clear its statistics before the start",
	}
	if s := m.scene.newest; s != nil && running(s.Campaigns.Get(int64(t.id()))) {
		q.text, q.yes = t.name+" is running already. Start it once more?", "Start again"
	}
	return m.askSwitch(t, resource.VerbStartCampaign, q)
}

// askStop asks whether a campaign is to be stopped. While people are talking, or
// nobody knows, its name must be typed.
func (m *Model) askStop(t target) tea.Cmd {
	q := question{
		text: "Stop " + t.name + "? It calls nobody any more until it is started again.", yes: "Stop", no: "Leave it running",
		option: "clear its statistics after the stop",
	}
	switch talking, known := m.scene.talking(t); {
	case !known:
		q.lines, q.word = []string{"Nobody knows whether contacts are talking: the board has no figures of it."}, m.typedName(t)
	case talking > 0:
		q.lines, q.word = []string{"Contacts are talking: the platform may cut them off."}, m.typedName(t)
	}
	return m.askSwitch(t, resource.VerbStopCampaign, q)
}

// typedName is what is typed to tell that a campaign is really meant.
func (m *Model) typedName(t target) string { return m.scene.Names.Of(model.NameCampaign, t.key) }

// talking returns how many contacts of a campaign are talking.
func (sc *scene) talking(t target) (n int64, known bool) {
	if sc.newest == nil || sc.doubtAbout(subCampaigns).stale {
		return 0, false
	}
	r := sc.newest.Campaigns.Get(int64(t.id()))
	if r == nil {
		return 0, false
	}
	return r.TalkingContacts.Get()
}

func (m *Model) askSwitch(t target, v resource.Verb, q question) tea.Cmd {
	q.name, q.about = capital(verbName(v)), t
	q.then = func(m *Model, reset bool) tea.Cmd {
		s := resource.CampaignSwitch{ID: t.id(), ResetStats: reset}
		o := order{verb: v, target: t.name, about: t}
		if reset {
			o.target += ", clear its statistics"
		}
		o.do = func(ctx context.Context, c Controller) resource.Report { return c.StartCampaign(ctx, s) }
		if v == resource.VerbStopCampaign {
			o.do = func(ctx context.Context, c Controller) resource.Report { return c.StopCampaign(ctx, s) }
		}
		return m.send(o, nil)
	}
	return m.ask(q)
}
