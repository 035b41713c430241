package rest_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"wallboard/internal/simulator"
	"wallboard/internal/simulator/rest"
	"wallboard/internal/simulator/world"
)

// caller sends REST requests with one kind of credentials.
type caller struct {
	t      *testing.T
	s      *simulator.Server
	client *http.Client
	header map[string]string
}

// client returns a caller with the token of the default account.
func client(t *testing.T, s *simulator.Server) caller {
	t.Helper()
	return caller{t, s, httpClient(), map[string]string{"Authorization": "Bearer " + token}}
}

func (c caller) with(header, value string) caller {
	c.header = map[string]string{header: value}
	return c
}

// request builds a request from "METHOD /path".
func (c caller) request(route, body string) *http.Request {
	c.t.Helper()
	method, path, _ := strings.Cut(route, " ")
	req, err := http.NewRequestWithContext(c.t.Context(), method, c.s.RESTURL()+path, strings.NewReader(body))
	if err != nil {
		c.t.Fatal(err)
	}
	req.Header.Set("Accept", "application/json")
	if body != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	for name, value := range c.header {
		req.Header.Set(name, value)
	}
	return req
}

// try sends a request that may get no answer.
func (c caller) try(route, body string) (status int, answer string, err error) {
	c.t.Helper()
	res, err := c.client.Do(c.request(route, body))
	if err != nil {
		return 0, "", err
	}
	defer res.Body.Close() //nolint:errcheck // the body was read
	data, err := io.ReadAll(res.Body)
	return res.StatusCode, string(data), err
}

func (c caller) call(route, body string) (status int, answer string) {
	c.t.Helper()
	status, answer, err := c.try(route, body)
	if err != nil {
		c.t.Fatalf("%s: %v", route, err)
	}
	return status, answer
}

// must sends a request that must succeed and returns the answer.
func (c caller) must(route, body string) any {
	c.t.Helper()
	status, answer := c.call(route, body)
	var v any
	if err := json.Unmarshal([]byte(answer), &v); err != nil || status != http.StatusOK {
		c.t.Fatalf("%s: %d %s", route, status, answer)
	}
	return v
}

// calm returns a world in which there are always agents to call.
func calm() world.Options {
	return world.Options{Seed: 7, Services: 4, Groups: 3, Agents: 40, Operators: 3, Campaigns: 3, TrafficFactor: 0.3}
}

// frozen runs a server whose calm world is paused.
func frozen(t *testing.T, o simulator.Options) *simulator.Server {
	t.Helper()
	o.World = calm()
	s := start(t, o)
	s.Pause()
	return s
}

// agents returns the users with a status on the call channel, except those whose
// telephone has no client.
func agents(t *testing.T, s *simulator.Server, status string) []string {
	t.Helper()
	var names []string
	for _, v := range truth(t, s)["userStats"] {
		u := v.(map[string]any)
		if u["channel"] == "CALL" && u["status"] == status && int(u["loggedProfileId"].(float64))%12 != 0 {
			names = append(names, u["username"].(string))
		}
	}
	slices.Sort(names)
	return names
}

// figures returns the record of a kind in which a field has a value.
func figures(t *testing.T, s *simulator.Server, kind, field string, value any) map[string]any {
	t.Helper()
	for _, v := range truth(t, s)[kind] {
		if r := v.(map[string]any); r[field] == value && (r["channel"] == nil || r["channel"] == "CALL") {
			return r
		}
	}
	t.Fatalf("no %s with %s %v", kind, field, value)
	return nil
}

func campaignPath(e rest.Edition) string {
	if e == rest.Edition102 {
		return "/rest/powerdialer/phone/campaign"
	}
	return "/rest/powerdialer/campaign"
}

