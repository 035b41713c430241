package world

import (
	"cmp"
	"slices"
	"time"
)

// Dialer holds the campaigns and their lists of contacts.
type Dialer struct {
	w          *World
	campaigns  []*campaign // sorted by id
	byID       map[int64]*campaign
	lists      []List // sorted by id
	lastItemID int64  // id of the last list item
}

// campaign dials the contacts of a dialer campaign for a service.
//
// It first dials the items of its lists, and then anonymous contacts, which are only counted. A
// campaign of openCampaign begins with anonymous contacts and gets new ones when none are left.
type campaign struct {
	w               *World
	serviceChannel  *serviceChannel
	settings        Campaign
	isRunning       bool
	stat            CampaignStat
	items           []*item       // list items that the statistics include
	itemCount       int64         // number of list items so far
	deletedCount    int64         // number of deleted items that the statistics still count as to do
	retries         []*item       // contacts due for another attempt; a nil element is an anonymous contact
	generation      uint64        // incremented to cancel the scheduled further attempts
	attemptInterval time.Duration // mean time between attempts
	isExhausted     bool          // all contacts were dialed, and new anonymous ones are scheduled
	refillInterval  time.Duration // mean time after which an idle campaign gets new anonymous contacts; 0: never
	slot            *recordSlot[CampaignStat]
}

// Probabilities of the outcomes of an attempt, and the median length of a conversation.
const (
	dialAnsweredChance = 0.42
	dialInvalidChance  = 0.06
	dialRetryShare     = 0.3 // share of the unanswered attempts that are retried
	dialSuccessChance  = 0.55
	dialTalkTime       = 45 * time.Second
)

// openCampaign adds a campaign that is already running, and its list. s is the service of the
// campaign.
func (d *Dialer) openCampaign(id int64, name string, s *service) {
	resources := int64(4 + d.w.randomIndex(9))
	total := int64(2500 + 250*d.w.randomIndex(20))
	list := id - firstCampaignID + firstListID
	d.addList(newList(list, name+" contacts"))
	today := d.w.opts.Clock.UTC().Truncate(day)
	c := d.addCampaign(Campaign{
		ID: id, AbilitazioneID: 1, Name: name, ServiceCode: s.code, Enabled: true,
		StartDate: today.AddDate(0, -1, 0), EndDate: today.AddDate(1, 0, 0),
		Priority: defaultPriority, ReservedChannels: resources, BusyChannels: resources, BusyChannelsType: "PRESENT",
		Lists: []CampaignList{{ListID: list, Priority: 1, Enabled: true}},
		Type:  "CALL", UsersToNotify: []string{},
	}, resources)
	c.refillInterval = 10 * time.Minute
	c.isRunning = true
	c.stat.TotalContacts, c.stat.ToDoContacts = total, total
	c.allocateChannels()
}

func (d *Dialer) addCampaign(s Campaign, resources int64) *campaign {
	c := &campaign{
		w: d.w, serviceChannel: d.w.serviceByCode[s.ServiceCode].channels[channelCall], settings: s.clone(),
		attemptInterval: 30 * time.Second / time.Duration(resources),
		stat:            CampaignStat{CampaignID: s.ID, AvailableResources: resources, FreeResources: resources},
	}
	c.slot = d.w.recordSets.campaigns.addSlot(c.record)
	i, _ := slices.BinarySearchFunc(d.campaigns, s.ID, func(c *campaign, id int64) int { return cmp.Compare(c.settings.ID, id) })
	d.campaigns = slices.Insert(d.campaigns, i, c)
	d.byID[s.ID] = c
	return c
}

func (c *campaign) record() *CampaignStat {
	r := c.stat
	return &r
}

func (c *campaign) markChanged() { c.w.recordSets.campaigns.markStale(c.slot) }

// allocateChannels adjusts the number of allocated channels to the campaign's settings and state. A channel
// in use stays allocated until its call ends.
func (c *campaign) allocateChannels() {
	n := c.stat.UsedChannels
	if c.isRunning && c.settings.allows(c.w.Now()) {
		n = max(n, c.settings.channels())
	}
	if n != c.stat.AllocatedChannels {
		c.stat.AllocatedChannels = n
		c.markChanged()
	}
}

// scheduleAttempts schedules the campaign's attempts to reach contacts. An attempt is made
// only during opening hours and if a channel and a resource are free.
func (c *campaign) scheduleAttempts() {
	w := c.w
	w.scheduleAfter(w.randomExponential(c.attemptInterval)+w.untilOpen(), func() {
		c.allocateChannels()
		switch s := &c.stat; {
		case s.UsedChannels == s.AllocatedChannels || s.FreeResources == 0:
		case len(c.retries) > 0 && (!c.hasNextContact() || w.happensWith(0.1)):
			it := c.retries[0]
			c.retries = c.retries[1:]
			c.dial(it)
		case c.hasNextContact():
			s.ToDoContacts--
			s.TriedContacts++
			c.dial(c.nextItem())
		case !c.isExhausted && c.refillInterval > 0 && s.UsedChannels == 0:
			c.isExhausted = true
			w.scheduleAfter(w.randomBetween(c.refillInterval/2, c.refillInterval*3/2), c.addContacts)
		}
		c.scheduleAttempts()
	})
}

