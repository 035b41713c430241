package world

import (
	"fmt"
	"math/rand/v2"
	"slices"
)

// firstSentProfile is the profile of the first agent whom [World.Send] brings.
const firstSentProfile = 900_000

// Turn has chance decide otherwise from now on: the past stays as it is, and each
// seed brings another future.
func (w *World) Turn(seed int64) {
	s := uint64(seed) //nolint:gosec // a seed: any bits will do
	w.dice = rand.New(rand.NewPCG(s, s^0x9e3779b97f4a7c15))
}

// Send brings more agents to the floor, who are ready for a service on a channel,
// like those of its first group, and live like them. The error is [ErrNoService]: it
// is not offered there.
func (w *World) Send(n int, service, on string) error {
	l := w.lineOn(service, on)
	if l == nil {
		return fmt.Errorf("%w: %s %s", ErrNoService, service, on)
	}
	g := l.service.groups[0]
	b := builder{w: w}
	for range n {
		i := len(w.agents)
		u := &user{
			w: w, profile: int64(firstSentProfile + i), kind: ProfileAgent, site: 1,
			username: fmt.Sprintf("sent%03d", i), name: "Sent", surname: fmt.Sprintf("Agent %d", i),
			until: w.now - w.timeOfDay() + day, skillsets: []string{g.code},
		}
		for _, of := range g.services {
			u.services = append(u.services, of.code)
		}
		slices.Sort(u.services)
		u.media = []*medium{newMedium(u, l.ch)}
		w.userOf[u.username], w.sites[u.profile] = u, u.site
		w.agents = append(w.agents, u)
		g.agents = append(g.agents, u)
		b.equip(u)
		u.login()
	}
	return nil
}

// Waiting returns how many contacts wait for a service on a channel and have no agent:
// those that ring at one are not among them, other than in its record. It is 0 where
// the service is not offered.
func (w *World) Waiting(service, on string) int {
	l, n := w.lineOn(service, on), 0
	if l == nil {
		return 0
	}
	for _, c := range l.waiting {
		if c.stage == stageWaiting {
			n++
		}
	}
	return n
}

// lineOn returns a service on a channel, nil where it is not offered.
func (w *World) lineOn(service, on string) *line {
	s, ch := w.serviceOf[service], ChannelIndex(on)
	if s == nil || ch < 0 {
		return nil
	}
	return s.lines[ch]
}
