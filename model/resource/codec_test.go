package resource_test

import (
	"bytes"
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"wallboard/model/resource"
)

// one returns a new value of every resource that can be written back.
func one() []any {
	return []any{
		new(resource.Version), new(resource.Call), new(resource.Campaign), new(resource.List),
		new(resource.Item), new(resource.Run), new(resource.Contact), new(resource.MessageQuery),
		new(resource.SMS), new(resource.ChatMessage), new(resource.Person), new(resource.TemplateQuery),
		new(resource.TicketQuery), new(resource.Ticket), new(resource.MessageRecord),
	}
}

func read[T any](t testing.TB, text string) T {
	t.Helper()
	var r T
	if err := json.Unmarshal([]byte(text), &r); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return r
}

func written(t testing.TB, r json.Marshaler) string {
	t.Helper()
	raw, err := r.MarshalJSON()
	if err != nil || !json.Valid(raw) {
		t.Fatalf("MarshalJSON = %s, %v", raw, err)
	}
	return string(raw)
}

// TestUntouched checks that unchanged values are written byte for byte as received.
func TestUntouched(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		`null`,
		`{}`,
		` { "id" : 7 , "new" : { "a" : [ 1 , 2 ] } , "name" : "x" } `,
		`{"id":"7","priority":7.0,"enabled":"true","name":12,"lists":null,"busyChannels":1e2}`,
		`{"id":{},"name":[1],"enabled":7,"lists":{"a":1},"startDate":true,"usersToNotify":[1,null,{}],"type":"NEW"}`,
		`{"name":"a","name":"b","Name":"c","\u006eame":"d"}`,
		`{"name":"\u001b[2J\ud800 <&>","usersToNotify":["a\u202e"]}`,
		`{"startDate":"2026-01-02T03:04:05.600+0100","endDate":1767323045600,"name":""}`,
		`{"lists":[null,5,{"listId":"1","x":[]},{"listId":1.5}],"numbers":[{"type":null,"new":1}]}`,
		`{"callInfo":{"a\u001b":"x","a\u001b ":"y","n":1,"o":{}},"customFields":{"a":["b"],"c":null}}`,
		`{"search":{"month":1,"x":1,"campaign":{"id":{"operator":"IN","value":[1, 2],"new":0}}},"pagination":{"pageSize":null}}`,
	} {
		for _, r := range one() {
			if err := json.Unmarshal([]byte(text), r); err != nil {
				t.Fatalf("%T %s: %v", r, text, err)
			}
			if got, want := written(t, r.(json.Marshaler)), strings.TrimSpace(text); got != want {
				t.Errorf("%T: %s was written as %s", r, want, got)
			}
		}
	}
	for _, r := range one() {
		if err := json.Unmarshal([]byte(`[1]`), r); err == nil {
			t.Errorf("%T: no error for what is not an object", r)
		}
	}
}