// addContacts adds new anonymous contacts, unless the campaign was stopped in the meantime.
func (c *campaign) addContacts() {
	c.isExhausted = false
	if !c.isRunning {
		return
	}
	n := int64(500 + 100*c.w.randomIndex(20))
	c.stat.TotalContacts += n
	c.stat.ToDoContacts += n
	c.markChanged()
}

// limitToDo lowers the number of contacts still to be dialed to n, if it is higher.
func (c *campaign) limitToDo(n int64) {
	if cut := c.stat.ToDoContacts - n; cut > 0 {
		c.stat.TotalContacts -= cut
		c.stat.ToDoContacts -= cut
		c.markChanged()
	}
}

// dial begins an attempt to reach an item. A nil item stands for an anonymous contact.
func (c *campaign) dial(it *item) {
	w, s, l := c.w, &c.stat, c.serviceChannel
	it.beginAttempt()
	s.StartedCalls++
	s.UsedChannels++
	s.RingingContacts++
	l.ringingOutbound++
	l.calls.OutboundReceivedCalls++
	c.markChanged()
	l.markChanged()
	started := w.now
	w.scheduleAfter(w.randomBetween(3*time.Second, 14*time.Second), func() { c.endRinging(it, l, started) })
}

// endRinging ends the ringing of an attempt with a random outcome. it is the dialed item, or nil
// for an anonymous contact. l is the service channel whose counters include the attempt.
func (c *campaign) endRinging(it *item, l *serviceChannel, started time.Duration) {
	w, s, out := c.w, &c.stat, &l.calls
	s.RingingContacts--
	l.ringingOutbound--
	c.markChanged()
	l.markChanged()
	x := w.rng.Float64()
	if x < dialAnsweredChance && s.FreeResources > 0 {
		out.OutboundAnsweredCalls++
		s.TalkingContacts++
		s.FreeResources--
		answered := w.now
		w.scheduleAfter(w.randomLogNormal(dialTalkTime, 0.7), func() {
			c.endConversation(it)
			w.finished.addEnded(KindOutbound, c.endedAttempt(l, started, answered))
		})
		return
	}
	w.finished.addEnded(KindOutbound, c.endedAttempt(l, started, 0))
	c.endAttempt(it)
	if x > 1-dialInvalidChance {
		out.OutboundClosedCallsGenericCause++
		return
	}
	out.OutboundHangupCalls++
	if w.happensWith(dialRetryShare) {
		era := c.generation
		w.scheduleAfter(w.randomBetween(time.Minute, 4*time.Minute), func() {
			if c.generation == era {
				c.retries = append(c.retries, it)
			}
		})
	}
}

// endedAttempt returns the data of a finished attempt. answered is 0 if there was no answer.
func (c *campaign) endedAttempt(l *serviceChannel, started, answered time.Duration) endedContact {
	customer := int(scramble(uint64(started)) % NumCallers) //nolint:gosec // only the low bits matter
	return endedContact{service: l.service, customer: customer, start: started, answeredAt: answered}
}

// endConversation ends the conversation with a contact.
func (c *campaign) endConversation(it *item) {
	s := &c.stat
	s.TalkingContacts--
	s.FreeResources++
	c.endAttempt(it)
	if c.w.happensWith(dialSuccessChance) {
		s.OkContacts++
	}
	c.markChanged()
}

// endAttempt ends an attempt and releases its channel.
func (c *campaign) endAttempt(it *item) {
	it.endAttempt()
	c.stat.UsedChannels--
	c.allocateChannels()
}

// resetStats resets the statistics. Contacts that were dialed are no longer counted and not
// retried, except those that ring or talk. Deleted items no longer count as to do.
func (c *campaign) resetStats() {
	c.cancelRetries()
	s := &c.stat
	s.ToDoContacts -= c.deletedCount
	c.deletedCount = 0
	c.dropTried()
	s.StartedCalls, s.TriedContacts, s.OkContacts = s.UsedChannels, s.UsedChannels, 0
	s.TotalContacts = s.TriedContacts + s.ToDoContacts
	c.markChanged()
}

// resetContacts makes all dialed contacts due for dialing again, except those that ring or talk.
func (c *campaign) resetContacts() {
	c.cancelRetries()
	s := &c.stat
	for _, it := range c.items {
		it.wasTried = it.isTrying
	}
	s.TriedContacts, s.OkContacts = s.UsedChannels, 0
	s.ToDoContacts = s.TotalContacts - s.TriedContacts
	c.markChanged()
}

// cancelRetries cancels all scheduled retries.
func (c *campaign) cancelRetries() {
	c.generation++
	c.retries = nil
}
