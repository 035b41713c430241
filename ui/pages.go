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
	switch p, ok := standardPage(spec.Builtin); {
	case !ok:
		return newPanePage(sc, keys, spec)
	case p == pageHistory:
		return newPastPage(sc, keys)
	default:
		return newPanePage(sc, keys, standardSpec(p))
	}
}

// standardSpec is what a standard page is made of.
func standardSpec(p pageID) PageSpec {
	of := func(name string, kinds ...string) PageSpec {
		spec := PageSpec{Name: name}
		for _, k := range kinds {
			spec.Rows = append(spec.Rows, RowSpec{Panes: []PaneSpec{{Kind: k}}})
		}
		return spec
	}
	switch p {
	case pageServices:
		return of("Services", "services")
	case pageGroups:
		return of("Groups", "groups")
	case pageAgents:
		return of("Agents", "agents")
	case pageCampaigns:
		return of("Campaigns", "campaigns")
	case pageAttendants:
		return of("Attendants and operators", "attendants", "operators")
	case pageAlerts:
		return of("Alerts", kindIncidents)
	case pageFeed:
		return of("Feed", kindConnection)
	case pageWall:
		return wallPage()
	case pageOverview, pageHistory, numPages:
	}
	return of("Overview", kindOverview)
}

// The kinds of panes that are made for a standard page and fill one.
const (
	kindOverview   = "overview"
	kindIncidents  = "incidents"
	kindConnection = "connection"
)

func standardKinds() []paneKind {
	return []paneKind{
		{name: kindOverview, make: func(sc *scene, _ PaneSpec) Pane { return newOverviewPane(sc) }},
		{name: kindIncidents, make: func(sc *scene, s PaneSpec) Pane { return newIncidentsPane(sc, s) }},
		{name: kindConnection, make: func(sc *scene, s PaneSpec) Pane { return newConnectionPane(sc, s) }},
	}
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

func servicesTable(sc *scene, spec PaneSpec) *recordTable {
	return newRecordTable(sc, spec.on(recordTable{
		noun: "services", subs: []model.Op{model.OpServices}, rows: render.NewServices(sc.own[alert.Service]...),
		total:  func(s *model.Snapshot) int { return s.Services.Len() },
		target: opens(floor.Service),
	}), "alarm", true)
}

func groupsTable(sc *scene, spec PaneSpec, opts ...table.Option) *recordTable {
	return newRecordTable(sc, spec.on(recordTable{
		noun: "groups", subs: []model.Op{model.OpGroups}, rows: render.NewGroups(sc.own[alert.Group]...),
		total:  func(s *model.Snapshot) int { return s.Groups.Len() },
		target: opens(floor.Group),
	}), "waiting", true, opts...)
}

// agentsPane shows the agents, or those who serve a service or a group.
func agentsTable(sc *scene, spec PaneSpec, service, group string, opts ...table.Option) *recordTable {
	return newRecordTable(sc, spec.on(recordTable{
		noun: "agents", subs: []model.Op{model.OpUserStats, model.OpUsers}, rows: render.NewAgents(sc.own[alert.User]...),
		service: service, group: group,
		total:  func(s *model.Snapshot) int { return s.UserStats.Len() + s.Users.Len() },
		target: opens(floor.Agent),
	}), "name", false, opts...)
}

func campaignsTable(sc *scene, spec PaneSpec, opts ...table.Option) *recordTable {
	return newRecordTable(sc, spec.on(recordTable{
		noun: "campaigns", subs: []model.Op{model.OpCampaigns}, rows: render.NewCampaigns(sc.own[alert.Campaign]...),
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

func attendantsTable(sc *scene, spec PaneSpec) *recordTable {
	return newRecordTable(sc, spec.on(recordTable{
		noun: "attendants", subs: []model.Op{model.OpAttendants}, rows: render.NewAttendants(),
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

func operatorsTable(sc *scene, spec PaneSpec) *recordTable {
	return newRecordTable(sc, spec.on(recordTable{
		noun: "operators", subs: []model.Op{model.OpOperators}, rows: render.NewOperators(),
		total:  func(s *model.Snapshot) int { return s.Operators.Len() },
		target: opens(floor.Agent),
	}), "name", false)
}
