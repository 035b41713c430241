package restclient

import (
	"context"
	"iter"
	"net/url"

	"wallboard/model/resource"
)

// Tickets accesses the support tickets and their people (document 1, section SMS and
// support tickets).
type Tickets struct{ session *Session }

// TicketAgents returns the ticket agents that match p (document 1, section SMS and support
// tickets).
func (t *Tickets) TicketAgents(ctx context.Context, p resource.PersonQuery) (Result[resource.Person], error) {
	return t.searchPeople(ctx, resource.OpTicketAgents, p)
}

// TicketCustomers returns the ticket customers that match p. It ignores p.Services.
func (t *Tickets) TicketCustomers(ctx context.Context, p resource.PersonQuery) (Result[resource.Person], error) {
	p.Services = ""
	return t.searchPeople(ctx, resource.OpTicketCustomers, p)
}

// AllTicketAgents returns all ticket agents that match p. It reads them page by page and
// ignores p.Index and p.Size.
func (t *Tickets) AllTicketAgents(ctx context.Context, p resource.PersonQuery) iter.Seq2[resource.Person, error] {
	return t.allPeople(ctx, resource.OpTicketAgents, p)
}

// AllTicketCustomers returns all ticket customers that match p. It reads them page by page and
// ignores p.Index, p.Size and p.Services.
func (t *Tickets) AllTicketCustomers(ctx context.Context, p resource.PersonQuery) iter.Seq2[resource.Person, error] {
	p.Services = ""
	return t.allPeople(ctx, resource.OpTicketCustomers, p)
}

func (t *Tickets) allPeople(ctx context.Context, op resource.Operation, q resource.PersonQuery) iter.Seq2[resource.Person, error] {
	p := personPages{fetch: func(index *int, size int) (Result[resource.Person], error) {
		q.Index, q.Size = index, sizePointer(size)
		return t.searchPeople(ctx, op, q)
	}}
	return allPages(op, p.fetchPage)
}

func (t *Tickets) searchPeople(ctx context.Context, op resource.Operation, p resource.PersonQuery) (Result[resource.Person], error) {
	ck := requestCheck{op: op}
	ck.checkInt32("index", "the index", p.Index)
	ck.checkInt32("size", "the size of the page", p.Size)
	if err := ck.err(); err != nil {
		return Result[resource.Person]{}, err
	}
	q := url.Values{}
	setText(q, "searchKey", p.SearchKey)
	setInt(q, "index", p.Index)
	setInt(q, "size", p.Size)
	setText(q, "services", p.Services)
	var found Result[resource.Person]
	err := t.session.send(ctx, request{op: op, query: q, decodeInto: &found})
	return found, err
}

// SearchTickets returns the tickets that match q: a page if q selects a page, otherwise all of
// them. If the answer consists of the articles of several tickets, SearchTickets returns it as
// a single [resource.Ticket].
func (t *Tickets) SearchTickets(ctx context.Context, q resource.TicketQuery) (Result[resource.Ticket], error) {
	return t.searchTickets(ctx, q, false)
}

// AllTickets returns all tickets that match q. It reads them page by page and ignores
// q.PageNumber and q.PageSize. If the platform answers with the articles of several tickets,
// AllTickets returns each article as a ticket.
func (t *Tickets) AllTickets(ctx context.Context, q resource.TicketQuery) iter.Seq2[resource.Ticket, error] {
	return allPages(resource.OpTicketSearch, func(at pagePosition) (Result[resource.Ticket], error) {
		q.PageNumber, q.PageSize = &at.number, sizePointer(at.size)
		return t.searchTickets(ctx, q, true)
	})
}

func (t *Tickets) searchTickets(ctx context.Context, q resource.TicketQuery, split bool) (Result[resource.Ticket], error) {
	ck := requestCheck{op: resource.OpTicketSearch}
	ck.checkAboveZero("pageNumber", "the number of the page", q.PageNumber)
	ck.checkAboveZero("pageSize", "the size of the page", q.PageSize)
	if err := ck.err(); err != nil {
		return Result[resource.Ticket]{}, err
	}
	found := ticketPage{splitArticles: split}
	err := t.session.send(ctx, request{op: resource.OpTicketSearch, body: q, decodeInto: &found})
	return found.Result, err
}
