package merge_test

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"weak"

	"github.com/google/go-cmp/cmp"

	"wallboard/feeds/merge"
	"wallboard/model"
)

// A message truncated anywhere is an error and changes nothing.
func TestReadNoticesTruncation(t *testing.T) {
	t.Parallel()
	eachSubject(t, func(t *testing.T, s subject) {
		p := s.open(t)
		mustApply(t, p, fullPayload(s, 0))
		before := p.state()
		payload := fullPayload(s, 1)
		for i := range len(payload) {
			if _, err := p.apply(payload[:i]); err == nil {
				t.Fatalf("no error for %q", payload[:i])
			}
		}
		same(t, "records", p, before)
		mustApply(t, p, payload)
	})
}

func TestReadHasLimits(t *testing.T) {
	t.Parallel()
	list := func(n int, element func(int) string) string {
		parts := make([]string, n)
		for i := range parts {
			parts[i] = element(i)
		}
		return "[" + strings.Join(parts, ",") + "]"
	}
	nested := func(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }
	zero := func(int) string { return "0" }
	code := func(i int) string { return fmt.Sprintf(`{"activityCode":"%d"}`, i) }
	record := func(fields string) string {
		return `{"data":{"serviceStats":[{"code":"s","channel":"CALL",` + fields + `}]}}`
	}
	users := func(list string) string { return record(`"userStats":{"readyUsers":{"profileIds":` + list + `}}`) }
	codes := func(list string) string { return record(`"userStats":{"activityCodeIndicators":` + list + `}`) }
	for _, c := range []struct {
		name, payload, err string
	}{
		{"deepest", record(`"x":` + nested(28)), ""},
		{"too deep in an unknown field", record(`"x":` + nested(29)), "deeper than 32"},
		{"too deep beside the data", `{"x":` + nested(32) + `}`, "deeper than 32"},
		{"bomb of arrays", record(`"x":` + strings.Repeat("[", 1<<20)), "deeper than 32"},
		{"bomb of objects", record(`"x":` + strings.Repeat(`{"a":`, 1<<20)), "deeper than 32"},
		{"bomb before the key", `{"data":{"serviceStats":[{"x":` + strings.Repeat("[", 1<<20), "deeper than 32"},
		{"longest list", users(list(50_000, zero)), ""},
		{"list too long", users(list(50_001, zero)), "longer than 50000"},
		{"unknown list too long", record(`"x":` + list(50_001, zero)), "longer than 50000"},
		{"longest keyed list", codes(list(4096, code)), ""},
		{"keyed list too long", codes(list(4097, code)), "longer than 4096"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			p := subjectNamed(t, "serviceStats").open(t)
			_, err := p.apply(c.payload)
			if c.err == "" && err != nil || c.err != "" && (err == nil || !strings.Contains(err.Error(), c.err)) {
				t.Errorf("error %.200v, want %q", err, c.err)
			}
			if err != nil && len(p.state()) > 0 {
				t.Errorf("records %v after an error", p.state())
			}
		})
	}
}

// A number shown as received must not be longer than a screen.
func TestReadShortensEndlessNumbers(t *testing.T) {
	t.Parallel()
	p := subjectNamed(t, "users").open(t)
	mustApply(t, p, `{"data":{"users":[{"username":"u","site":0.`+strings.Repeat("3", 1<<16)+`}]}}`)
	want := object{"username": "u", "site": scalar("0.3333333333333333")}
	same(t, "records", p, map[string]any{`"u" `: want})
}

func TestReadTellsWhatCame(t *testing.T) {
	t.Parallel()
	const item = `{"username":"anna","channel":"CALL"}`
	for _, c := range []struct {
		payload string
		want    merge.Result
	}{
		{`{}`, merge.Result{}},
		{`{"data":null}`, merge.Result{}},
		{`{"data":{}}`, merge.Result{}},
		{`{"data":{"userStats":null}}`, merge.Result{}},
		{`{"data":{"userStats":[]}}`, merge.Result{HasData: true}},
		{`{"data":{"userStats":[null,` + item + `]}}`, merge.Result{HasData: true, Items: 1}},
		{`{"data":{"userStats":` + item + `}}`, merge.Result{HasData: true, Items: 1}},
		{`{"errors":null,"data":{"userStats":[` + item + `,` + item + `]}}`, merge.Result{HasData: true, Items: 2}},
		{`{"data":{"userStats":[` + item + `]},"errors":[]}`, merge.Result{HasData: true, Items: 1, Errors: []byte("[]")}},
		{`{"errors": {"code":"UNAUTHORIZED"} ,"data":null}`, merge.Result{Errors: []byte(`{"code":"UNAUTHORIZED"}`)}},
	} {
		t.Run(c.payload, func(t *testing.T) {
			t.Parallel()
			got, err := subjectNamed(t, "userStats").open(t).apply(c.payload)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("result (-want +got):\n%s", diff)
			}
		})
	}
}

