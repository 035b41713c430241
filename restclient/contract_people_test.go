package restclient_test

import (
	"context"
	"net/http"
	"strings"
	"testing"

	"wallboard/model/resource"
	"wallboard/restclient"
)

// newContact adds a contact to the address book.
func newContact(t *testing.T, p *platform) {
	t.Helper()
	contact, err := p.operator.Contacts.CreateContact(t.Context(), resource.Contact{Name: "Old"})
	if err != nil {
		t.Fatal(err)
	}
	p.id = contact.ID
}

func contactRows() []row {
	create := func(contact resource.Contact) func(context.Context, caller) (any, error) {
		return func(ctx context.Context, c caller) (any, error) { return c.Contacts.CreateContact(ctx, contact) }
	}
	update := func(contact resource.Contact) func(context.Context, caller) (any, error) {
		return func(ctx context.Context, c caller) (any, error) { return c.Contacts.UpdateContact(ctx, contact) }
	}
	long := strings.Repeat("a", 3000)
	rows := []row{
		{
			op: resource.OpContactCreate, effects: 1,
			call: create(resource.Contact{
				Name: "Ada <&>", Cap: "20100", Note: "a\nb", VIP: is(false), Categories: []string{"PARTNER"},
				CustomFields: []resource.KeyValue{{Key: "CUSTOM_01", Value: "7"}}, Emails: []resource.TypedValue{{Type: "INTERNET_WORK", Value: "a@example.com"}},
				Numbers: []resource.TypedValue{{Type: "FAX", Value: "0612"}}, WebSites: []resource.TypedValue{{Type: "WORK", Value: "https://example.com"}},
			}),
			body: `{"name":"Ada <&>","cap":"20100","note":"a\nb","vip":false,"categories":["PARTNER"],"customFields":[{"key":"CUSTOM_01","value":"7"}],` +
				`"emails":[{"type":"INTERNET_WORK","value":"a@example.com"}],"numbers":[{"type":"FAX","value":"0612"}],"webSites":[{"type":"WORK","value":"https://example.com"}]}`,
			want: `{"addressbookBackendId":"external","name":"Ada <&>","note":"a\nb","vip":false,"numbers":[{"type":"FAX","value":"0612"}]}`,
		},
		{
			op: resource.OpContactUpdate, arrange: newContact, effects: 1, body: `{"id":"{id}","surname":"New"}`, want: `{"id":"{id}","surname":"New"}`,
			call: func(ctx context.Context, c caller) (any, error) {
				return c.Contacts.UpdateContact(ctx, resource.Contact{ID: c.p.id, Surname: "New"})
			},
		},
		{
			op: resource.OpContactDelete, arrange: newContact, effects: 1, path: []string{"{id}"}, want: `true`,
			call: func(ctx context.Context, c caller) (any, error) { return c.Contacts.DeleteContact(ctx, c.p.id) },
		},
		{
			op: resource.OpContact, path: []string{"10001"}, want: `{"id":"10001","addressbookBackendId":"external","customFields":[{"key":"CUSTOM_01"}]}`,
			call: func(ctx context.Context, c caller) (any, error) { return c.Contacts.Contact(ctx, "10001") },
		},
		{op: resource.OpContactCreate, name: "empty", call: create(resource.Contact{City: "Roma"}), body: `{"city":"Roma"}`, status: http.StatusPreconditionFailed},
		{
			op: resource.OpContactCreate, name: "too large", call: create(resource.Contact{Name: long}), body: `{"name":"` + long + `"}`,
			status: http.StatusPreconditionFailed,
		},
		{
			op: resource.OpContactUpdate, name: "empty", call: update(resource.Contact{ID: "10002"}), body: `{"id":"10002"}`,
			status: http.StatusPreconditionFailed,
		},
		{op: resource.OpContactUpdate, call: update(resource.Contact{ID: "1", Name: "Ada"}), body: `{"id":"1","name":"Ada"}`, status: http.StatusNotFound},
	}
	for _, op := range []resource.Operation{resource.OpContact, resource.OpContactDelete} {
		exception := required
		call := func(ctx context.Context, c caller, id string) (any, error) { return c.Contacts.Contact(ctx, id) }
		if op == resource.OpContactDelete {
			exception = "" // like other changes of the address book
			call = func(ctx context.Context, c caller, id string) (any, error) { return c.Contacts.DeleteContact(ctx, id) }
		}
		rows = append(rows, row{
			op: op, path: []string{"a%2Fb%20%3Fc%25"}, status: http.StatusNotFound,
			call: func(ctx context.Context, c caller) (any, error) { return call(ctx, c, "a/b ?c%") },
		}, row{
			op: op, path: []string{"1"}, arrange: refuses(http.StatusPreconditionFailed, exception), status: http.StatusPreconditionFailed, exception: exception,
			call: func(ctx context.Context, c caller) (any, error) { return call(ctx, c, "1") },
		})
	}
	return failing(rows)
}

// failing sets the expected error and outcome of rows by their status.
func failing(rows []row) []row {
	for i := range rows {
		r := &rows[i]
		switch r.status {
		case http.StatusNotFound:
			r.exception, r.is = notFound, restclient.ErrNotFound
		case http.StatusNotAcceptable:
			r.exception, r.is = invalid, restclient.ErrInvalidArgument
		case http.StatusConflict:
			r.exception, r.is = exists, restclient.ErrExists
		case http.StatusPreconditionFailed:
			r.is = restclient.ErrPreconditionFailed
		case statusNotAllowed:
			r.exception, r.is = notAllowed, restclient.ErrNotAllowed
		default:
			continue
		}
		r.outcome = resource.OutcomeRejected
	}
	return rows
}

