package restclient

import (
	"context"
	"iter"
	"net/url"

	"wallboard/model/resource"
)

// TicketAgents returns the agents of tickets that match (document 1, section
// SMS and support tickets).
func (c *Client) TicketAgents(ctx context.Context, p resource.PersonQuery) (Result[resource.Person], error) {
	return c.people(ctx, OpTicketAgents, p)
}

// TicketCustomers returns the customers of tickets that match; they have no
// Services.
func (c *Client) TicketCustomers(ctx context.Context, p resource.PersonQuery) (Result[resource.Person], error) {
	p.Services = ""
	return c.people(ctx, OpTicketCustomers, p)
}

// AllTicketAgents returns all agents that match; Index and Size are not used.
func (c *Client) AllTicketAgents(ctx context.Context, p resource.PersonQuery) iter.Seq2[resource.Person, error] {
	return c.allPeople(ctx, OpTicketAgents, p)
}

// AllTicketCustomers returns all customers that match; Index and Size are not
// used.
func (c *Client) AllTicketCustomers(ctx context.Context, p resource.PersonQuery) iter.Seq2[resource.Person, error] {
	p.Services = ""
	return c.allPeople(ctx, OpTicketCustomers, p)
}

func (c *Client) allPeople(ctx context.Context, op string, p resource.PersonQuery) iter.Seq2[resource.Person, error] {
	return whole(op, func(size int) (Result[resource.Person], error) {
		p.Index, p.Size = nil, &size
		return c.people(ctx, op, p)
	})
}

func (c *Client) people(ctx context.Context, op string, p resource.PersonQuery) (Result[resource.Person], error) {
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
	err := c.do(ctx, request{op: op, query: q, out: &found})
	return found, err
}

// SearchTickets returns the articles of tickets that match.
func (c *Client) SearchTickets(ctx context.Context, q resource.TicketQuery) (resource.Tickets, error) {
	ck := check{op: OpTicketSearch}
	ck.aboveZero("pageNumber", "the number of the page", q.PageNumber)
	ck.aboveZero("pageSize", "the size of the page", q.PageSize)
	if err := ck.err(); err != nil {
		return resource.Tickets{}, err
	}
	return get[resource.Tickets](ctx, c, request{op: OpTicketSearch, body: q})
}
