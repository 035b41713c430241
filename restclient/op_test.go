package restclient

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"wallboard/internal/lib/secret"
	"wallboard/model/resource"
)

// operationCase is a call of an operation with the expected request and result.
type operationCase struct {
	op           resource.Operation
	call         func(ctx context.Context, c *Client) (any, error)
	method, path string // in edition 1.4.0
	older        string // path in edition 1.0.2; "": the same; "-": none
	body         string
	answer       string
	want         string // the result as JSON
}

func is[T any](v T) *T { return &v }

func operationCases() []operationCase {
	campaign := resource.Campaign{ID: is(7), Name: "a<b", Enabled: is(false)}
	const campaignJSON = `{"id":7,"name":"a<b","enabled":false}`
	item := resource.Item{ListID: is(3), PhoneNumber: "+39 02", ContactInfo: &resource.ItemPerson{VIP: is(true)}}
	const itemJSON = `{"listId":3,"phoneNumber":"+39 02","contactInfo":{"vip":true}}`
	at, err := resource.ParseTime("2026-01-02 03:04")
	if err != nil {
		panic(err)
	}
	return []operationCase{
		{op: resource.OpContactCreate, call: func(ctx context.Context, c *Client) (any, error) {
			return c.Contacts.CreateContact(ctx, resource.Contact{Name: "Anna", Numbers: []resource.TypedValue{{Type: "FAX", Value: "1"}}})
		}, method: "POST", path: "/rest/addressbook-contact/external", body: `{"name":"Anna","numbers":[{"type":"FAX","value":"1"}]}`, answer: `{"id":"7","new":1}`, want: `{"id":"7","new":1}`},
		{op: resource.OpContactUpdate, call: func(ctx context.Context, c *Client) (any, error) {
			return c.Contacts.UpdateContact(ctx, resource.Contact{ID: "7"})
		}, method: "PUT", path: "/rest/addressbook-contact/external", body: `{"id":"7"}`, answer: `{"id":"7"}`, want: `{"id":"7"}`},
		{op: resource.OpContactDelete, call: func(ctx context.Context, c *Client) (any, error) {
			return c.Contacts.DeleteContact(ctx, "a/b?c")
		}, method: "DELETE", path: "/rest/addressbook-contact/external/a%2Fb%3Fc", answer: `true`, want: `true`},
		{op: resource.OpContact, call: func(ctx context.Context, c *Client) (any, error) {
			return c.Contacts.Contact(ctx, "7")
		}, method: "GET", path: "/rest/addressbook-contact/external/7", answer: `{"id":"7","vip":null}`, want: `{"id":"7","vip":null}`},

		{op: resource.OpVersion, call: func(ctx context.Context, c *Client) (any, error) {
			return c.Session.Version(ctx)
		}, method: "GET", path: "/rest/auth/version", answer: `{"webapiVersion":"1.4.0"}`, want: `{"webapiVersion":"1.4.0"}`},
		{op: resource.OpValidSession, call: func(ctx context.Context, c *Client) (any, error) {
			return c.Session.ValidSession(ctx)
		}, method: "GET", path: "/rest/auth/isValidSession", answer: `true`, want: `true`},
		{op: resource.OpChatHistory, call: func(ctx context.Context, c *Client) (any, error) {
			r, err := c.Messages.ChatHistory(ctx, "s-1", Page{Number: 2, Size: 50})
			return r.Items, err
		}, method: "GET", path: "/rest/chat/history/session/s-1?pageNumber=2&pageSize=50", answer: `{"result":[{"id":"1"}],"tot":51}`, want: `[{"id":"1"}]`},

		{op: resource.OpDial, call: func(ctx context.Context, c *Client) (any, error) {
			return c.Calls.Dial(ctx, resource.Dial{Number: "+39 02&x"})
		}, method: "POST", path: "/rest/phone/call/dial?number=%2B39+02%26x&returnCallId=true", answer: `"call-7"`, want: `"call-7"`},
		{op: resource.OpDial, call: func(ctx context.Context, c *Client) (any, error) {
			return c.Calls.Dial(ctx, resource.Dial{
				Number: "1", Username: "anna", DialerNumber: "2", AccessCode: "3", CallData: "4", RecordCall: is(true), RecordOnConnect: is(false),
				RecordAuto: is(true), RecFileName: "5", RecData: "6", ReturnCallID: is(false), ServiceCode: "7", ExtenType: "NEW", Exten: "8",
			})
		}, method: "POST", path: "/rest/phone/call/dial?accessCode=3&callData=4&dialerNumber=2&exten=8&extenType=NEW&number=1&recData=6" +
			"&recFileName=5&recordAuto=true&recordCall=true&recordOnConnect=false&returnCallId=false&serviceCode=7&username=anna", want: `""`},
		{op: resource.OpHangUp, call: func(ctx context.Context, c *Client) (any, error) {
			return c.Calls.HangUp(ctx, resource.HangUp{CallID: "1", Username: "anna", Exten: "8"})
		}, method: "POST", path: "/rest/phone/call/hangup?callId=1&exten=8&username=anna", answer: `"TRUE"`, want: `true`},
		{op: resource.OpHangUp, call: func(ctx context.Context, c *Client) (any, error) {
			return c.Calls.HangUp(ctx, resource.HangUp{})
		}, method: "POST", path: "/rest/phone/call/hangup", answer: ` false `, want: `false`},
		{op: resource.OpRecordingStart, call: func(ctx context.Context, c *Client) (any, error) {
			return c.Calls.StartRecording(ctx, resource.Recording{Username: "a b", CallID: "1", FileName: "f", OnConnect: is(true)})
		}, method: "POST", path: "/rest/phone/call/rec/start/a%20b/1?recFileName=f&recordOnConnect=true", answer: "2026/f\x1b.wav", want: ``},
		{op: resource.OpRecordingStart, call: func(ctx context.Context, c *Client) (any, error) {
			return c.Calls.StartRecording(ctx, resource.Recording{Username: "anna", CallID: "1"})
		}, method: "POST", path: "/rest/phone/call/rec/start/anna/1", answer: "2026/f.wav\n", want: `"2026/f.wav"`},
		{op: resource.OpRecordingStop, call: func(ctx context.Context, c *Client) (any, error) {
			return c.Calls.StopRecording(ctx, resource.Recording{Username: "anna", CallID: "1", FileName: "not sent"})
		}, method: "POST", path: "/rest/phone/call/rec/stop/anna/1", answer: `true`, want: `true`},
		{op: resource.OpServiceCalls, call: func(ctx context.Context, c *Client) (any, error) {
			return c.Calls.ServiceCalls(ctx, "anna", true)
		}, method: "GET", path: "/rest/phone/call/service-calls-on-user/anna?onlyAnswered=true", answer: `[{"uniqueId":"1"}]`, want: `[{"uniqueId":"1"}]`},
		{op: resource.OpServiceCalls, call: func(ctx context.Context, c *Client) (any, error) {
			return c.Calls.ServiceCalls(ctx, "anna", false)
		}, method: "GET", path: "/rest/phone/call/service-calls-on-user/anna", answer: `[]`, want: `[]`},

		{op: resource.OpCampaignCreate, call: func(ctx context.Context, c *Client) (any, error) {
			return c.Campaigns.CreateCampaign(ctx, campaign)
		}, method: "POST", path: "/rest/powerdialer/campaign", older: "/rest/powerdialer/phone/campaign", body: campaignJSON, answer: campaignJSON, want: campaignJSON},
		{op: resource.OpCampaignUpdate, call: func(ctx context.Context, c *Client) (any, error) {
			return c.Campaigns.UpdateCampaign(ctx, campaign, is(false))
		}, method: "PUT", path: "/rest/powerdialer/campaign?resetStats=false", older: "/rest/powerdialer/phone/campaign?resetStats=false", body: campaignJSON, answer: `{"name":"a<b"}`, want: `{"name":"a<b"}`},
		{op: resource.OpCampaignSearch, call: func(ctx context.Context, c *Client) (any, error) {
			r, err := c.Campaigns.SearchCampaigns(ctx, CampaignTerm{Term: "7", Priority: is(0)}, Page{Size: 5})
			return r.Total, err
		}, method: "GET", path: "/rest/powerdialer/phone/campaign/search?pageSize=5&priority=0&term=7", answer: `{"result":null,"tot":"3"}`, want: `3`},
		{op: resource.OpCampaignStart, call: func(ctx context.Context, c *Client) (any, error) {
			return c.Campaigns.StartCampaign(ctx, 7, is(true))
		}, method: "POST", path: "/rest/powerdialer/phone/campaign/start/7?resetStats=true", answer: `true`, want: `true`},
		{op: resource.OpCampaignStop, call: func(ctx context.Context, c *Client) (any, error) {
			return c.Campaigns.StopCampaign(ctx, 7, nil)
		}, method: "POST", path: "/rest/powerdialer/phone/campaign/stop/7", answer: `false`, want: `false`},
		{op: resource.OpListCreate, call: func(ctx context.Context, c *Client) (any, error) {
			return c.Lists.CreateList(ctx, resource.List{Name: "l", BusyAttempts: is(0)})
		}, method: "POST", path: "/rest/powerdialer/phone/list", body: `{"name":"l","busyAttempts":0}`, answer: `{"id":12}`, want: `{"id":12}`},
		{op: resource.OpListUpdate, call: func(ctx context.Context, c *Client) (any, error) {
			return c.Lists.UpdateList(ctx, resource.List{ID: is(7)})
		}, method: "PUT", path: "/rest/powerdialer/phone/list", body: `{"id":7}`, answer: `{"id":7}`, want: `{"id":7}`},
		{op: resource.OpListSearch, call: func(ctx context.Context, c *Client) (any, error) {
			r, err := c.Lists.SearchLists(ctx, "", Page{})
			return r.Total, err
		}, method: "GET", path: "/rest/powerdialer/phone/list/search", answer: `{"result":[]}`, want: `-1`},
		{op: resource.OpItemsAdd, call: func(ctx context.Context, c *Client) (any, error) {
			return c.Lists.AddItems(ctx, []resource.Item{item})
		}, method: "POST", path: "/rest/powerdialer/phone/list/items", body: `[` + itemJSON + `]`, answer: `ok`, want: `"ok"`},
		{op: resource.OpItemsAdd, call: func(ctx context.Context, c *Client) (any, error) {
			return c.Lists.AddItems(ctx, []resource.Item{item})
		}, method: "POST", path: "/rest/powerdialer/phone/list/items", body: `[` + itemJSON + `]`, want: `null`},
		{op: resource.OpItemsDelete, call: func(ctx context.Context, c *Client) (any, error) {
			return c.Lists.DeleteItems(ctx, []resource.Item{item}, is(true))
		}, method: "DELETE", path: "/rest/powerdialer/phone/list/items?resetStats=true", body: `[` + itemJSON + `]`, answer: `[{"id":1}]`, want: `[{"id":1}]`},
		{op: resource.OpItemsReset, call: func(ctx context.Context, c *Client) (any, error) {
			return c.Lists.ResetItems(ctx)
		}, method: "POST", path: "/rest/powerdialer/phone/list/items/reset", answer: `true`, want: `true`},

		{op: resource.OpRunAdd, call: func(ctx context.Context, c *Client) (any, error) {
			return c.Runs.AddRun(ctx, resource.Run{Name: "r", StartDate: at})
		}, method: "POST", path: "/rest/powerdialer/mc/run/add", older: "-", body: `{"name":"r","startDate":"2026-01-02T03:04:00.000Z"}`, answer: `{"id":1}`, want: `{"id":1}`},
		{op: resource.OpRunEdit, call: func(ctx context.Context, c *Client) (any, error) {
			return c.Runs.EditRun(ctx, resource.Run{ID: is(1), RunStatus: "DISABLE"})
		}, method: "POST", path: "/rest/powerdialer/mc/run/edit", older: "-", body: `{"id":1,"runStatus":"DISABLE"}`, answer: `{"id":1}`, want: `{"id":1}`},
		{op: resource.OpRun, call: func(ctx context.Context, c *Client) (any, error) {
			return c.Runs.Run(ctx, 1, at)
		}, method: "GET", path: "/rest/powerdialer/mc/run/1?instantMessagingEndDate=2026-01-02T03%3A04%3A00.000Z", older: "-", answer: `{"id":1}`, want: `{"id":1}`},
		{op: resource.OpRunNamed, call: func(ctx context.Context, c *Client) (any, error) {
			return c.Runs.RunNamed(ctx, 7, "spring/1")
		}, method: "GET", path: "/rest/powerdialer/mc/run/7/spring%2F1", older: "-", answer: `{"id":1}`, want: `{"id":1}`},
		{op: resource.OpTemplates, call: func(ctx context.Context, c *Client) (any, error) {
			r, err := c.Messages.Templates(ctx, resource.TemplateQuery{APIKey: "k", Limit: is(5), SID: "s"})
			return r.Items, err
		}, method: "POST", path: "/rest/powerdialer/mc/chatapp-templates", older: "-", body: `{"apiKey":"k","limit":5,"sid":"s"}`, answer: `{"total":1,"data":[{"name":"x"}]}`, want: `[{"name":"x"}]`},
		{op: resource.OpMessageHistory, call: func(ctx context.Context, c *Client) (any, error) {
			r, err := c.Messages.MessageHistory(ctx, resource.MessageQuery{Search: &resource.MessageSearch{Year: is(2026)}})
			return r.Items, err
		}, method: "POST", path: "/rest/messages", older: "-", body: `{"search":{"year":2026}}`, answer: `[{"messageParam01":"x"}]`, want: `[{"messageParam01":"x"}]`},

		{op: resource.OpSMSSend, call: func(ctx context.Context, c *Client) (any, error) {
			return c.Messages.SendSMS(ctx, resource.SMS{AccountID: is(0), PhoneNumber: "+39", Message: "a\nb"})
		}, method: "POST", path: "/rest/sms/send", older: "-", body: `{"accountId":0,"message":"a\nb","phoneNumber":"+39"}`, answer: `true`, want: `true`},
		{op: resource.OpTicketAgents, call: func(ctx context.Context, c *Client) (any, error) {
			r, err := c.Tickets.TicketAgents(ctx, resource.PersonQuery{SearchKey: "a", Index: is(0), Size: is(5), Services: "S1,S2"})
			return r.Items, err
		}, method: "GET", path: "/rest/support/ticket/agent/list?index=0&searchKey=a&services=S1%2CS2&size=5", older: "-", answer: `{"result":[{"uid":"1"}],"tot":1}`, want: `[{"uid":"1"}]`},
		{op: resource.OpTicketCustomers, call: func(ctx context.Context, c *Client) (any, error) {
			r, err := c.Tickets.TicketCustomers(ctx, resource.PersonQuery{Services: "not sent"})
			return r.Items, err
		}, method: "GET", path: "/rest/support/ticket/customer/list", older: "-", answer: `{"result":[],"tot":0}`, want: `[]`},
		{op: resource.OpTicketSearch, call: func(ctx context.Context, c *Client) (any, error) {
			r, err := c.Tickets.SearchTickets(ctx, resource.TicketQuery{
				Context: "IVR", CustomFields: map[string][]string{"b": {"1"}, "a": {}}, StateID: []string{"2"}, PageNumber: is(1),
			})
			return r.Items, err
		}, method: "POST", path: "/rest/support/ticket/search", older: "-", body: `{"context":"IVR","customFields":{"a":[],"b":["1"]},"stateId":["2"],"pageNumber":1}`, answer: `{"article_count":1,"article_ids":[7]}`, want: `[{"article_count":1,"article_ids":[7]}]`},
	}
}

