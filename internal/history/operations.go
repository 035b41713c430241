package history

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"wallboard/model/contact"
)

// stepsSelection is the GraphQL selection for a contact (document 3, section "Resources and their
// fields").
const stepsSelection = "{ id step startTime endTime }"

// personSelection is the GraphQL selection for a contact of the address book.
const personSelection = "{ uuid name surname fullName mail { value } organization { fullName } }"

// Call returns the contact with the given ID and all its steps, using an operation such as
// inboundCall. The error is [ErrNotFound] if there is no such contact.
func (c *Client) Call(ctx context.Context, kind contact.Kind, id string) (contact.Call, error) {
	op := operationsOf(kind).byID
	if id == "" {
		return contact.Call{}, invalidError(op, "the id is missing")
	}
	name, err := c.serverName(ctx, op)
	if err != nil {
		return contact.Call{}, err
	}
	raw, err := c.fetch(ctx, rootField{op: op, text: fmt.Sprintf("%s(id: %s) %s", name, stringLiteral(id), stepsSelection)})
	if err != nil {
		return contact.Call{}, err
	}
	if isNull(raw[0]) {
		return contact.Call{}, &Error{Operation: op, Err: ErrNotFound}
	}
	call, err := readSteps(raw[0])
	if err == nil && len(call.Steps) == 0 {
		err = &Error{Err: ErrNotFound}
	}
	return call, withOperation(err, op)
}

// Contact returns the address book contact with the given UUID, using the operation
// addressBookContact. The error is [ErrNotFound] if there is no such contact.
func (c *Client) Contact(ctx context.Context, uuid string) (contact.Contact, error) {
	if uuid == "" {
		return contact.Contact{}, invalidError(opContact, "the uuid is missing")
	}
	name, err := c.serverName(ctx, opContact)
	if err != nil {
		return contact.Contact{}, err
	}
	raw, err := c.fetch(ctx, rootField{op: opContact, text: fmt.Sprintf("%s(uuid: %s) %s", name, stringLiteral(uuid), personSelection), secret: true})
	if err != nil {
		return contact.Contact{}, err
	}
	contact, ok, err := readContact(raw[0])
	if err == nil && !ok {
		err = &Error{Err: ErrNotFound}
	}
	return contact, withOperation(err, opContact)
}

// Count returns the number of contacts of a kind that began in r, using an operation such as
// inboundCallsCount. The error is [ErrNoData] if the platform returns no number.
func (c *Client) Count(ctx context.Context, kind contact.Kind, r contact.Range) (int, error) {
	counts, err := c.fetchCounts(ctx, kind, []contact.Range{r})
	if err != nil {
		return 0, err
	}
	if !counts[0].known {
		return 0, &Error{Operation: operationsOf(kind).count, Err: ErrNoData}
	}
	return counts[0].n, nil
}

// optionalCount is a count that may be unknown.
type optionalCount struct {
	n     int
	known bool
}

// fetchCounts returns the number of contacts that began in each of the ranges. A number is
// unknown if the platform does not return it.
func (c *Client) fetchCounts(ctx context.Context, kind contact.Kind, ranges []contact.Range) ([]optionalCount, error) {
	op := operationsOf(kind).count
	name, err := c.serverName(ctx, op)
	if err != nil {
		return nil, err
	}
	var fields []rootField
	var of []int // for each field: index of its range
	for i, r := range ranges {
		if err := c.checkRange(op, r); err != nil {
			return nil, err
		}
		for _, m := range monthsOf(r, c.location) {
			fields = append(fields, rootField{op: op, form: formCount, text: fmt.Sprintf("%s(%s)", name, searchArgument(m, r, "")), period: r})
			of = append(of, i)
		}
	}
	raw, err := c.fetch(ctx, fields...)
	if err != nil {
		return nil, err
	}
	counts := make([]optionalCount, len(ranges))
	for i := range counts {
		counts[i].known = true
	}
	for i, value := range raw {
		n, known, err := readCount(value)
		if err != nil {
			return nil, withOperation(err, op)
		}
		total := &counts[of[i]]
		total.n, total.known = total.n+n, total.known && known
	}
	return counts, nil
}

// Groups returns the number of contacts of a kind in each group, using an operation such as
// inboundCallsCountGroup. The largest group comes first.
func (c *Client) Groups(ctx context.Context, q contact.GroupQuery) ([]contact.Group, error) {
	return c.countGroups(ctx, operationsOf(q.Kind).group, q.By, q.Range)
}

