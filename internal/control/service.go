package control

import (
	"context"
	"encoding/json"
	"iter"

	"wallboard/internal/control/audit"
	"wallboard/model/resource"
	"wallboard/restclient"
)

// Service is the part of the configuration REST service that an [ActionClient] uses, divided by subject.
// Package restclient documents the methods and their errors.
type Service struct {
	Session   SessionService
	Calls     CallService
	Campaigns CampaignService
	Lists     ListService
	Runs      RunService
	Messages  MessageService
	Tickets   TicketService
	Contacts  ContactService
}

// ServiceOf returns the service that client c accesses.
func ServiceOf(c *restclient.Client) Service {
	return Service{
		Session: c.Session, Calls: c.Calls, Campaigns: c.Campaigns, Lists: c.Lists, Runs: c.Runs,
		Messages: c.Messages, Tickets: c.Tickets, Contacts: c.Contacts,
	}
}

// isComplete reports whether no part is nil.
func (s Service) isComplete() bool {
	return s.Session != nil && s.Calls != nil && s.Campaigns != nil && s.Lists != nil && s.Runs != nil &&
		s.Messages != nil && s.Tickets != nil && s.Contacts != nil
}

// SessionService reads the version of the service and manages the session.
type SessionService interface {
	HasPath(op resource.Operation) bool
	Edition(ctx context.Context) (restclient.Edition, error)
	Version(ctx context.Context) (resource.Version, error)
	ValidSession(ctx context.Context) (bool, error)
	EnsureSession(ctx context.Context) (resource.Profile, error)
	AllowRefusedCredentials()
}

// CallService acts on the calls of users.
type CallService interface {
	Dial(ctx context.Context, d resource.Dial) (callID string, err error)
	HangUp(ctx context.Context, h resource.HangUp) (bool, error)
	StartRecording(ctx context.Context, r resource.Recording) (file string, err error)
	StopRecording(ctx context.Context, r resource.Recording) (bool, error)
	ServiceCalls(ctx context.Context, username string, onlyAnswered bool) ([]resource.Call, error)
}

// CampaignService acts on the campaigns of the dialer.
type CampaignService interface {
	AllCampaigns(ctx context.Context, t restclient.CampaignTerm) iter.Seq2[resource.Campaign, error]
	CreateCampaign(ctx context.Context, c resource.Campaign) (resource.Campaign, error)
	UpdateCampaign(ctx context.Context, c resource.Campaign, resetStats *bool) (resource.Campaign, error)
	StartCampaign(ctx context.Context, id int, resetStats *bool) (bool, error)
	StopCampaign(ctx context.Context, id int, resetStats *bool) (bool, error)
}

// ListService acts on the lists of the dialer and their items.
type ListService interface {
	AllLists(ctx context.Context, term string) iter.Seq2[resource.List, error]
	CreateList(ctx context.Context, l resource.List) (resource.List, error)
	UpdateList(ctx context.Context, l resource.List) (resource.List, error)
	AddItems(ctx context.Context, items []resource.Item) (json.RawMessage, error)
	DeleteItems(ctx context.Context, items []resource.Item, resetStats *bool) ([]resource.Item, error)
	ResetItems(ctx context.Context) (bool, error)
}

// RunService acts on the multichannel runs of campaigns.
type RunService interface {
	Run(ctx context.Context, id int, imEnd resource.Time) (resource.Run, error)
	RunNamed(ctx context.Context, campaignID int, name string) (resource.Run, error)
	AddRun(ctx context.Context, r resource.Run) (resource.Run, error)
	EditRun(ctx context.Context, r resource.Run) (resource.Run, error)
}

// MessageService sends text messages and reads their history and chats.
type MessageService interface {
	SendSMS(ctx context.Context, s resource.SMS) (bool, error)
	AllMessages(ctx context.Context, q resource.MessageQuery) iter.Seq2[resource.MessageRecord, error]
	ChatMessages(ctx context.Context, session string) iter.Seq2[resource.ChatMessage, error]
}

// TicketService reads support tickets and their people.
type TicketService interface {
	SearchTickets(ctx context.Context, q resource.TicketQuery) (restclient.Result[resource.Ticket], error)
	AllTickets(ctx context.Context, q resource.TicketQuery) iter.Seq2[resource.Ticket, error]
	TicketAgents(ctx context.Context, q resource.PersonQuery) (restclient.Result[resource.Person], error)
	TicketCustomers(ctx context.Context, q resource.PersonQuery) (restclient.Result[resource.Person], error)
	AllTicketAgents(ctx context.Context, q resource.PersonQuery) iter.Seq2[resource.Person, error]
	AllTicketCustomers(ctx context.Context, q resource.PersonQuery) iter.Seq2[resource.Person, error]
}

// ContactService acts on contacts of the external address book.
type ContactService interface {
	Contact(ctx context.Context, id string) (resource.Contact, error)
	CreateContact(ctx context.Context, c resource.Contact) (resource.Contact, error)
	UpdateContact(ctx context.Context, c resource.Contact) (resource.Contact, error)
	DeleteContact(ctx context.Context, id string) (bool, error)
}

// Audit records the intents and outcomes of actions. [audit.Log] implements it.
type Audit interface {
	Begin(in audit.Intent) (finish func(audit.Result) error, err error)
}