// channelRows lists the operations of chats, SMS and tickets.
func channelRows() []row {
	chat := func(id string, page restclient.Page) func(context.Context, caller) (any, error) {
		return func(ctx context.Context, c caller) (any, error) {
			found, err := c.Messages.ChatHistory(ctx, id, page)
			return found, err
		}
	}
	sms := func(s resource.SMS) func(context.Context, caller) (any, error) {
		return func(ctx context.Context, c caller) (any, error) { return c.Messages.SendSMS(ctx, s) }
	}
	return failing([]row{
		{
			op: resource.OpChatHistory, call: chat("chat-2001", restclient.Page{Number: 2, Size: 1}), path: []string{"chat-2001"}, query: "pageNumber=2&pageSize=1",
			want: `{"Total":230,"Items":[{"id":"chat-2001-2","message":"My router has been blinking red since yesterday.","sender":"CUSTOMER","channelType":"WIDGET"}]}`,
		},
		{
			op: resource.OpChatHistory, name: "beyond the end", call: chat("chat-2001", restclient.Page{Number: 47, Size: 5}), path: []string{"chat-2001"},
			query: "pageNumber=47&pageSize=5", want: `{"Total":230,"Items":[]}`,
		},
		{op: resource.OpChatHistory, call: chat("no/chat", restclient.Page{}), path: []string{"no%2Fchat"}, status: http.StatusNotFound},
		{
			op: resource.OpChatHistory, call: chat("chat-2001", restclient.Page{}), path: []string{"chat-2001"},
			arrange: refuses(http.StatusPreconditionFailed, required), status: http.StatusPreconditionFailed, exception: required,
		},

		{
			op: resource.OpSMSSend, call: sms(resource.SMS{AccountID: is(2), Message: "a\n\"b\"", PhoneNumber: "+39 0612", Username: "supervisor"}),
			body: `{"accountId":2,"message":"a\n\"b\"","phoneNumber":"+39 0612","username":"supervisor"}`, want: `true`, effects: 1,
		},
		{
			op: resource.OpSMSSend, name: "no such user", call: sms(resource.SMS{Message: "a", PhoneNumber: "0612", Username: "nobody"}),
			body: `{"message":"a","phoneNumber":"0612","username":"nobody"}`, status: http.StatusNotFound,
		},
		{
			op: resource.OpSMSSend, name: "no such account", call: sms(resource.SMS{AccountID: is(9), Message: "a", PhoneNumber: "0612"}),
			body: `{"accountId":9,"message":"a","phoneNumber":"0612"}`, status: http.StatusNotFound,
		},
		{
			op: resource.OpSMSSend, call: sms(resource.SMS{Message: "a", PhoneNumber: "0612"}), body: `{"message":"a","phoneNumber":"0612"}`,
			arrange: refuses(http.StatusPreconditionFailed, required), status: http.StatusPreconditionFailed, exception: required,
		},
		{
			op: resource.OpSMSSend, as: "trainee", call: sms(resource.SMS{Message: "a", PhoneNumber: "0612"}),
			body: `{"message":"a","phoneNumber":"0612"}`, status: statusNotAllowed,
		},

		{
			op: resource.OpTicketAgents, query: "index=0&searchKey={agent}&services=SRV01%2CSRV02&size=5", want: `{"Total":1,"Items":[{"username":"{agent}","type":"USER"}]}`,
			call: func(ctx context.Context, c caller) (any, error) {
				return c.Tickets.TicketAgents(ctx, resource.PersonQuery{SearchKey: c.p.agent, Index: is(0), Size: is(5), Services: "SRV01,SRV02"})
			},
		},
		{
			op: resource.OpTicketCustomers, query: "index=47&searchKey=example.com&size=10", want: `{"Total":48,"Items":[{"uid":"10047"}]}`,
			call: func(ctx context.Context, c caller) (any, error) {
				return c.Tickets.TicketCustomers(ctx, resource.PersonQuery{SearchKey: "example.com", Index: is(47), Size: is(10), Services: "agents only"})
			},
		},
		{
			op: resource.OpTicketSearch, want: `{"Items":null}`,
			body: `{"context":"IVR","customFields":{"region":["east"]},"customerId":["1"],"ownerId":["2"],"serviceCode":["SRV09"],"stateId":["3"],` +
				`"submitterId":"4","pageNumber":1,"pageSize":5}`,
			call: func(ctx context.Context, c caller) (any, error) {
				return c.Tickets.SearchTickets(ctx, resource.TicketQuery{
					Context: "IVR", CustomFields: map[string][]string{"region": {"east"}}, CustomerID: []string{"1"}, OwnerID: []string{"2"},
					ServiceCode: []string{"SRV09"}, StateID: []string{"3"}, SubmitterID: "4", PageNumber: is(1), PageSize: is(5),
				})
			},
		},
		{
			op: resource.OpTicketSearch, name: "all", body: `{"pageSize":1}`, want: `[7001,"Customer"]`,
			call: func(ctx context.Context, c caller) (any, error) {
				found, err := c.Tickets.SearchTickets(ctx, resource.TicketQuery{PageSize: is(1)})
				if len(found.Items) != 1 || len(found.Items[0].Articles) == 0 {
					return nil, err
				}
				first := found.Items[0].Articles[0]
				return []any{first.TicketID, first.Sender}, err
			},
		},
	})
}
