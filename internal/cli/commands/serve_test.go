package commands

import (
	"testing"

	"wallboard/internal/config"
)

// TestSeenBy checks the output of `wallboard serve check`.
func TestSeenBy(t *testing.T) {
	t.Parallel()
	for want, u := range map[string]config.ServeUser{
		"all platforms, all services, all groups, all sites, all campaigns, full names":                                           {},
		"all platforms, services S1 S2, the groups in which everybody serves these services, all sites, no campaigns, full names": {Services: []string{"S1", "S2"}},
		"platforms Milan, services S1, groups G1, sites 1 2, no campaigns, no names":                                              {Platforms: []string{"Milan"}, Services: []string{"S1"}, Groups: []string{"G1"}, Sites: []int{1, 2}, Role: config.RoleKiosk},
	} {
		if got := describeVisibility(&u); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