// TestOperations checks that every operation sends what document 1 shows, in both editions.
func TestOperations(t *testing.T) {
	t.Parallel()
	tested := map[resource.Operation]bool{resource.OpLogin: true, resource.OpLoginByToken: true, resource.OpLogout: true} // see TestSessionOperations
	for i, tt := range operationCases() {
		tested[tt.op] = true
		for _, edition := range []Edition{Edition140, Edition102} {
			t.Run(fmt.Sprintf("%s %d %s", tt.op, i, edition), func(t *testing.T) {
				t.Parallel()
				tt.run(t, edition)
			})
		}
	}
	for _, op := range resource.Operations() {
		if !tested[op] {
			t.Errorf("%s is not tested", op)
		}
	}
}

func (tt operationCase) run(t *testing.T, edition Edition) {
	path := tt.path
	if edition == Edition102 && tt.older != "" {
		path = tt.older
	}
	var sent []string
	c := newClient(t, Options{
		Edition: edition, Paths: map[resource.Operation]string{resource.OpMessageHistory: "/rest/messages"},
		URL: serve(t, func(w http.ResponseWriter, r *http.Request) {
			body, err := io.ReadAll(r.Body)
			if err != nil {
				t.Error(err)
			}
			sent = append(sent, r.Method+" "+strings.TrimPrefix(r.RequestURI, "/platform")+" "+string(body))
			respond(w, http.StatusOK, tt.answer)
		}),
	})
	result, err := tt.call(t.Context(), c)
	if path == "-" && tt.op != resource.OpMessageHistory { // its path is configured for all editions
		if !errors.Is(err, ErrUnsupportedEdition) || len(sent) > 0 {
			t.Errorf("%v, and %q was sent", err, sent)
		}
		return
	} else if path == "-" {
		path = tt.path
	}
	if d := cmp.Diff([]string{tt.method + " " + path + " " + tt.body}, sent); d != "" {
		t.Errorf("sent (-want +got):\n%s", d)
	}
	if tt.want == "" {
		if !errors.Is(err, ErrInvalidAnswer) || OutcomeOf(err) != resource.OutcomeUnknown {
			t.Errorf("%v, for the answer %q", err, tt.answer)
		}
		return
	}
	var got strings.Builder
	enc := json.NewEncoder(&got)
	enc.SetEscapeHTML(false)
	if jsonErr := enc.Encode(result); err != nil || jsonErr != nil || got.String() != tt.want+"\n" {
		t.Errorf("got %s, %v, %v, want %s", got.String(), err, jsonErr, tt.want)
	}
}

