package simulator_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"wallboard/internal/simulator"
	"wallboard/internal/simulator/rtd"
)

// records returns the records of a result, without the field mutation of users,
// which the truth does not contain.
func records(t *testing.T, r response, root string) []any {
	t.Helper()
	if len(r.Errors) > 0 {
		t.Fatalf("%s: %+v", root, r.Errors)
	}
	list, ok := r.Data[root].([]any)
	if !ok {
		t.Fatalf("%s: data %+v", root, r.Data)
	}
	for _, e := range list {
		record := e.(map[string]any)
		if m, ok := record["mutation"]; ok && m != "CREATED" {
			t.Errorf("mutation %v, want CREATED", m)
		}
		delete(record, "mutation")
	}
	return list
}

func TestOperationsAgainstTruth(t *testing.T) {
	t.Parallel()
	s := start(t, simulator.Options{})
	s.Pause()
	want := truth(t, s)
	ways := map[string]func(t *testing.T, operation, filter string) response{
		"POST": func(t *testing.T, operation, filter string) response {
			_, r := post(t, s, text(t, "query", operation, operation, filter), tokenCookie(token))
			return r
		},
		"GET": func(t *testing.T, operation, filter string) response {
			_, r := get(t, s, text(t, "query", operation, operation, filter), tokenCookie(token))
			return r
		},
	}
	for _, protocol := range []string{rtd.SubprotocolLegacy, rtd.SubprotocolTransport} {
		ways["query over "+protocol] = func(t *testing.T, operation, filter string) response {
			c := open(t, s, protocol)
			c.subscribe("q", text(t, "query", operation, operation, filter))
			r := c.result("q")
			c.expect("complete", "q")
			return r
		}
		ways["subscription over "+protocol] = func(t *testing.T, operation, filter string) response {
			c := open(t, s, protocol)
			c.subscribe("s", text(t, "subscription", operation, operation, filter))
			return c.result("s")
		}
	}
	filters := listed(t, s)
	if len(filters) != len(want) {
		t.Fatalf("%d operations, the truth has %d", len(filters), len(want))
	}
	for way, ask := range ways {
		for operation, filter := range filters {
			t.Run(way+"/"+operation, func(t *testing.T) {
				if len(want[operation]) == 0 {
					t.Fatal("the truth is empty")
				}
				got := records(t, ask(t, operation, filter), operation)
				if diff := cmp.Diff(want[operation], got); diff != "" {
					t.Errorf("truth (-) and answer (+):\n%s", diff)
				}
			})
		}
	}
}

func TestVersionAndHealth(t *testing.T) {
	t.Parallel()
	s := start(t, simulator.Options{})
	want := map[string]any{
		"version":      map[string]any{"server": map[string]any{"major": 1.0, "minor": 0.0, "patch": 2.0}},
		"serverHealth": map[string]any{"status": "UP"},
	}
	const both = "{version{server{major minor patch}} serverHealth{status}}"
	if _, r := post(t, s, both, tokenCookie(token)); !cmp.Equal(r.Data, want) {
		t.Errorf("answer %v", r)
	}
	c := open(t, s, rtd.SubprotocolTransport)
	c.subscribe("v", "subscription {version{server{major minor patch}}}")
	if r := c.result("v"); !cmp.Equal(r.Data["version"], want["version"]) {
		t.Errorf("version %v", r)
	}
	c.subscribe("h", "subscription {serverHealth{status}}")
	if r := c.result("h"); !cmp.Equal(r.Data["serverHealth"], want["serverHealth"]) {
		t.Errorf("health %v", r)
	}
	s.Faults().RTD.SetHealth("DOWN")
	if r := c.result("h"); !cmp.Equal(r.Data["serverHealth"], map[string]any{"status": "DOWN"}) {
		t.Errorf("health %v after the change", r)
	}
}

func TestVariables(t *testing.T) {
	t.Parallel()
	s := start(t, simulator.Options{})
	s.Pause()
	id := truth(t, s)["pdCampaignStats"][0].(map[string]any)["campaignId"]
	c := open(t, s, rtd.SubprotocolTransport)
	for name, kind := range map[string]string{"q": "query", "s": "subscription"} {
		c.send(name, "subscribe", map[string]any{
			"query": kind + " named($f: PdCampaignStatFilter!) {pdCampaignStats(filter: $f) {campaignId}}" +
				" query other {version {server {major}}}",
			"operationName": "named",
			"variables":     map[string]any{"f": map[string]any{"campaigns": []any{id}}},
		})
		want := []any{map[string]any{"campaignId": id}}
		if got := c.result(name).Data["pdCampaignStats"]; !cmp.Equal(got, want) {
			t.Errorf("%s: got %v, want %v", kind, got, want)
		}
		if kind == "query" {
			c.expect("complete", name)
		}
	}
}

func TestVariableDefaults(t *testing.T) {
	t.Parallel()
	s := start(t, simulator.Options{})
	c := open(t, s, rtd.SubprotocolTransport)
	c.subscribe("s", `subscription ($f: PdCampaignStatFilter = {campaigns: [-1]}) {pdCampaignStats(filter: $f) {campaignId}}`)
	if got := c.result("s").Data["pdCampaignStats"]; !cmp.Equal(got, []any{}) {
		t.Errorf("got %v", got)
	}
}

func TestInvalidQueries(t *testing.T) {
	t.Parallel()
	s := start(t, simulator.Options{})
	for name, query := range map[string]string{
		"syntax":         "{users(",
		"empty":          " ",
		"unknown field":  "{users(filter: {}) {nickname}}",
		"unknown root":   "{agents {name}}",
		"no filter":      "{users {name}}",
		"required list":  "{serviceStats(filter: {CALL: {}}) {code}}",
		"unknown filter": `{users(filter: {nickname: "x"}) {name}}`,
		"wrong enum":     "{users(filter: {statuses: [BUSY_dn_call_in]}) {name}}",
		"wrong type":     `{pdCampaignStats(filter: {campaigns: ["x"]}) {campaignId}}`,
		"no selection":   "{users(filter: {})}",
		"wrong fragment": "{groupStats(filter: {CALL: {groups: []}}) {channelStats {... on ServiceAtStat {closedCalls}}}}",
	} {
		t.Run(name, func(t *testing.T) {
			_, r := post(t, s, query, tokenCookie(token))
			if len(r.Errors) == 0 || r.Errors[0].Message == "" || r.Data != nil {
				t.Errorf("over HTTP: %+v", r)
			}
			c := open(t, s, rtd.SubprotocolTransport)
			c.subscribe("x", query)
			c.expect("error", "x")
		})
	}
	c := open(t, s, rtd.SubprotocolLegacy)
	c.subscribe("two", "subscription {version{server{major}} serverHealth{status}}")
	c.expect("error", "two")
}
