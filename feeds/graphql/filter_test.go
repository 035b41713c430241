package graphql

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"wallboard/model"
)

func TestFilterAsVariable(t *testing.T) {
	t.Parallel()
	for filter, want := range map[string]string{
		new(Restriction).UsersRequest(0).Filter:                         `{}`,
		new(Restriction).UsersRequest(7).Filter:                         `{"sites":[7]}`,
		CampaignsRequest([]int64{3, 1}).Filter:                          `{"campaigns":[1,3]}`,
		new(Restriction).AttendantsRequest([]string{`a"} b`}, 2).Filter: `{"CALL":{"services":["a\"} b"],"component":["ALL","INTERNAL","EXTERNAL","RETURNS"],"userSite":2}}`,
		new(Restriction).UserStatsRequest(map[model.Channel][]string{model.Call: {"Zoë\u202e", "-1"}, model.Chat: {"x"}}).Filter: `{"CALL":{"users":["Zoë` + "\u202e" + `","-1"]},"CHAT":{"users":["x"]}}`,
	} {
		got, err := VariableJSON(filter)
		if err != nil || string(got) != want || !json.Valid(got) {
			t.Errorf("%s\n got %s, %v\nwant %s", filter, got, err, want)
		}
	}
	for _, bad := range []string{"", "{", "{a}", `{a:"`, "{a:1}}", "[1"} {
		if got, err := VariableJSON(bad); err == nil {
			t.Errorf("%s was taken for %s", bad, got)
		}
	}
}

func TestSplitFilter(t *testing.T) {
	t.Parallel()
	names := new(Restriction).UserStatsRequest(map[model.Channel][]string{model.Call: {"a", "b", "c"}, model.Chat: {"a", "d"}}).Filter
	for _, c := range []struct {
		filter string
		most   int
		want   []string
	}{
		{new(Restriction).UsersRequest(7).Filter, 1, nil},
		{(&Restriction{Users: UserFilter{Services: []string{"a", "b"}, Surname: "x"}}).UsersRequest(0).Filter, 1, nil},
		{CampaignsRequest([]int64{1, 2, 3}).Filter, 2, []string{"{campaigns:[1,2]}", "{campaigns:[3]}"}},
		{names, 2, []string{`{CALL:{users:["a","b"]}}`, `{CALL:{users:["c"]} CHAT:{users:["a"]}}`, `{CHAT:{users:["d"]}}`}},
		{names, 99, []string{names}},
		{`{CALL:{services:["x","y"] component:[ALL] userSite:3}}`, 1, []string{
			`{CALL:{services:["x"] component:[ALL] userSite:3}}`, `{CALL:{services:["y"] component:[ALL] userSite:3}}`,
		}},
	} {
		if got := SplitFilter(c.filter, c.most); !slices.Equal(got, c.want) {
			t.Errorf("%s by %d:\n got %s\nwant %s", c.filter, c.most, strings.Join(got, "\n     "), strings.Join(c.want, "\n     "))
		}
	}
}
