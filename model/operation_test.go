package model_test

import (
	"encoding/json"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"wallboard/model"
)

func TestEveryOperationHasAName(t *testing.T) {
	t.Parallel()
	seen := make(map[model.Op]bool)
	for _, o := range model.Operations() {
		if o.Name == "" || seen[o.Name] {
			t.Errorf("operation %q is empty, or listed twice", o.Name)
		}
		seen[o.Name] = true
	}
}

// TestEverySubscriptionHasARow checks that every subscription of document 2 and every table of a snapshot
// has a row in the registry, over which all loops run.
func TestEverySubscriptionHasARow(t *testing.T) {
	t.Parallel()
	var rows []string
	tables, ranks := 0, make(map[int]bool)
	for _, o := range model.Operations() {
		rows = append(rows, string(o.Name))
		if o.HasRecords() != (o.Type != "") || ranks[o.Importance] || o.Importance < 1 {
			t.Errorf("%s: type %q, importance %d", o.Name, o.Type, o.Importance)
		}
		ranks[o.Importance] = true
		if o.HasRecords() {
			tables++
		}
	}
	schema, err := os.ReadFile("../internal/simulator/rtd/schema.graphql")
	if err != nil {
		t.Fatal(err)
	}
	_, body, _ := strings.Cut(string(schema), "type Subscription {")
	body, _, _ = strings.Cut(body, "}")
	for _, m := range regexp.MustCompile(`(?m)^\s*(\w+)[(:]`).FindAllStringSubmatch(body, -1) {
		if !slices.Contains(rows, m[1]) {
			t.Errorf("%s has no row in the registry", m[1])
		}
		rows = slices.DeleteFunc(rows, func(r string) bool { return r == m[1] })
	}
	if len(rows) > 0 {
		t.Errorf("not in the schema: %v", rows)
	}

	var p model.Snapshot
	v, shown := reflect.ValueOf(&p).Elem(), 0
	for i := range v.NumField() {
		if _, is := v.Field(i).Interface().(model.Records); is {
			shown++
		}
	}
	s := reflect.TypeFor[model.Store]()
	for i := range s.NumField() {
		if s.Field(i).IsExported() {
			shown--
		}
	}
	if all := p.Tables(); shown != 0 || len(all) != tables || tables != 9 {
		t.Errorf("%d tables more in a snapshot than in a store; %d rows, %d tables", shown, tables, len(all))
	}
}

// TestEveryTableIsPublished checks that every table of a store appears in its snapshots.
func TestEveryTableIsPublished(t *testing.T) {
	t.Parallel()
	store := model.NewStore()
	before := store.Publish(noon, model.Health{})
	if store.IsDirty() || !before.IsEmpty() {
		t.Fatal("a new store is not empty")
	}
	for _, put := range []func(){
		func() { store.Users.Put(&model.User{Username: model.TextOf("b")}) },
		func() { store.Services.Put(&model.Service{Code: model.TextOf("b")}) },
		func() { store.Groups.Put(&model.Group{Code: model.TextOf("b")}) },
		func() { store.UserStats.Put(&model.UserStat{Username: model.TextOf("b")}) },
		func() { store.Profiles.Put(&model.ProfileStat{ID: model.IntOf(2)}) },
		func() { store.Campaigns.Put(&model.Campaign{CampaignID: model.IntOf(2)}) },
		func() { store.Attendants.Put(&model.Attendant{Code: model.TextOf("b")}) },
		func() { store.Operators.Put(&model.Operator{Username: model.TextOf("b")}) },
		func() { store.OperatorProfiles.Put(&model.ProfileStat{ID: model.IntOf(2)}) },
	} {
		was := store.Publish(noon, model.Health{})
		put()
		if !store.IsDirty() {
			t.Error("a record was written, and the store does not know")
		}
		is := store.Publish(noon, model.Health{})
		changed := 0
		for i, now := range is.Tables() {
			if now == was.Tables()[i] {
				continue
			}
			changed++
			if list, err := json.Marshal(now); now.Len() != 1 || err != nil || !strings.HasPrefix(string(list), "[{") {
				t.Errorf("%s: %d records, %s, %v", now.Op, now.Len(), list, err)
			}
		}
		if changed != 1 || store.IsDirty() || is.IsEmpty() {
			t.Errorf("%d tables changed", changed)
		}
	}
	if store.Records() != 9 {
		t.Errorf("%d records", store.Records())
	}
}

func TestRecordsAreSorted(t *testing.T) {
	t.Parallel()
	store := model.NewStore()
	for _, ch := range []model.Channel{model.Chat, "PIGEON", model.Call} {
		for _, code := range []string{"b", "a"} {
			store.Services.Put(&model.Service{Code: model.TextOf(code), Channel: ch})
		}
	}
	var got []string
	for _, r := range store.Publish(noon, model.Health{}).Services.Sorted() {
		got = append(got, r.Key().Code+" "+string(r.Channel))
	}
	if want := []string{"a PIGEON", "a CALL", "a CHAT", "b PIGEON", "b CALL", "b CHAT"}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

func TestScopesFollowTheirSubscriptions(t *testing.T) {
	t.Parallel()
	for scope, want := range map[model.Scope][]model.Op{
		model.ScopeService: {model.OpServices}, model.ScopeGroup: {model.OpGroups}, model.ScopeUser: {model.OpUserStats},
		model.ScopeCampaign: {model.OpCampaigns}, model.ScopeFloor: {model.OpServices, model.OpUserStats}, model.ScopeFeed: nil, "": nil,
	} {
		if got := scope.Subscriptions(); !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", scope, got, want)
		}
	}
}
