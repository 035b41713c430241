package ui

import (
	"strings"

	"wallboard/alert"
	"wallboard/model"
	"wallboard/ui/floor"
	"wallboard/ui/render"
	"wallboard/ui/table"
)

// newPage returns the page of a spec.
func newPage(sc *scene, keys *KeyMap, spec PageSpec) page {
	p, ok := standardPage(spec.Builtin)
	if !ok {
		return newMosaic(sc, keys, spec)
	}
	switch p {
	case pageServices:
		return newList("Services", keys, servicesPane(sc, PaneSpec{}))
	case pageGroups:
		return newList("Groups", keys, groupsPane(sc, PaneSpec{}))
	case pageAgents:
		return newList("Agents", keys, agentsPane(sc, PaneSpec{}, "", ""))
	case pageCampaigns:
		return newList("Campaigns", keys, campaignsPane(sc, PaneSpec{}))
	case pageAttendants:
		return newList("Attendants and operators", keys, attendantsPane(sc, PaneSpec{}), operatorsPane(sc, PaneSpec{}))
	case pageAlerts:
		return newAlertsPage(sc, keys)
	case pageHistory:
		return newPastPage(sc, keys)
	case pageFeed:
		return newFeed(sc, keys)
	case pageWall:
		return newMosaic(sc, keys, wallPage())
	case pageOverview, numPages:
	}
	return newOverview(sc, keys)
}

// standardPage returns the standard page with a name, whatever its case.
func standardPage(name string) (pageID, bool) {
	for p := range numPages {
		if strings.EqualFold(p.String(), name) {
			return p, true
		}
	}
	return 0, false
}

// opens returns the target of rows whose keys are what they open.
func opens(k floor.Kind) func(string) (floor.Kind, string, bool) {
	return func(key string) (floor.Kind, string, bool) { return k, key, true }
}

func servicesPane(sc *scene, spec PaneSpec) *pane {
	return newPane(sc, spec.on(pane{
		noun: "services", subs: []string{model.OpServices}, rows: render.NewServices(sc.own[alert.Service]...),
		total:  func(s *model.Snapshot) int { return s.Services.Len() },
		target: opens(floor.Service),
	}), "alarm", true)
}

func groupsPane(sc *scene, spec PaneSpec, opts ...table.Option) *pane {
	return newPane(sc, spec.on(pane{
		noun: "groups", subs: []string{model.OpGroups}, rows: render.NewGroups(sc.own[alert.Group]...),
		total:  func(s *model.Snapshot) int { return s.Groups.Len() },
		target: opens(floor.Group),
	}), "waiting", true, opts...)
}

// agentsPane shows the agents, or those who serve a service or a group.
func agentsPane(sc *scene, spec PaneSpec, service, group string, opts ...table.Option) *pane {
	return newPane(sc, spec.on(pane{
		noun: "agents", subs: []string{model.OpUserStats, model.OpUsers}, rows: render.NewAgents(sc.own[alert.User]...),
		service: service, group: group,
		total:  func(s *model.Snapshot) int { return s.UserStats.Len() + s.Users.Len() },
		target: opens(floor.Agent),
	}), "name", false, opts...)
}

func campaignsPane(sc *scene, spec PaneSpec, opts ...table.Option) *pane {
	return newPane(sc, spec.on(pane{
		noun: "campaigns", subs: []string{model.OpCampaigns}, rows: render.NewCampaigns(sc.own[alert.Campaign]...),
		total:  func(s *model.Snapshot) int { return s.Campaigns.Len() },
		absent: noCampaigns,
		target: opens(floor.Campaign),
	}), "name", false, opts...)
}

// noCampaigns tells that there is nothing to ask for: the service has no
// operation that lists campaigns.
func noCampaigns(sc *scene) string {
	s := sc.floor.Health().Subscription(model.OpCampaigns)
	if sc.floor.Shown.Campaigns.Len() == 0 && s != nil && s.State == model.SubWaiting {
		return "No campaigns are configured: [rtd] campaigns = […]"
	}
	return ""
}

func attendantsPane(sc *scene, spec PaneSpec) *pane {
	return newPane(sc, spec.on(pane{
		noun: "attendants", subs: []string{model.OpAttendants}, rows: render.NewAttendants(),
		total: func(s *model.Snapshot) int { return s.Attendants.Len() },
		target: func(key string) (floor.Kind, string, bool) {
			at := strings.LastIndexByte(key, '/') // of the component
			if at < 0 {
				return 0, "", false
			}
			return floor.Service, key[:at], true
		},
	}), "name", false)
}

func operatorsPane(sc *scene, spec PaneSpec) *pane {
	return newPane(sc, spec.on(pane{
		noun: "operators", subs: []string{model.OpOperators}, rows: render.NewOperators(),
		total:  func(s *model.Snapshot) int { return s.Operators.Len() },
		target: opens(floor.Agent),
	}), "name", false)
}