// Every operation of document 1 in the order of its tables, with a field of the
// answer and its expected value, or with the whole expected answer.
func TestRESTOperations(t *testing.T) {
	t.Parallel()
	for _, edition := range []rest.Edition{rest.Edition102, rest.Edition140} {
		t.Run(string(edition), func(t *testing.T) {
			t.Parallel()
			s := frozen(t, simulator.Options{REST: rest.Options{Edition: edition}})
			c := client(t, s)
			agent := agents(t, s, "READY")[0]
			dialled := c.must("POST /rest/phone/call/dial?number=0612&returnCallId=true&username="+agent+"&callData=a%3Db", "").(string)
			const dialer = "/rest/powerdialer/phone"
			rows := []struct {
				route, body, field string
				want               any
			}{
				{"POST /rest/addressbook-contact/external", `{"name":"Ada","x":1.50}`, "addressbookBackendId", "external"},
				{"PUT /rest/addressbook-contact/external", `{"id":"10001","name":"Ada","x":{"y":[1]}}`, "x", map[string]any{"y": []any{1.0}}},
				{"GET /rest/addressbook-contact/external/10001", "", "x", map[string]any{"y": []any{1.0}}},
				{"DELETE /rest/addressbook-contact/external/10001", "", "", true},

				{"GET /rest/auth/version", "", "webapiVersion", string(edition)},
				{"GET /rest/auth/isValidSession", "", "", true},
				{"POST /rest/auth/login", `{"version":"` + string(edition) + `","username":"supervisor","password":"wallboard"}`, "username", "supervisor"},
				{"POST /rest/auth/loginByAccessToken", `{"version":"` + string(edition) + `","accessToken":"demo-token"}`, "logged", true},
				{"GET /rest/auth/logout", "", "", true},

				{"GET /rest/chat/history/session/chat-2001?pageNumber=3&pageSize=100", "", "tot", 230.0},

				{"GET /rest/phone/call/service-calls-on-user/" + agent, "", "0.callData", "a=b"},
				{"GET /rest/phone/call/service-calls-on-user/" + agent + "?onlyAnswered=true", "", "", []any{}},
				{"POST /rest/phone/call/rec/start/" + agent + "/" + dialled + "?recFileName=f.wav", "", "", "f.wav"},
				{"POST /rest/phone/call/rec/stop/" + agent + "/" + dialled, "", "", true},
				{"POST /rest/phone/call/hangup?callId=" + dialled, "", "", true},

				{"POST " + campaignPath(edition), `{"name":"New","serviceCode":"SRV02","x":"y"}`, "x", "y"},
				{"PUT " + campaignPath(edition) + "?resetStats=true", `{"id":301,"name":"Changed","serviceCode":"SRV01","priority":7,"z":[null]}`, "priority", 7.0},
				{"GET " + dialer + "/campaign/search?term=CHANGED", "", "result.0.z", []any{nil}},
				{"GET " + dialer + "/campaign/search?term=302", "", "result.0.type", map[rest.Edition]any{rest.Edition140: "CALL"}[edition]},
				{"GET " + dialer + "/campaign/search?priority=7&pageNumber=2&pageSize=5", "", "tot", 1.0},
				{"POST " + dialer + "/campaign/stop/301", "", "", true},
				{"POST " + dialer + "/campaign/start/301?resetStats=true", "", "", true},
				{"POST " + dialer + "/list", `{"name":"Fresh","busyAttempts":4,"x":0}`, "busyAttempts", 4.0},
				{"PUT " + dialer + "/list", `{"id":701,"name":"Other","x":"y"}`, "x", "y"},
				{"GET " + dialer + "/list/search?term=701", "", "result.0.name", "Other"},
				{"POST " + dialer + "/list/items", `[{"campaignId":302,"phoneNumber":"0612","contactInfo":{"id":"5"}}]`, "0.itemNumber", 1.0},
				{"DELETE " + dialer + "/list/items?resetStats=true", `[{"campaignId":302,"itemNumber":1}]`, "0.contactInfo", map[string]any{"id": "5"}},
				{"POST " + dialer + "/list/items/reset", "", "", true},
			}
			for _, r := range rows {
				got := c.must(r.route, r.body)
				if v := dig(got, r.field); !cmp.Equal(v, r.want) {
					t.Errorf("%s: %s is %v, want %v, in %v", r.route, r.field, v, r.want, got)
				}
			}
		})
	}
}

