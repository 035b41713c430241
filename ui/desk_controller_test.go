package ui

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"

	"wallboard/model"
	"wallboard/model/resource"
	"wallboard/ui/actions"
)

// platform is all parts of a controller in one interface.
type platform interface {
	actions.Availability
	actions.Calls
	actions.Campaigns
	actions.Lists
	actions.Runs
	actions.Messages
	actions.Tickets
	actions.Contacts
}

// controllerOf returns a controller for a platform.
func controllerOf(p platform) *actions.Controller {
	return &actions.Controller{Availability: p, Calls: p, Campaigns: p, Lists: p, Runs: p, Messages: p, Tickets: p, Contacts: p}
}

// deskController is a platform with one of each resource. It records its requests.
type deskController struct {
	platform // whatever the desk never asks for

	refused string
	failing error // of every reading
	short   *model.Incomplete
	report  resource.Report
	asked   []string // the readings
	did     []any    // the requests
	chat    string   // of every session; "": deskChat
	reset   []bool
}

func (c *deskController) Refusal(resource.Operation) string { return c.refused }
func (c *deskController) State() (string, bool)             { return "ready", true }
func (c *deskController) Insecure() bool                    { return false }

func (c *deskController) act(request any) resource.Report {
	c.did = append(c.did, request)
	return c.report
}

// answer decodes a resource as it comes over the wire.
func answer[T any](c *deskController, asked, wire string) (T, error) {
	c.asked = append(c.asked, asked)
	var v T
	if c.failing != nil {
		return v, c.failing
	}
	if err := json.Unmarshal([]byte(wire), &v); err != nil {
		return v, errors.New(err.Error())
	}
	return v, nil
}

// found returns an answer with several resources.
func found[T any](c *deskController, asked, wire string) (model.Found[T], error) {
	all, err := answer[[]T](c, asked, wire)
	return model.Found[T]{Items: all, Short: c.short}, err
}

const (
	deskContact = `{"id":"c-17","addressbookBackendId":"crm","name":"Anna","surname":"Rossi","company":"Acme","city":"Bolzano",
		"note":"prefers e-mail\nnever before noon","vip":true,"categories":["gold","north"],
		"customFields":[{"key":"CUSTOM_01","value":"since 2019"}],"emails":[{"type":"INTERNET_WORK","value":"anna@acme.example"}],
		"numbers":[{"type":"WORK","value":"+39 0471 1","since":2019},{"type":"FAX","value":"+39 0471 2"}],
		"webSites":[{"type":"WORK","value":"https://acme.example"}]}`
	deskLists = `[{"id":5,"name":"Spring","voicemailEnabled":false,"noAnswerAttempts":3,"noAnswerTimeout":600,"busyAttempts":2},
		{"id":51,"name":"Summer"}]`
	deskRun = `{"id":9,"campaignId":3,"listId":5,"name":"April","number":"+39 0471 9","template":"hello","runStatus":"DISABLE",
		"instantMessagingRunStatus":"DISABLE","startDate":"2026-04-01T08:00:00.000Z","endDate":"soon",
		"contacts":[{"id":"x1","value":"+39 333 1","itemContactType":"VENDOR4YOU","templateLanguage":"IT","itemNumber":1}]}`
	deskTickets = `{"article_count":3,"article_ids":[71,72,73],"articles":[
		{"id":71,"ticket_id":12,"from":"Ada Verdi <ada@example.org>","to":"help@acme.example","subject":"Invoice 2026/17 is wrong",
		"content_type":"text/html","created_at":"2026-03-02T09:15:00Z","sender":"Customer","type":"email",
		"body":"<p>Dear all,</p><p>the <b>total</b> is not the sum:</p><ul><li>1&nbsp;&times; 20</li><li>1 &times; 30</li></ul><script>steal()</script>",
		"attachments":[{"filename":"invoice.pdf","mime-type":"application/pdf","size":"20111"}]},
		{"id":72,"ticket_id":12,"created_by":"op1","internal":true,"content_type":"text/plain","created_at":"2026-03-02T10:00:00Z",
		"body":"\n\nCalled her back.\nShe is right."}],"attachments":[{"name":"scan.png","mimeType":"image/png"}]}`
	deskPeople = `[{"uid":"u1","displayName":"Rita Blu","username":"rita","email":"rita@acme.example","type":"USER","language":"IT",
		"serviceCodes":["sales","support"]},{"uid":"u2","name":"Ugo","surname":"Neri"}]`
	deskChat = `[{"sender":"CUSTOMER","customer":{"displayName":"Ada"},"message":"Hello?\nIs anybody there?","messageType":"TEXT",
		"channelType":"WIDGET","insertTime":"2026-03-02T09:15:00Z"},
		{"sender":"AGENT","agent":{"name":"Rita","surname":"Blu"},"message":"Yes. Please send me the invoice, all of its pages, and the letter that came with it.",
		"insertTime":"2026-03-02T09:15:30Z"},
		{"sender":"CUSTOMER","customer":{"displayName":"Ada"},"attachment":{"fileName":"invoice.pdf","mimeType":"application/pdf"},
		"insertTime":"2026-03-02T09:17:00Z"}]`
)

