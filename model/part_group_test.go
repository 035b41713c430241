package model

import (
	"slices"
	"testing"
	"time"
)

// TestSmallGroupsAreHidden moves people between two groups beside a large one: a group is visible only
// while it has enough members and is not needed to hide the members of a single small group.
// Everything else stays visible.
func TestSmallGroupsAreHidden(t *testing.T) {
	t.Parallel()
	store, f := NewStore(), NewPartFilter(FloorPart{MinGroup: 3})
	for _, code := range []string{"G1", "G2"} {
		store.Groups.Put(&Group{Code: TextOf(code), Channel: Call})
	}
	store.Groups.Put(&Group{Code: TextOf("G3"), Channel: Call})
	for _, name := range []string{"e", "f", "g", "h", "i"} {
		store.Users.Put(&User{Username: TextOf(name), Skillsets: []string{"G3"}})
	}
	store.Campaigns.Put(&Campaign{CampaignID: IntOf(7)})
	for step, test := range []struct {
		groups []string // groups of the users a, b, c and d
		want   []string
	}{
		{[]string{"G1", "G1", "G2", "G2"}, []string{"G3"}},
		{[]string{"G1", "G1", "G1", "G1"}, []string{"G1", "G3"}},
		{[]string{"G1", "G1", "G1", "G2"}, []string{"G3"}}, // if G1 were visible, the only user without a visible group would be known to be in G2
		{[]string{"G2", "G2", "G2", "G2"}, []string{"G2", "G3"}},
		{[]string{"G2", "G1", "G1", "G2"}, []string{"G3"}},
	} {
		for i, group := range test.groups {
			name := TextOf(string(rune('a' + i)))
			store.Users.Put(&User{Username: name, Skillsets: []string{group}})
			store.UserStats.Put(&UserStat{Username: name, AgentFigures: AgentFigures{Channel: Call, CurrentGroup: TextOf(group)}})
		}
		s := f.Apply(store.Publish(time.Unix(int64(step), 0), Health{}))
		var got []string
		for r := range s.Groups.All() {
			got = append(got, r.Code.String())
		}
		if !slices.Equal(got, test.want) || s.HiddenGroups != 3-len(test.want) {
			t.Errorf("step %d: groups %q and %d hidden ones, want %q", step, got, s.HiddenGroups, test.want)
		}
		if s.Users.Len() != 9 || s.UserStats.Len() != 4 || s.Campaigns.Len() != 1 {
			t.Errorf("step %d: %d people, %d figures, %d campaigns", step, s.Users.Len(), s.UserStats.Len(), s.Campaigns.Len())
		}
		for r := range s.Users.All() {
			if r.Skillsets != nil && len(r.Skillsets) == 0 {
				t.Errorf("step %d: %s is known to be in no group", step, r.Username)
			}
			for _, group := range r.Skillsets {
				if !slices.Contains(test.want, group) {
					t.Errorf("step %d: %s is in the hidden group %s", step, r.Username, group)
				}
			}
		}
		for r := range s.UserStats.All() {
			if group := r.CurrentGroup.String(); group != "" && !slices.Contains(test.want, group) {
				t.Errorf("step %d: a contact of the hidden group %s", step, group)
			}
		}
	}
}
