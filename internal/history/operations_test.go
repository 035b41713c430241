package history_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"wallboard/internal/history"
	"wallboard/model"
	"wallboard/model/contact"
)

func hourOf(y int, m time.Month, d, h int) contact.Range {
	from := time.Date(y, m, d, h, 0, 0, 0, time.UTC)
	return contact.Range{From: from, To: from.Add(time.Hour)}
}

// firstOf returns an ID that the platform has.
func firstOf(t *testing.T, c *history.Client, kind contact.Kind) string {
	t.Helper()
	for call, err := range c.Calls(t.Context(), contact.Query{Kind: kind, Range: hourOf(2026, 3, 17, 10), Limit: 1}, nil) {
		if err != nil {
			t.Fatal(err)
		}
		return call.ID
	}
	t.Fatal("the platform has no contact")
	return ""
}

// run executes one operation; the ID is that of a contact of the right kind.
type run = func(ctx context.Context, c *history.Client, id string) error

func hour() contact.Range { return hourOf(2026, time.March, 17, 10) }

func one(kind contact.Kind) run {
	return func(ctx context.Context, c *history.Client, id string) error {
		call, err := c.Call(ctx, kind, id)
		if err == nil && (call.ID != id || len(call.Steps) == 0 || call.Start().IsZero()) {
			return errors.New("not the contact")
		}
		return err
	}
}

func list(kind contact.Kind) run {
	return func(ctx context.Context, c *history.Client, _ string) error {
		n := 0
		for _, err := range c.Calls(ctx, contact.Query{Kind: kind, Range: hour(), Offset: 1, Limit: 2}, nil) {
			if errors.As(err, new(*model.Incomplete)) {
				break
			}
			if err != nil {
				return err
			}
			n++
		}
		if n != 2 {
			return errors.New("not two contacts")
		}
		return nil
	}
}

func optionalCount(kind contact.Kind) run {
	return func(ctx context.Context, c *history.Client, _ string) error {
		n, err := c.Count(ctx, kind, hour())
		if err == nil && n == 0 {
			return errors.New("nothing counted")
		}
		return err
	}
}

func groups(kind contact.Kind, by string) run {
	return func(ctx context.Context, c *history.Client, _ string) error {
		list, err := c.Groups(ctx, contact.GroupQuery{Kind: kind, By: by, Range: hour()})
		if err != nil {
			return err
		}
		total, err := c.Count(ctx, kind, hour())
		for _, g := range list {
			total -= g.Count
		}
		if err == nil && (total != 0 || !slices.ContainsFunc(list, func(g contact.Group) bool { return g.ID != "" && g.Name != "" })) {
			return errors.New("the groups do not add up, or have no name")
		}
		return err
	}
}

