package uitest

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"strconv"
	"strings"

	"wallboard/internal/words"
	"wallboard/model"
	"wallboard/model/resource"
	"wallboard/ui/actions"
)

// Platform combines the interfaces of all parts of an [actions.Controller].
type Platform interface {
	actions.Availability
	actions.Calls
	actions.Campaigns
	actions.Lists
	actions.Runs
	actions.Messages
	actions.Tickets
	actions.Contacts
}

// ControllerOf returns a controller whose parts are all p.
func ControllerOf(p Platform) *actions.Controller {
	return &actions.Controller{Availability: p, Calls: p, Campaigns: p, Lists: p, Runs: p, Messages: p, Tickets: p, Contacts: p}
}

// FakePlatform is a fake platform with fixed contacts, lists, runs, tickets and chats. It records
// the requests that it receives.
type FakePlatform struct {
	Platform // nil; provides the methods that no test calls

	Refused          string
	ReadError        error // error returned by all read requests
	IncompleteReason *model.Incomplete
	Report           words.ActionReport
	Requests         []string // the read requests
	Changes          []any    // the requests that change something
	ChatText         string   // messages of every chat as JSON; "": fakeChat
	ResetFlags       []bool
}

// Refusal implements [Platform].
func (c *FakePlatform) Refusal(resource.Operation) words.Text {
	if c.Refused == "" {
		return words.Text{}
	}
	return words.Name(c.Refused)
}

// State implements [Platform].
func (c *FakePlatform) State() (words.Text, bool) { return words.Name("ready"), true }

// Insecure implements [Platform].
func (c *FakePlatform) Insecure() bool { return false }

// Act records a request that changes something. It returns the report in the field Report.
func (c *FakePlatform) Act(request any) words.ActionReport {
	c.Changes = append(c.Changes, request)
	return c.Report
}

// decodeAnswer records a read request and returns the resource that is encoded in wire as JSON.
func decodeAnswer[T any](c *FakePlatform, asked, wire string) (T, error) {
	c.Requests = append(c.Requests, asked)
	var v T
	if c.ReadError != nil {
		return v, c.ReadError
	}
	if err := json.Unmarshal([]byte(wire), &v); err != nil {
		return v, errors.New(err.Error())
	}
	return v, nil
}

// decodeAnswers is like decodeAnswer, for a request that returns several resources.
func decodeAnswers[T any](c *FakePlatform, asked, wire string) (model.FetchedList[T], error) {
	all, err := decodeAnswer[[]T](c, asked, wire)
	return model.FetchedList[T]{Items: all, Short: c.IncompleteReason}, err
}

const (
	fakeContact = `{"id":"c-17","addressbookBackendId":"crm","name":"Anna","surname":"Rossi","company":"Acme","city":"Bolzano",
		"note":"prefers e-mail\nnever before noon","vip":true,"categories":["gold","north"],
		"customFields":[{"key":"CUSTOM_01","value":"since 2019"}],"emails":[{"type":"INTERNET_WORK","value":"anna@acme.example"}],
		"numbers":[{"type":"WORK","value":"+39 0471 1","since":2019},{"type":"FAX","value":"+39 0471 2"}],
		"webSites":[{"type":"WORK","value":"https://acme.example"}]}`
	fakeLists = `[{"id":5,"name":"Spring","voicemailEnabled":false,"noAnswerAttempts":3,"noAnswerTimeout":600,"busyAttempts":2},
		{"id":51,"name":"Summer"}]`
	fakeRun = `{"id":9,"campaignId":3,"listId":5,"name":"April","number":"+39 0471 9","template":"hello","runStatus":"DISABLE",
		"instantMessagingRunStatus":"DISABLE","startDate":"2026-04-01T08:00:00.000Z","endDate":"soon",
		"contacts":[{"id":"x1","value":"+39 333 1","itemContactType":"VENDOR4YOU","templateLanguage":"IT","itemNumber":1}]}`
	fakeTickets = `{"article_count":3,"article_ids":[71,72,73],"articles":[
		{"id":71,"ticket_id":12,"from":"Ada Verdi <ada@example.org>","to":"help@acme.example","subject":"Invoice 2026/17 is wrong",
		"content_type":"text/html","created_at":"2026-03-02T09:15:00Z","sender":"Customer","type":"email",
		"body":"<p>Dear all,</p><p>the <b>total</b> is not the sum:</p><ul><li>1&nbsp;&times; 20</li><li>1 &times; 30</li></ul><script>steal()</script>",
		"attachments":[{"filename":"invoice.pdf","mime-type":"application/pdf","size":"20111"}]},
		{"id":72,"ticket_id":12,"created_by":"op1","internal":true,"content_type":"text/plain","created_at":"2026-03-02T10:00:00Z",
		"body":"\n\nCalled her back.\nShe is right."}],"attachments":[{"name":"scan.png","mimeType":"image/png"}]}`
	fakePeople = `[{"uid":"u1","displayName":"Rita Blu","username":"rita","email":"rita@acme.example","type":"USER","language":"IT",
		"serviceCodes":["sales","support"]},{"uid":"u2","name":"Ugo","surname":"Neri"}]`
	fakeChat = `[{"sender":"CUSTOMER","customer":{"displayName":"Ada"},"message":"Hello?\nIs anybody there?","messageType":"TEXT",
		"channelType":"WIDGET","insertTime":"2026-03-02T09:15:00Z"},
		{"sender":"AGENT","agent":{"name":"Rita","surname":"Blu"},"message":"Yes. Please send me the invoice, all of its pages, and the letter that came with it.",
		"insertTime":"2026-03-02T09:15:30Z"},
		{"sender":"CUSTOMER","customer":{"displayName":"Ada"},"attachment":{"fileName":"invoice.pdf","mimeType":"application/pdf"},
		"insertTime":"2026-03-02T09:17:00Z"}]`
)

