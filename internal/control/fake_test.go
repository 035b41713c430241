package control

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"strconv"
	"strings"
	"sync"
	"testing"

	"wallboard/internal/control/audit"
	"wallboard/model"
	"wallboard/model/resource"
	"wallboard/restclient"
)

// fault is the fault of one request.
type fault struct {
	err  error
	took bool // the platform executed the request nevertheless
}

// lost returns a fault in which the answer is lost. took reports whether the request was executed.
func lost(took bool) fault {
	return fault{&restclient.Error{Outcome: resource.OutcomeUnknown, Err: io.ErrUnexpectedEOF}, took}
}

// away returns a fault in which the platform cannot be reached.
func away() fault {
	return fault{err: &restclient.Error{Outcome: resource.OutcomeNotSent, Err: errors.New("the platform's address refused the connection")}}
}

// says returns a fault with an answer with a status.
func says(status int, outcome resource.Outcome, condition error) fault {
	return fault{err: &restclient.Error{Status: status, Outcome: outcome, Err: condition}}
}

func rejects(status int, condition error) fault {
	return says(status, resource.OutcomeRejected, condition)
}

// missingThere returns the fault of an object that the platform does not know, with status 404 and the
// exception.
func missingThere() fault {
	return fault{err: &restclient.Error{
		Status: 404, Exception: "GenericObjectWasNotFoundException", Outcome: resource.OutcomeRejected, Err: restclient.ErrNotFound,
	}}
}

// platform is a scripted Service: it does what it is told unless a fault is due. It is also
// the audit log, so that the order is visible.
type platform struct {
	mu      sync.Mutex
	events  []string // executed requests and lines of the audit file, in order
	results []audit.Result
	intents []audit.Intent
	faults  map[string][]fault // by operation; each fault is used once
	mute    error              // error of the audit file
	hold    chan struct{}      // requests that change something wait until it is closed; nil: they do not wait

	calls     map[string][]resource.Call // by user
	campaigns []resource.Campaign
	lists     []resource.List
	runs      []resource.Run
	contacts  map[string]resource.Contact
	messages  []resource.MessageRecord // the messaging history
	sms       []resource.MessageRecord // added to the messaging history by the next text message
	no        bool                     // boolean operations return false
	added     json.RawMessage          // answer to added items
	silent    bool                     // a dial returns no call ID
	edition   restclient.Edition
	pathless  resource.Operation
	picture   *model.Snapshot
	dialled   int
	retries   int
}

func newPlatform(t *testing.T) *platform {
	t.Helper()
	return &platform{
		faults:    make(map[string][]fault),
		calls:     map[string][]resource.Call{"anna": {call(t, "c1", "")}},
		campaigns: []resource.Campaign{parse[resource.Campaign](t, `{"id":112,"name":"12"}`), parse[resource.Campaign](t, campaignJSON)},
		lists:     []resource.List{parse[resource.List](t, `{"id":3,"name":"Old customers","busyAttempts":2}`)},
		runs:      []resource.Run{parse[resource.Run](t, `{"id":5,"campaignId":12,"name":"June","number":"1"}`)},
		contacts:  map[string]resource.Contact{"k1": parse[resource.Contact](t, contactJSON)},
		edition:   restclient.Edition140,
	}
}

const (
	campaignJSON = `{"id":12,"name":"Spring","priority":5,"enabled":true,"unknown":[1]}`
	contactJSON  = `{"id":"k1","name":"Karl","surname":"Maier","note":"x"}`
)

func call(t *testing.T, id, file string) resource.Call {
	t.Helper()
	return parse[resource.Call](t, fmt.Sprintf(
		`{"uniqueId":%q,"recFileName":%q,"clid":"0711","dnis":"0800","service":"SALES"}`, id, file))
}

func parse[T any](t *testing.T, text string) (v T) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		t.Fatal(err)
	}
	return v
}

// Begin implements Audit.
func (p *platform) Begin(in audit.Intent) (func(audit.Result) error, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.mute != nil {
		return nil, p.mute
	}
	p.events = append(p.events, "intent "+in.Action)
	p.intents = append(p.intents, in)
	return func(r audit.Result) error {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.events = append(p.events, "outcome "+r.Outcome)
		p.results = append(p.results, r)
		return p.mute
	}, nil
}

// ask records a read request and returns its fault.
func (p *platform) ask(op string) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.next(op).err
}

func (p *platform) next(op string) fault {
	due := p.faults[op]
	if len(due) == 0 {
		return fault{took: true}
	}
	p.faults[op] = due[1:]
	return due[0]
}