// Campaign and the two methods below serve the pages behind the dialogs.
func (c *deskController) Campaign(_ context.Context, id int) (resource.Campaign, error) {
	return answer[resource.Campaign](c, "campaign "+itoa(id), `{"name": "Summer"}`)
}

func (c *deskController) StartCampaign(_ context.Context, s resource.CampaignSwitch) resource.Report {
	return c.act(s)
}

func (c *deskController) StopCampaign(_ context.Context, s resource.CampaignSwitch) resource.Report {
	return c.act(s)
}

func (c *deskController) Contact(_ context.Context, id string) (resource.Contact, error) {
	return answer[resource.Contact](c, "contact "+id, deskContact)
}

func (c *deskController) FindLists(_ context.Context, term string) (model.Found[resource.List], error) {
	return found[resource.List](c, "lists "+term, deskLists)
}

func (c *deskController) Run(_ context.Context, id int) (resource.Run, error) {
	return answer[resource.Run](c, "run "+itoa(id), deskRun)
}

func (c *deskController) RunNamed(_ context.Context, campaign int, name string) (resource.Run, error) {
	return answer[resource.Run](c, "run "+itoa(campaign)+" "+name, deskRun)
}

func (c *deskController) FindTickets(_ context.Context, q resource.TicketQuery) (model.Found[resource.Ticket], error) {
	wire, err := json.Marshal(q)
	if err != nil {
		return model.Found[resource.Ticket]{}, errors.New(err.Error())
	}
	return found[resource.Ticket](c, "tickets "+string(wire), "["+deskTickets+"]")
}

func (c *deskController) TicketAgents(_ context.Context, q resource.PersonQuery) (model.Found[resource.Person], error) {
	return found[resource.Person](c, "agents "+q.SearchKey+" "+q.Services, deskPeople)
}

func (c *deskController) TicketCustomers(_ context.Context, q resource.PersonQuery) (model.Found[resource.Person], error) {
	return found[resource.Person](c, "customers "+q.SearchKey, `[]`)
}

func (c *deskController) Chat(_ context.Context, session string) (model.Found[resource.ChatMessage], error) {
	return found[resource.ChatMessage](c, "chat "+session, cmp.Or(c.chat, deskChat))
}

func (c *deskController) SendSMS(_ context.Context, s resource.SMS) resource.Report { return c.act(s) }

func (c *deskController) CreateContact(_ context.Context, v resource.Contact) resource.Report {
	return c.act(v)
}

func (c *deskController) UpdateContact(_ context.Context, before, after resource.Contact) resource.Report {
	return c.act(resource.Diff(before, after))
}

func (c *deskController) DeleteContact(_ context.Context, v resource.Contact) resource.Report {
	return c.act(v.ID)
}

func (c *deskController) CreateList(_ context.Context, v resource.List) resource.Report {
	return c.act(v)
}

func (c *deskController) UpdateList(_ context.Context, before, after resource.List) resource.Report {
	return c.act(resource.Diff(before, after))
}

func (c *deskController) AddItems(_ context.Context, v []resource.Item) resource.Report {
	return c.act(v)
}

func (c *deskController) DeleteItems(_ context.Context, v []resource.Item, reset bool) resource.Report {
	c.reset = append(c.reset, reset)
	return c.act(v)
}

func (c *deskController) ResetItems(context.Context) resource.Report { return c.act("reset") }

func (c *deskController) AddRun(_ context.Context, v resource.Run) resource.Report { return c.act(v) }

func (c *deskController) EditRun(_ context.Context, before, after resource.Run) resource.Report {
	return c.act(resource.Diff(before, after))
}