// Operations that only edition 1.4.0 has.
func TestRESTOperationsOf140(t *testing.T) {
	t.Parallel()
	s, old := frozen(t, simulator.Options{}), frozen(t, simulator.Options{REST: rest.Options{Edition: rest.Edition102}})
	agent := agents(t, s, "READY")[0]
	for _, r := range []struct {
		route, body, field string
		want               any
	}{
		{"POST /rest/powerdialer/mc/run/add", `{"campaignId":301,"name":"night / 1","x":"y"}`, "runStatus", "DISABLE"},
		{"POST /rest/powerdialer/mc/run/edit", `{"id":2,"campaignId":302,"name":"noon","x":"y"}`, "x", "y"},
		{"GET /rest/powerdialer/mc/run/301/night%20%2F%201", "", "x", "y"},
		{"GET /rest/powerdialer/mc/run/2?instantMessagingEndDate=2026-01-14T10:00:00Z", "", "name", "noon"},
		{"POST /rest/powerdialer/mc/chatapp-templates", `{"limit":2,"offset":11}`, "data.0.name", "callback_offer"},
		{"POST /rest/powerdialer/mc/chatapp-templates", "", "total", 12.0},
		{"POST " + rest.MessagesPath, `{"search":{"messageId":{"operator":"NULL","value":["m-90007"]}}}`, "0.messageId", "m-90007"},
		{
			"POST " + rest.MessagesPath,
			`{"search":{"month":1,"campaign":{"id":{"value":[302]},"service":{"code":{"value":["SRV02"]}},"list":{"name":{"regexp":"contacts$"}}}}}`,
			"0.campaign.id", 302.0,
		},
		{"POST " + rest.MessagesPath, `{"search":{"messageInsertTime":{"valueLeft":"2026-01-15"}}}`, "", []any{}},
		{"POST " + rest.MessagesPath, `{"sorting":{"orderField":"MESSAGE_ID","orderType":"DESC"},"pagination":{"pageNumber":1,"pageSize":1}}`, "0.messageId", "m-90139"},
		{"POST /rest/sms/send", `{"phoneNumber":"0612","message":"hello","username":"` + agent + `"}`, "", true},
		{"GET /rest/support/ticket/agent/list?searchKey=" + agent + "&services=SRV01,SRV02,SRV03,SRV04", "", "result.0.username", agent},
		{"GET /rest/support/ticket/customer/list?index=47&size=10", "", "tot", 48.0},
		{"POST /rest/support/ticket/search", `{"serviceCode":["SRV09"]}`, "articles", []any{}},
		{"POST /rest/support/ticket/search", `{"pageSize":1}`, "articles.0.ticket_id", 7001.0},
	} {
		got := client(t, s).must(r.route, r.body)
		if v := dig(got, r.field); !cmp.Equal(v, r.want) {
			t.Errorf("%s: %s is %v, want %v, in %v", r.route, r.field, v, r.want, got)
		}
		if status, answer := client(t, old).call(r.route, r.body); status != http.StatusNotFound || strings.Contains(answer, "Exception") {
			t.Errorf("%s in edition 1.0.2: %d %s", r.route, status, answer)
		}
	}
	for _, server := range []*simulator.Server{s, old} { // each edition lacks the other's path
		for _, path := range []string{campaignPath(rest.Edition102), campaignPath(rest.Edition140)} {
			status, _ := client(t, server).call("POST "+path, `{}`)
			if mine := (path == campaignPath(rest.Edition102)) == (server == old); mine != (status == http.StatusPreconditionFailed) {
				t.Errorf("%s: %d", path, status)
			}
		}
	}
}

// dig returns the value at a path of fields and indices; "" is the whole value.
func dig(v any, path string) any {
	if path == "" {
		return v
	}
	first, rest, _ := strings.Cut(path, ".")
	switch v := v.(type) {
	case map[string]any:
		return dig(v[first], rest)
	case []any:
		i := 0
		if _, err := fmt.Sscan(first, &i); err == nil && i < len(v) {
			return dig(v[i], rest)
		}
	}
	return nil
}

