package control

import (
	"context"
	"fmt"
	"iter"
	"slices"

	"wallboard/model"
	"wallboard/model/resource"
	"wallboard/restclient"
)

// readError says why something could not be read.
type readError struct {
	text string
	err  error
}

// Error returns one sentence, clean.
func (e *readError) Error() string { return e.text }

// Unwrap returns the client's error.
func (e *readError) Unwrap() error { return e.err }

// read returns what was read, or a sentence why it was not.
func read[T any](d *Desk, what string, v T, err error) (T, error) {
	d.heard("", err)
	if err != nil {
		return v, Explain(capital(what)+" cannot be read", err)
	}
	d.accepted()
	return v, nil
}

// Explain returns why something could not be done, as one sentence for a
// supervisor that begins with what, as "The templates cannot be read". It
// wraps err, which is the client's.
func Explain(what string, err error) error {
	return &readError{model.CleanText(what+": "+reason(err, nil)+".", model.MaxBody), err}
}

// calls reads the service calls of a user that are not over. A list may name
// ended ones, too, and of these none can be hung up or recorded.
func (d *Desk) calls(ctx context.Context, username string) ([]resource.Call, error) {
	all, err := d.o.Service.Calls.ServiceCalls(ctx, username, false)
	return slices.DeleteFunc(all, func(c resource.Call) bool { return !c.End.IsZero() }), err
}

// find returns the call with an id, nil for none.
func find(calls []resource.Call, id string) *resource.Call {
	if i := slices.IndexFunc(calls, func(c resource.Call) bool { return c.UniqueID == id }); i >= 0 {
		return &calls[i]
	}
	return nil
}

// Calls returns the service calls of a user.
func (d *Desk) Calls(ctx context.Context, username string) ([]resource.Call, error) {
	calls, err := d.o.Service.Calls.ServiceCalls(ctx, username, false)
	if err == nil {
		d.mu.Lock()
		d.listed[username] = calls
		d.mu.Unlock()
	}
	return read(d, "the calls of "+d.person(username), calls, err)
}

// wasListed reports whether a call was among a user's calls when they were read
// last to be shown.
func (d *Desk) wasListed(username, id string) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return find(d.listed[username], id) != nil
}

// Campaign returns the campaign with an id.
func (d *Desk) Campaign(ctx context.Context, id int) (resource.Campaign, error) {
	c, err := d.findCampaign(ctx, id)
	if err == nil && c == nil {
		err = missing(resource.OpCampaignSearch)
	}
	if c == nil {
		c = &resource.Campaign{}
	}
	return read(d, fmt.Sprint("campaign ", id), *c, err)
}

// missing is the error of a search that did not find what it was made for.
func missing(op resource.Operation) error {
	return &restclient.Error{Operation: op, Outcome: resource.Rejected, Err: restclient.ErrNotFound}
}

// Campaigns returns the campaigns whose id or name matches; "" matches all.
func (d *Desk) Campaigns(ctx context.Context, term string) (model.Found[resource.Campaign], error) {
	all, err := model.Collect(d.o.Service.Campaigns.AllCampaigns(ctx, restclient.CampaignTerm{Term: term}))
	return read(d, "the campaigns", all, err)
}

// Lists returns the lists whose id or name matches; "" matches all.
func (d *Desk) Lists(ctx context.Context, term string) (model.Found[resource.List], error) {
	all, err := model.Collect(d.o.Service.Lists.AllLists(ctx, term))
	return read(d, "the lists", all, err)
}

// Run returns the run with an id.
func (d *Desk) Run(ctx context.Context, id int) (resource.Run, error) {
	r, err := d.o.Service.Runs.Run(ctx, id, resource.Time{})
	return read(d, fmt.Sprint("run ", id), r, err)
}

// RunNamed returns a run by its campaign and its name.
func (d *Desk) RunNamed(ctx context.Context, campaignID int, name string) (resource.Run, error) {
	r, err := d.o.Service.Runs.RunNamed(ctx, campaignID, name)
	return read(d, fmt.Sprintf("run %s of campaign %d", name, campaignID), r, err)
}

// Tickets returns the tickets that match: one page when the query asks for one,
// else all.
func (d *Desk) Tickets(ctx context.Context, q resource.TicketQuery) (model.Found[resource.Ticket], error) {
	t, err := search(ctx, q, q.PageNumber != nil || q.PageSize != nil, d.o.Service.Tickets.SearchTickets, d.o.Service.Tickets.AllTickets)
	return read(d, "the tickets", t, err)
}

// TicketAgents returns the agents that match: one page when the query asks for
// one, else all.
func (d *Desk) TicketAgents(ctx context.Context, q resource.PersonQuery) (model.Found[resource.Person], error) {
	people, err := search(ctx, q, q.Index != nil || q.Size != nil, d.o.Service.Tickets.TicketAgents, d.o.Service.Tickets.AllTicketAgents)
	return read(d, "the agents", people, err)
}

// TicketCustomers returns the customers that match: one page when the query
// asks for one, else all.
func (d *Desk) TicketCustomers(ctx context.Context, q resource.PersonQuery) (model.Found[resource.Person], error) {
	people, err := search(ctx, q, q.Index != nil || q.Size != nil, d.o.Service.Tickets.TicketCustomers, d.o.Service.Tickets.AllTicketCustomers)
	return read(d, "the customers", people, err)
}

// search reads one page of what a query finds, or all of it.
func search[Q, T any](
	ctx context.Context, q Q, one bool,
	page func(context.Context, Q) (restclient.Result[T], error), all func(context.Context, Q) iter.Seq2[T, error],
) (model.Found[T], error) {
	if !one {
		return model.Collect(all(ctx, q)) //nolint:wrapcheck // read makes a sentence of it
	}
	found, err := page(ctx, q)
	return found.Found(), err
}

// Chat returns the messages of a chat session.
func (d *Desk) Chat(ctx context.Context, session string) (model.Found[resource.ChatMessage], error) {
	all, err := model.Collect(d.o.Service.Messages.ChatMessages(ctx, session))
	return read(d, "chat "+session, all, err)
}

// Contact returns a contact of the external address book.
func (d *Desk) Contact(ctx context.Context, id string) (resource.Contact, error) {
	c, err := d.o.Service.Contacts.Contact(ctx, id)
	return read(d, "contact "+id, c, err)
}