func FuzzUntouched(f *testing.F) {
	f.Add([]byte(`{"id":1,"lists":[{"listId":2,"x":null}],"callInfo":{"a":"b"},"name":"\u001b"}`))
	f.Add([]byte(`{"a":1,"a":{"b":[true,1.50]},"startDate":5,"messageParam01":"\ud83d"}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		if !json.Valid(text) || bytes.TrimSpace(text)[0] != '{' {
			t.Skip()
		}
		for _, r := range one() {
			if err := json.Unmarshal(text, r); err != nil {
				t.Fatal(err)
			}
			if got := written(t, r.(json.Marshaler)); got != string(bytes.TrimSpace(text)) {
				t.Fatalf("%T: %q was written as %q", r, text, got)
			}
		}
	})
}

func TestChanged(t *testing.T) {
	t.Parallel()
	const before = `{ "new":{"a":1}, "id":7, "name":"A\u001b", "enabled":true, "priority":"5",` +
		` "startDate":"2026-01-02T03:04:05+01:00", "lists":[{"listId":1,"x":1}, {"listId":2,"x":"\u001b"}],` +
		` "usersToNotify":["a\u001b","b"], "type":null }`
	yes, five := true, 5
	for _, c := range []struct {
		name     string
		change   func(c *resource.Campaign)
		old, new string // the text in before that is replaced, and its replacement
	}{
		{"text", func(c *resource.Campaign) { c.Name = "B<é" }, `"A\u001b"`, `"B<é"`},
		{"text cleared", func(c *resource.Campaign) { c.Name = "" }, `"A\u001b"`, `""`},
		{"null set", func(c *resource.Campaign) { c.Type = "CALL" }, `null`, `"CALL"`},
		{"number cleared", func(c *resource.Campaign) { c.ID = nil }, `"id":7`, `"id":null`},
		{"the same value", func(c *resource.Campaign) { c.Priority, c.Enabled = &five, &yes }, ``, ``},
		{"the same instant", func(c *resource.Campaign) { c.StartDate = position(t, "2026-01-02 02:04:05") }, ``, ``},
		{"time", func(c *resource.Campaign) { c.StartDate = position(t, "2026-01-02 03:04:05") }, `05+01:00`, `05.000Z`},
		{"time cleared", func(c *resource.Campaign) { c.StartDate = resource.Time{} }, `"2026-01-02T03:04:05+01:00"`, `null`},
		{"added", func(c *resource.Campaign) { c.BusyChannels, c.ServiceCode = &five, "S" }, `null }`, `null ,"serviceCode":"S","busyChannels":5}`},
		{"list cleared", func(c *resource.Campaign) { c.UsersToNotify = nil }, `["a\u001b","b"]`, `[]`},
		{"in a list", func(c *resource.Campaign) { c.Lists[1].Enabled = &yes }, `{"listId":1,"x":1}, {"listId":2,"x":"\u001b"}`, `{"listId":1,"x":1},{"listId":2,"x":"\u001b","enabled":true}`},
		{"out of a list", func(c *resource.Campaign) { c.Lists = c.Lists[1:] }, `{"listId":1,"x":1}, `, ``},
		{"into a list", func(c *resource.Campaign) { c.UsersToNotify = slices.Insert(c.UsersToNotify, 0, "n") }, `["a`, `["n","a`},
	} {
		campaign := read[resource.Campaign](t, before)
		c.change(&campaign)
		want := strings.Replace(before, c.old, c.new, 1)
		if got := written(t, campaign); got != want {
			t.Errorf("%s:\n got %s\nwant %s", c.name, got, want)
		}
	}
}

func position(t testing.TB, text string) resource.Time {
	t.Helper()
	when, err := resource.ParseTime(text)
	if err != nil {
		t.Fatal(err)
	}
	return when
}

func TestChangedMap(t *testing.T) {
	t.Parallel()
	call := read[resource.Call](t, `{"callInfo":{"a\u001b":"x","b":7,"c":"z","a␛":"x\u001b"}}`)
	call.CallInfo["c"] = "new"
	call.CallInfo["d"] = "more"
	if got, want := written(t, call), `{"callInfo":{"a\u001b":"x","b":7,"c":"new","a␛":"x\u001b","d":"more"}}`; got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
	delete(call.CallInfo, "a␛")
	if got, want := written(t, call), `{"callInfo":{"b":7,"c":"new","d":"more"}}`; got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
}

// TestChangedTwice checks that if two members have the same clean name, a changed value replaces both,
// because it is not known which one the platform reads.
func TestChangedTwice(t *testing.T) {
	t.Parallel()
	campaign := read[resource.Campaign](t, `{"name":"a","id":1,"name":"b"}`)
	campaign.Name = "c"
	if got, want := written(t, campaign), `{"name":"c","id":1,"name":"c"}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestFresh(t *testing.T) {
	t.Parallel()
	no, id := false, 0
	for _, c := range []struct {
		r    json.Marshaler
		want string
	}{
		{resource.Campaign{}, `{}`},
		{resource.Campaign{ID: &id, Enabled: &no, UsersToNotify: []string{}}, `{"id":0,"enabled":false,"usersToNotify":[]}`},
		{resource.Item{ContactInfo: &resource.ItemPerson{VIP: &no}, Data: []string{"a"}}, `{"data":["a"],"contactInfo":{"vip":false}}`},
		{resource.MessageQuery{
			Pagination: &resource.Pagination{PageNumber: 2},
			Search:     &resource.MessageSearch{ListID: &resource.Filter{Operator: "IN", Value: json.RawMessage(`[1]`)}},
		}, `{"pagination":{"pageNumber":2},"search":{"listId":{"operator":"IN","value":[1]}}}`},
	} {
		if got := written(t, c.r); got != c.want {
			t.Errorf("got %s, want %s", got, c.want)
		}
	}
}

// TestChangesOnlyOne checks that changing one field of a document changes only that field.
func TestChangesOnlyOne(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		object := rapid.MapOf(
			rapid.OneOf(rapid.SampledFrom([]string{"id", "name", "lists", "enabled", "startDate", "type", "usersToNotify", "serviceCode"}), rapid.String()),
			anyJSON(3),
		).Draw(t, "object")
		text, err := json.Marshal(object)
		if err != nil {
			t.Fatal(err)
		}
		var campaign resource.Campaign
		if err := json.Unmarshal(text, &campaign); err != nil {
			t.Fatal(err)
		}
		field := rapid.SampledFrom([]string{"name", "serviceCode", "id", "usersToNotify"}).Draw(t, "field")
		n := rapid.IntRange(1000, 2000).Draw(t, "n")
		switch field {
		case "name":
			campaign.Name = "changed"
			object[field] = "changed"
		case "serviceCode":
			campaign.ServiceCode = "changed"
			object[field] = "changed"
		case "id":
			campaign.ID = &n
			object[field] = n
		case "usersToNotify":
			campaign.UsersToNotify = []string{"changed"}
			object[field] = []string{"changed"}
		}
		got, err := json.Marshal(campaign)
		if err != nil {
			t.Fatal(err)
		}
		want, err := json.Marshal(object)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(generic(t, want), generic(t, got)); d != "" {
			t.Fatalf("%s with another %s: %s", text, field, d)
		}
	})
}

