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
func (d *Tickets) FindTickets(ctx context.Context, q resource.TicketQuery) (model.FetchedList[resource.Ticket], error) {
	t, err := searchAll(ctx, q, q.PageNumber != nil || q.PageSize != nil, d.service.SearchTickets, d.service.AllTickets)
	return recordRead(d.status, words.ControlReadTickets, t, err)
}

// TicketAgents returns the agents that match q: one page if q selects a page, otherwise all of
// them.
func (d *Tickets) TicketAgents(ctx context.Context, q resource.PersonQuery) (model.FetchedList[resource.Person], error) {
	people, err := searchAll(ctx, q, q.Index != nil || q.Size != nil, d.service.TicketAgents, d.service.AllTicketAgents)
	return recordRead(d.status, words.ControlReadAgents, people, err)
}

// TicketCustomers returns the customers that match q: one page if q selects a page, otherwise all
// of them.
func (d *Tickets) TicketCustomers(ctx context.Context, q resource.PersonQuery) (model.FetchedList[resource.Person], error) {
	people, err := searchAll(ctx, q, q.Index != nil || q.Size != nil, d.service.TicketCustomers, d.service.AllTicketCustomers)
	return recordRead(d.status, words.ControlReadCustomers, people, err)
}

// searchAll reads the results of q: one page if q selects a page, otherwise all of them.
func searchAll[Q, T any](
	ctx context.Context, q Q, one bool,
	page func(context.Context, Q) (restclient.Result[T], error), all func(context.Context, Q) iter.Seq2[T, error],
) (model.FetchedList[T], error) {
	if !one {
		return model.Collect(all(ctx, q))
	}
	found, err := page(ctx, q)
	return found.FetchedList(), err
}
