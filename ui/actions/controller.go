package actions

import (
	"context"

	"wallboard/model"
	"wallboard/model/resource"
)

// Controller acts on the platform for the viewer. A board without one can only
// look: a nil Controller is read-only and kiosk mode.
//
// The methods of its parts are safe for concurrent use and are called from commands, never
// from Update, but for Refusal, which returns at once. Every action reads its
// target anew before it acts, writes intent and outcome to the audit file, and
// returns when its outcome is known or no more can be found out; reading back
// after an unclear end may take half a minute, and so may a recording that begins
// once its call is connected. Errors are one sentence for a supervisor, clean and
// without secrets.
type Controller struct {
	Standing  Standing
	Calls     Calls
	Campaigns Campaigns
	Lists     Lists
	Runs      Runs
	Messages  Messages
	Tickets   Tickets
	Contacts  Contacts
}

// Standing tells what can be done now.
type Standing interface {
	// Refusal says why an action cannot be taken now ("" when it can): the
	// service is down, the login was refused, the profile has no permission,
	// the edition lacks the operation or its path is not configured.
	Refusal(v resource.Operation) string
	// State is one line about the service: address, edition, who is logged in,
	// or what is wrong; ok is false when nothing can be done through it.
	State() (text string, ok bool)
	// Insecure reports whether the service's certificate goes unverified.
	Insecure() bool
}

// Calls is about the calls of a user.
type Calls interface {
	CallsOf(ctx context.Context, username string) ([]resource.Call, error)
	Dial(ctx context.Context, d resource.Dial) resource.Report
	HangUp(ctx context.Context, h resource.HangUp) resource.Report
	StartRecording(ctx context.Context, r resource.Recording) resource.Report
	StopRecording(ctx context.Context, r resource.Recording) resource.Report
}

// Campaigns is about the campaigns of the dialer.
type Campaigns interface {
	Campaign(ctx context.Context, id int) (resource.Campaign, error)
	FindCampaigns(ctx context.Context, term string) (model.Found[resource.Campaign], error)
	StartCampaign(ctx context.Context, s resource.CampaignSwitch) resource.Report
	StopCampaign(ctx context.Context, s resource.CampaignSwitch) resource.Report
	// UpdateCampaign writes after over before; when the platform no longer has
	// before, it is Rejected with what changed.
	UpdateCampaign(ctx context.Context, before, after resource.Campaign, resetStats bool) resource.Report
	CreateCampaign(ctx context.Context, c resource.Campaign) resource.Report
}

// Lists is about the lists of the dialer and their items.
type Lists interface {
	FindLists(ctx context.Context, term string) (model.Found[resource.List], error)
	CreateList(ctx context.Context, l resource.List) resource.Report
	UpdateList(ctx context.Context, before, after resource.List) resource.Report
	AddItems(ctx context.Context, items []resource.Item) resource.Report
	DeleteItems(ctx context.Context, items []resource.Item, resetStats bool) resource.Report
	ResetItems(ctx context.Context) resource.Report
}

// Runs is about the multichannel runs of campaigns.
type Runs interface {
	Run(ctx context.Context, id int) (resource.Run, error)
	RunNamed(ctx context.Context, campaignID int, name string) (resource.Run, error)
	AddRun(ctx context.Context, r resource.Run) resource.Report
	EditRun(ctx context.Context, before, after resource.Run) resource.Report
}

// Messages is about text messages and chats.
type Messages interface {
	SendSMS(ctx context.Context, s resource.SMS) resource.Report
	Chat(ctx context.Context, session string) (model.Found[resource.ChatMessage], error)
}

// Tickets is about the support tickets, and the people of them.
type Tickets interface {
	FindTickets(ctx context.Context, q resource.TicketQuery) (model.Found[resource.Ticket], error)
	TicketAgents(ctx context.Context, q resource.PersonQuery) (model.Found[resource.Person], error)
	TicketCustomers(ctx context.Context, q resource.PersonQuery) (model.Found[resource.Person], error)
}

// Contacts is about the external address book.
type Contacts interface {
	Contact(ctx context.Context, id string) (resource.Contact, error)
	CreateContact(ctx context.Context, c resource.Contact) resource.Report
	UpdateContact(ctx context.Context, before, after resource.Contact) resource.Report
	DeleteContact(ctx context.Context, c resource.Contact) resource.Report
}