func generic(t rapid.TB, text []byte) any {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return v
}

func anyJSON(depth int) *rapid.Generator[any] {
	leaf := []*rapid.Generator[any]{
		rapid.Just[any](nil), rapid.Bool().AsAny(), rapid.Int().AsAny(), rapid.Float64Range(-1e6, 1e6).AsAny(), rapid.String().AsAny(),
		rapid.SampledFrom([]string{"5", "true", "2026-01-02T03:04:05Z"}).AsAny(),
	}
	if depth == 0 {
		return rapid.OneOf(leaf...)
	}
	names := rapid.OneOf(rapid.SampledFrom([]string{"listId", "enabled"}), rapid.String())
	return rapid.OneOf(append(leaf,
		rapid.SliceOfN(anyJSON(depth-1), 0, 3).AsAny(),
		rapid.MapOfN(names, anyJSON(depth-1), 0, 3).AsAny(),
	)...)
}

func TestReadsTolerantly(t *testing.T) {
	t.Parallel()
	campaign := read[resource.Campaign](t, `{"id":"7","priority":5.0,"reservedChannels":1.5,"busyChannels":{},`+
		`"name":12,"enabled":"True","type":{},"usersToNotify":["a",2,null,{}],"lists":[null,{"listId":3},4]}`)
	seven, five, three, yes := 7, 5, 3, true
	want := resource.Campaign{
		ID: &seven, Priority: &five, Name: "12", Enabled: &yes, UsersToNotify: []string{"a", "2", "", ""},
		Lists: []resource.CampaignList{{}, {ListID: &three}, {}},
	}
	if d := cmp.Diff(want, campaign, cmp.FilterPath(func(p cmp.Path) bool {
		return p.Last().String() == ".document"
	}, cmp.Ignore()), cmp.Comparer(func(a, b resource.Time) bool { return a == b })); d != "" {
		t.Error(d)
	}
}

