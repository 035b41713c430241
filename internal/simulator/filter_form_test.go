package simulator_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/gorilla/websocket"

	"wallboard/internal/simulator"
	"wallboard/internal/simulator/rtd"
)

func TestFilterForms(t *testing.T) {
	t.Parallel()
	const literal = `{pdCampaignStats(filter: {campaigns: [1, 2, 3]}) {campaignId}}`
	const variable = `query Q($filter: PdCampaignStatFilter!) {pdCampaignStats(filter: $filter) {campaignId}}`
	values := map[string]any{"filter": map[string]any{"campaigns": []int{1, 2, 3}}}
	for _, c := range []struct {
		switches      rtd.Switches
		literal, vars bool
	}{
		{rtd.Switches{}, true, true},
		{rtd.Switches{Filters: rtd.FiltersLiteral}, true, false},
		{rtd.Switches{Filters: rtd.FiltersVariables}, false, true},
		{rtd.Switches{MaxFilterKeys: 3}, true, true},
		{rtd.Switches{MaxFilterKeys: 2}, false, false},
	} {
		s := start(t, simulator.Options{Switches: c.switches})
		sock := open(t, s, rtd.SubprotocolTransport)
		if _, r := post(t, s, literal, tokenCookie(token)); (len(r.Errors) == 0) != c.literal {
			t.Errorf("%+v: a literal: %+v", c.switches, r)
		}
		sock.send("v", "subscribe", map[string]any{"query": variable, "variables": values})
		if got := sock.read().Type; (got == "next") != c.vars {
			t.Errorf("%+v: a variable: %s", c.switches, got)
		}
	}
}

func TestRequestTooLong(t *testing.T) {
	t.Parallel()
	s := start(t, simulator.Options{Switches: rtd.Switches{MaxRequest: 500}})
	c := open(t, s, rtd.SubprotocolTransport)
	c.subscribe("long", "{version {server {major}}} #"+strings.Repeat("x", 500))
	if code := c.closed(); code != websocket.CloseMessageTooBig {
		t.Errorf("closed with %d", code)
	}
}

func TestUpgradeFailures(t *testing.T) {
	t.Parallel()
	for way, want := range map[rtd.Upgrade]int{
		rtd.UpgradeStripped: http.StatusBadRequest, rtd.UpgradeRefused: http.StatusUpgradeRequired,
		rtd.UpgradeNoRoute: http.StatusBadGateway, rtd.UpgradeCut: 0,
	} {
		s := start(t, simulator.Options{Switches: rtd.Switches{Upgrade: way}})
		_, resp, err := websocket.DefaultDialer.DialContext(t.Context(), s.WSURL(), nil)
		status := 0
		if resp != nil {
			status = resp.StatusCode
			_ = resp.Body.Close()
		}
		if err == nil || status != want {
			t.Errorf("%s: %d, %v", way, status, err)
		}
		if _, r := post(t, s, "{version {server {major}}}", tokenCookie(token)); len(r.Errors) > 0 {
			t.Errorf("%s: plain requests: %+v", way, r)
		}
	}
}
