package dialect

import (
	"slices"
	"testing"

	"wallboard/feeds/graphql"
	"wallboard/internal/lib/testkit"
	"wallboard/model"
)

// TestServersWordsTakeTimeInProportion: error messages and schemas are read in
// linear time.
func TestServersWordsTakeTimeInProportion(t *testing.T) {
	t.Parallel()
	doc, err := graphql.LoadDocument(string(model.OpUserStats))
	if err != nil {
		t.Fatal(err)
	}
	how := SentRequest{selection: doc.Selection}
	words := slices.Concat(testkit.TextPatterns(), testkit.JSONPatterns("errors"), []testkit.Pattern{
		{Before: `[`, Repeated: `{"message":"Cannot query field \"name\" on type \"UserStat\""},`, After: "{}]"},
		{Before: `{"message":"`, Repeated: "fragment cannot query field name ", After: `"}`},
		{Before: `{"message":"`, Repeated: "field 'name' in type 'a' ", After: `"}`},
		{Before: `{"message":"`, Repeated: "Unknown type ", After: `"}`},
		{Before: `{"message":"`, Repeated: "Did you mean 'name' ", After: `"}`},
		{Before: `{"message":"cannot query field name. Did you mean to use an inline fragment on `, Repeated: "'a' ", After: `"}`},
		{Before: `{"message":"@[a`, Repeated: "/name", After: `]"}`},
		{Before: `{"message":"x","path":[`, Repeated: `"name",`, After: `1]}`},
	})
	testkit.CheckLinear(t, words, func(s string) {
		errs := graphql.ParseErrors([]byte(s))
		r := ParseRequestFaults(string(model.OpUserStats), how, errs)
		suggestedRoot(string(model.OpUsers), r.Suggestions)
	})
	testkit.CheckLinear(t, slices.Concat(testkit.JSONPatterns("data"), testkit.JSONPatterns("__schema"), []testkit.Pattern{
		{Before: `{"data":{"__schema":{"types":[`, Repeated: `{"name":"A","fields":[{"name":"a"}]},`, After: "{}]}}}"},
		{Before: `{"data":{"__schema":{"types":[{"name":"A","fields":[`, Repeated: `{"name":"a","type":{"name":"A"}},`, After: "{}]}]}}}"},
		{Before: `{"data":{"__schema":{"queryType":{"fields":[{"name":"a"}]},"types":[{"name":"A","possibleTypes":[`, Repeated: `{"name":"B"},`, After: "{}]}]}}}"},
		{Before: `{"data":{"__schema":{"types":[{"name":"A","fields":[{"name":"a","type":`, Repeated: `{"ofType":`, After: ""},
	}), func(s string) {
		if x, err := parseSchema([]byte(s)); err == nil {
			x.checkFields(parseFields(doc.Selection), "A", &selectionFixes{})
		}
	})
}