// TestClean checks that all texts of all resources are clean at any depth.
func TestClean(t *testing.T) {
	t.Parallel()
	const evil = `"\u001b]0;x\u0007\u202e\nline\r\n\ttwo"`
	for _, r := range one() {
		fill := strings.NewReplacer("TEXT", evil)
		var text func(t reflect.Type) string
		text = func(rt reflect.Type) string {
			switch rt {
			case reflect.TypeFor[resource.Time]():
				return "TEXT"
			case reflect.TypeFor[json.RawMessage]():
				return "1"
			}
			switch rt.Kind() {
			case reflect.Pointer:
				return text(rt.Elem())
			case reflect.Slice:
				return "[" + text(rt.Elem()) + "]"
			case reflect.Map:
				return "{TEXT:" + text(rt.Elem()) + "}"
			case reflect.Struct:
				var parts []string
				for f := range rt.Fields() {
					if name, ok := f.Tag.Lookup("json"); ok {
						parts = append(parts, `"`+name+`":`+text(f.Type))
					}
				}
				return "{" + strings.Join(parts, ",") + "}"
			default:
				return "TEXT"
			}
		}
		if err := json.Unmarshal([]byte(fill.Replace(text(reflect.TypeOf(r).Elem()))), r); err != nil {
			t.Fatal(err)
		}
		checkClean(t, reflect.TypeOf(r).Elem().Name(), reflect.ValueOf(r).Elem(), false)
	}
}

func checkClean(t *testing.T, where string, v reflect.Value, body bool) {
	t.Helper()
	const name, lines = "␛]0;x␇\ufffd␊line␍␊␉two", "␛]0;x␇\ufffd\nline\n    two"
	if when, ok := v.Interface().(resource.Time); ok {
		v = reflect.ValueOf(when.String())
	}
	switch v.Kind() {
	case reflect.String:
		if got := v.String(); got != name && (!body || got != lines) {
			t.Errorf("%s = %q", where, got)
		}
	case reflect.Pointer:
		if !v.IsNil() {
			checkClean(t, where, v.Elem(), body)
		}
	case reflect.Slice:
		for i := range v.Len() {
			checkClean(t, where, v.Index(i), body)
		}
	case reflect.Map:
		for _, k := range v.MapKeys() {
			checkClean(t, where, k, body)
			if v.MapIndex(k).Type() != reflect.TypeFor[json.RawMessage]() {
				checkClean(t, where, v.MapIndex(k), body)
			}
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if f := v.Type().Field(i); f.IsExported() && f.Type != reflect.TypeFor[json.RawMessage]() {
				checkClean(t, where+"."+f.Name, v.Field(i), f.Tag.Get("clean") == "body")
			}
		}
	default:
	}
}

func remarshal(t rapid.TB, v, into any) {
	t.Helper()
	raw, err := json.Marshal(v)
	if err == nil {
		err = json.Unmarshal(raw, into)
	}
	if err != nil {
		t.Fatalf("%s: %v", raw, err)
	}
}

func TestCleanBody(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ in, want string }{
		{"", ""},
		{"one", "one"},
		{"\r\none\rtwo\n\nthree\n", "\none\ntwo\n\nthree\n"},
		{"a\x1b[2J\n\u202eb", "a␛[2J\n\ufffdb"},
		{"\n\u0301x", "\n\ufffdx"}, // a combining mark must not move to the previous line
		{strings.Repeat("é", resource.MaxBody+1), strings.Repeat("é", resource.MaxBody-1) + "…"},
		{strings.Repeat("\n", resource.MaxBody+5), strings.Repeat("\n", resource.MaxBody-1) + "…"},
	} {
		if got := resource.CleanBody(c.in); got != c.want {
			t.Errorf("CleanBody(%.20q) = %.20q (%d), want %.20q", c.in, got, len(got), c.want)
		}
	}
}

func TestNames(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ got, want string }{
		{resource.Person{Surname: "Rossi", UID: "7"}.String(), "Rossi"},
		{resource.Person{DisplayName: "A. Rossi", Name: "Anna"}.String(), "A. Rossi"},
		{resource.Contact{ID: "7", Company: "ACME"}.String(), "ACME"},
		{resource.Contact{ID: "7"}.String(), "7"},
	} {
		if c.got != c.want {
			t.Errorf("got %q, want %q", c.got, c.want)
		}
	}
}
