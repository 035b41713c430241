package actions

import (
	"context"

	"wallboard/internal/words"
	"wallboard/model"
	"wallboard/model/resource"
)

// Controller acts on the platform. A board with a nil Controller is read-only.
//
// The methods of its fields are safe for concurrent use. The methods of [Availability] return
// immediately. All other methods may block, and are called only from commands. Every action reads
// its target again before it acts, and writes its intent and its outcome to the audit file. An
// action returns when its outcome is known or when it is clear that it cannot be determined.
// Resolving an unknown outcome may take half a minute. Starting a recording may take as long,
// because it waits until the call is connected. Error messages are sentences for the viewer and
// contain no secrets.
type Controller struct {
	Availability Availability
	Calls        Calls
	Campaigns    Campaigns
	Lists        Lists
	Runs         Runs
	Messages     Messages
	Tickets      Tickets
	Contacts     Contacts
}

// Availability reports which actions are possible.
type Availability interface {
	// Refusal returns the reason why the operation v is currently impossible, or the zero Text if it
	// is possible. Possible reasons: the service is down, the login was refused, the profile has no
	// permission, the edition lacks the operation, or the path of the operation is not configured.
	Refusal(v resource.Operation) words.Text
	// State describes the connection to the configuration service on one line: its address, edition
	// and user, or the error. ok is false if actions are impossible.
	State() (text words.Text, ok bool)
	// Insecure reports whether the certificate of the configuration service is not verified.
	Insecure() bool
}

// Calls reads the calls of a user and acts on them.
type Calls interface {
	CallsOf(ctx context.Context, username string) ([]resource.Call, error)
	Dial(ctx context.Context, d resource.Dial) words.ActionReport
	HangUp(ctx context.Context, h resource.HangUp) words.ActionReport
	StartRecording(ctx context.Context, r resource.Recording) words.ActionReport
	StopRecording(ctx context.Context, r resource.Recording) words.ActionReport
}

// Campaigns reads the campaigns of the dialer and acts on them.
type Campaigns interface {
	Campaign(ctx context.Context, id int) (resource.Campaign, error)
	FindCampaigns(ctx context.Context, term string) (model.FetchedList[resource.Campaign], error)
	StartCampaign(ctx context.Context, s resource.CampaignSwitch) words.ActionReport
	StopCampaign(ctx context.Context, s resource.CampaignSwitch) words.ActionReport
	// UpdateCampaign changes the campaign from before to after. If the campaign on the platform
	// differs from before, the outcome is OutcomeRejected and the report lists the differences.
	// resetStats also clears the statistics of the campaign and restarts it if it is running.
	UpdateCampaign(ctx context.Context, before, after resource.Campaign, resetStats bool) words.ActionReport
	CreateCampaign(ctx context.Context, c resource.Campaign) words.ActionReport
}

// Lists reads the lists of the dialer and their items, and acts on them.
type Lists interface {
	FindLists(ctx context.Context, term string) (model.FetchedList[resource.List], error)
	CreateList(ctx context.Context, l resource.List) words.ActionReport
	UpdateList(ctx context.Context, before, after resource.List) words.ActionReport
	AddItems(ctx context.Context, items []resource.Item) words.ActionReport
	DeleteItems(ctx context.Context, items []resource.Item, resetStats bool) words.ActionReport
	ResetItems(ctx context.Context) words.ActionReport
}

// Runs reads the multichannel runs of campaigns and acts on them.
type Runs interface {
	Run(ctx context.Context, id int) (resource.Run, error)
	RunNamed(ctx context.Context, campaignID int, name string) (resource.Run, error)
	AddRun(ctx context.Context, r resource.Run) words.ActionReport
	EditRun(ctx context.Context, before, after resource.Run) words.ActionReport
}

// Messages sends text messages and reads chats.
type Messages interface {
	SendSMS(ctx context.Context, s resource.SMS) words.ActionReport
	Chat(ctx context.Context, session string) (model.FetchedList[resource.ChatMessage], error)
}

// Tickets reads support tickets, and searches the agents and customers of tickets.
type Tickets interface {
	FindTickets(ctx context.Context, q resource.TicketQuery) (model.FetchedList[resource.Ticket], error)
	TicketAgents(ctx context.Context, q resource.PersonQuery) (model.FetchedList[resource.Person], error)
	TicketCustomers(ctx context.Context, q resource.PersonQuery) (model.FetchedList[resource.Person], error)
}

// Contacts reads and changes the contacts of the external address book.
type Contacts interface {
	Contact(ctx context.Context, id string) (resource.Contact, error)
	CreateContact(ctx context.Context, c resource.Contact) words.ActionReport
	UpdateContact(ctx context.Context, before, after resource.Contact) words.ActionReport
	DeleteContact(ctx context.Context, c resource.Contact) words.ActionReport
}