// Every documented status of every operation under its documented condition.
func TestRESTStatuses(t *testing.T) {
	t.Parallel()
	const (
		unauthorized = "AuthorizationRequiredException"
		notFound     = "GenericObjectWasNotFoundException"
		invalid      = "InvalidArgumentException"
		exists       = "GenericObjectExistsException"
		required     = "GenericObjectRequiredException"
		dialer       = "/rest/powerdialer/phone"
		book         = "/rest/addressbook-contact/external"
		campaign     = "/rest/powerdialer/campaign"
		ok           = `{"name":"C","serviceCode":"SRV01"}`
	)
	s := frozen(t, simulator.Options{})
	c := client(t, s)
	ready := agents(t, s, "READY")
	agent, other := ready[0], ready[1]
	clientless := figures(t, s, "userStats", "loggedProfileId", 1008.0)["username"].(string)
	call := c.must("POST /rest/phone/call/dial?number=0612&recordCall=true&returnCallId=true&username="+agent, "").(string)
	for _, r := range []struct {
		status           int
		exception, route string
		body             string
	}{
		{412, "", "POST " + book, ``},
		{412, "", "POST " + book, `{"name":""}`},
		{412, "", "POST " + book, `{"name":"` + strings.Repeat("a", 3000) + `"}`},
		{404, notFound, "PUT " + book, `{"id":"1","name":"Ada"}`},
		{412, "", "PUT " + book, `{"name":"Ada"}`},
		{404, notFound, "DELETE " + book + "/1", ``},
		{412, "", "DELETE " + book + "/%20", ``},
		{404, notFound, "GET " + book + "/1", ``},
		{412, required, "GET " + book + "/%20", ``},

		{401, unauthorized, "POST /rest/auth/login", `{"version":"1.4.0","username":"supervisor","password":"x"}`},
		{401, unauthorized, "POST /rest/auth/login", `{"version":"1.0.2","username":"supervisor","password":"wallboard"}`},
		{403, "", "POST /rest/auth/login", `{"version":"1.4.0","username":"expired","password":"wallboard"}`},
		{401, unauthorized, "POST /rest/auth/loginByAccessToken", `{"version":"1.4.0","accessToken":"x"}`},
		{401, unauthorized, "POST /rest/auth/loginByAccessToken", `{"accessToken":"demo-token"}`},
		{403, "", "POST /rest/auth/loginByAccessToken", `{"version":"1.4.0","accessToken":"expired-token"}`},

		{404, notFound, "GET /rest/chat/history/session/none", ``},
		{412, required, "GET /rest/chat/history/session/chat-2001?pageNumber=0", ``},

		{406, invalid, "POST /rest/phone/call/dial?number=abc&username=" + other, ``},
		{406, invalid, "POST /rest/phone/call/dial?number=0612&extenType=FAX&username=" + other, ``},
		{406, invalid, "POST /rest/phone/call/dial?number=0612&recordCall=perhaps&username=" + other, ``},
		{412, "", "POST /rest/phone/call/dial?username=" + other, ``},
		{412, "", "POST /rest/phone/call/dial?number=0612&username=" + clientless, ``},
		{412, "", "POST /rest/phone/call/dial?number=0612", ``}, // the account has no telephone
		{502, "DialNumberGenericException", "POST /rest/phone/call/dial?number=999502&username=" + other, ``},
		{502, "DialNumberGenericException", "POST /rest/phone/call/dial?number=0612&username=" + agent, ``},
		{580, "RecordingException", "POST /rest/phone/call/dial?number=999580&recordCall=true&username=" + other, ``},

		{404, notFound, "POST /rest/phone/call/hangup?callId=1.1", ``},
		{404, notFound, "POST /rest/phone/call/hangup", ``},
		{404, notFound, "POST /rest/phone/call/hangup?exten=99", ``},
		{412, required, "POST /rest/phone/call/hangup?callId=", ``},

		{404, notFound, "POST /rest/phone/call/rec/start/nobody/" + call, ``},
		{412, required, "POST /rest/phone/call/rec/start/" + agent + "/%20", ``},
		{580, "RecordingException", "POST /rest/phone/call/rec/start/" + agent + "/" + call, ``}, // the call is already recorded
		{404, notFound, "POST /rest/phone/call/rec/stop/nobody/" + call, ``},
		{412, required, "POST /rest/phone/call/rec/stop/%20/" + call, ``},
		{580, "RecordingException", "POST /rest/phone/call/rec/stop/" + agent + "/1.1", ``},
		{412, required, "GET /rest/phone/call/service-calls-on-user/%20", ``},

		{404, notFound, "POST " + campaign, `{"name":"C","serviceCode":"none"}`},
		{404, notFound, "POST " + campaign, `{"name":"C","serviceCode":"SRV01","lists":[{"listId":1}]}`},
		{406, invalid, "POST " + campaign, `{"name":"C","serviceCode":"SRV01","priority":11}`},
		{406, invalid, "POST " + campaign, `{"name":"C","serviceCode":"SRV01","priority":"high"}`},
		{406, invalid, "POST " + campaign, `{"name":"C","serviceCode":"SRV01","reservedChannels":2147483648}`},
		{409, exists, "POST " + campaign, `{"id":301,"name":"C","serviceCode":"SRV01"}`},
		{412, required, "POST " + campaign, `{"name":"C"}`},
		{404, notFound, "PUT " + campaign, `{"id":1,"name":"C","serviceCode":"SRV01"}`},
		{406, invalid, "PUT " + campaign, `{"id":301,"name":"C","serviceCode":"SRV01","startDate":"2026-02-01T00:00:00Z","endDate":"2026-01-01T00:00:00Z"}`},
		{412, required, "PUT " + campaign, ok},
		{404, notFound, "POST " + dialer + "/campaign/start/1", ``},
		{412, required, "POST " + dialer + "/campaign/start/%20", ``},
		{404, notFound, "POST " + dialer + "/campaign/stop/1", ``},
		{412, required, "POST " + dialer + "/campaign/stop/%20", ``},

		{404, notFound, "PUT " + dialer + "/list", `{"id":1,"name":"L"}`},
		{412, required, "PUT " + dialer + "/list", `{"id":701}`},
		{409, exists, "POST " + dialer + "/list", `{"id":701,"name":"L"}`},
		{404, notFound, "DELETE " + dialer + "/list/items", `[{"id":99}]`},
		{412, required, "DELETE " + dialer + "/list/items", `[]`},

		{404, notFound, "POST /rest/sms/send", `{"phoneNumber":"0612","message":"x","username":"nobody"}`},
		{404, notFound, "POST /rest/sms/send", `{"phoneNumber":"0612","message":"x","accountId":9}`},
		{412, required, "POST /rest/sms/send", `{"phoneNumber":"0612"}`},
		{412, required, "POST /rest/sms/send", ``},
		{570, "OperationIsNotAllowedToUserProfileException", "POST /rest/sms/send", `{"phoneNumber":"0612","message":"x","username":"trainee"}`},
	} {
		status, answer := c.call(r.route, r.body)
		var e struct{ Exception, Message string }
		if err := json.Unmarshal([]byte(answer), &e); err != nil || status != r.status || e.Exception != r.exception || e.Message == "" {
			t.Errorf("%s %.60s: %d %s, want %d %s", r.route, r.body, status, answer, r.status, r.exception)
		}
	}
	// Only the two successful calls were executed.
	var statuses []int
	for _, x := range s.REST().Executions() {
		statuses = append(statuses, x.Status)
	}
	if !slices.Equal(statuses, []int{200, 580}) {
		t.Errorf("executed with %v", statuses)
	}
}

