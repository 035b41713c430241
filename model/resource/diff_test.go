package resource_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"wallboard/model/resource"
)

func TestDiff(t *testing.T) {
	t.Parallel()
	type change = resource.FieldChange
	for _, c := range []struct {
		name, before, after string
		want                []change
	}{
		{
			"forms of the same", `{"id":5,"name":"","enabled":"true","startDate":"2026-01-02T03:04:05+01:00","lists":[],"new":null}`,
			`{"startDate":"2026-01-02T02:04:05Z","enabled":true,"id":"5.0","type":null}`, nil,
		},
		{"scalars", `{"name":"A","enabled":true,"priority":1}`, `{"name":"B","enabled":false,"startDate":"2026-01-02T03:04Z"}`, []change{
			{"name", "name", "A", "B", false},
			{"enabled", "enabled", "yes", "no", false},
			{"startDate", "start date", "", "2026-01-02 03:04:00Z", false},
			{"priority", "priority", "1", "", false},
		}},
		{"zero is not nothing", `{"priority":0}`, `{}`, []change{{"priority", "priority", "0", "", false}}},
		{"texts", `{"usersToNotify":["a","b"]}`, `{"usersToNotify":["a"]}`, []change{{"usersToNotify", "users to notify", "a, b", "a", false}}},
		{
			"lists by id", `{"lists":[{"listId":1,"enabled":true},{"listId":2,"priority":1},{"listId":3}]}`,
			`{"lists":[{"listId":4,"priority":7},{"listId":3},{"listId":1,"enabled":false}]}`,
			[]change{
				{"lists[1].enabled", "list 1: enabled", "yes", "no", false},
				{"lists[2]", "list 2", "priority 1, list id 2", "", false},
				{"lists[4]", "list 4", "", "priority 7, list id 4", false},
			},
		},
		{"lists by place", `{"lists":[{"priority":1},{"listId":3}]}`, `{"lists":[{"priority":2},{"listId":3}]}`, []change{
			{"lists[1].priority", "list 1: priority", "1", "2", false},
		}},
		{"what document 1 does not name", `{"new":{"a":1},"lists":[{"listId":1,"x":"\u001b"}]}`, `{"new":{"a":2},"lists":[{"listId":1}]}`, []change{
			{"lists[1].x", "list 1: x", "␛", "", false},
			{"new", "new", `{"a":1}`, `{"a":2}`, false},
		}},
		{"wrong types", `{"priority":"high","name":[1]}`, `{"priority":"low","name":"x"}`, []change{
			{"name", "name", "[1]", "x", false},
			{"priority", "priority", "high", "low", false},
		}},
		{"what is cleaned away", `{"name":"a\u001b"}`, `{"name":"a␛"}`, []change{
			{"name", "name", "a␛", "a␛", true},
		}},
		{"beyond what is shown", `{"name":"` + strings.Repeat("x", 300) + `y"}`, `{"name":"` + strings.Repeat("x", 300) + `z"}`, []change{
			{"name", "name", strings.Repeat("x", 255) + "…", strings.Repeat("x", 255) + "…", true},
		}},
	} {
		before, after := read[resource.Campaign](t, c.before), read[resource.Campaign](t, c.after)
		if d := cmp.Diff(c.want, resource.Diff(before, after)); d != "" {
			t.Errorf("%s: %s", c.name, d)
		}
		if got, want := resource.Equal(before, after), len(c.want) == 0; got != want {
			t.Errorf("%s: Equal = %t", c.name, got)
		}
	}
}

func TestDiffOfNested(t *testing.T) {
	t.Parallel()
	before := read[resource.Item](t, `{"id":1,"contactInfo":{"name":"A","vip":true}}`)
	after := before
	after.ContactInfo = &resource.ItemPerson{Name: "B"}
	want := []resource.FieldChange{
		{Field: "contactInfo.name", Label: "contact info: name", Old: "A", New: "B"},
		{Field: "contactInfo.vip", Label: "contact info: vip", Old: "yes"},
	}
	if d := cmp.Diff(want, resource.Diff(before, after)); d != "" {
		t.Error(d)
	}
	after.ContactInfo = nil
	want[0].New = ""
	if d := cmp.Diff(want, resource.Diff(before, after)); d != "" {
		t.Error(d)
	}
}

func TestDiffOfSecrets(t *testing.T) {
	t.Parallel()
	changes := resource.Diff(resource.TemplateQuery{APIKey: canary}, resource.TemplateQuery{APIKey: canary + "2"})
	if len(changes) != 1 || strings.Contains(changes[0].Old+changes[0].New, canary) {
		t.Errorf("%+v", changes)
	}
}

// TestEqual checks that two documents have no difference only if they have the same content, and that a
// document equals itself after writing and reading.
func TestEqual(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		object := rapid.MapOf(rapid.SampledFrom([]string{"new", "name", "lists", "x"}), anyJSON(2))
		a, b := object.Draw(t, "a"), object.Draw(t, "b")
		var one, two resource.Campaign
		remarshal(t, a, &one)
		remarshal(t, b, &two)
		if !resource.Equal(one, one) {
			t.Fatal("not equal to itself")
		}
		if resource.Equal(one, two) != resource.Equal(two, one) {
			t.Fatal("not symmetric")
		}
		var again resource.Campaign
		remarshal(t, one, &again)
		if d := resource.Diff(one, again); len(d) > 0 {
			t.Fatalf("written and read again: %+v", d)
		}
	})
}

func TestIntegers(t *testing.T) {
	t.Parallel()
	var got []string
	for n := range resource.Integers(read[resource.Campaign](t, `{"id":1,"lists":[{"listId":2},{"priority":-3}],"priority":null}`)) {
		got = append(got, n.Field+"|"+n.Label)
	}
	want := []string{"id|id", "lists[1].listId|list 1: list id", "lists[2].priority|list 2: priority"}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}
