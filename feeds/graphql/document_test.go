package graphql

import (
	"os"
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"

	"wallboard/model"
)

// platformSchema returns the platform's schema as the simulator publishes it:
// written from document 2 independently of the documents of this package.
func platformSchema(t testing.TB) *ast.Schema {
	t.Helper()
	b, err := os.ReadFile("../../internal/simulator/rtd/schema.graphql")
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
	narrow := &Restriction{
		Users: UserFilter{
			Surname: hostile[0], Name: hostile[1], Sites: []int64{3, 1}, Statuses: []string{"READY", "WNR"}, Channels: []string{"CHAT", "CALL"},
			ProfileTypes: []string{"AGENT"}, Skillsets: hostile, Services: hostile, ActivityCodes: hostile,
		},
		CustomStatKeys: hostile, ActivityCodes: hostile,
	}
	filters := map[string][]Request{
		string(model.OpVersion):          {{}},
		string(model.OpServerHealth):     {{}},
		string(model.OpUsers):            {new(Restriction).UsersRequest(0), new(Restriction).UsersRequest(7), narrow.UsersRequest(0), narrow.UsersRequest(7)},
		string(model.OpServices):         {new(Restriction).CodesRequest("services", hostile, 0), new(Restriction).CodesRequest("services", hostile, 2), narrow.CodesRequest("services", hostile, 2)},
		string(model.OpGroups):           {new(Restriction).CodesRequest("groups", hostile, 0), new(Restriction).CodesRequest("groups", hostile, 2), narrow.CodesRequest("groups", hostile, 2)},
		string(model.OpUserStats):        {new(Restriction).UserStatsRequest(perChannel), narrow.UserStatsRequest(perChannel)},
		string(model.OpProfiles):         {new(Restriction).ProfilesRequest(map[model.Channel][]int64{model.Video: {1, 2}}), narrow.ProfilesRequest(map[model.Channel][]int64{model.Video: {1, 2}})},
		string(model.OpCampaigns):        {CampaignsRequest([]int64{3, 1})},
		string(model.OpAttendants):       {new(Restriction).AttendantsRequest(hostile, 0), new(Restriction).AttendantsRequest(hostile, 1), narrow.AttendantsRequest(hostile, 1)},
		string(model.OpOperators):        {new(Restriction).OperatorsRequest([]*model.User{{Username: model.TextOf("x")}}, 0), new(Restriction).OperatorsRequest([]*model.User{{Username: model.TextOf("x")}}, 4), narrow.OperatorsRequest([]*model.User{{Username: model.TextOf("x")}}, 4)},
		string(model.OpOperatorProfiles): {new(Restriction).ProfilesRequest(map[model.Channel][]int64{model.Call: {1}})},
	}
	s := platformSchema(t)
	found, err := documentFiles.ReadDir(".")
	if err != nil || len(found) != len(filters) {
		t.Fatalf("%d documents, %d tested, %v", len(found), len(filters), err)
	}
	for _, o := range model.Operations() { // the authoritative list
		if filters[string(o.Name)] == nil {
			t.Errorf("%s has a noun and no document", o.Name)
		}
	}
	if n := len(model.Operations()); n != len(filters) {
		t.Errorf("%d operations have a noun, %d a document", n, len(filters))
	}
	for op, requests := range filters {
		doc, err := LoadDocument(op)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range requests {
			for _, kind := range []string{"query", "subscription"} {
				text := doc.RenderHead(ServerNames{Root: op}, kind, "", r.Filter) + doc.Selection + " }"
				if _, errs := gqlparser.LoadQueryWithRules(s, text, nil); errs != nil {
					t.Errorf("%s\n%v", text, errs)
				}
			}
		}
	}
}

func TestEmptyRequestsAreNotReady(t *testing.T) {
	t.Parallel()
	for name, r := range map[string]Request{
		"codes": new(Restriction).CodesRequest("services", nil, 0), "attendants": new(Restriction).AttendantsRequest(nil, 0), "names": new(Restriction).UserStatsRequest(nil),
		"profiles": new(Restriction).ProfilesRequest(nil), "campaigns": CampaignsRequest(nil), "operators": new(Restriction).OperatorsRequest(nil, 0),
	} {
		if r.IsWanted {
			t.Errorf("%s: a filter that names nothing would be sent: %s", name, r.Filter)
		}
	}
}

func TestRenamedRootKeepsTheResponseKey(t *testing.T) {
	t.Parallel()
	doc, err := LoadDocument(string(model.OpVersion))
	if err != nil {
		t.Fatal(err)
	}
	if got := doc.RenderHead(ServerNames{Root: "onVersion"}, "subscription", "", "") + doc.Selection; !strings.HasPrefix(got, "subscription Version { version: onVersion {") {
		t.Error(got)
	}
}