func TestRESTErrorForms(t *testing.T) {
	t.Parallel()
	for form, want := range map[rest.ErrorFormat]string{
		rest.ErrorsJSON:  `{"exception":"GenericObjectWasNotFoundException","message":"contact \u003c1\u003e not found"}`,
		rest.ErrorsText:  "GenericObjectWasNotFoundException: contact <1> not found\n",
		rest.ErrorsHTML:  "<b>Message</b> GenericObjectWasNotFoundException: contact &lt;1&gt; not found</p>",
		rest.ErrorsEmpty: "",

		rest.ErrorsFields:  `"errors":[{"defaultMessage":"contact \u003c1\u003e not found"}]`,
		rest.ErrorsHostile: "<html>GenericObjectWasNotFoundException<script<script<script",
	} {
		s := start(t, simulator.Options{REST: rest.Options{Errors: form, Path: "deep/base/"}})
		if !strings.HasSuffix(s.RESTURL(), "/deep/base") {
			t.Errorf("base URL %s", s.RESTURL())
		}
		status, answer := client(t, s).call("GET /rest/addressbook-contact/external/%3C1%3E", "")
		if status != http.StatusNotFound || !strings.Contains(answer, want) || want == "" && answer != "" {
			t.Errorf("%s: %d %s", form, status, answer)
		}
	}
	for _, o := range []simulator.Options{{REST: rest.Options{Edition: "2.0"}}, {REST: rest.Options{Errors: "xml"}}} {
		if err := o.Validate(); err == nil {
			t.Errorf("%+v is valid", o)
		}
	}
}