// Campaign implements [Platform].
func (c *FakePlatform) Campaign(_ context.Context, id int) (resource.Campaign, error) {
	return decodeAnswer[resource.Campaign](c, "campaign "+strconv.Itoa(id), `{"name": "Summer"}`)
}

// StartCampaign implements [Platform].
func (c *FakePlatform) StartCampaign(_ context.Context, s resource.CampaignSwitch) words.ActionReport {
	return c.Act(s)
}

// StopCampaign implements [Platform].
func (c *FakePlatform) StopCampaign(_ context.Context, s resource.CampaignSwitch) words.ActionReport {
	return c.Act(s)
}

// Contact implements [Platform].
func (c *FakePlatform) Contact(_ context.Context, id string) (resource.Contact, error) {
	return decodeAnswer[resource.Contact](c, "contact "+id, fakeContact)
}

// FindLists implements [Platform].
func (c *FakePlatform) FindLists(_ context.Context, term string) (model.FetchedList[resource.List], error) {
	return decodeAnswers[resource.List](c, "lists "+term, fakeLists)
}

// Run implements [Platform].
func (c *FakePlatform) Run(_ context.Context, id int) (resource.Run, error) {
	return decodeAnswer[resource.Run](c, "run "+strconv.Itoa(id), fakeRun)
}

// RunNamed implements [Platform].
func (c *FakePlatform) RunNamed(_ context.Context, campaign int, name string) (resource.Run, error) {
	return decodeAnswer[resource.Run](c, "run "+strconv.Itoa(campaign)+" "+name, fakeRun)
}

// FindTickets implements [Platform].
func (c *FakePlatform) FindTickets(_ context.Context, q resource.TicketQuery) (model.FetchedList[resource.Ticket], error) {
	wire, err := json.Marshal(q)
	if err != nil {
		return model.FetchedList[resource.Ticket]{}, errors.New(err.Error())
	}
	return decodeAnswers[resource.Ticket](c, "tickets "+string(wire), "["+fakeTickets+"]")
}

// TicketAgents implements [Platform].
func (c *FakePlatform) TicketAgents(_ context.Context, q resource.PersonQuery) (model.FetchedList[resource.Person], error) {
	return decodeAnswers[resource.Person](c, "agents "+q.SearchKey+" "+q.Services, fakePeople)
}

// TicketCustomers implements [Platform].
func (c *FakePlatform) TicketCustomers(_ context.Context, q resource.PersonQuery) (model.FetchedList[resource.Person], error) {
	return decodeAnswers[resource.Person](c, "customers "+q.SearchKey, `[]`)
}

// Chat implements [Platform].
func (c *FakePlatform) Chat(_ context.Context, session string) (model.FetchedList[resource.ChatMessage], error) {
	return decodeAnswers[resource.ChatMessage](c, "chat "+session, cmp.Or(c.ChatText, fakeChat))
}

// SendSMS implements [Platform].
func (c *FakePlatform) SendSMS(_ context.Context, s resource.SMS) words.ActionReport { return c.Act(s) }

// CreateContact implements [Platform].
func (c *FakePlatform) CreateContact(_ context.Context, v resource.Contact) words.ActionReport {
	return c.Act(v)
}

// UpdateContact implements [Platform].
func (c *FakePlatform) UpdateContact(_ context.Context, before, after resource.Contact) words.ActionReport {
	return c.Act(resource.Diff(before, after))
}

// DeleteContact implements [Platform].
func (c *FakePlatform) DeleteContact(_ context.Context, v resource.Contact) words.ActionReport {
	return c.Act(v.ID)
}

// CreateList implements [Platform].
func (c *FakePlatform) CreateList(_ context.Context, v resource.List) words.ActionReport {
	return c.Act(v)
}

// UpdateList implements [Platform].
func (c *FakePlatform) UpdateList(_ context.Context, before, after resource.List) words.ActionReport {
	return c.Act(resource.Diff(before, after))
}

// AddItems implements [Platform].
func (c *FakePlatform) AddItems(_ context.Context, v []resource.Item) words.ActionReport {
	return c.Act(v)
}