// TestOperations checks every operation of document 3 and its requests.
func TestOperations(t *testing.T) {
	t.Parallel()
	const within = `year: 2026, month: 3, startTime: {operator: BETWEEN, valueLeft: "2026-03-17T10:00:00.000Z", valueRight: "2026-03-17T10:59:59.999Z"}`
	const steps = " { id step startTime endTime }"
	const group = " { groupByEntity { ... on AddressBookContact { uuid fullName } } count }"
	const page = ", pagination: {limit: 2, offset: 1}, sorting: {key: START_TIME, direction: ASC}"
	const person = " { uuid name surname fullName mail { value } organization { fullName } }"
	tests := []struct {
		kind contact.Kind
		run  run
		want string // ID stands for the actual ID
	}{
		{contact.Inbound, one(contact.Inbound), `f0: inboundCall(id: "ID")` + steps},
		{contact.Inbound, list(contact.Inbound), `f0: inboundCalls(search: {` + within + page + `})` + steps},
		{contact.Inbound, optionalCount(contact.Inbound), `f0: inboundCallsCount(search: {` + within + `})`},
		{contact.Inbound, groups(contact.Inbound, ""), `f0: inboundCallsCountGroup(groupBy: ORGANIZATION, search: {` + within + `})` + group},
		{contact.Outbound, one(contact.Outbound), `f0: outboundCall(id: "ID")` + steps},
		{contact.Outbound, list(contact.Outbound), `f0: outboundCalls(search: {` + within + page + `})` + steps},
		{contact.Outbound, optionalCount(contact.Outbound), `f0: outboundCallsCount(search: {` + within + `})`},
		{contact.Outbound, groups(contact.Outbound, ""), `f0: outboundCallsCountGroup(groupBy: ORGANIZATION, search: {` + within + `})` + group},
		{contact.Video, one(contact.Video), `f0: inboundVideoCall(id: "ID")` + steps},
		{contact.Video, list(contact.Video), `f0: inboundVideoCalls(search: {` + within + page + `})` + steps},
		{contact.Video, optionalCount(contact.Video), `f0: inboundVideoCallsCount(search: {` + within + `})`},
		{contact.Video, groups(contact.Video, "SERVICE"), `f0: inboundVideosCountGroup(groupBy: SERVICE, search: {` + within +
			`}) { groupByEntity { ... on AddressBookContact { id0: uuid name0: fullName } ... on Service { id1: code name1: name } } count }`},
		{contact.Chat, one(contact.Chat), `f0: inboundChat(id: "ID")` + steps},
		{contact.Chat, list(contact.Chat), `f0: inboundChats(search: {` + within + page + `})` + steps},
		{contact.Chat, optionalCount(contact.Chat), `f0: inboundChatsCount(search: {` + within + `})`},
		{contact.Chat, groups(contact.Chat, ""), `f0: inboundChatsGrouped(groupBy: ORGANIZATION, search: {` + within + `})` + group},
		{contact.Inbound, func(ctx context.Context, c *history.Client, _ string) error {
			p, err := c.Contact(ctx, "10003")
			if err == nil && (p.FullName == "" || len(p.Mail) != 1) {
				return errors.New("not the contact")
			}
			return err
		}, `f0: addressBookContact(uuid: "10003")` + person},
		{contact.Inbound, func(ctx context.Context, c *history.Client, _ string) error {
			q := contact.AddressQuery{MailEnd: "@example.com", Organization: `Acme "S`, Limit: 5}
			for _, err := range c.Contacts(ctx, q, nil) {
				return err
			}
			return nil
		}, `f0: addressBookContacts(search: {pagination: {limit: 5, offset: 0}, sorting: {key: ID, direction: ASC}, ` +
			`mail: {value: {operator: END_WITH, value: "@example.com"}}, organization: {fullName: {operator: CONTAIN, value: "Acme \"S"}}})` + person},
		{contact.Inbound, func(ctx context.Context, c *history.Client, _ string) error {
			n, err := c.ContactsCount(ctx, contact.AddressQuery{MailEnd: "example.com"})
			if err == nil && n != 48 {
				return errors.New("not all contacts")
			}
			return err
		}, `f0: addressBookContactsTotal(search: {mail: {value: {operator: END_WITH, value: "example.com"}}})`},
		{contact.Inbound, func(ctx context.Context, c *history.Client, _ string) error {
			found, err := model.Collect(c.Supports(ctx, hour()))
			if list := found.Items; err == nil && (len(list) == 0 || len(list[0]) != 4 || list[0][0].Value == "" || found.Short != nil) {
				return errors.New("no records, or not all")
			}
			return err
		}, `f0: supportTickets(search: {` + within + `, pagination: {limit: 1000, offset: 0}, sorting: {key: START_TIME, direction: ASC}}) { id startTime endTime serviceCode }`},
		{contact.Inbound, func(ctx context.Context, c *history.Client, _ string) error {
			_, err := c.SupportCount(ctx, hour())
			return err
		}, `f0: supportTicketsTotal(search: {` + within + `})`},
		{contact.Inbound, func(ctx context.Context, c *history.Client, _ string) error {
			list, err := c.SupportGroups(ctx, "", hour())
			if err == nil && len(list) == 0 {
				return errors.New("no groups")
			}
			return err
		}, `f0: supportTicketsGrouped(groupBy: ORGANIZATION, search: {` + within + `})` + group},
		{contact.Inbound, func(ctx context.Context, c *history.Client, _ string) error {
			if _, err := c.Support(ctx, "1.nobody"); !errors.Is(err, history.ErrNotFound) {
				return err
			}
			return nil
		}, `f0: supportTicket(id: "1.nobody") { id startTime endTime serviceCode }`},
	}
	p := open(t, func(o *simulatorOptions) { o.Stat.Limit = 1000 })
	for _, tt := range tests {
		c := p.client(t, nil)
		id := firstOf(t, c, tt.kind)
		if err := tt.run(t.Context(), c, id); err != nil {
			t.Errorf("%s: %v", tt.want, err)
		}
		want := "query {\n  " + strings.Replace(tt.want, "ID\"", id+"\"", 1) + "\n}"
		sent := p.Statistics().Requests()
		i := slices.IndexFunc(sent, func(r statRequest) bool { return r.Query == want })
		if i < 0 {
			t.Errorf("not sent:\n%s\nbut:", want)
			for _, r := range sent[max(0, len(sent)-3):] {
				t.Error(r.Query)
			}
		}
	}
}
