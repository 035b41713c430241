package simulator

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"wallboard/simulator/world"
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

// contactView is an AddressBookContact.
type contactView struct {
	UUID, Name, Surname, FullName *string
	Mail                          *[]mailView
	Organization                  *organizationView
}

type mailView struct{ Value *string }

type organizationView struct{ FullName *string }

// companyID is the uuid of a company.
func companyID(name string) string {
	plain := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' {
			return r
		}
		return -1
	}, strings.ToLower(name))
	return "org-" + plain
}

// companies returns the company of each customer, "" for those of none.
func (r *rest) companies() [world.NumCallers]string {
	r.mu.Lock()
	defer r.mu.Unlock()
	var list [world.NumCallers]string
	for i := range list {
		if c := r.store.contacts[strconv.Itoa(firstContact+i)]; c != nil {
			list[i], _ = c["company"].(string)
		}
	}
	return list
}

// book returns the address book in the order of the ids.
func (r *rest) book() []contactView {
	r.mu.Lock()
	defer r.mu.Unlock()
	var list []contactView
	for _, id := range slices.Sorted(maps.Keys(r.store.contacts)) {
		c := r.store.contacts[id]
		text := func(name string) *string {
			s, _ := c[name].(string)
			return &s
		}
		v := contactView{UUID: pointer(id), Name: text("name"), Surname: text("surname"), Organization: &organizationView{text("company")}}
		v.FullName = pointer(strings.TrimSpace(*v.Name + " " + *v.Surname))
		v.Mail = pointer(mailsOf(c["emails"]))
		list = append(list, v)
	}
	return list
}

// mailsOf reads the addresses of a contact, whether the store was seeded with
// them or a request wrote them.
func mailsOf(emails any) []mailView {
	mails := []mailView{}
	add := func(m map[string]any) {
		if s, ok := m["value"].(string); ok {
			mails = append(mails, mailView{&s})
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

// finds reports whether the search lets a contact through.
func (s *contactSearch) finds(c contactView) bool {
	if s == nil {
		return true
	}
	if s.Organization != nil && !s.Organization.FullName.fits(*c.Organization.FullName) {
		return false
	}
	return s.Mail == nil || slices.ContainsFunc(*c.Mail, func(m mailView) bool { return s.Mail.Value.fits(*m.Value) })
}

func (f textFilter) fits(text string) bool {
	text, value := strings.ToLower(text), strings.ToLower(f.Value)
	if f.Operator == "END_WITH" {
		return strings.HasSuffix(text, value)
	}
	return strings.Contains(text, value)
}

// AddressBookContact resolves addressBookContact.
func (q *statQueries) AddressBookContact(a statUUID) *contactView {
	for _, c := range q.s.rest.book() {
		if *c.UUID == a.UUID {
			return &c
		}
	}
	return nil
}

func (q *statQueries) found(s *contactSearch) []contactView {
	return slices.DeleteFunc(q.s.rest.book(), func(c contactView) bool { return !s.finds(c) })
}

// AddressBookContacts resolves addressBookContacts.
func (q *statQueries) AddressBookContacts(a contactArgs) (*[]contactView, error) {
	all := q.found(&a.Search)
	all = all[min(q.s.faults.rest.changed(), len(all)):]
	i, j, err := q.page(a.Search.Pagination, len(all))
	if err != nil {
		return nil, err
	}
	return pointer(all[i:j]), nil
}

// AddressBookContactsTotal resolves addressBookContactsTotal, whose name
// document 3 does not show.
func (q *statQueries) AddressBookContactsTotal(a contactCountArgs) *int32 {
	return pointer(int32(len(q.found(a.Search)))) //nolint:gosec // far fewer
}

// ticketView is a support ticket: of the channel Support document 3 shows no
// field.
type ticketView struct{ ID, StartTime, EndTime, ServiceCode *string }

func viewTicket(c world.PastCall) ticketView {
	return ticketView{pointer(c.ID), statTime(c.Steps[0].Start), statTime(c.Steps[len(c.Steps)-1].End), pointer(c.Service)}
}

// SupportTicket resolves supportTicket.
func (q *statQueries) SupportTicket(a statID) *ticketView {
	if c, ok := q.find(world.PastSupport, a.ID); ok {
		return pointer(viewTicket(c))
	}
	return nil
}

// SupportTickets resolves supportTickets.
func (q *statQueries) SupportTickets(a callArgs) (*[]ticketView, error) {
	calls, err := q.list(world.PastSupport, a.Search)
	if err != nil {
		return nil, err
	}
	views := make([]ticketView, len(calls))
	for i, c := range calls {
		views[i] = viewTicket(c)
	}
	return &views, nil
}

// SupportTicketsTotal resolves supportTicketsTotal.
func (q *statQueries) SupportTicketsTotal(a callArgs) (*int32, error) {
	return q.count(world.PastSupport, a.Search)
}

// SupportTicketsGrouped resolves supportTicketsGrouped.
func (q *statQueries) SupportTicketsGrouped(a groupArgs) (*[]groupCountView, error) {
	return q.groups(world.PastSupport, a)
}
