package world

import "time"

// campaign is a list that the predictive dialer works off, on behalf of a
// service.
type campaign struct {
	w      *World
	line   *line
	name   string
	stat   CampaignStat
	again  int64         // contacts that are due for another attempt
	pace   time.Duration // mean time between attempts
	idle   bool          // the list is worked off
	refill time.Duration // mean time until an idle campaign gets a new list
	slot   *slot[CampaignStat]
}

// The outcomes of an attempt: talk, wrong number, and otherwise nobody answers.
const (
	dialAnswered = 0.42
	dialInvalid  = 0.06
	dialAgain    = 0.3 // of the unanswered
	dialOK       = 0.55
	dialTalk     = 45 * time.Second
)

func (w *World) openCampaign(id int64, name string, l *line) *campaign {
	resources := int64(4 + w.pick(9))
	total := int64(2500 + 250*w.pick(20))
	c := &campaign{w: w, line: l, name: name, refill: 10 * time.Minute, stat: CampaignStat{
		CampaignID:         id,
		AvailableResources: resources,
		FreeResources:      resources,
		AllocatedChannels:  resources * 3 / 2,
		TotalContacts:      total,
		ToDoContacts:       total,
	}}
	c.pace = 30 * time.Second / time.Duration(resources)
	c.slot = w.ledgers.campaigns.open(c.record)
	return c
}

func (c *campaign) record() *CampaignStat {
	r := c.stat
	return &r
}

func (c *campaign) changed() { c.w.ledgers.campaigns.touch(c.slot) }

// run dials as long as there are contacts, channels and opening hours.
func (c *campaign) run() {
	w := c.w
	w.after(w.exponential(c.pace)+w.untilOpen(), func() {
		switch s := &c.stat; {
		case s.UsedChannels == s.AllocatedChannels || s.FreeResources == 0:
		case c.again > 0 && (s.ToDoContacts == 0 || w.chance(0.1)):
			c.again--
			c.dial()
		case s.ToDoContacts > 0:
			s.ToDoContacts--
			s.TriedContacts++
			c.dial()
		case !c.idle && s.UsedChannels == 0:
			c.idle = true
			w.after(w.between(c.refill/2, c.refill*3/2), c.load)
		}
		c.run()
	})
}

// load gives the campaign a new list.
func (c *campaign) load() {
	n := int64(500 + 100*c.w.pick(20))
	c.idle = false
	c.stat.TotalContacts += n
	c.stat.ToDoContacts += n
	c.changed()
}

// trim shortens the list to n contacts to do.
func (c *campaign) trim(n int64) {
	if cut := c.stat.ToDoContacts - n; cut > 0 {
		c.stat.TotalContacts -= cut
		c.stat.ToDoContacts -= cut
		c.changed()
	}
}

// dial makes one attempt.
func (c *campaign) dial() {
	w, s := c.w, &c.stat
	s.StartedCalls++
	s.UsedChannels++
	s.RingingContacts++
	c.line.ringing++
	c.line.calls.OutboundReceivedCalls++
	c.changed()
	c.line.changed()
	w.after(w.between(3*time.Second, 14*time.Second), c.outcome)
}

// outcome ends the ringing of one attempt.
func (c *campaign) outcome() {
	w, s, out := c.w, &c.stat, &c.line.calls
	s.RingingContacts--
	c.line.ringing--
	c.changed()
	c.line.changed()
	x := w.dice.Float64()
	if x < dialAnswered && s.FreeResources > 0 {
		out.OutboundAnsweredCalls++
		s.TalkingContacts++
		s.FreeResources--
		w.after(w.logNormal(dialTalk, 0.7), c.hangUp)
		return
	}
	s.UsedChannels--
	if x > 1-dialInvalid {
		out.OutboundClosedCallsGenericCause++
		return
	}
	out.OutboundHangupCalls++
	if w.chance(dialAgain) {
		w.after(w.between(time.Minute, 4*time.Minute), func() { c.again++ })
	}
}

// hangUp ends one conversation.
func (c *campaign) hangUp() {
	s := &c.stat
	s.TalkingContacts--
	s.FreeResources++
	s.UsedChannels--
	if c.w.chance(dialOK) {
		s.OkContacts++
	}
	c.changed()
}
