package panes

import (
	"strings"

	"wallboard/internal/alert"
	"wallboard/internal/words"
	"wallboard/model"
	"wallboard/ui/floorview"
	"wallboard/ui/render"
	"wallboard/ui/table"
)

// StandardPage returns the spec of the standard page with the given name. For any other name it
// returns the spec of the page Overview.
func StandardPage(page string) PageSpec {
	of := func(title words.Text, kind string) PageSpec {
		return PageSpec{Name: page, title: title, Rows: []RowSpec{{Panes: []PaneSpec{{Kind: kind, role: paneRole{fillsPage: true}}}}}}
	}
	switch page {
	case "Services":
		return of(words.PageServices(), "services")
	case "Groups":
		return of(words.PageGroups(), "groups")
	case "Agents":
		return of(words.PageAgents(), "agents")
	case "Campaigns":
		return of(words.PageCampaigns(), "campaigns")
	case "Attendants":
		return PageSpec{Name: page, title: words.PageAttendantsOperators(), Rows: []RowSpec{
			{Panes: []PaneSpec{{Kind: "attendants", role: paneRole{fillsPage: true}}}},
			{Panes: []PaneSpec{{Kind: "operators", Priority: 2, role: paneRole{fitsRows: true}}}},
		}}
	case "Situations":
		return of(words.PageSituations(), kindSituations)
	case "Feed":
		return of(words.PageFeed(), kindConnection)
	case wallName:
		return wallPage()
	}
	return PageSpec{Name: "Overview", title: words.PageOverview(), Rows: []RowSpec{
		{Panes: []PaneSpec{{Kind: kindOverview, role: paneRole{interactiveOnly: true}}}},
		{Panes: []PaneSpec{{Kind: "tiles", role: paneRole{usesLargeFigures: true, wallOnly: true}}}},
		{Weight: 2, Panes: []PaneSpec{{Kind: "services", Priority: 2, role: paneRole{usesLargeFigures: true, wallOnly: true}}}},
		{Weight: 2, Panes: []PaneSpec{
			{Kind: "groups", Weight: 2, Priority: 3, role: paneRole{usesLargeFigures: true, wallOnly: true}},
			{Kind: "campaigns", Priority: 4, role: paneRole{usesLargeFigures: true, wallOnly: true}},
		}},
	}}
}

// Kinds of panes that exist only on standard pages.
const (
	kindOverview   = "overview"
	kindSituations = "situations"
	kindConnection = "connection"
)

func standardKinds() []paneKind {
	return []paneKind{
		{name: kindOverview, make: func(sc *Scene, _ PaneSpec) Pane { return newOverviewPane(sc) }},
		{name: kindSituations, make: func(sc *Scene, s PaneSpec) Pane { return newSituationsPane(sc, s) }},
		{name: kindConnection, make: func(sc *Scene, s PaneSpec) Pane { return newConnectionPane(sc, s) }},
	}
}

// openTarget returns a function for [RecordTable.Target]. For a row, that function returns the
// record of kind k with the row's key.
func openTarget(k floorview.RecordKind) func(string) (floorview.RecordKind, string, bool) {
	return func(key string) (floorview.RecordKind, string, bool) { return k, key, true }
}

func servicesTable(sc *Scene, spec PaneSpec) *RecordTable {
	return newRecordTable(sc, spec.withRowSettings(RecordTable{
		Noun: "services", HasAlerts: true, subs: []model.Op{model.OpServices}, Rows: render.NewServices(sc.Alarms.CustomKPIs[alert.Service]...),
		comparison:   comparison{newRows: func() render.Rows { return render.NewServices(sc.Alarms.CustomKPIs[alert.Service]...) }},
		recordCounts: func(s *model.Snapshot) (n, hidden int) { return s.Services.Len(), 0 },
		Target:       openTarget(floorview.Service),
	}), "alarm", true)
}

func groupsTable(sc *Scene, spec PaneSpec, opts ...table.Option) *RecordTable {
	return newRecordTable(sc, spec.withRowSettings(RecordTable{
		Noun: "groups", HasAlerts: true, subs: []model.Op{model.OpGroups}, Rows: render.NewGroups(sc.Alarms.CustomKPIs[alert.Group]...),
		comparison:   comparison{newRows: func() render.Rows { return render.NewGroups(sc.Alarms.CustomKPIs[alert.Group]...) }},
		recordCounts: func(s *model.Snapshot) (n, hidden int) { return s.Groups.Len(), s.HiddenGroups },
		absentReason: allGroupsHiddenText,
		Target:       openTarget(floorview.Group),
	}), "alarm", true, opts...)
}

