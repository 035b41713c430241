package world

import (
	"fmt"
	"slices"
)

const (
	firstOperatorProfile = 501
	firstAgentProfile    = 1001
	firstCampaignID      = 301
)

// numberedCode returns a code such as SRV01 for the object with index i among n objects. If n
// is 100 or more, the number has three digits or more, as in SRV001.
func numberedCode(prefix string, i, n int) string {
	return fmt.Sprintf("%s%0*d", prefix, max(2, len(fmt.Sprint(n))), i+1)
}

// builder builds the services, groups, users and campaigns of a world before its first event.
type builder struct {
	w       *World
	persons *personGenerator
}

// build creates the services, groups, users and campaigns, and sets the traffic.
func (b *builder) build() {
	w := b.w
	b.buildServices()
	b.buildGroups()
	for i := range w.opts.Operators {
		b.createOperator(i)
	}
	for i := range w.opts.Agents {
		b.createAgent(i)
	}
	b.coverChannels()
	for _, u := range w.agents {
		b.assignAgent(u)
	}
	for i := range w.opts.Campaigns {
		w.dialer.openCampaign(int64(firstCampaignID+i), campaignName(i), w.services[i%len(w.services)])
	}
	b.planTraffic()
}

// buildServices creates the services. All of them have calls, some have more channels, and every
// fourth has an attendant.
func (b *builder) buildServices() {
	w := b.w
	n := w.opts.Services
	for i := range n {
		s := &service{code: numberedCode("SRV", i, n), name: serviceName(i)}
		for ch := range channel(NumChannels) {
			if b.usesChannel(i, ch) {
				s.channels[ch] = b.newServiceChannel(s, ch)
			}
		}
		w.services = append(w.services, s)
		w.serviceByCode[s.code] = s
		if i%4 == 0 {
			w.attendants = append(w.attendants, b.newAttendant(s))
		}
	}
}

// usesChannel reports whether the i-th service uses a channel.
func (b *builder) usesChannel(i int, ch channel) bool {
	w := b.w
	if n := w.opts.Channels; n > 0 {
		return slices.Contains(channelsByFrequency()[:n], ch)
	}
	switch ch {
	case channelCall:
		return true
	case channelChat:
		return i%3 == 0
	case channelMail:
		return i%4 == 1
	case channelVideo:
		return i%6 == 2
	case channelLiveHelp:
		return i%6 == 4
	case channelCustom1, channelCustom2, channelCustom3, channelOmniDesk:
	}
	return false
}

// channelsByFrequency returns the channels, the most common first.
func channelsByFrequency() []channel {
	return []channel{
		channelCall, channelChat, channelMail, channelVideo, channelLiveHelp,
		channelCustom1, channelCustom2, channelCustom3, channelOmniDesk,
	}
}

// buildGroups assigns at least one group to each service and at least one service to each group.
func (b *builder) buildGroups() {
	w := b.w
	n := w.opts.Groups
	for i := range n {
		g := &group{code: numberedCode("GRP", i, n), name: groupName(i)}
		w.groups = append(w.groups, g)
		w.groupByCode[g.code] = g
	}
	for i := range max(n, len(w.services)) {
		g, s := w.groups[i%n], w.services[i%len(w.services)]
		g.services = append(g.services, s)
		s.groups = append(s.groups, g)
	}
	for _, g := range w.groups {
		for _, ch := range g.usedChannels() {
			g.channels[ch] = b.newGroupChannel(g, ch)
		}
	}
}

// usedChannels returns the channels that the group's services use, in channel order.
func (g *group) usedChannels() []channel {
	var out []channel
	for ch := range channel(NumChannels) {
		if slices.ContainsFunc(g.services, func(s *service) bool { return s.channels[ch] != nil }) {
			out = append(out, ch)
		}
	}
	return out
}

func (b *builder) newUser(profile int64, kind string) *user {
	w := b.w
	p := b.persons.randomPerson(w)
	u := &user{world: w, profileID: profile, profileType: kind, username: p.username, name: p.first, surname: p.last}
	u.site = int64(1 + w.randomIndex(w.opts.Sites))
	w.siteByProfile[profile] = u.site
	w.userByName[u.username] = u
	return u
}

// createOperator creates an operator, who answers the calls of all attendants.
func (b *builder) createOperator(i int) {
	w := b.w
	u := b.newUser(int64(firstOperatorProfile+i), ProfileOperator)
	u.attendants = w.attendants
	u.skillsets = []string{}
	u.services = []string{}
	m := newUserChannel(u, channelCall)
	for _, a := range w.attendants {
		u.services = append(u.services, a.service.code)
		a.operators = append(a.operators, u)
		m.counters = append(m.counters, a)
	}
	u.channels = []*userChannel{m}
	w.operators = append(w.operators, u)

	record := w.recordSets.users.addSlot(u.userRecord)
	stat := w.recordSets.operators.addSlot(u.operatorStat)
	profile := w.recordSets.operatorProfiles.addSlot(m.profileStat)
	u.markChanged = func() {
		w.recordSets.users.markStale(record)
		w.recordSets.operators.markStale(stat)
	}
	m.markStatsChanged = func() { w.recordSets.operatorProfiles.markStale(profile) }
}

