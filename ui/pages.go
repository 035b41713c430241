package ui

import (
	"strings"

	"wallboard/alert"
	"wallboard/model"
	"wallboard/ui/render"
	"wallboard/ui/table"
)

// newPages returns the pages in the order of their tabs.
func newPages(sc *scene, keys *KeyMap) [numPages]page {
	return [numPages]page{
		pageOverview:   newOverview(sc, keys),
		pageServices:   newList("Services", keys, servicesPane(sc)),
		pageGroups:     newList("Groups", keys, groupsPane(sc)),
		pageAgents:     newList("Agents", keys, agentsPane(sc, "", "")),
		pageCampaigns:  newList("Campaigns", keys, campaignsPane(sc)),
		pageAttendants: newList("Attendants and operators", keys, attendantsPane(sc), operatorsPane(sc)),
		pageAlerts:     newAlertsPage(sc, keys),
		pageFeed:       newFeed(sc, keys),
	}
}

// opens returns the target of rows whose keys are what they open.
func opens(k kind) func(string) (kind, string, bool) {
	return func(key string) (kind, string, bool) { return k, key, true }
}

func servicesPane(sc *scene) *pane {
	return newPane(sc, pane{
		noun: "services", subs: []string{subServices}, rows: render.NewServices(sc.own[alert.Service]...),
		total:  func(s *model.Snapshot) int { return s.Services.Len() },
		target: opens(kindService),
	}, "alarm", true)
}

func groupsPane(sc *scene, opts ...table.Option) *pane {
	return newPane(sc, pane{
		noun: "groups", subs: []string{subGroups}, rows: render.NewGroups(sc.own[alert.Group]...),
		total:  func(s *model.Snapshot) int { return s.Groups.Len() },
		target: opens(kindGroup),
	}, "waiting", true, opts...)
}

// agentsPane shows the agents, or those who serve a service or a group.
func agentsPane(sc *scene, service, group string) *pane {
	return newPane(sc, pane{
		noun: "agents", subs: []string{subAgents, subUsers}, rows: render.NewAgents(sc.own[alert.User]...),
		service: service, group: group,
		total:  func(s *model.Snapshot) int { return s.UserStats.Len() + s.Users.Len() },
		target: opens(kindAgent),
	}, "name", false)
}

func campaignsPane(sc *scene, opts ...table.Option) *pane {
	return newPane(sc, pane{
		noun: "campaigns", subs: []string{subCampaigns}, rows: render.NewCampaigns(sc.own[alert.Campaign]...),
		total:  func(s *model.Snapshot) int { return s.Campaigns.Len() },
		absent: noCampaigns,
		target: opens(kindCampaign),
	}, "name", false, opts...)
}

// noCampaigns tells that there is nothing to ask for: the service has no
// operation that lists campaigns.
func noCampaigns(sc *scene) string {
	s := sc.health().Subscription(subCampaigns)
	if sc.shown.Campaigns.Len() == 0 && s != nil && s.State == model.SubWaiting {
		return "No campaigns are configured: [rtd] campaigns = […]"
	}
	return ""
}

func attendantsPane(sc *scene) *pane {
	return newPane(sc, pane{
		noun: "attendants", subs: []string{subAttendants}, rows: render.NewAttendants(),
		total: func(s *model.Snapshot) int { return s.Attendants.Len() },
		target: func(key string) (kind, string, bool) {
			at := strings.LastIndexByte(key, '/') // of the component
			if at < 0 {
				return 0, "", false
			}
			return kindService, key[:at], true
		},
	}, "name", false)
}

func operatorsPane(sc *scene) *pane {
	return newPane(sc, pane{
		noun: "operators", subs: []string{subOperators}, rows: render.NewOperators(),
		total:  func(s *model.Snapshot) int { return s.Operators.Len() },
		target: opens(kindAgent),
	}, "name", false)
}
