package rest

import (
	"math/rand/v2"
	"time"

	"wallboard/internal/simulator/endpoint"
	"wallboard/internal/simulator/world"
)

// seeder fills the areas of the service with initial data.
type seeder struct {
	parts       *parts
	now         time.Time
	users       []world.User
	services    []string
	campaigns   []world.Campaign
	serviceName func(code string) string
	random      *rand.Rand
}

// seed generates the history of a contact center, which depends only on the world
// and the seed number.
func seed(p *parts, w *world.World, number int64) {
	s := &seeder{
		parts: p, now: w.Now(), campaigns: w.Dialer().Campaigns(), serviceName: w.ServiceName,
		random: rand.New(rand.NewPCG(uint64(number), 2)), //nolint:gosec // no secrets
	}
	s.services, _, _ = w.Codes()
	for _, u := range w.State().Users {
		s.users = append(s.users, *u)
	}
	s.contacts()
	s.persons()
	s.chats()
	s.runs()
	s.templates()
	s.messages()
	s.tickets()
}

func pickOne[T any](s *seeder, list []T) T { return list[s.random.IntN(len(list))] }

// ago returns the date-time d before now.
func (s *seeder) ago(d time.Duration) string { return endpoint.Date(s.now.Add(-d)) }

// agent returns a random agent as a ContactIdentifier.
func (s *seeder) agent() object {
	if len(s.parts.support.agents) == 0 {
		return object{"type": "USER"}
	}
	return identity(pickOne(s, s.parts.support.agents))
}

// customer returns a random caller as a ContactIdentifier.
func (s *seeder) customer() object { return identity(pickOne(s, s.parts.support.customers)) }

// identity returns the fields of a person that a ContactIdentifier contains.
func identity(person object) object {
	o := object{}
	for _, name := range []string{"displayName", "name", "surname", "uid", "username", "value", "type"} {
		o[name] = person[name]
	}
	return o
}
