package rest

import (
	"slices"
	"strings"
)

// supportTicket is a ticket with its articles and the fields by which tickets are searched.
type supportTicket struct {
	owner, customer, service, state, submitter, context string
	customFields                                        map[string]string
	articles                                            []object
}

// support holds the tickets, and the agents and customers of tickets.
type support struct {
	agents, customers []object
	tickets           []supportTicket
}

// listAgents serves GET /rest/support/ticket/agent/list.
func (s *support) listAgents(c *apiRequest) (any, error) {
	services := strings.FieldsFunc(c.query.Get("services"), func(r rune) bool { return r == ',' })
	return c.searchPersons(s.agents, func(p object) bool {
		codes, _ := p["serviceCodes"].([]string)
		return len(services) == 0 || slices.ContainsFunc(services, func(s string) bool { return slices.Contains(codes, s) })
	})
}

// listCustomers serves GET /rest/support/ticket/customer/list.
func (s *support) listCustomers(c *apiRequest) (any, error) {
	return c.searchPersons(s.customers, func(object) bool { return true })
}

// searchPersons returns the requested page of the persons whom matches accepts and whose
// display name, user name or e-mail address contains the searchKey. The query parameter index
// is the index of the page's first person, counted from 0.
func (c *apiRequest) searchPersons(all []object, matches func(object) bool) (any, error) {
	index, err := c.queryInteger("index", 0, 0, malformedError)
	if err != nil {
		return nil, err
	}
	size, err := c.queryInteger("size", 1, defaultPageSize, malformedError)
	if err != nil {
		return nil, err
	}
	key := strings.ToLower(c.query.Get("searchKey"))
	var found []object
	for _, p := range all {
		text := strings.ToLower(scalarText(p["displayName"]) + " " + scalarText(p["username"]) + " " + scalarText(p["email"]))
		if strings.Contains(text, key) && matches(p) {
			found = append(found, p)
		}
	}
	found = dropMissingRows(c, found)
	from, to := c.listOptions.rangeFrom(len(found), index, size)
	return newListAnswer(found, from, to), nil
}

// search serves POST /rest/support/ticket/search. The answer contains the articles of the
// tickets on the requested page.
func (s *support) search(c *apiRequest) (any, error) {
	doc, err := c.parseObject()
	if err != nil {
		return nil, err
	}
	f := fieldReader{object: doc}
	owners, customers, services, states := f.texts("ownerId"), f.texts("customerId"), f.texts("serviceCode"), f.texts("stateId")
	submitter, context, custom := f.text("submitterId"), f.text("context"), fieldReader{object: f.nestedObject("customFields")}
	number, size := f.integer("pageNumber", 1), f.integer("pageSize", defaultPageSize)
	matchesList := func(list []string, v string) bool { return len(list) == 0 || slices.Contains(list, v) }
	var found []supportTicket
	for _, t := range s.tickets {
		matches := matchesList(owners, t.owner) && matchesList(customers, t.customer) && matchesList(services, t.service) &&
			matchesList(states, t.state) && (submitter == "" || submitter == t.submitter) && (context == "" || context == t.context)
		for name := range custom.object {
			matches = matches && matchesList(custom.texts(name), t.customFields[name])
		}
		if matches {
			found = append(found, t)
		}
	}
	if f.err != nil {
		return nil, f.err
	}
	if custom.err != nil {
		return nil, custom.err
	}
	found = dropMissingRows(c, found)
	from, to := c.listOptions.pageRange(len(found), int(number), int(size))
	return ticketResult(found[from:to], len(found)), nil
}

// ticketResult returns the result of a ticket search. In the format of document 1 it is a list of
// the articles of all tickets; in the other list formats it has one row per ticket. total is the
// number of tickets found.
func ticketResult(tickets []supportTicket, total int) listAnswer {
	articles, ids, attachments, rows := []object{}, []any{}, []object{}, []object{}
	for _, t := range tickets {
		if len(t.articles) > 0 {
			rows = append(rows, object{"id": t.articles[0]["ticket_id"], "articles": t.articles, "article_count": len(t.articles)})
		}
		for _, a := range t.articles {
			articles, ids = append(articles, a), append(ids, a["id"])
			files, _ := a["attachments"].([]object)
			for _, file := range files {
				attachments = append(attachments, object{"name": file["filename"], "mimeType": file["mime-type"]})
			}
		}
	}
	result := object{
		"article_count": len(articles), "article_ids": ids, "articles": articles, "attachments": attachments,
		"ticket_total": total, // one of the fields that document 1 does not show
	}
	if len(articles) > 0 {
		result["article"] = articles[0]
	}
	return listAnswer{rows, total, result}
}
