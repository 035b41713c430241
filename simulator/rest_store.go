package simulator

import (
	"math/rand/v2"
	"time"

	"wallboard/simulator/world"
)

// restStore is what the REST service knows and the world does not. The
// documents in it hold every field that was written, known or not. Who reads or
// changes it holds the service's mutex.
type restStore struct {
	contacts    map[string]object
	lastContact int
	chats       map[string][]object // messages by session

	// What was written, for the fields that the world does not keep.
	campaigns, lists, items map[int64]object

	runs      []object
	lastRun   int
	templates []object
	messages  []object // the messaging history

	agents, customers []object
	tickets           []supportTicket
}

// newRESTStore returns a store with the past of a contact center, the same for
// the same world.
func newRESTStore(w *world.World, seed int64) *restStore {
	st := &restStore{
		contacts: map[string]object{}, chats: map[string][]object{},
		campaigns: map[int64]object{}, lists: map[int64]object{}, items: map[int64]object{},
	}
	s := &seeder{
		st: st, now: w.Now(), campaigns: w.Campaigns(), serviceName: w.ServiceName,
		dice: rand.New(rand.NewPCG(uint64(seed), 2)), //nolint:gosec // any bits will do
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
	return st
}

// seeder fills a store.
type seeder struct {
	st          *restStore
	now         time.Time
	users       []world.User
	services    []string
	campaigns   []world.Campaign
	serviceName func(code string) string
	dice        *rand.Rand
}

func oneFrom[T any](s *seeder, list []T) T { return list[s.dice.IntN(len(list))] }

// ago returns a date-time of the past.
func (s *seeder) ago(d time.Duration) string { return tellDate(s.now.Add(-d)) }

// agent returns somebody of the floor as a ContactIdentifier.
func (s *seeder) agent() object {
	if len(s.st.agents) == 0 {
		return object{"type": "USER"}
	}
	return identity(oneFrom(s, s.st.agents))
}

// customer returns a caller of the floor as a ContactIdentifier.
func (s *seeder) customer() object { return identity(oneFrom(s, s.st.customers)) }

// identity returns what a ContactIdentifier has of a person.
func identity(person object) object {
	o := object{}
	for _, name := range []string{"displayName", "name", "surname", "uid", "username", "value", "type"} {
		o[name] = person[name]
	}
	return o
}