// act executes do for a request that changes something, unless a fault prevents this.
func (p *platform) act(op string, do func()) (bool, error) {
	p.mu.Lock()
	hold := p.hold
	p.mu.Unlock()
	if hold != nil {
		<-hold
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.events = append(p.events, op)
	f := p.next(op)
	if f.took && do != nil {
		do()
	}
	return f.err == nil && !p.no, f.err
}

func (p *platform) HasPath(op resource.Operation) bool { return op != p.pathless }

func (p *platform) Edition(context.Context) (restclient.Edition, error) {
	return p.edition, p.ask("edition")
}

func (p *platform) Version(context.Context) (resource.Version, error) {
	return resource.Version{}, p.ask("version")
}

func (p *platform) ValidSession(context.Context) (bool, error) {
	err := p.ask("valid-session")
	return err == nil, err
}

func (p *platform) EnsureSession(context.Context) (resource.Profile, error) {
	return resource.Profile{Username: "boss", Name: "Sofia", Surname: "Lindqvist"}, p.ask("login")
}

func (p *platform) AllowRefusedCredentials() { p.retries++ }

func (p *platform) Dial(_ context.Context, d resource.Dial) (string, error) {
	id := "d" + strconv.Itoa(p.dialled+1)
	_, err := p.act("dial", func() {
		p.dialled++
		c := resource.Call{UniqueID: id, DNIS: "+39" + d.Number, CallData: d.CallData}
		p.calls[d.Username] = append(p.calls[d.Username], c)
	})
	if p.silent {
		id = ""
	}
	return id, err
}

func (p *platform) HangUp(_ context.Context, h resource.HangUp) (bool, error) {
	return p.act("hangup "+h.CallID+h.Username+h.Exten, func() {
		for user, calls := range p.calls {
			for i := range calls {
				if calls[i].UniqueID == h.CallID || h.CallID == "" && user == h.Username {
					p.calls[user] = append(calls[:i:i], calls[i+1:]...)
					return
				}
			}
		}
	})
}

func (p *platform) record(id, file string) func() {
	return func() {
		for _, calls := range p.calls {
			for i := range calls {
				if calls[i].UniqueID == id {
					calls[i].RecFileName = file
				}
			}
		}
	}
}

func (p *platform) StartRecording(_ context.Context, r resource.Recording) (string, error) {
	_, err := p.act("recording-start", p.record(r.CallID, "rec.wav"))
	return "rec.wav", err
}

func (p *platform) StopRecording(_ context.Context, r resource.Recording) (bool, error) {
	return p.act("recording-stop", p.record(r.CallID, ""))
}

func (p *platform) ServiceCalls(_ context.Context, user string, _ bool) ([]resource.Call, error) {
	err := p.ask("service-calls")
	p.mu.Lock()
	defer p.mu.Unlock()
	return append([]resource.Call(nil), p.calls[user]...), err
}

// each yields the items that match a term, or a fault.
func each[T any](p *platform, op, term string, all *[]T, id func(T) *int, name func(T) string) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		var none T
		if err := p.ask(op); err != nil {
			yield(none, err)
			return
		}
		p.mu.Lock()
		found := append([]T(nil), *all...)
		p.mu.Unlock()
		for _, v := range found {
			if (resource.IntText(id(v)) == term || strings.Contains(name(v), term)) && !yield(v, nil) {
				return
			}
		}
	}
}

func (p *platform) AllCampaigns(_ context.Context, t restclient.CampaignTerm) iter.Seq2[resource.Campaign, error] {
	return each(p, "campaign-search", t.Term, &p.campaigns,
		func(c resource.Campaign) *int { return c.ID }, func(c resource.Campaign) string { return c.Name })
}

func (p *platform) AllLists(_ context.Context, term string) iter.Seq2[resource.List, error] {
	return each(p, "list-search", term, &p.lists,
		func(l resource.List) *int { return l.ID }, func(l resource.List) string { return l.Name })
}

func (p *platform) CreateCampaign(_ context.Context, c resource.Campaign) (resource.Campaign, error) {
	id := 77
	c.ID = &id
	_, err := p.act("campaign-create", func() { p.campaigns = append(p.campaigns, c) })
	return c, err
}

func (p *platform) UpdateCampaign(_ context.Context, c resource.Campaign, _ *bool) (resource.Campaign, error) {
	_, err := p.act("campaign-update", func() { p.campaigns[1] = c })
	return c, err
}

func (p *platform) StartCampaign(_ context.Context, id int, reset *bool) (bool, error) {
	return p.act(fmt.Sprintf("campaign-start %d reset=%t", id, *reset), func() { p.picture = channels(4, 9) })
}

func (p *platform) StopCampaign(_ context.Context, id int, reset *bool) (bool, error) {
	return p.act(fmt.Sprintf("campaign-stop %d reset=%t", id, *reset), func() { p.picture = channels(0, 9) })
}

func (p *platform) CreateList(_ context.Context, l resource.List) (resource.List, error) {
	id := 78
	l.ID = &id
	_, err := p.act("list-create", func() { p.lists = append(p.lists, l) })
	return l, err
}