func TestSessionOperations(t *testing.T) {
	t.Parallel()
	var sent []string
	c := newClient(t, Options{
		Auth: AuthSession, Username: "anna", Password: secret.New("secret"), Version: "v",
		URL: serve(t, func(w http.ResponseWriter, r *http.Request) {
			body, err := io.ReadAll(r.Body)
			if err != nil {
				t.Error(err)
			}
			sent = append(sent, r.Method+" "+r.URL.Path+" "+string(body))
			if r.URL.Path == "/rest/auth/login" {
				respond(w, http.StatusOK, `{"sessionId":"s","username":"anna","accessToken":"t","logged":true}`)
				return
			}
			respond(w, http.StatusOK, `true`)
		}),
	})
	if valid, err := c.Session.ValidSession(t.Context()); valid || err != nil {
		t.Errorf("before the login: %t, %v", valid, err)
	}
	profile, err := c.Session.Login(t.Context())
	if got, _ := json.Marshal(profile); err != nil || string(got) != `{"username":"anna","logged":true}` {
		t.Errorf("Login = %s, %v", got, err)
	}
	if valid, err := c.Session.ValidSession(t.Context()); !valid || err != nil {
		t.Errorf("after the login: %t, %v", valid, err)
	}
	if done, err := c.Session.Logout(t.Context()); !done || err != nil {
		t.Errorf("Logout = %t, %v", done, err)
	}
	if _, err := c.Contacts.Contact(t.Context(), "7"); !errors.Is(err, ErrNoSession) {
		t.Errorf("after the logout: %v", err)
	}
	want := []string{
		`POST /rest/auth/login {"version":"v","username":"anna","password":"secret"}`,
		`GET /rest/auth/isValidSession `, `GET /rest/auth/logout `,
	}
	if d := cmp.Diff(want, sent); d != "" {
		t.Error(d)
	}
}

func TestAnswerOfText(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		body, want string
		fails      bool
	}{
		{body: `"a\u001bb"`, want: "a␛b"},
		{body: "\t a.b-1 \r\n", want: "a.b-1"},
		{body: "1763722.15", want: "1763722.15"},
		{body: "null"},
		{body: ""},
		{body: `""`},
		{body: `{"callId":"1"}`, fails: true},
		{body: `["1"]`, fails: true},
		{body: `"cut off`, fails: true},
		{body: "two\nlines", fails: true},
		{body: strings.Repeat("x", 300), fails: true},
	} {
		var got lineAnswer
		if err := got.decode([]byte(tt.body)); (err != nil) != tt.fails || string(got) != tt.want {
			t.Errorf("%q: %q, %v", tt.body, got, err)
		}
	}
}
