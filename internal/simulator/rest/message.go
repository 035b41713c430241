package rest

import (
	"cmp"
	"errors"
	"regexp"
	"slices"
	"strings"
	"time"

	"wallboard/internal/simulator/webservice"
	"wallboard/internal/simulator/world"
)

// SMSAccounts is the number of accounts that can send SMS. Their IDs are 1, 2 and 3.
const SMSAccounts = 3

// messaging sends SMS and holds the message templates and the message history.
type messaging struct {
	world     *world.LockedWorld
	accounts  *webservice.Authority
	templates []object
	history   []object // message history
	keepsSMS  bool     // add sent SMS to the history
}

// sendSMS serves POST /rest/sms/send.
func (m *messaging) sendSMS(c *apiRequest) (any, error) {
	doc, err := c.parseOptionalObject()
	if err != nil {
		return nil, err
	}
	f := fieldReader{object: doc}
	number, message := f.text("phoneNumber"), f.text("message")
	account := f.integer("accountId", 1)
	username := cmp.Or(f.text("username"), c.account.Username)
	switch {
	case f.err != nil:
		return nil, f.err
	case strings.TrimSpace(number) == "":
		return nil, missingFieldError("phoneNumber")
	case strings.TrimSpace(message) == "":
		return nil, missingFieldError("message")
	}
	sender, known := m.accounts.Account(username)
	if !known {
		err := m.world.Read(func(w *world.World) error {
			_, err := w.Phones().Calls(username, false)
			return err
		})
		if err != nil {
			return nil, worldError(err, "user", username)
		}
	}
	switch {
	case c.account.NoSMS || sender.NoSMS:
		return nil, &restError{
			statusNotAllowed, "OperationIsNotAllowedToUserProfileException",
			"the profile does not allow sending SMS",
		}
	case account < 1 || account > SMSAccounts:
		return nil, notFoundError("SMS account", string(jsonNumber(account)))
	}
	c.recordExecution(number)
	if m.keepsSMS {
		now := webservice.FormatDate(m.world.Now())
		m.history = append(m.history, object{
			"__typename": "DatamodelPowerDialerInstantMessagingHistory", "messageId": "s-" + string(jsonNumber(int64(len(m.history)))),
			"messageToNumber": number, "messageInsertTime": now, "insertTime": now, "messageResult": jsonNumber(0),
		})
	}
	return true, nil
}

// listTemplates serves POST /rest/powerdialer/mc/chatapp-templates.
func (m *messaging) listTemplates(c *apiRequest) (any, error) {
	doc, err := c.parseOptionalObject()
	if err != nil {
		return nil, err
	}
	f := fieldReader{object: doc}
	offset, limit := f.integer("offset", 0), f.integer("limit", defaultPageSize)
	if f.err != nil {
		return nil, f.err
	}
	all := dropMissingRows(c, m.templates)
	a := newListAnswer(all, 0, 0)
	from, to := c.listOptions.rangeFrom(len(all), int(offset), int(limit))
	a.rows = append([]object{}, all[from:to]...)
	a.documented = object{"code": "200", "message": "OK", "total": len(all), "data": a.rows}
	return a, nil
}

// searchHistory serves POST [MessagesPath].
func (m *messaging) searchHistory(c *apiRequest) (any, error) {
	doc, err := c.parseOptionalObject()
	if err != nil {
		return nil, err
	}
	f := fieldReader{object: doc}
	search := fieldReader{object: f.nestedObject("search")}
	page, sorting := fieldReader{object: f.nestedObject("pagination")}, fieldReader{object: f.nestedObject("sorting")}
	month, year := search.integer("month", 0), search.integer("year", 0)
	number, size := page.integer("pageNumber", 1), page.integer("pageSize", defaultPageSize)
	order, descending := fieldForSortKey(sorting.text("orderField")), sorting.text("orderType") == "DESC"
	if err := errors.Join(f.err, search.err, page.err, sorting.err); err != nil {
		return nil, err
	}
	var found []object
	for _, m := range m.history {
		text, _ := m["messageInsertTime"].(string)
		sent, _ := time.Parse(time.RFC3339, text) // all stored times are valid
		if (month == 0 || month == int64(sent.Month())) && (year == 0 || year == int64(sent.Year())) && matchesFilters(search.object, m) {
			found = append(found, m)
		}
	}
	slices.SortStableFunc(found, func(a, b object) int {
		if descending {
			a, b = b, a
		}
		return strings.Compare(scalarText(a[order]), scalarText(b[order]))
	})
	found = dropMissingRows(c, found)
	from, to := c.listOptions.pageRange(len(found), int(number), int(size))
	a := newListAnswer(found, from, to)
	a.documented = a.rows
	return a, nil
}

// fieldForSortKey returns the name of the field for a sort key, for example messageId for
// MESSAGE_ID.
func fieldForSortKey(name string) string {
	words := strings.Split(strings.ToLower(cmp.Or(name, "MESSAGE_ID")), "_")
	for i, w := range words[1:] {
		if w != "" {
			words[i+1] = strings.ToUpper(w[:1]) + w[1:]
		}
	}
	return strings.Join(words, "")
}

// matchesFilters reports whether a record passes all filters of a search. Each member of
// filters is the filter for the field of that name. For a field that is an object, the member
// holds the filters for its fields.
func matchesFilters(filters object, record object) bool {
	for name, raw := range filters {
		filter, ok := raw.(map[string]any)
		if !ok {
			continue // month and year are not objects
		}
		if name == "contactCustomId" {
			name = "contactCustumId" // the record uses this spelling
		}
		var matches bool
		switch v := record[name].(type) {
		case object:
			matches = matchesFilters(filter, v)
		case []object:
			matches = slices.ContainsFunc(v, func(o object) bool { return matchesFilters(filter, o) })
		default:
			matches = matchesFilter(filter, scalarText(v))
		}
		if !matches {
			return false
		}
	}
	return true
}

// matchesFilter reports whether a value passes a filter with the members value, regexp, valueLeft
// and valueRight. It ignores the member operator, because document 1 does not list its values.
func matchesFilter(filter object, value string) bool {
	switch want := filter["value"].(type) {
	case []any:
		if len(want) > 0 && !slices.ContainsFunc(want, func(w any) bool { return scalarText(w) == value }) {
			return false
		}
	case string:
		if want != "" && want != value {
			return false
		}
	}
	if pattern, _ := filter["regexp"].(string); pattern != "" {
		re, err := regexp.Compile(pattern)
		if err != nil || !re.MatchString(value) {
			return false
		}
	}
	from, _ := filter["valueLeft"].(string)
	to, _ := filter["valueRight"].(string)
	return (from == "" || value >= from) && (to == "" || value <= to)
}
