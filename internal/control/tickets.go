package control

import (
	"context"
	"iter"

	"wallboard/internal/words"
	"wallboard/model"
	"wallboard/model/resource"
	"wallboard/restclient"
)

// Tickets reads support tickets and their people.
type Tickets struct {
	status  *Status
	service TicketService
}

// FindTickets returns the tickets that match q: one page if q selects a page, otherwise all of
// them.
func (d *Tickets) FindTickets(ctx context.Context, q resource.TicketQuery) (model.Found[resource.Ticket], error) {
	t, err := search(ctx, q, q.PageNumber != nil || q.PageSize != nil, d.service.SearchTickets, d.service.AllTickets)
	return recordRead(d.status, words.ControlReadTickets, t, err)
}

// TicketAgents returns the agents that match q: one page if q selects a page, otherwise all of
// them.
func (d *Tickets) TicketAgents(ctx context.Context, q resource.PersonQuery) (model.Found[resource.Person], error) {
	people, err := search(ctx, q, q.Index != nil || q.Size != nil, d.service.TicketAgents, d.service.AllTicketAgents)
	return recordRead(d.status, words.ControlReadAgents, people, err)
}

// TicketCustomers returns the customers that match q: one page if q selects a page, otherwise all
// of them.
func (d *Tickets) TicketCustomers(ctx context.Context, q resource.PersonQuery) (model.Found[resource.Person], error) {
	people, err := search(ctx, q, q.Index != nil || q.Size != nil, d.service.TicketCustomers, d.service.AllTicketCustomers)
	return recordRead(d.status, words.ControlReadCustomers, people, err)
}

// search reads the results of q: one page if q selects a page, otherwise all of them.
func search[Q, T any](
	ctx context.Context, q Q, one bool,
	page func(context.Context, Q) (restclient.Result[T], error), all func(context.Context, Q) iter.Seq2[T, error],
) (model.Found[T], error) {
	if !one {
		return model.Collect(all(ctx, q))
	}
	found, err := page(ctx, q)
	return found.Found(), err
}
