package dialect

import (
	"slices"
	"strings"
	"testing"

	"wallboard/feeds/graphql"
	"wallboard/model"
)

// TestLackedBy parses the error messages of real implementations.
func TestLackedBy(t *testing.T) {
	t.Parallel()
	doc, err := graphql.LoadDocument(string(model.OpServices))
	if err != nil {
		t.Fatal(err)
	}
	how := SentRequest{selection: doc.Selection, offset: 40}
	column := func(of string) int { return 40 + strings.Index(doc.Selection, of) + 1 }
	for _, c := range []struct {
		message string
		column  int
		want    []string
	}{
		{`Cannot query field "shortCalls" on type "ServiceCcCallAtStat". Did you mean "hangupCalls"?`, 0, []string{"channelStats.shortCalls"}},
		{`Validation error (FieldUndefined@[serviceStats/customStats]) : Field 'customStats' in type 'ServiceStat' is undefined`, 0, []string{"customStats"}},
		{"The field `customStats` does not exist on the type `ServiceStat`.", 0, []string{"customStats"}},
		{`Field "closedCallsCallBack" does not exist on type "ServiceCcCallAtStat"`, 0, []string{"channelStats.closedCallsCallBack"}},
		{`field 'averageTimeOnQueue' not found in type: 'ServiceCcCallAtStat'`, 0, []string{"channelStats.averageTimeOnQueue"}},
		// The position distinguishes fields of the same name.
		{`Cannot query field "profileIds" on type "UserProfileInStatus".`, column("profileIds } postCall"), nil},
		{`Cannot query field "value" on type "CustomStatValue".`, column("value } }"), []string{"customStats.value.value"}},
		// The type also distinguishes them, if document 2 names it.
		{"Field 'value' in type 'CustomStatValue' is undefined", 0, []string{"customStats.value.value"}},
		// Keys are kept, and errors that follow from an unknown root are
		// ignored.
		{`Cannot query field "code" on type "ServiceStat".`, 0, nil},
		{`Cannot query field "serviceStats" on type "Subscription".`, 0, nil},
		{`Cannot query field "serviceStats" on type "RootSubscriptions".`, 20, nil},
		{`nothing that is known`, 0, nil},
		// A field of another form, in the words of each library.
		{`Field "channelStats" must not have a selection since type "Int" has no subfields.`, 0, []string{"channelStats"}},
		{`Validation error (SubselectionRequired@[serviceStats/channelStats/queuedCalls]) : Subselection required for type 'Queue' of field 'queuedCalls'`, 0, []string{"channelStats.queuedCalls"}},
		{`Validation error of type MissingFieldArgument: Missing field argument unit @ 'serviceStats/customStats'`, column("customStats"), []string{"customStats"}},
		{"`queuedCalls` is an object, interface or union type field. Leaf selections on objects, interfaces, and unions without subfields are disallowed.", 0, []string{"channelStats.queuedCalls"}},
		{"Field must have selections (field 'queuedCalls' returns Queue but has no selections. Did you mean 'queuedCalls { ... }'?)", 0, []string{"channelStats.queuedCalls"}},
		{"Field 'userStats' is missing required arguments: site", 0, []string{"userStats"}},
		{`Field "userStats" argument "site" of type "Int!" is required, but it was not provided.`, 0, []string{"userStats"}},
		{`Unknown field "shortCalls" on type "ServiceCcCallAtStat".`, 0, []string{"channelStats.shortCalls"}},
		{"The argument `unit` is required.", column("customStats"), []string{"customStats"}},
	} {
		got := ParseRequestFaults(string(model.OpServices), how, []graphql.Error{{Message: c.message, Column: c.column}}).missingFields
		if strings.Contains(c.message, "profileIds") {
			if len(got) == 0 || slices.ContainsFunc(got, func(p string) bool { return !strings.HasSuffix(p, ".profileIds") }) {
				t.Errorf("%s: %v", c.message, got)
			}
			continue
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.message, got, c.want)
		}
	}
	got := ParseRequestFaults(string(model.OpServices), how, []graphql.Error{{Message: `Unknown type "ServiceCcCallAtStat".`}}).missingFields
	if !slices.Equal(got, []string{"channelStats.ServiceCcCallAtStat"}) {
		t.Errorf("without the type: %v", got)
	}
}

func TestPrune(t *testing.T) {
	t.Parallel()
	const all = "{ code channelStats { ... on ServiceAtStat { x y } } timeInHold { time } }"
	for _, c := range []struct {
		lacks []string
		want  string
	}{
		{nil, all},
		{[]string{"channelStats.x"}, "{ code channelStats { ... on ServiceAtStat { y } } timeInHold { time } }"},
		{[]string{"channelStats.x", "channelStats.y", "timeInHold.time"}, "{ code }"},
		{[]string{"timeInHold"}, "{ code channelStats { ... on ServiceAtStat { x y } } }"},
	} {
		if got := removeFields(all, c.lacks); got != c.want {
			t.Errorf("%v: %s", c.lacks, got)
		}
	}
	for _, op := range []string{string(model.OpServices), string(model.OpUsers), string(model.OpOperatorProfiles), string(model.OpVersion)} {
		doc, err := graphql.LoadDocument(op)
		if err != nil {
			t.Fatal(err)
		}
		if got := writeFields(parseFields(doc.Selection)); got != doc.Selection {
			t.Errorf("%s\n%s", got, doc.Selection)
		}
	}
}

// TestNothingLeftIsNotAskedFor uses a server that lacks all fields of an
// operation.
func TestNothingLeftIsNotAskedFor(t *testing.T) {
	t.Parallel()
	doc, err := graphql.LoadDocument(string(model.OpServerHealth))
	if err != nil {
		t.Fatal(err)
	}
	d := New(PinnedValues{})
	if d.AddMissingFields(&doc, []string{"status"}, nil) {
		t.Error("an empty selection is sent")
	}
	if text, _, _ := d.Request(&doc, graphql.KindSubscription, doc.Root, ""); !strings.Contains(text, "{ status }") {
		t.Error(text)
	}
}