// DeleteItems implements [Platform].
func (c *FakePlatform) DeleteItems(_ context.Context, v []resource.Item, reset bool) words.ActionReport {
	c.ResetFlags = append(c.ResetFlags, reset)
	return c.Act(v)
}

// ResetItems implements [Platform].
func (c *FakePlatform) ResetItems(context.Context) words.ActionReport { return c.Act("reset") }

// AddRun implements [Platform].
func (c *FakePlatform) AddRun(_ context.Context, v resource.Run) words.ActionReport { return c.Act(v) }

// EditRun implements [Platform].
func (c *FakePlatform) EditRun(_ context.Context, before, after resource.Run) words.ActionReport {
	return c.Act(resource.Diff(before, after))
}

// Controller is a [FakePlatform] that also has agents' calls, and campaigns that can be changed.
type Controller struct {
	*FakePlatform

	CallsText  string // calls of every agent as JSON
	Problem    string // why no action is possible; "": actions are possible
	IsInsecure bool
}

// NewController returns a controller on which every change has the result r. Every agent has one
// call.
func NewController(r words.ActionReport) *Controller {
	return &Controller{FakePlatform: &FakePlatform{Report: r}, CallsText: OneCallJSON}
}

// OneCallJSON and TwoCallsJSON are calls of an agent as JSON. floorCampaign is a campaign as JSON.
const (
	OneCallJSON = `[{"uniqueId":"call-1","clid":"+39 0471 555","dnis":"800 100","service":"SRV01","skillset":"GRP1",
		"start":"2026-03-02T10:41:00Z","answer":"2026-03-02T10:41:12Z","callData":"order 4711","callInfo":{"ivr":"2"}}]`
	TwoCallsJSON = `[{"uniqueId":"call-1","clid":"+39 0471 555","dnis":"800 100","service":"SRV01",
		"start":"2026-03-02T10:41:00Z","answer":"2026-03-02T10:41:12Z","recFileName":"rec-1.wav"},
		{"uniqueId":"call-2","clid":"+39 02 777","dnis":"800 200","service":"SRV02","start":"2026-03-02T10:42:00Z"}]`
	floorCampaign = `{"id":7002,"name":"Survey","serviceCode":"SRV03","enabled":true,"priority":5,"reservedChannels":4,
		"busyChannels":30,"busyChannelsType":"PRESENT","startDate":"2026-03-01T08:00:00.123Z","secret":"kept",
		"lists":[{"listId":5,"enabled":true,"priority":1},{"listId":51,"enabled":false,"priority":2}]}`
)

// State implements [Platform].
func (c *Controller) State() (words.Text, bool) { return words.Name(c.Problem), c.Problem == "" }

// Insecure implements [Platform].
func (c *Controller) Insecure() bool { return c.IsInsecure }

// CallsOf implements [Platform].
func (c *Controller) CallsOf(_ context.Context, username string) ([]resource.Call, error) {
	return decodeAnswer[[]resource.Call](c.FakePlatform, "calls "+username, c.CallsText)
}

// Dial implements [Platform].
func (c *Controller) Dial(_ context.Context, d resource.Dial) words.ActionReport { return c.Act(d) }

// HangUp implements [Platform].
func (c *Controller) HangUp(_ context.Context, h resource.HangUp) words.ActionReport {
	return c.Act(h)
}

// StartRecording implements [Platform].
func (c *Controller) StartRecording(_ context.Context, r resource.Recording) words.ActionReport {
	return c.Act(r)
}

// StopRecording implements [Platform].
func (c *Controller) StopRecording(_ context.Context, r resource.Recording) words.ActionReport {
	return c.Act("stop " + r.CallID)
}

// Campaign implements [Platform].
func (c *Controller) Campaign(_ context.Context, id int) (resource.Campaign, error) {
	return decodeAnswer[resource.Campaign](c.FakePlatform, "campaign "+strconv.Itoa(id), floorCampaign)
}

// StartCampaign implements [Platform].
func (c *Controller) StartCampaign(_ context.Context, s resource.CampaignSwitch) words.ActionReport {
	return c.Act(s)
}

// StopCampaign implements [Platform].
func (c *Controller) StopCampaign(_ context.Context, s resource.CampaignSwitch) words.ActionReport {
	return c.Act(s)
}

// UpdateCampaign implements [Platform].
func (c *Controller) UpdateCampaign(_ context.Context, before, after resource.Campaign, reset bool) words.ActionReport {
	c.ResetFlags = append(c.ResetFlags, reset)
	wire, err := json.Marshal(after)
	if err != nil || !strings.Contains(string(wire), `"secret":"kept"`) {
		return words.ActionReport{Text: words.Name("what the board does not know got lost")}
	}
	return c.Act(resource.Diff(before, after))
}

// CreateCampaign implements [Platform].
func (c *Controller) CreateCampaign(_ context.Context, v resource.Campaign) words.ActionReport {
	return c.Act(v)
}
