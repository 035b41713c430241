package feeds

import (
	"net/http"
	"slices"
	"testing"

	"wallboard/feeds/graphqlws"
	"wallboard/internal/linear"
)

// What a server says of a request, and of itself, takes time in proportion.
func TestServersWordsTakeTimeInProportion(t *testing.T) {
	t.Parallel()
	doc, err := loadDocument(opUserStats)
	if err != nil {
		t.Fatal(err)
	}
	how := sent{selection: doc.selection}
	words := slices.Concat(linear.Texts(), linear.JSON("errors"), []linear.Pattern{
		{Before: `[`, Again: `{"message":"Cannot query field \"name\" on type \"UserStat\""},`, After: "{}]"},
		{Before: `{"message":"`, Again: "fragment cannot query field name ", After: `"}`},
		{Before: `{"message":"`, Again: "field 'name' in type 'a' ", After: `"}`},
		{Before: `{"message":"`, Again: "Unknown type ", After: `"}`},
	})
	linear.Check(t, words, func(s string) {
		errs := graphqlws.ParseErrors([]byte(s))
		lackedBy(how, errs)
		speaksOf(tooMuchWords, errs)
		speaksOf(filterWords, errs)
		graphQLErrors([]byte(s))
	})
	linear.Check(t, slices.Concat(linear.JSON("data"), linear.JSON("__schema"), []linear.Pattern{
		{Before: `{"data":{"__schema":{"types":[`, Again: `{"name":"A","fields":[{"name":"a"}]},`, After: "{}]}}}"},
		{Before: `{"data":{"__schema":{"types":[{"name":"A","fields":[`, Again: `{"name":"a","type":{"name":"A"}},`, After: "{}]}]}}}"},
		{Before: `{"data":{"__schema":{"types":[{"name":"A","fields":[{"name":"a","type":`, Again: `{"ofType":`, After: ""},
	}), func(s string) {
		if x, err := parseSchema([]byte(s)); err == nil {
			x.missing(parseFields(doc.selection), "A")
		}
	})
	linear.Check(t, slices.Concat(linear.Pages(), linear.JSON("message"), linear.JSON("errors")), func(s string) {
		_ = refusedVersion([]byte(s))
		_ = judgeAnswer(&http.Response{StatusCode: http.StatusBadGateway}, []byte(s))
	})
}
