package rest

import (
	"math/rand/v2"
	"time"

	"wallboard/internal/simulator/webservice"
	"wallboard/internal/simulator/world"
)

// seeder fills the resources of the service with initial data.
type seeder struct {
	resources   *resources
	now         time.Time
	users       []world.User
	services    []string
	campaigns   []world.Campaign
	serviceName func(code string) string
	rng         *rand.Rand
}

// seedResources fills the resources with generated data. The data depends only on the world and on number,
// which is the seed.
func seedResources(p *resources, w *world.World, number int64) {
	s := &seeder{
		resources: p, now: w.Now(), campaigns: w.Dialer().Campaigns(), serviceName: w.ServiceName,
		rng: rand.New(rand.NewPCG(uint64(number), 2)), //nolint:gosec // no secrets
	}
	s.services, _, _ = w.Codes()
	for _, u := range w.State().Users {
		s.users = append(s.users, *u)
	}
	s.addContacts()
	s.addPersons()
	s.addChats()
	s.addRuns()
	s.addTemplates()
	s.addMessages()
	s.addTickets()
}

func pickOne[T any](s *seeder, list []T) T { return list[s.rng.IntN(len(list))] }

// timeAgo returns the time d before now in the date-time format of document 1.
func (s *seeder) timeAgo(d time.Duration) string { return webservice.FormatDate(s.now.Add(-d)) }

// randomAgent returns a random agent as a ContactIdentifier.
func (s *seeder) randomAgent() object {
	if len(s.resources.support.agents) == 0 {
		return object{"type": "USER"}
	}
	return contactIdentifier(pickOne(s, s.resources.support.agents))
}

// randomCustomer returns a random customer of the address book as a ContactIdentifier.
func (s *seeder) randomCustomer() object {
	return contactIdentifier(pickOne(s, s.resources.support.customers))
}

// contactIdentifier returns a person as a ContactIdentifier of document 1, which contains only
// some of the person's fields.
func contactIdentifier(person object) object {
	o := object{}
	for _, name := range []string{"displayName", "name", "surname", "uid", "username", "value", "type"} {
		o[name] = person[name]
	}
	return o
}