// If a subscription covers only one record, updates need no key.
func TestMergeWithoutKey(t *testing.T) {
	t.Parallel()
	plan := planOf[model.UserStat](t, "userStats", "username", "channel")
	r := model.UserStat{Username: model.TextOf("anna")}
	r.Channel = model.Call
	payload := []byte(`{"data":{"userStats":[{"username":null,"numberCallIn":6}]}}`)
	_, err := plan.Read(payload, "userStats", &merge.Env{Now: now}, func(it *merge.Item[model.UserStat]) error {
		if it.Keyed {
			t.Errorf("Keyed, with the key %v", it.Key.Key())
		}
		return it.Merge(&r)
	})
	if err != nil {
		t.Fatal(err)
	}
	want := model.UserStatKey{Username: "anna", Channel: model.Call}
	if n, ok := r.NumberCallIn.Get(); r.Key() != want || n != 6 || !ok {
		t.Errorf("record %v with numberCallIn %d, want %v with 6", r.Key(), n, want)
	}
}

// Items that are not merged are skipped; an error from each ends the scan.
func TestReadGoesOnBehindItemsNotMerged(t *testing.T) {
	t.Parallel()
	plan := planOf[model.Campaign](t, "pdCampaignStats", "campaignId")
	payload := []byte(`{"data":{"pdCampaignStats":[{"campaignId":1,"okContacts":{}},{"okContacts":2},{"campaignId":3}]},"errors":[1]}`)
	var seen []int64
	res, err := plan.Read(payload, "pdCampaignStats", &merge.Env{Now: now}, func(it *merge.Item[model.Campaign]) error {
		seen = append(seen, it.Key.Key())
		return nil
	})
	if err != nil || res.Items != 3 || string(res.Errors) != "[1]" {
		t.Errorf("result %+v, error %v, want 3 items and an error", res, err)
	}
	if diff := cmp.Diff([]int64{1, 0, 3}, seen); diff != "" {
		t.Errorf("items (-want +got):\n%s", diff)
	}
	twice := []byte(`{"data":{"pdCampaignStats":[{"x":1,"campaignId":null,"campaignId":4,"campaignId":5}]}}`)
	if _, err := plan.Read(twice, "pdCampaignStats", &merge.Env{Now: now}, func(it *merge.Item[model.Campaign]) error {
		if it.Key.Key() != 4 {
			t.Errorf("key %d of an item with two, want the first", it.Key.Key())
		}
		return it.Merge(new(model.Campaign))
	}); err == nil {
		t.Error("no error for an item with two keys")
	}
	stop := errors.New("stop")
	if _, err := plan.Read(payload, "pdCampaignStats", &merge.Env{Now: now}, func(*merge.Item[model.Campaign]) error { return stop }); !errors.Is(err, stop) {
		t.Errorf("error %v, want the one of each", err)
	}
}

// If the member of a union changes, the old values are cleared, but not those
// in the message itself, wherever its __typename is.
func TestAnotherUnionMemberStartsAfresh(t *testing.T) {
	t.Parallel()
	const first = `{"__typename":"ServiceCcCallAtStat","answeredCalls":5,"hangupCalls":2}`
	for _, c := range []struct {
		name, stats string
		want        object
	}{
		{"same", `{"__typename":"ServiceCcCallAtStat","hangupCalls":3}`, object{"__typename": "ServiceCcCallAtStat", "answeredCalls": int64(5), "hangupCalls": int64(3)}},
		{"null", `{"__typename":null,"hangupCalls":3}`, object{"__typename": "ServiceCcCallAtStat", "answeredCalls": int64(5), "hangupCalls": int64(3)}},
		{"first", `{"__typename":"Other","hangupCalls":3}`, object{"__typename": "Other", "hangupCalls": int64(3)}},
		{"last", `{"hangupCalls":3,"__typename":"Other"}`, object{"__typename": "Other", "hangupCalls": int64(3)}},
		{"between", `{"hangupCalls":3,"x":1,"__typename":"Other","shortCalls":1}`, object{"__typename": "Other", "hangupCalls": int64(3), "shortCalls": int64(1)}},
		{"alone", `{"__typename":"Other"}`, object{"__typename": "Other"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			p := subjectNamed(t, "serviceStats").open(t)
			for _, stats := range []string{first, c.stats} {
				mustApply(t, p, `{"data":{"serviceStats":[{"code":"s","channel":"CALL","channelStats":`+stats+`}]}}`)
			}
			same(t, "records", p, map[string]any{
				`"s" "CALL" `: object{"code": "s", "channel": "CALL", "channelStats": c.want},
			})
		})
	}
}

// A text whose escaped form equals the present text is a different text.
func TestTextIsComparedAfterItsEscapes(t *testing.T) {
	t.Parallel()
	p := subjectNamed(t, "users").open(t)
	for _, c := range []struct{ raw, want string }{{`a\\\\b`, `a\\b`}, {`a\\b`, `a\b`}, {`\u0061`, `a`}} {
		mustApply(t, p, `{"data":{"users":[{"username":"u","name":"`+c.raw+`"}]}}`)
		same(t, "records", p, map[string]any{`"u" `: object{"username": "u", "name": c.want}})
	}
}

