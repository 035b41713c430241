package rest

import (
	"maps"
	"slices"
	"strconv"

	"wallboard/internal/simulator/world"
)

// Contact is a contact of the address book, with the fields that the other simulated services need.
type Contact struct {
	ID, Name, Surname, Company string
	Mails                      []string
}

// Contacts returns the address book sorted by ID.
func (s *Service) Contacts() []Contact {
	s.mu.Lock()
	defer s.mu.Unlock()
	var list []Contact
	for _, id := range slices.Sorted(maps.Keys(s.resources.book.contacts)) {
		c := s.resources.book.contacts[id]
		e := Contact{ID: id, Mails: mailsOf(c["emails"])}
		e.Name, _ = c["name"].(string)
		e.Surname, _ = c["surname"].(string)
		e.Company, _ = c["company"].(string)
		list = append(list, e)
	}
	return list
}

// Companies returns the companies of the customers of the world. A company is "" if the
// customer is not in the address book or has none.
func (s *Service) Companies() [world.NumCallers]string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var list [world.NumCallers]string
	for i := range list {
		if c := s.resources.book.contacts[strconv.Itoa(firstContactID+i)]; c != nil {
			list[i], _ = c["company"].(string)
		}
	}
	return list
}

// mailsOf returns the e-mail addresses in emails, a field of a contact. The field has several
// possible types, because the contact comes from the generated data or from a request.
func mailsOf(emails any) []string {
	var mails []string
	add := func(m map[string]any) {
		if s, ok := m["value"].(string); ok {
			mails = append(mails, s)
		}
	}
	switch list := emails.(type) {
	case []object:
		for _, m := range list {
			add(m)
		}
	case []any:
		for _, m := range list {
			if o, ok := m.(map[string]any); ok {
				add(o)
			}
		}
	}
	return mails
}
