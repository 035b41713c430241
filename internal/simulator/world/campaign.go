package world

import (
	"cmp"
	"slices"
	"time"
)

// Dialer holds the campaigns, their lists and the contacts of the lists.
type Dialer struct {
	w         *World
	campaigns []*campaign // sorted by id
	byID      map[int64]*campaign
	lists     []List // sorted by id
	itemIDs   int64  // number of list items so far
}

// campaign is the predictive dialer for a service.
//
// Its contacts are the items added to its lists and, after them, anonymous contacts.
// A campaign opens with anonymous contacts and receives new ones when it has none
// left, independently of its lists.
type campaign struct {
	w          *World
	line       *line
	settings   Campaign
	running    bool
	stat       CampaignStat
	items      []*item       // items that the statistics include
	numbers    int64         // number of items so far
	deleted    int64         // deleted items that still count as to do
	retries    []*item       // contacts due for another attempt; nil is an anonymous contact
	generation uint64        // incremented to cancel the scheduled further attempts
	pace       time.Duration // mean time between attempts
	idle       bool          // all anonymous contacts were dialed
	refill     time.Duration // mean time until an idle campaign gets new contacts; 0 means never
	slot       *slot[CampaignStat]
}

// Outcomes of an attempt: a conversation, a wrong number, or no answer.
const (
	dialAnsweredChance = 0.42
	dialInvalidChance  = 0.06
	dialRetryShare     = 0.3 // share of the attempts without answer
	dialSuccessChance  = 0.55
	dialTalkTime       = 45 * time.Second
)

// openCampaign adds a campaign that has been running for some time, with its list.
func (d *Dialer) openCampaign(id int64, name string, s *service) {
	resources := int64(4 + d.w.randomIndex(9))
	total := int64(2500 + 250*d.w.randomIndex(20))
	list := id - firstCampaign + firstList
	d.addList(newList(list, name+" contacts"))
	today := d.w.opts.Clock.UTC().Truncate(day)
	c := d.addCampaign(Campaign{
		ID: id, AbilitazioneID: 1, Name: name, ServiceCode: s.code, Enabled: true,
		StartDate: today.AddDate(0, -1, 0), EndDate: today.AddDate(1, 0, 0),
		Priority: normalUrgency, ReservedChannels: resources, BusyChannels: resources, BusyChannelsType: "PRESENT",
		Lists: []CampaignList{{ListID: list, Priority: 1, Enabled: true}},
		Type:  "CALL", UsersToNotify: []string{},
	}, resources)
	c.refill = 10 * time.Minute
	c.running = true
	c.stat.TotalContacts, c.stat.ToDoContacts = total, total
	c.allocate()
}

func (d *Dialer) addCampaign(s Campaign, resources int64) *campaign {
	c := &campaign{
		w: d.w, line: d.w.serviceOf[s.ServiceCode].lines[channelCall], settings: s.clone(),
		pace: 30 * time.Second / time.Duration(resources),
		stat: CampaignStat{CampaignID: s.ID, AvailableResources: resources, FreeResources: resources},
	}
	c.slot = d.w.ledgers.campaigns.addSlot(c.record)
	i, _ := slices.BinarySearchFunc(d.campaigns, s.ID, func(c *campaign, id int64) int { return cmp.Compare(c.settings.ID, id) })
	d.campaigns = slices.Insert(d.campaigns, i, c)
	d.byID[s.ID] = c
	return c
}

func (c *campaign) record() *CampaignStat {
	r := c.stat
	return &r
}

func (c *campaign) changed() { c.w.ledgers.campaigns.markStale(c.slot) }

// allocate adjusts the allocated channels. A channel in use stays allocated until
// its call ends.
func (c *campaign) allocate() {
	n := c.stat.UsedChannels
	if c.running && c.settings.allows(c.w.Now()) {
		n = max(n, c.settings.channels())
	}
	if n != c.stat.AllocatedChannels {
		c.stat.AllocatedChannels = n
		c.changed()
	}
}

// run dials contacts while there are free channels in opening hours.
func (c *campaign) run() {
	w := c.w
	w.after(w.exponential(c.pace)+w.untilOpen(), func() {
		c.allocate()
		switch s := &c.stat; {
		case s.UsedChannels == s.AllocatedChannels || s.FreeResources == 0:
		case len(c.retries) > 0 && (!c.hasNext() || w.happensWith(0.1)):
			it := c.retries[0]
			c.retries = c.retries[1:]
			c.dial(it)
		case c.hasNext():
			s.ToDoContacts--
			s.TriedContacts++
			c.dial(c.next())
		case !c.idle && c.refill > 0 && s.UsedChannels == 0:
			c.idle = true
			w.after(w.between(c.refill/2, c.refill*3/2), c.addContacts)
		}
		c.run()
	})
}