// A duplicate name must not stand in for the missing channel.
func TestKeyTwiceIsNoKey(t *testing.T) {
	t.Parallel()
	plan := planOf[model.UserStat](t, "userStats", "username", "channel")
	payload := []byte(`{"data":{"userStats":[{"username":"anna","username":"anna"}]}}`)
	_, err := plan.Read(payload, "userStats", &merge.Env{Now: now}, func(it *merge.Item[model.UserStat]) error {
		t.Errorf("item with the key %v, Keyed %v", it.Key.Key(), it.Keyed)
		return nil
	})
	if err == nil {
		t.Error("no error")
	}
}

// A plan that rarely reads must not keep the buffer of the message it has read last.
func TestPlanKeepsNoPayload(t *testing.T) {
	t.Parallel()
	plan := planOf[model.UserStat](t, "userStats", "username", "channel")
	payload := []byte(update(`"name":"Anna"`))
	kept := weak.Make(&payload[0])
	if _, err := plan.Read(payload, "userStats", &merge.Env{Now: now}, func(it *merge.Item[model.UserStat]) error {
		return it.Merge(&model.UserStat{})
	}); err != nil {
		t.Fatal(err)
	}
	runtime.GC()
	if kept.Value() != nil {
		t.Error("the plan keeps the payload")
	}
	runtime.KeepAlive(plan)
}

// The signs show whether the list of an update lacks elements of the record,
// and whether it repeats unchanged ones.
func TestListSigns(t *testing.T) {
	t.Parallel()
	const a, b, c = `{"activityCode":"a","totalTime":1}`, `{"activityCode":"b","totalTime":2}`, `{"activityCode":"c","totalTime":3}`
	const changed = `{"activityCode":"a","totalTime":9}`
	for list, want := range map[string]struct {
		signs merge.ListSigns
		whole string // remaining elements if lists are complete
	}{
		`null`:                            {0, "ab"},
		`[` + a + `,` + b + `]`:           {0, "ab"},
		`[` + b + `,` + c + `,` + a + `]`: {merge.ListRepeated, "abc"},
		`[` + changed + `,` + b + `]`:     {merge.ListRepeated, "ab"},
		`[` + changed + `]`:               {merge.ListShorter, "a"},
		`[` + a + `]`:                     {merge.ListShorter, "a"},
		a:                                 {merge.ListShorter, "ab"},
		`[` + a + `,` + c + `]`:           {merge.ListShorter, "ac"},
		`[` + c + `]`:                     {merge.ListShorter, "c"},
		`[]`:                              {merge.ListShorter | merge.ListEmptied, ""},
	} {
		t.Run(list, func(t *testing.T) {
			t.Parallel()
			for _, whole := range []bool{false, true} {
				plan := planOf[model.UserStat](t, "userStats", "username", "channel")
				r := model.UserStat{}
				before := []model.ActivityTime{
					{ActivityCode: "a", TotalTime: model.IntOf(1)}, {ActivityCode: "b", TotalTime: model.IntOf(2)},
				}
				r.TimeInActivityCode = before
				env := &merge.Env{Now: now, CompleteLists: whole}
				_, err := plan.Read([]byte(update(`"timeInActivityCode":`+list)), "userStats", env,
					func(it *merge.Item[model.UserStat]) error { return it.Merge(&r) })
				if err != nil || env.ListSigns != want.signs {
					t.Errorf("signs %b, error %v, want %b", env.ListSigns, err, want.signs)
				}
				left := ""
				for _, e := range r.TimeInActivityCode {
					left += e.ActivityCode
				}
				if whole && left != want.whole || !whole && len(left) < 2 {
					t.Errorf("whole %v: %q remains", whole, left)
				}
				if len(before) != 2 || before[1].ActivityCode != "b" {
					t.Errorf("the old list is now %v", before)
				}
			}
		})
	}
}

// Lists and maps: null means nothing, an empty plain list is a value, and lists
// of published records are never written to.
func TestPlainListsAreReplaced(t *testing.T) {
	t.Parallel()
	p := subjectNamed(t, "users").open(t)
	user := func(fields string) string { return `{"data":{"users":[{"username":"u",` + fields + `}]}}` }
	mustApply(t, p, user(`"services":["a","b","c"],"skillsets":["x"],"statuses":{"CALL":"READY","CHAT":"BUSY"}`))
	first := p.freeze()
	before := first.state()
	mustApply(t, p, user(`"services":null,"skillsets":null,"statuses":null`))
	same(t, "after null", p, before)
	mustApply(t, p, user(`"services":["z"],"skillsets":[],"statuses":{"CALL":null,"CHAT":"READY"}`))
	same(t, "after values", p, map[string]any{`"u" `: object{
		"username": "u", "services": []string{"z"}, "skillsets": []string{},
		"statuses": object{"CALL": "READY", "CHAT": "READY"},
	}})
	same(t, "published first", first, before)
}
