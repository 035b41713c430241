package control

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"wallboard/model/resource"
	"wallboard/restclient"
)

// CreateCampaign creates a campaign. When its end is not known, a campaign of
// that name that was not there before is taken for the one.
func (d *Desk) CreateCampaign(ctx context.Context, c resource.Campaign) resource.Report {
	if r := d.unknownFields(ctx, resource.Campaign{}, c, "created"); r != nil {
		return *r
	}
	n := creation[resource.Campaign]{
		verb: resource.OpCampaignCreate, kind: "campaign", name: c.Name, id: func(c resource.Campaign) string { return number(c.ID) },
		find: func(ctx context.Context) (ids []string, err error) {
			for found, err := range d.o.Service.Campaigns.AllCampaigns(ctx, restclient.CampaignTerm{Term: c.Name}) {
				if err != nil {
					return nil, err
				}
				if found.Name == c.Name {
					ids = append(ids, number(found.ID))
				}
			}
			return ids, nil
		},
		write: func(ctx context.Context) (resource.Campaign, error) {
			return d.o.Service.Campaigns.CreateCampaign(ctx, c)
		},
	}
	return n.take(ctx, d)
}

// CreateList creates a list. When its end is not known, a list of that name
// that was not there before is taken for the one.
func (d *Desk) CreateList(ctx context.Context, l resource.List) resource.Report {
	n := creation[resource.List]{
		verb: resource.OpListCreate, kind: "list", name: l.Name, id: func(l resource.List) string { return number(l.ID) },
		find: func(ctx context.Context) (ids []string, err error) {
			for found, err := range d.o.Service.Lists.AllLists(ctx, l.Name) {
				if err != nil {
					return nil, err
				}
				if found.Name == l.Name {
					ids = append(ids, number(found.ID))
				}
			}
			return ids, nil
		},
		write: func(ctx context.Context) (resource.List, error) { return d.o.Service.Lists.CreateList(ctx, l) },
	}
	return n.take(ctx, d)
}

// AddRun adds a run to a campaign. When its end is not known, a run of that
// name that the campaign did not have before is taken for the one.
func (d *Desk) AddRun(ctx context.Context, r resource.Run) resource.Report {
	n := creation[resource.Run]{
		verb: resource.OpRunAdd, kind: "run", name: r.Name, of: "campaign " + number(r.CampaignID),
		id: func(r resource.Run) string { return number(r.ID) },
		find: func(ctx context.Context) ([]string, error) {
			found, err := d.o.Service.Runs.RunNamed(ctx, value(r.CampaignID), r.Name)
			if refused(err) {
				return nil, nil // that there is none: with which status is not shown
			}
			if err != nil {
				return nil, err //nolint:wrapcheck // judge looks at what the client said
			}
			return []string{number(found.ID)}, nil
		},
		write: func(ctx context.Context) (resource.Run, error) { return d.o.Service.Runs.AddRun(ctx, r) },
	}
	if r.CampaignID == nil || r.Name == "" {
		n.find = nil
	}
	return n.take(ctx, d)
}

// CreateContact creates a contact of the external address book. When its end is
// not known, only a contact with an id of its own can be looked up.
func (d *Desk) CreateContact(ctx context.Context, c resource.Contact) resource.Report {
	n := creation[resource.Contact]{
		verb: resource.OpContactCreate, kind: "contact", name: personOf(c), of: c.AddressbookBackendID,
		id: func(c resource.Contact) string { return c.ID },
		find: func(ctx context.Context) ([]string, error) {
			there, err := found(d.o.Service.Contacts.Contact(ctx, c.ID))
			if err != nil || there == nil {
				return nil, err
			}
			return []string{there.ID}, nil
		},
		write: func(ctx context.Context) (resource.Contact, error) { return d.o.Service.Contacts.CreateContact(ctx, c) },
	}
	if c.ID == "" {
		n.find = nil
	}
	return n.take(ctx, d)
}

// creation is one resource that is created. It is never sent twice.
type creation[T any] struct {
	verb           resource.Operation
	kind, name, of string
	id             func(T) string
	find           func(ctx context.Context) (ids []string, err error) // those of the name; nil: there is no way
	write          func(ctx context.Context) (T, error)

	before   []string // ids of those that were there before; good only if compared is true
	compared bool
	say      phrases
}

func (n *creation[T]) take(ctx context.Context, d *Desk) resource.Report {
	n.say = phrase(strings.TrimSpace(n.kind+" "+n.name), "was created", "look for it before creating it again", map[error]string{
		restclient.ErrExists:          "there is one of that name already",
		restclient.ErrNotFound:        "something that it refers to is not on the platform",
		restclient.ErrRequired:        "the platform wants something that is missing, empty, too long or out of its range",
		restclient.ErrInvalidArgument: "the platform does not accept one of the values",
	})
	return d.take(ctx, &action{
		verb: n.verb, kind: n.kind, target: strings.TrimSpace("new " + n.kind + " " + n.name),
		params: given("name", n.name, "of", n.of), say: n.say,
		look:   func(ctx context.Context) *resource.Report { return n.look(ctx, d) },
		send:   n.send,
		settle: func(ctx context.Context, _ error) *resource.Report { return n.settle(ctx, d) },
	})
}

// look notes what is there already, so that it is not taken for the new one.
func (n *creation[T]) look(ctx context.Context, d *Desk) *resource.Report {
	if n.find == nil {
		return nil
	}
	ids, err := n.find(ctx)
	if err != nil && !refused(err) {
		return d.unreachable(err, n.say.not)
	}
	n.before, n.compared = ids, err == nil
	return nil
}

func (n *creation[T]) send(ctx context.Context) (resource.Report, error) {
	created, err := n.write(ctx)
	if err != nil {
		return resource.Report{}, err
	}
	return n.confirmed(n.id(created)), nil
}

func (n *creation[T]) confirmed(id string) resource.Report {
	r := confirmed("%s was created.", capital(named(n.kind, n.name, id)))
	r.ID = id
	return r
}

func (n *creation[T]) settle(ctx context.Context, d *Desk) *resource.Report {
	if !n.compared {
		return nil
	}
	var r *resource.Report
	d.poll(ctx, func() bool {
		ids, err := n.find(ctx)
		i := slices.IndexFunc(ids, func(id string) bool { return !slices.Contains(n.before, id) })
		if err == nil && i >= 0 {
			created := n.confirmed(ids[i])
			r = &created
		}
		return r != nil
	})
	return r
}

// findList reads a list; nil is none with that id. The search looks at names,
// too, so the id decides.
func (d *Desk) findList(ctx context.Context, id int) (*resource.List, error) {
	for l, err := range d.o.Service.Lists.AllLists(ctx, strconv.Itoa(id)) {
		if err != nil {
			return nil, err
		}
		if l.ID != nil && *l.ID == id {
			return &l, nil
		}
	}
	return nil, nil
}

func listName(l resource.List) string { return named("list", l.Name, number(l.ID)) }

func runName(r resource.Run) string { return named("run", r.Name, number(r.ID)) }

func contactName(c resource.Contact) string { return named("contact", personOf(c), c.ID) }

// personOf is who a contact is: a person, or else a company.
func personOf(c resource.Contact) string {
	if name := strings.TrimSpace(c.Name + " " + c.Surname); name != "" {
		return name
	}
	return c.Company
}
