package control

import (
	"context"
	"iter"

	"wallboard/model"
	"wallboard/model/resource"
	"wallboard/restclient"
)

// Tickets reads the support tickets and who they are about.
type Tickets struct {
	standing *Standing
	service  TicketService
}

// FindTickets returns the tickets that match: one page when the query asks for one,
// else all.
func (d *Tickets) FindTickets(ctx context.Context, q resource.TicketQuery) (model.Found[resource.Ticket], error) {
	t, err := search(ctx, q, q.PageNumber != nil || q.PageSize != nil, d.service.SearchTickets, d.service.AllTickets)
	return read(d.standing, "the tickets", t, err)
}

// TicketAgents returns the agents that match: one page when the query asks for
// one, else all.
func (d *Tickets) TicketAgents(ctx context.Context, q resource.PersonQuery) (model.Found[resource.Person], error) {
	people, err := search(ctx, q, q.Index != nil || q.Size != nil, d.service.TicketAgents, d.service.AllTicketAgents)
	return read(d.standing, "the agents", people, err)
}

// TicketCustomers returns the customers that match: one page when the query
// asks for one, else all.
func (d *Tickets) TicketCustomers(ctx context.Context, q resource.PersonQuery) (model.Found[resource.Person], error) {
	people, err := search(ctx, q, q.Index != nil || q.Size != nil, d.service.TicketCustomers, d.service.AllTicketCustomers)
	return read(d.standing, "the customers", people, err)
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
