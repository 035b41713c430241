package history

import (
	"bytes"
	"encoding/json"
	"math"
	"strconv"
	"strings"
	"time"

	"wallboard/model"
	"wallboard/model/contact"
)

// readCount parses a count, a nonnegative 32-bit integer (document 3, section Limits). It accepts a
// count in quotes or with a fraction of zero. known is false if the value is null or missing.
func readCount(raw json.RawMessage) (n int, known bool, err error) {
	text := strings.Trim(string(bytes.TrimSpace(raw)), `"`)
	if text == "null" || text == "" {
		return 0, false, nil
	}
	f, err := strconv.ParseFloat(text, 64)
	if err != nil || f != math.Trunc(f) || f < 0 || f > math.MaxInt32 {
		return 0, false, &Error{Err: ErrInvalidAnswer, Message: "a count is not a whole number"}
	}
	return int(f), true, nil
}

// readText returns the value of a JSON string, or the digits of a number. It returns "" for
// other values.
func readText(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) == nil {
		return model.CleanText(s, model.MaxName)
	}
	var n json.Number
	if json.Unmarshal(raw, &n) == nil {
		return n.String()
	}
	return ""
}

// readTime parses a time: in ISO 8601, or in seconds or milliseconds since 1970. It returns
// the zero time for other values.
func readTime(raw json.RawMessage) time.Time {
	text := readText(raw)
	for _, layout := range []string{time.RFC3339Nano, "2006-01-02T15:04:05.999999999Z0700", "2006-01-02T15:04:05.999999999"} {
		if t, err := time.Parse(layout, text); err == nil {
			return t.UTC()
		}
	}
	n, err := strconv.ParseInt(text, 10, 64)
	switch {
	case err != nil || n <= 0:
		return time.Time{}
	case n > 1e11: // as seconds, n would be in the year 5138 or later
		return time.UnixMilli(n).UTC()
	}
	return time.Unix(n, 0).UTC()
}

// jsonObject holds the members of a JSON object. The value of a missing member is nil.
type jsonObject map[string]json.RawMessage

func (m jsonObject) step() contact.Step {
	n, _, err := readCount(m["step"])
	if err != nil {
		n = 0
	}
	return contact.Step{ID: readText(m["id"]), Number: n, Start: readTime(m["startTime"]), End: readTime(m["endTime"])}
}

// readSteps parses a contact, given as a list of steps. The list may be empty.
func readSteps(raw json.RawMessage) (contact.Call, error) {
	steps, err := decodeList(raw, maxSteps, "a contact is not a list of steps")
	if err != nil {
		return contact.Call{}, err
	}
	var call contact.Call
	for _, raw := range steps {
		var s jsonObject
		if json.Unmarshal(raw, &s) != nil {
			return contact.Call{}, &Error{Err: ErrInvalidAnswer, Message: "a contact is not a list of steps"}
		}
		if s == nil {
			continue
		}
		step := s.step()
		if call.ID == "" {
			call.ID = step.ID
		}
		call.Steps = append(call.Steps, step)
	}
	return call, nil
}

// readCalls parses a page of contacts. It returns the contacts that have steps, and the number
// of rows including those without steps.
func readCalls(raw json.RawMessage) (calls []contact.Call, n int, err error) {
	list, err := decodeList(raw, maxRows, "the contacts are not a list")
	if err != nil {
		return nil, 0, err
	}
	steps := 0
	for _, one := range list {
		call, err := readSteps(one)
		if err != nil {
			return nil, 0, err
		}
		if steps += len(call.Steps); steps > maxSteps {
			return nil, 0, &Error{Err: ErrTooLarge}
		}
		if len(call.Steps) > 0 {
			calls = append(calls, call)
		}
	}
	return calls, len(list), nil
}

// readContact parses an address book contact. ok is false if raw is null.
func readContact(raw json.RawMessage) (c contact.Contact, ok bool, err error) {
	var m jsonObject
	if err := json.Unmarshal(raw, &m); err != nil {
		return c, false, &Error{Err: ErrInvalidAnswer, Message: "a contact is not an object"}
	}
	if m == nil {
		return c, false, nil
	}
	c = contact.Contact{
		UUID: readText(m["uuid"]), Name: readText(m["name"]), Surname: readText(m["surname"]), FullName: readText(m["fullName"]),
	}
	mail, _ := decodeList(m["mail"], maxAddresses, "") // a contact need not have an address
	for _, raw := range mail {
		var address jsonObject
		_ = json.Unmarshal(raw, &address)
		if text := readText(address["value"]); text != "" {
			c.Mail = append(c.Mail, text)
		}
	}
	var company jsonObject
	_ = json.Unmarshal(m["organization"], &company) // a contact need not have an organization
	c.Organization = readText(company["fullName"])
	return c, true, nil
}

// readGroups parses the result of a count by groups. It skips groups without a count.
func readGroups(raw json.RawMessage) ([]contact.Group, error) {
	list, err := decodeList(raw, maxGroups, "the groups are not a list")
	if err != nil {
		return nil, err
	}
	groups := make([]contact.Group, 0, len(list))
	for _, raw := range list {
		var m jsonObject
		if json.Unmarshal(raw, &m) != nil {
			return nil, &Error{Err: ErrInvalidAnswer, Message: "the groups are not a list"}
		}
		n, known, err := readCount(m["count"])
		if err != nil {
			return nil, err
		}
		if !known {
			continue
		}
		g := contact.Group{Count: n}
		var of jsonObject
		_ = json.Unmarshal(m["groupByEntity"], &of) // the member is null for contacts without such an object
		for name, value := range of {
			switch {
			case strings.HasPrefix(name, "id") || name == organizationEntity().idField:
				g.ID = readText(value)
			case strings.HasPrefix(name, "name") || name == organizationEntity().nameField:
				g.Name = readText(value)
			}
		}
		groups = append(groups, g)
	}
	return groups, nil
}