// createAgent creates the agent with the index i, with one to three groups and their channels.
// It distributes the first agents over the groups to leave no group empty.
func (b *builder) createAgent(i int) {
	w := b.w
	u := b.newUser(int64(firstAgentProfile+i), ProfileAgent)
	groups := []*group{w.groups[i%len(w.groups)]}
	if i >= len(w.groups) {
		groups[0] = b.randomGroup()
	}
	for range b.randomExtraSkills() {
		if g := b.randomGroup(); !slices.Contains(groups, g) {
			groups = append(groups, g)
		}
	}
	slices.SortFunc(groups, func(a, b *group) int { return slices.Index(w.groups, a) - slices.Index(w.groups, b) })
	var extra []channel
	for _, g := range groups {
		g.agents = append(g.agents, u)
		u.skillsets = append(u.skillsets, g.code)
		for _, s := range g.services {
			u.services = append(u.services, s.code)
		}
		extra = append(extra, g.usedChannels()[1:]...)
	}
	slices.Sort(u.services)
	u.services = slices.Compact(u.services)

	b.assignChannels(u, extra)
	w.agents = append(w.agents, u)
}

// assignChannels assigns calls and a random choice of the channels in extra to an agent, up to
// three channels altogether. Some agents with other channels get no calls. If
// [Options.Channels] is set, the agent gets calls and all channels in extra instead.
func (b *builder) assignChannels(u *user, extra []channel) {
	w := b.w
	u.channels = []*userChannel{newUserChannel(u, channelCall)}
	if w.opts.Channels > 0 {
		for _, ch := range extra {
			u.addChannel(ch)
		}
		return
	}
	for range w.randomIndex(3) {
		if len(extra) > 0 {
			u.addChannel(extra[w.randomIndex(len(extra))])
		}
	}
	if len(u.channels) > 1 && w.happensWith(0.12) {
		u.channels = u.channels[1:] // does not take calls
	}
}

// randomExtraSkills returns a random number of groups that an agent has besides the first.
func (b *builder) randomExtraSkills() int {
	w := b.w
	switch x := w.rng.Float64(); {
	case x < 0.6:
		return 0
	case x < 0.88:
		return 1
	}
	return 2
}

// randomGroup returns a random group, preferring groups at the beginning of the list.
func (b *builder) randomGroup() *group {
	w := b.w
	for {
		i := w.randomIndex(len(w.groups))
		if w.happensWith(1 / (1 + 0.25*float64(i))) {
			return w.groups[i]
		}
	}
}

// addChannel adds a channel to an agent unless they already have it.
func (u *user) addChannel(ch channel) {
	i, found := slices.BinarySearchFunc(u.channels, ch, func(m *userChannel, ch channel) int { return int(m.channel) - int(ch) })
	if !found {
		u.channels = slices.Insert(u.channels, i, newUserChannel(u, ch))
	}
}

// coverChannels adds channels to agents until each channel of a group has two agents. It does not
// add a fourth channel to an agent.
func (b *builder) coverChannels() {
	w := b.w
	for _, g := range w.groups {
		for _, ch := range g.usedChannels() {
			agentCount := 0
			for _, u := range g.agents {
				if u.channel(ch) != nil {
					agentCount++
				}
			}
			for _, u := range g.agents {
				if agentCount < 2 && len(u.channels) < 3 && u.channel(ch) == nil {
					u.addChannel(ch)
					agentCount++
				}
			}
		}
	}
}

// channel returns the user's data on a channel, or nil if the user does not work on it.
func (u *user) channel(ch channel) *userChannel {
	for _, m := range u.channels {
		if m.channel == ch {
			return m
		}
	}
	return nil
}

// assignAgent connects an agent's channels with those of their groups and services, and adds the
// agent's records.
func (b *builder) assignAgent(u *user) {
	w := b.w
	record := w.recordSets.users.addSlot(u.userRecord)
	u.markChanged = func() { w.recordSets.users.markStale(record) }
	for _, m := range u.channels {
		for _, code := range u.skillsets {
			g := w.groupByCode[code]
			d := g.channels[m.channel]
			if d == nil {
				continue
			}
			d.userChannels = append(d.userChannels, m)
			m.groupChannels = append(m.groupChannels, d)
			m.counters = append(m.counters, d)
			for _, s := range g.services {
				if l := s.channels[m.channel]; l != nil && !slices.Contains(m.counters, occupancyCounter(l)) {
					m.counters = append(m.counters, l)
				}
			}
		}
		stat := w.recordSets.userStats.addSlot(m.userStat)
		profile := w.recordSets.profiles.addSlot(m.profileStat)
		m.markStatsChanged = func() {
			w.recordSets.userStats.markStale(stat)
			w.recordSets.profiles.markStale(profile)
		}
	}
}