// agentsTable returns a table of agents. If service or group is not "", the table lists only agents
// who are assigned to it.
func agentsTable(sc *Scene, spec PaneSpec, service, group string, opts ...table.Option) *RecordTable {
	return newRecordTable(sc, spec.withRowSettings(RecordTable{
		Noun: "agents", HasAlerts: true, subs: []model.Op{model.OpUserStats, model.OpUsers}, Rows: render.NewAgents(sc.Alarms.CustomKPIs[alert.User]...),
		comparison: comparison{newRows: func() render.Rows { return render.NewAgents(sc.Alarms.CustomKPIs[alert.User]...) }},
		service:    service, group: group,
		recordCounts: func(s *model.Snapshot) (n, hidden int) { return s.UserStats.Len() + s.Users.Len(), 0 },
		Target:       openTarget(floorview.Agent),
	}), render.LimitColumnID, true, opts...)
}

func campaignsTable(sc *Scene, spec PaneSpec, opts ...table.Option) *RecordTable {
	return newRecordTable(sc, spec.withRowSettings(RecordTable{
		Noun: "campaigns", HasAlerts: true, subs: []model.Op{model.OpCampaigns}, Rows: render.NewCampaigns(sc.Alarms.CustomKPIs[alert.Campaign]...),
		comparison:   comparison{newRows: func() render.Rows { return render.NewCampaigns(sc.Alarms.CustomKPIs[alert.Campaign]...) }},
		recordCounts: func(s *model.Snapshot) (n, hidden int) { return s.Campaigns.Len(), 0 },
		absentReason: noCampaignsReason,
		Target:       openTarget(floorview.Campaign),
	}), "name", false, opts...)
}

// allGroupsHiddenText says that the viewer may see no group because all of them are too small. It returns
// "" if there are other groups, or none at all.
func allGroupsHiddenText(sc *Scene) string {
	if s := sc.Floor.Shown; s.HiddenGroups > 0 && s.Groups.Len() == 0 {
		return sc.translate(words.PaneGroupsHidden(s.HiddenGroups))
	}
	return ""
}

// noCampaignsReason says why there are no campaigns to subscribe to: their search has failed or found
// none. It returns "" if there are campaigns, or if the subscription is not waiting for any.
func noCampaignsReason(sc *Scene) string {
	h := sc.Floor.Health()
	if s := h.Subscription(model.OpCampaigns); sc.Floor.Shown.Campaigns.Len() == 0 && s != nil && s.State == model.SubWaiting {
		if h.Search.Failed != "" {
			return sc.translate(words.PaneCampaignsUnknown(h.Search.Failed))
		}
		return sc.translate(words.PaneNoCampaigns())
	}
	return ""
}

func attendantsTable(sc *Scene, spec PaneSpec) *RecordTable {
	return newRecordTable(sc, spec.withRowSettings(RecordTable{
		Noun: "attendants", subs: []model.Op{model.OpAttendants}, Rows: render.NewAttendants(),
		comparison:   comparison{newRows: func() render.Rows { return render.NewAttendants() }},
		recordCounts: func(s *model.Snapshot) (n, hidden int) { return s.Attendants.Len(), 0 },
		Target: func(key string) (floorview.RecordKind, string, bool) {
			index := strings.LastIndexByte(key, '/') // the key consists of the service, a slash and the component
			if index < 0 {
				return 0, "", false
			}
			return floorview.Service, key[:index], true
		},
	}), "name", false)
}

func operatorsTable(sc *Scene, spec PaneSpec) *RecordTable {
	return newRecordTable(sc, spec.withRowSettings(RecordTable{
		Noun: "operators", subs: []model.Op{model.OpOperators}, Rows: render.NewOperators(),
		comparison:   comparison{newRows: func() render.Rows { return render.NewOperators() }},
		recordCounts: func(s *model.Snapshot) (n, hidden int) { return s.Operators.Len(), 0 },
		Target:       openTarget(floorview.Agent),
	}), "name", false)
}
