package world

import (
	"cmp"
	"slices"
	"time"
)

// Dialer is the campaigns, their lists and the contacts on them.
type Dialer struct {
	w         *World
	campaigns []*campaign // in the order of their ids
	byID      map[int64]*campaign
	lists     []List // likewise
	itemIDs   int64  // list items so far
}

// campaign is the predictive dialer at work for a service.
//
// Its contacts are the items that were added to its lists and, after them,
// anonymous ones, which it opened with and is given when it has none left,
// whatever its lists are.
type campaign struct {
	w        *World
	line     *line
	settings Campaign
	running  bool
	stat     CampaignStat
	items    []*item       // all that the statistics count
	numbers  int64         // items so far
	deleted  int64         // items that are gone and still counted as to do
	again    []*item       // contacts that are due for another attempt; nil is an anonymous one
	era      uint64        // grows when what was tried is forgotten, ends the waiting for another attempt
	pace     time.Duration // mean time between attempts
	idle     bool          // the anonymous contacts are worked off
	refill   time.Duration // mean time until an idle campaign gets new ones, 0 is never
	slot     *slot[CampaignStat]
}

// The outcomes of an attempt: talk, wrong number, and otherwise nobody answers.
const (
	dialAnswered = 0.42
	dialInvalid  = 0.06
	dialAgain    = 0.3 // of the unanswered
	dialOK       = 0.55
	dialTalk     = 45 * time.Second
)

// openCampaign adds a campaign that has been running for a while, with its list.
func (d *Dialer) openCampaign(id int64, name string, s *service) {
	resources := int64(4 + d.w.pick(9))
	total := int64(2500 + 250*d.w.pick(20))
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
	c.slot = d.w.ledgers.campaigns.open(c.record)
	i, _ := slices.BinarySearchFunc(d.campaigns, s.ID, func(c *campaign, id int64) int { return cmp.Compare(c.settings.ID, id) })
	d.campaigns = slices.Insert(d.campaigns, i, c)
	d.byID[s.ID] = c
	return c
}

func (c *campaign) record() *CampaignStat {
	r := c.stat
	return &r
}

func (c *campaign) changed() { c.w.ledgers.campaigns.touch(c.slot) }

// allocate takes or gives back channels. One in use stays until its call ends.
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

// run dials as long as there are contacts, channels and opening hours.
func (c *campaign) run() {
	w := c.w
	w.after(w.exponential(c.pace)+w.untilOpen(), func() {
		c.allocate()
		switch s := &c.stat; {
		case s.UsedChannels == s.AllocatedChannels || s.FreeResources == 0:
		case len(c.again) > 0 && (!c.hasNext() || w.chance(0.1)):
			it := c.again[0]
			c.again = c.again[1:]
			c.dial(it)
		case c.hasNext():
			s.ToDoContacts--
			s.TriedContacts++
			c.dial(c.next())
		case !c.idle && c.refill > 0 && s.UsedChannels == 0:
			c.idle = true
			w.after(w.between(c.refill/2, c.refill*3/2), c.load)
		}
		c.run()
	})
}

// load gives the campaign new contacts; one that was stopped meanwhile asks
// again when it runs.
func (c *campaign) load() {
	c.idle = false
	if !c.running {
		return
	}
	n := int64(500 + 100*c.w.pick(20))
	c.stat.TotalContacts += n
	c.stat.ToDoContacts += n
	c.changed()
}

// trim leaves n contacts to do.
func (c *campaign) trim(n int64) {
	if cut := c.stat.ToDoContacts - n; cut > 0 {
		c.stat.TotalContacts -= cut
		c.stat.ToDoContacts -= cut
		c.changed()
	}
}

// dial makes one attempt at an item, nil for an anonymous contact.
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
	began := w.now
	w.after(w.between(3*time.Second, 14*time.Second), func() { c.outcome(it, l, began) })
}

// outcome ends the ringing of one attempt, which counts for a line.
func (c *campaign) outcome(it *item, l *line, began time.Duration) {
	w, s, out := c.w, &c.stat, &l.calls
	s.RingingContacts--
	l.ringing--
	c.changed()
	l.changed()
	x := w.dice.Float64()
	if x < dialAnswered && s.FreeResources > 0 {
		out.OutboundAnsweredCalls++
		s.TalkingContacts++
		s.FreeResources--
		answered := w.now
		w.after(w.logNormal(dialTalk, 0.7), func() {
			c.hangUp(it)
			w.past.file(PastOutbound, c.attempt(l, began, answered))
		})
		return
	}
	w.past.file(PastOutbound, c.attempt(l, began, 0))
	c.release(it)
	if x > 1-dialInvalid {
		out.OutboundClosedCallsGenericCause++
		return
	}
	out.OutboundHangupCalls++
	if w.chance(dialAgain) {
		era := c.era
		w.after(w.between(time.Minute, 4*time.Minute), func() {
			if c.era == era {
				c.again = append(c.again, it)
			}
		})
	}
}

// attempt is what is kept of an attempt that is over.
func (c *campaign) attempt(l *line, began, answered time.Duration) ended {
	customer := int(scramble(uint64(began)) % NumCallers) //nolint:gosec // any bits will do
	return ended{service: l.service, customer: customer, began: began, answered: answered}
}

// hangUp ends one conversation.
func (c *campaign) hangUp(it *item) {
	s := &c.stat
	s.TalkingContacts--
	s.FreeResources++
	c.release(it)
	if c.w.chance(dialOK) {
		s.OkContacts++
	}
	c.changed()
}

// release ends one attempt.
func (c *campaign) release(it *item) {
	it.end()
	c.stat.UsedChannels--
	c.allocate()
}

// resetStats forgets what was done: contacts that were tried are no longer
// counted, nor tried again, but for those that ring or talk, and deleted items
// are no longer to do.
func (c *campaign) resetStats() {
	c.forget()
	s := &c.stat
	s.ToDoContacts -= c.deleted
	c.deleted = 0
	c.dropTried()
	s.StartedCalls, s.TriedContacts, s.OkContacts = s.UsedChannels, s.UsedChannels, 0
	s.TotalContacts = s.TriedContacts + s.ToDoContacts
	c.changed()
}

// resetContacts makes all contacts that were tried to do again, but for those
// that ring or talk.
func (c *campaign) resetContacts() {
	c.forget()
	s := &c.stat
	for _, it := range c.items {
		it.tried = it.trying
	}
	s.TriedContacts, s.OkContacts = s.UsedChannels, 0
	s.ToDoContacts = s.TotalContacts - s.TriedContacts
	c.changed()
}

// forget ends the waiting for other attempts.
func (c *campaign) forget() {
	c.era++
	c.again = nil
}
