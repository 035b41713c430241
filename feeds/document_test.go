package feeds

import (
	"os"
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"

	"wallboard/model"
)

// schema is the platform's as the simulator publishes it: written from document
// 2 without a look at the documents under queries.
func schema(t testing.TB) *ast.Schema {
	t.Helper()
	b, err := os.ReadFile("../simulator/rtd/schema.graphql")
	if err != nil {
		t.Fatal(err)
	}
	s, gqlErr := gqlparser.LoadSchema(&ast.Source{Name: "schema.graphql", Input: string(b)})
	if gqlErr != nil {
		t.Fatal(gqlErr)
	}
	return s
}

func TestDocumentsAreValid(t *testing.T) {
	t.Parallel()
	hostile := []string{"a\"b\\c\n", "Zoë\u202e", "日本"}
	perChannel := map[model.Channel][]string{model.Call: hostile, model.Chat: {"x"}}
	narrow := &Narrow{
		Users: UserFilter{
			Surname: hostile[0], Name: hostile[1], Sites: []int64{3, 1}, Statuses: []string{"READY", "WNR"}, Channels: []string{"CHAT", "CALL"},
			ProfileTypes: []string{"AGENT"}, Skillsets: hostile, Services: hostile, ActivityCodes: hostile,
		},
		CustomStatKeys: hostile, ActivityCodes: hostile,
	}
	filters := map[string][]request{
		opVersion:          {{}},
		opServerHealth:     {{}},
		opUsers:            {new(Narrow).usersRequest(0), new(Narrow).usersRequest(7), narrow.usersRequest(0), narrow.usersRequest(7)},
		opServices:         {new(Narrow).codesRequest("services", hostile, 0), new(Narrow).codesRequest("services", hostile, 2), narrow.codesRequest("services", hostile, 2)},
		opGroups:           {new(Narrow).codesRequest("groups", hostile, 0), new(Narrow).codesRequest("groups", hostile, 2), narrow.codesRequest("groups", hostile, 2)},
		opUserStats:        {new(Narrow).namesRequest(perChannel), narrow.namesRequest(perChannel)},
		opProfiles:         {new(Narrow).profilesRequest(map[model.Channel][]int64{model.Video: {1, 2}}), narrow.profilesRequest(map[model.Channel][]int64{model.Video: {1, 2}})},
		opCampaigns:        {campaignsRequest([]int64{3, 1})},
		opAttendants:       {new(Narrow).attendantsRequest(hostile, 0), new(Narrow).attendantsRequest(hostile, 1), narrow.attendantsRequest(hostile, 1)},
		opOperators:        {new(Narrow).operatorsRequest([]*model.User{{Username: model.TextOf("x")}}, 0), new(Narrow).operatorsRequest([]*model.User{{Username: model.TextOf("x")}}, 4), narrow.operatorsRequest([]*model.User{{Username: model.TextOf("x")}}, 4)},
		opOperatorProfiles: {new(Narrow).profilesRequest(map[model.Channel][]int64{model.Call: {1}})},
	}
	s := schema(t)
	files, err := queries.ReadDir("queries")
	if err != nil || len(files) != len(filters) {
		t.Fatalf("%d documents, %d tested, %v", len(files), len(filters), err)
	}
	for _, o := range model.Operations() { // the one list
		if filters[string(o.Name)] == nil {
			t.Errorf("%s has a noun and no document", o.Name)
		}
	}
	if n := len(model.Operations()); n != len(filters) {
		t.Errorf("%d operations have a noun, %d a document", n, len(filters))
	}
	for op, requests := range filters {
		doc, err := loadDocument(op)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range requests {
			for _, kind := range []string{"query", "subscription"} {
				text := doc.text(kind, op, r.filter)
				if _, errs := gqlparser.LoadQueryWithRules(s, text, nil); errs != nil {
					t.Errorf("%s\n%v", text, errs)
				}
			}
		}
	}
}

func TestEmptyRequestsAreNotReady(t *testing.T) {
	t.Parallel()
	for name, r := range map[string]request{
		"codes": new(Narrow).codesRequest("services", nil, 0), "attendants": new(Narrow).attendantsRequest(nil, 0), "names": new(Narrow).namesRequest(nil),
		"profiles": new(Narrow).profilesRequest(nil), "campaigns": campaignsRequest(nil), "operators": new(Narrow).operatorsRequest(nil, 0),
	} {
		if r.ready {
			t.Errorf("%s: a filter that names nothing would be sent: %s", name, r.filter)
		}
	}
}

func TestRenamedRootKeepsTheResponseKey(t *testing.T) {
	t.Parallel()
	doc, err := loadDocument(opVersion)
	if err != nil {
		t.Fatal(err)
	}
	if got := doc.text("subscription", "onVersion", ""); !strings.HasPrefix(got, "subscription Version { version: onVersion {") {
		t.Error(got)
	}
}

func TestCounterpart(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		query      string
		candidates []string
		sole       bool
		want       string
	}{
		{"users", []string{"people"}, true, "people"},
		{"users", nil, true, ""},
		{"userStats", []string{"other", "userStats"}, true, "userStats"},
		{"userStats", []string{"other", "onUserStats"}, true, "onUserStats"},
		{"userStats", []string{"aUserStats", "bUserStats"}, true, ""},
		// Two queries of one type, one subscription: whose it is, only the name tells.
		{"operatorProfileStats", []string{"userProfileStatsChanged"}, false, ""},
		{"userProfileStats", []string{"userProfileStatsChanged"}, false, "userProfileStatsChanged"},
	} {
		if got := counterpart(c.query, c.candidates, c.sole); got != c.want {
			t.Errorf("%s of %v: %q, want %q", c.query, c.candidates, got, c.want)
		}
	}
}