// addContacts adds new anonymous contacts, unless the campaign was stopped in the
// meantime.
func (c *campaign) addContacts() {
	c.idle = false
	if !c.running {
		return
	}
	n := int64(500 + 100*c.w.randomIndex(20))
	c.stat.TotalContacts += n
	c.stat.ToDoContacts += n
	c.changed()
}

// trim reduces the contacts to do to n.
func (c *campaign) trim(n int64) {
	if cut := c.stat.ToDoContacts - n; cut > 0 {
		c.stat.TotalContacts -= cut
		c.stat.ToDoContacts -= cut
		c.changed()
	}
}

// dial makes an attempt to reach an item. A nil item is an anonymous contact.
func (c *campaign) dial(it *item) {
	w, s, l := c.w, &c.stat, c.line
	it.begin()
	s.StartedCalls++
	s.UsedChannels++
	s.RingingContacts++
	l.ringing++
	l.calls.OutboundReceivedCalls++
	c.changed()
	l.changed()
	started := w.now
	w.after(w.between(3*time.Second, 14*time.Second), func() { c.outcome(it, l, started) })
}

// outcome ends the ringing of an attempt, which counts for the line l.
func (c *campaign) outcome(it *item, l *line, started time.Duration) {
	w, s, out := c.w, &c.stat, &l.calls
	s.RingingContacts--
	l.ringing--
	c.changed()
	l.changed()
	x := w.rng.Float64()
	if x < dialAnsweredChance && s.FreeResources > 0 {
		out.OutboundAnsweredCalls++
		s.TalkingContacts++
		s.FreeResources--
		answered := w.now
		w.after(w.logNormal(dialTalkTime, 0.7), func() {
			c.hangUp(it)
			w.past.add(PastOutbound, c.attempt(l, started, answered))
		})
		return
	}
	w.past.add(PastOutbound, c.attempt(l, started, 0))
	c.release(it)
	if x > 1-dialInvalidChance {
		out.OutboundClosedCallsGenericCause++
		return
	}
	out.OutboundHangupCalls++
	if w.happensWith(dialRetryShare) {
		era := c.generation
		w.after(w.between(time.Minute, 4*time.Minute), func() {
			if c.generation == era {
				c.retries = append(c.retries, it)
			}
		})
	}
}

// attempt returns the archive entry of a finished attempt.
func (c *campaign) attempt(l *line, started, answered time.Duration) endedContact {
	customer := int(scramble(uint64(started)) % NumCallers) //nolint:gosec // only the low bits matter
	return endedContact{service: l.service, customer: customer, start: started, answered: answered}
}

// hangUp ends a conversation.
func (c *campaign) hangUp(it *item) {
	s := &c.stat
	s.TalkingContacts--
	s.FreeResources++
	c.release(it)
	if c.w.happensWith(dialSuccessChance) {
		s.OkContacts++
	}
	c.changed()
}

// release ends an attempt.
func (c *campaign) release(it *item) {
	it.end()
	c.stat.UsedChannels--
	c.allocate()
}

// resetStats resets the statistics. Contacts that were dialed are no longer counted
// or retried, except those that ring or talk. Deleted items are no longer to be dialed.
func (c *campaign) resetStats() {
	c.cancelRetries()
	s := &c.stat
	s.ToDoContacts -= c.deleted
	c.deleted = 0
	c.dropTried()
	s.StartedCalls, s.TriedContacts, s.OkContacts = s.UsedChannels, s.UsedChannels, 0
	s.TotalContacts = s.TriedContacts + s.ToDoContacts
	c.changed()
}

// resetContacts returns all dialed contacts to the contacts still to be dialed, except those that
// ring or talk.
func (c *campaign) resetContacts() {
	c.cancelRetries()
	s := &c.stat
	for _, it := range c.items {
		it.tried = it.trying
	}
	s.TriedContacts, s.OkContacts = s.UsedChannels, 0
	s.ToDoContacts = s.TotalContacts - s.TriedContacts
	c.changed()
}

// cancelRetries cancels the scheduled further attempts.
func (c *campaign) cancelRetries() {
	c.generation++
	c.retries = nil
}
