package restclient

import (
	"context"
	"iter"
	"net/url"

	"wallboard/model/resource"
)

// Tickets are the support tickets and the people of them (document 1, section SMS
// and support tickets).
type Tickets struct{ session *Session }

// TicketAgents returns the agents of tickets that match (document 1, section
// SMS and support tickets).
func (c *Tickets) TicketAgents(ctx context.Context, p resource.PersonQuery) (Result[resource.Person], error) {
	return c.people(ctx, resource.OpTicketAgents, p)
}

// TicketCustomers returns the customers of tickets that match; they have no
// Services.
func (c *Tickets) TicketCustomers(ctx context.Context, p resource.PersonQuery) (Result[resource.Person], error) {
	p.Services = ""
	return c.people(ctx, resource.OpTicketCustomers, p)
}

// AllTicketAgents returns all agents that match; Index and Size are not used.
func (c *Tickets) AllTicketAgents(ctx context.Context, p resource.PersonQuery) iter.Seq2[resource.Person, error] {
	return c.allPeople(ctx, resource.OpTicketAgents, p)
}

// AllTicketCustomers returns all customers that match; Index and Size are not
// used.
func (c *Tickets) AllTicketCustomers(ctx context.Context, p resource.PersonQuery) iter.Seq2[resource.Person, error] {
	p.Services = ""
	return c.allPeople(ctx, resource.OpTicketCustomers, p)
}

func (c *Tickets) allPeople(ctx context.Context, op resource.Operation, q resource.PersonQuery) iter.Seq2[resource.Person, error] {
	p := people{fetch: func(index *int, size int) (Result[resource.Person], error) {
		q.Index, q.Size = index, sizeOf(size)
		return c.people(ctx, op, q)
	}}
	return pages(op, p.at)
}

func (c *Tickets) people(ctx context.Context, op resource.Operation, p resource.PersonQuery) (Result[resource.Person], error) {
	ck := check{op: op}
	ck.int32("index", "the index", p.Index)
	ck.int32("size", "the size of the page", p.Size)
	if err := ck.err(); err != nil {
		return Result[resource.Person]{}, err
	}
	q := url.Values{}
	setText(q, "searchKey", p.SearchKey)
	setInt(q, "index", p.Index)
	setInt(q, "size", p.Size)
	setText(q, "services", p.Services)
	var found Result[resource.Person]
	err := c.session.do(ctx, request{op: op, query: q, out: &found})
	return found, err
}

// SearchTickets returns the tickets that match, all or a page of them. An answer
// that holds the articles of several is one.
func (c *Tickets) SearchTickets(ctx context.Context, q resource.TicketQuery) (Result[resource.Ticket], error) {
	return c.searchTickets(ctx, q, false)
}

// AllTickets returns all tickets that match, page by page; PageNumber and
// PageSize are not used. Where the platform answers with the articles of
// several, each comes as one.
func (c *Tickets) AllTickets(ctx context.Context, q resource.TicketQuery) iter.Seq2[resource.Ticket, error] {
	return pages(resource.OpTicketSearch, func(at place) (Result[resource.Ticket], error) {
		q.PageNumber, q.PageSize = &at.number, sizeOf(at.size)
		return c.searchTickets(ctx, q, true)
	})
}

func (c *Tickets) searchTickets(ctx context.Context, q resource.TicketQuery, split bool) (Result[resource.Ticket], error) {
	ck := check{op: resource.OpTicketSearch}
	ck.aboveZero("pageNumber", "the number of the page", q.PageNumber)
	ck.aboveZero("pageSize", "the size of the page", q.PageSize)
	if err := ck.err(); err != nil {
		return Result[resource.Ticket]{}, err
	}
	found := ticketPage{split: split}
	err := c.session.do(ctx, request{op: resource.OpTicketSearch, body: q, out: &found})
	return found.Result, err
}
