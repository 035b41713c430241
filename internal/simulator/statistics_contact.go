package simulator

import (
	"slices"
	"strings"

	"wallboard/internal/simulator/world"
)

type (
	contactArgs      struct{ Search contactSearch }
	contactCountArgs struct{ Search *contactSearch }
	contactSearch    struct {
		Pagination   *pagination
		Sorting      *sorting
		Mail         *struct{ Value textFilter }
		Organization *struct{ FullName textFilter }
	}
	textFilter struct{ Operator, Value string }
)

// contactView holds the fields of the type AddressBookContact.
type contactView struct {
	UUID, Name, Surname, FullName *string
	Mail                          *[]mailView
	Organization                  *organizationView
}

type mailView struct{ Value *string }

type organizationView struct{ FullName *string }

// companyID returns the UUID of a company, derived from the ASCII letters of its name.
func companyID(name string) string {
	plain := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' {
			return r
		}
		return -1
	}, strings.ToLower(name))
	return "org-" + plain
}

// addressBook returns the address book sorted by ID.
func (q *queries) addressBook() []contactView {
	var list []contactView
	for _, e := range q.s.platform.REST.Contacts() {
		mails := make([]mailView, len(e.Mails))
		for i := range e.Mails {
			mails[i] = mailView{&e.Mails[i]}
		}
		list = append(list, contactView{
			UUID: new(e.ID), Name: new(e.Name), Surname: new(e.Surname),
			FullName: new(strings.TrimSpace(e.Name + " " + e.Surname)),
			Mail:     &mails, Organization: &organizationView{new(e.Company)},
		})
	}
	return list
}

// matches reports whether a contact passes the filters of the search.
func (s *contactSearch) matches(c contactView) bool {
	if s == nil {
		return true
	}
	if s.Organization != nil && !s.Organization.FullName.matches(*c.Organization.FullName) {
		return false
	}
	return s.Mail == nil || slices.ContainsFunc(*c.Mail, func(m mailView) bool { return s.Mail.Value.matches(*m.Value) })
}

func (f textFilter) matches(text string) bool {
	text, value := strings.ToLower(text), strings.ToLower(f.Value)
	if f.Operator == "END_WITH" {
		return strings.HasSuffix(text, value)
	}
	return strings.Contains(text, value)
}

// AddressBookContact resolves the query addressBookContact.
func (q *queries) AddressBookContact(a uuidArgs) *contactView {
	for _, c := range q.addressBook() {
		if *c.UUID == a.UUID {
			return &c
		}
	}
	return nil
}

func (q *queries) matchingContacts(s *contactSearch) []contactView {
	return slices.DeleteFunc(q.addressBook(), func(c contactView) bool { return !s.matches(c) })
}

// AddressBookContacts resolves the query addressBookContacts.
func (q *queries) AddressBookContacts(a contactArgs) (*[]contactView, error) {
	all := q.matchingContacts(&a.Search)
	all = all[min(q.s.platform.REST.Faults().NextMissingRows(), len(all)):]
	i, j, err := q.pageBounds(a.Search.Pagination, len(all))
	if err != nil {
		return nil, err
	}
	return new(all[i:j]), nil
}

// AddressBookContactsTotal resolves the query addressBookContactsTotal. Document 3 does not show
// this name.
func (q *queries) AddressBookContactsTotal(a contactCountArgs) *int32 {
	return new(int32(len(q.matchingContacts(a.Search)))) //nolint:gosec // a small number
}

// ticketView is a support ticket. Document 3 shows no fields of the channel Support.
type ticketView struct{ ID, StartTime, EndTime, ServiceCode *string }

func newTicketView(c world.FinishedContact) ticketView {
	return ticketView{new(c.ID), formatTime(c.Steps[0].Start), formatTime(c.Steps[len(c.Steps)-1].End), new(c.Service)}
}

// SupportTicket resolves the query supportTicket.
func (q *queries) SupportTicket(a idArgs) *ticketView {
	if c, ok := q.findContact(world.KindSupport, a.ID); ok {
		return new(newTicketView(c))
	}
	return nil
}

// SupportTickets resolves the query supportTickets.
func (q *queries) SupportTickets(a callArgs) (*[]ticketView, error) {
	calls, err := q.contactPage(world.KindSupport, a.Search)
	if err != nil {
		return nil, err
	}
	views := make([]ticketView, len(calls))
	for i, c := range calls {
		views[i] = newTicketView(c)
	}
	return &views, nil
}

// SupportTicketsTotal resolves the query supportTicketsTotal.
func (q *queries) SupportTicketsTotal(a callArgs) (*int32, error) {
	return q.countContacts(world.KindSupport, a.Search)
}

// SupportTicketsGrouped resolves the query supportTicketsGrouped.
func (q *queries) SupportTicketsGrouped(a groupArgs) (*[]groupCountView, error) {
	return q.countByGroup(world.KindSupport, a)
}
