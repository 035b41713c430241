package feeds

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
		new(Narrow).usersRequest(0).filter:                         `{}`,
		new(Narrow).usersRequest(7).filter:                         `{"sites":[7]}`,
		campaignsRequest([]int64{3, 1}).filter:                     `{"campaigns":[1,3]}`,
		new(Narrow).attendantsRequest([]string{`a"} b`}, 2).filter: `{"CALL":{"services":["a\"} b"],"component":["ALL","INTERNAL","EXTERNAL","RETURNS"],"userSite":2}}`,
		new(Narrow).namesRequest(map[model.Channel][]string{model.Call: {"Zoë\u202e", "-1"}, model.Chat: {"x"}}).filter: `{"CALL":{"users":["Zoë` + "\u202e" + `","-1"]},"CHAT":{"users":["x"]}}`,
	} {
		got, err := jsonOf(filter)
		if err != nil || string(got) != want || !json.Valid(got) {
			t.Errorf("%s\n got %s, %v\nwant %s", filter, got, err, want)
		}
	}
	for _, bad := range []string{"", "{", "{a}", `{a:"`, "{a:1}}", "[1"} {
		if got, err := jsonOf(bad); err == nil {
			t.Errorf("%s was taken for %s", bad, got)
		}
	}
}

func TestSplitFilter(t *testing.T) {
	t.Parallel()
	names := new(Narrow).namesRequest(map[model.Channel][]string{model.Call: {"a", "b", "c"}, model.Chat: {"a", "d"}}).filter
	for _, c := range []struct {
		filter string
		most   int
		want   []string
	}{
		{new(Narrow).usersRequest(7).filter, 1, nil},
		{(&Narrow{Users: UserFilter{Services: []string{"a", "b"}, Surname: "x"}}).usersRequest(0).filter, 1, nil},
		{campaignsRequest([]int64{1, 2, 3}).filter, 2, []string{"{campaigns:[1,2]}", "{campaigns:[3]}"}},
		{names, 2, []string{`{CALL:{users:["a","b"]}}`, `{CALL:{users:["c"]} CHAT:{users:["a"]}}`, `{CHAT:{users:["d"]}}`}},
		{names, 99, []string{names}},
		{`{CALL:{services:["x","y"] component:[ALL] userSite:3}}`, 1, []string{
			`{CALL:{services:["x"] component:[ALL] userSite:3}}`, `{CALL:{services:["y"] component:[ALL] userSite:3}}`,
		}},
	} {
		if got := splitFilter(c.filter, c.most); !slices.Equal(got, c.want) {
			t.Errorf("%s by %d:\n got %s\nwant %s", c.filter, c.most, strings.Join(got, "\n     "), strings.Join(c.want, "\n     "))
		}
	}
}
