package world

import (
	"fmt"
	"math/rand/v2"
	"slices"
)

// firstAddedProfile is the profile ID of the first agent added by [World.AddAgents].
const firstAddedProfile = 900_000

// Reseed reseeds the random source with seed. The past stays the same, and each seed gives a
// different future.
func (w *World) Reseed(seed int64) {
	s := uint64(seed) //nolint:gosec // the sign of a seed does not matter
	w.rng = rand.New(rand.NewPCG(s, s^0x9e3779b97f4a7c15))
}

// AddAgents adds n logged-in agents who are ready for a service on a channel. They belong to
// the first group of the service and behave like other agents from then on. AddAgents returns
// [ErrNoService] if the service is unknown or does not use the channel.
func (w *World) AddAgents(n int, service, channelName string) error {
	l := w.serviceChannel(service, channelName)
	if l == nil {
		return fmt.Errorf("%w: %s %s", ErrNoService, service, channelName)
	}
	g := l.service.groups[0]
	b := builder{w: w}
	for range n {
		i := len(w.agents)
		u := &user{
			world: w, profileID: int64(firstAddedProfile + i), profileType: ProfileAgent, site: 1,
			username: fmt.Sprintf("sent%03d", i), name: "Sent", surname: fmt.Sprintf("Agent %d", i),
			shiftEnd: w.now - w.timeOfDay() + day, skillsets: []string{g.code},
		}
		for _, of := range g.services {
			u.services = append(u.services, of.code)
		}
		slices.Sort(u.services)
		u.channels = []*userChannel{newUserChannel(u, l.channel)}
		w.userByName[u.username], w.siteByProfile[u.profileID] = u, u.site
		w.agents = append(w.agents, u)
		g.agents = append(g.agents, u)
		b.assignAgent(u)
		u.login()
	}
	return nil
}

// WaitingContacts returns the number of contacts that wait for a service on a channel. Unlike
// QueuedCalls of [ServiceCalls], it does not count contacts that ring at an agent. It returns
// 0 if the service does not use the channel.
func (w *World) WaitingContacts(service, channelName string) int {
	l, n := w.serviceChannel(service, channelName), 0
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

// serviceChannel returns a service on a channel, or nil if the service is unknown or does not use the channel.
func (w *World) serviceChannel(service, channelName string) *serviceChannel {
	s, ch := w.serviceByCode[service], ChannelIndex(channelName)
	if s == nil || ch < 0 {
		return nil
	}
	return s.channels[ch]
}