func (p *platform) UpdateList(_ context.Context, l resource.List) (resource.List, error) {
	_, err := p.act("list-update", func() { p.lists[0] = l })
	return l, err
}

func (p *platform) AddItems(context.Context, []resource.Item) (json.RawMessage, error) {
	_, err := p.act("items-add", nil)
	return p.added, err
}

func (p *platform) DeleteItems(_ context.Context, items []resource.Item, _ *bool) ([]resource.Item, error) {
	_, err := p.act("items-delete", nil)
	if p.no {
		return nil, err
	}
	return items[1:], err
}

func (p *platform) ResetItems(context.Context) (bool, error) { return p.act("items-reset", nil) }

func (p *platform) run(match func(resource.Run) bool) (resource.Run, error) {
	if err := p.ask("run"); err != nil {
		return resource.Run{}, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, r := range p.runs {
		if match(r) {
			return r, nil
		}
	}
	return resource.Run{}, missingThere().err
}

func (p *platform) Run(_ context.Context, id int, _ resource.Time) (resource.Run, error) {
	return p.run(func(r resource.Run) bool { return *r.ID == id })
}

func (p *platform) RunNamed(_ context.Context, campaign int, name string) (resource.Run, error) {
	return p.run(func(r resource.Run) bool { return *r.CampaignID == campaign && r.Name == name })
}

func (p *platform) AddRun(_ context.Context, r resource.Run) (resource.Run, error) {
	id := 79
	r.ID = &id
	_, err := p.act("run-add", func() { p.runs = append(p.runs, r) })
	return r, err
}

func (p *platform) EditRun(_ context.Context, r resource.Run) (resource.Run, error) {
	_, err := p.act("run-edit", func() { p.runs[0] = r })
	return r, err
}

func (p *platform) SendSMS(context.Context, resource.SMS) (bool, error) {
	return p.act("sms-send", func() { p.messages = append(p.messages, p.sms...) })
}

func (p *platform) AllMessages(context.Context, resource.MessageQuery) iter.Seq2[resource.MessageRecord, error] {
	return func(yield func(resource.MessageRecord, error) bool) {
		if err := p.ask("message-history"); err != nil {
			yield(resource.MessageRecord{}, err)
			return
		}
		p.mu.Lock()
		all := append([]resource.MessageRecord(nil), p.messages...)
		p.mu.Unlock()
		for _, m := range all {
			if !yield(m, nil) {
				return
			}
		}
	}
}

func (p *platform) SearchTickets(context.Context, resource.TicketQuery) (restclient.Result[resource.Ticket], error) {
	return restclient.Result[resource.Ticket]{}, p.ask("ticket-search")
}

func (p *platform) AllTickets(context.Context, resource.TicketQuery) iter.Seq2[resource.Ticket, error] {
	return func(yield func(resource.Ticket, error) bool) { yield(resource.Ticket{}, p.ask("ticket-search")) }
}

func (p *platform) TicketAgents(context.Context, resource.PersonQuery) (restclient.Result[resource.Person], error) {
	return restclient.Result[resource.Person]{Items: make([]resource.Person, 1)}, p.ask("ticket-agents")
}

func (p *platform) TicketCustomers(context.Context, resource.PersonQuery) (restclient.Result[resource.Person], error) {
	return restclient.Result[resource.Person]{Items: make([]resource.Person, 1)}, p.ask("ticket-customers")
}

func people(yield func(resource.Person, error) bool) {
	for range 2 {
		if !yield(resource.Person{}, nil) {
			return
		}
	}
}

func (p *platform) AllTicketAgents(context.Context, resource.PersonQuery) iter.Seq2[resource.Person, error] {
	return people
}

func (p *platform) AllTicketCustomers(context.Context, resource.PersonQuery) iter.Seq2[resource.Person, error] {
	return people
}

func (p *platform) ChatMessages(context.Context, string) iter.Seq2[resource.ChatMessage, error] {
	return func(yield func(resource.ChatMessage, error) bool) {
		yield(resource.ChatMessage{}, p.ask("chat-history"))
	}
}

func (p *platform) Contact(_ context.Context, id string) (resource.Contact, error) {
	if err := p.ask("contact"); err != nil {
		return resource.Contact{}, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	c, ok := p.contacts[id]
	if !ok {
		return c, missingThere().err
	}
	return c, nil
}

func (p *platform) CreateContact(_ context.Context, c resource.Contact) (resource.Contact, error) {
	_, err := p.act("contact-create", func() { p.contacts[c.ID] = c })
	return c, err
}

func (p *platform) UpdateContact(_ context.Context, c resource.Contact) (resource.Contact, error) {
	_, err := p.act("contact-update", func() { p.contacts[c.ID] = c })
	return c, err
}

func (p *platform) DeleteContact(_ context.Context, id string) (bool, error) {
	return p.act("contact-delete", func() { delete(p.contacts, id) })
}
