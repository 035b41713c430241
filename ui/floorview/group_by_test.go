package floorview_test

import (
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"wallboard/model"
	"wallboard/ui/floorview"
)

// TestAgentsBySite checks the groups of agents with a site and without one.
func TestAgentsBySite(t *testing.T) {
	t.Parallel()
	names := make(model.Names)
	names.Add(model.NameSite, "2", "Milan")
	for want, site := range map[floorview.GroupKey]model.Int{
		{Title: "Milan", Code: "2"}: model.IntOf(2),
		{Title: "7", Code: "7"}:     model.IntOf(7),
		{Rank: 1, Title: "No site"}: {},
	} {
		r := &model.UserStat{AgentFigures: model.AgentFigures{UserSite: site}}
		if diff := gocmp.Diff([]floorview.GroupKey{want}, floorview.BySite.GroupsOf(names, r, nil, nil)); diff != "" {
			t.Error(diff)
		}
	}
	criterion, n := floorview.ByGroup, 1
	for ; criterion != ""; n++ {
		criterion = criterion.Next()
	}
	if n != 5 {
		t.Errorf("b returns to no grouping after %d steps, want 5", n)
	}
}