// countGroups counts the contacts or records that began in r, grouped by the value by. op is
// the operation that counts them.
func (c *Client) countGroups(ctx context.Context, op, by string, r contact.Range) ([]contact.Group, error) {
	by = cmp.Or(by, GroupByOrganization)
	if err := c.checkRange(op, r); err != nil {
		return nil, err
	}
	if !graphqlName.MatchString(by) {
		return nil, invalidError(op, "the value to group by is not a GraphQL name")
	}
	name, err := c.serverName(ctx, op)
	if err != nil {
		return nil, err
	}
	entities, err := c.entities(ctx, by)
	if err != nil {
		return nil, withOperation(err, op)
	}
	var fields []rootField
	for _, m := range monthsOf(r, c.location) {
		text := fmt.Sprintf("%s(groupBy: %s, %s) %s", name, by, searchArgument(m, r, ""), formatSelection(entities))
		fields = append(fields, rootField{op: op, form: formGroup, text: text, period: r})
	}
	raw, err := c.fetch(ctx, fields...)
	if err != nil {
		return nil, err
	}
	return sumGroups(op, raw)
}

// sumGroups parses the groups of several months and adds them up. The largest group comes first.
func sumGroups(op string, months []json.RawMessage) ([]contact.Group, error) {
	type key struct{ id, name string }
	sums := make(map[key]int)
	for _, raw := range months {
		if isNull(raw) {
			continue // the platform has no data for the month
		}
		groups, err := readGroups(raw)
		if err != nil {
			return nil, withOperation(err, op)
		}
		for _, g := range groups {
			sums[key{g.ID, g.Name}] += g.Count
		}
	}
	all := make([]contact.Group, 0, len(sums))
	for k, n := range sums {
		all = append(all, contact.Group{ID: k.id, Name: k.name, Count: n})
	}
	slices.SortFunc(all, func(a, b contact.Group) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), strings.Compare(a.Name, b.Name), strings.Compare(a.ID, b.ID))
	})
	return all, nil
}

// ContactsCount returns the number of address book contacts that match a query. Document 3
// does not name its operation.
func (c *Client) ContactsCount(ctx context.Context, q contact.AddressQuery) (int, error) {
	name, err := c.serverName(ctx, OpContactsCount)
	if err != nil {
		return 0, err
	}
	text := name
	if filters := contactFilters(q); len(filters) > 0 {
		text += "(search: {" + strings.Join(filters, ", ") + "})"
	}
	raw, err := c.fetch(ctx, rootField{op: OpContactsCount, form: formCount, text: text, secret: true})
	if err != nil {
		return 0, err
	}
	n, known, err := readCount(raw[0])
	if err == nil && !known {
		err = &Error{Err: ErrNoData}
	}
	return n, withOperation(err, OpContactsCount)
}

// contactFilters formats the conditions of an address book search.
func contactFilters(q contact.AddressQuery) []string {
	var filters []string
	if q.MailEnd != "" {
		filters = append(filters, fmt.Sprintf("mail: {value: {operator: END_WITH, value: %s}}", stringLiteral(q.MailEnd)))
	}
	if q.Organization != "" {
		filters = append(filters, fmt.Sprintf("organization: {fullName: {operator: CONTAIN, value: %s}}", stringLiteral(q.Organization)))
	}
	return filters
}

// maxRangeDays limits the length of a range, because a longer range would exceed any budget of
// requests.
const maxRangeDays = 20 * 366 // days

func (c *Client) checkRange(op string, r contact.Range) error {
	switch {
	case r.From.IsZero() || !r.From.Before(r.To):
		return invalidError(op, "the time range is empty")
	case r.To.Sub(r.From).Hours() > maxRangeDays*24:
		return invalidError(op, "the time range is longer than 20 years")
	}
	return nil
}

func invalidError(op, what string) error {
	return &Error{Operation: op, Message: what, Err: ErrInvalidQuery}
}

func isNull(raw json.RawMessage) bool { return string(raw) == "null" }

// serverName returns the name of an operation on the server: the configured name, or else the
// name in document 3, or else the name in the server's schema. The error is
// [ErrUnknownOperation] if there is none.
func (c *Client) serverName(ctx context.Context, op string) (string, error) {
	if name := c.names[op]; name != "" {
		return name, nil
	}
	s, err := c.schema(ctx)
	if err != nil && (!errors.As(err, new(*Error)) || errors.Is(err, ErrBudgetExhausted) || errors.Is(err, ErrInvalidKey) || errors.Is(err, ErrRateLimit)) {
		return "", err
	}
	if err == nil {
		if name := s.findOperation(op); name != "" {
			return name, nil
		}
	}
	return "", &Error{Operation: op, Err: ErrUnknownOperation}
}
