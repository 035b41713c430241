package world

import (
	"math"
	"slices"
	"time"
)

// service is a service of the contact center.
type service struct {
	code, name string
	groups     []*group
	lines      [NumChannels]*line // nil for channels that the service does not use
}

// group is a group of agents with the same skill.
type group struct {
	code, name string
	services   []*service
	agents     []*user
	desks      [NumChannels]*desk // nil for channels that no service of the group uses
}

// line is a service on a channel.
type line struct {
	w          *World
	service    *service
	ch         channel
	calls      ServiceCalls // counters; record adds the other fields
	totalWait  time.Duration
	waiting    []*contact // in order of arrival, including ringing contacts
	storedWait int64      // stored value for maxTimeCallOnQueue, in seconds
	talking    int64
	ringing    int64    // outbound
	talkFactor float64  // factor for the duration of contacts; 0 counts as 1
	watched    *contact // contact whose waiting time a timer follows
	roster     roster
	survey     surveyStats
	slot       *slot[ServiceStat]
}

func (b *builder) openLine(s *service, ch channel) *line {
	w := b.w
	l := &line{w: w, service: s, ch: ch}
	l.slot = w.ledgers.services.addSlot(l.record)
	return l
}

func (l *line) changed() { l.w.ledgers.services.markStale(l.slot) }

// userMoved updates the roster when a user of the service changes place.
func (l *line) userMoved(profile int64, before, after position) {
	if before.line == l {
		before.kindSet |= kindOnService.bit()
	}
	if after.line == l {
		after.kindSet |= kindOnService.bit()
	}
	if before.kindSet != after.kindSet {
		l.roster.move(profile, before.kindSet, after.kindSet)
		l.changed()
	}
}

// countArrival counts a contact and the known facts about its caller.
func (l *line) countArrival(w *World) {
	c := &l.calls
	c.ReceivedCalls++
	if w.happensWith(accessListShare) {
		c.ReceivedCallsInAccessList++
	}
	if !w.happensWith(vendorShare) {
		return
	}
	c.ReceivedCallsWithVendor4you++
	switch x := w.rng.Float64(); {
	case x < 0.6:
		c.ReceivedCallsWithVendor4youSingle++
	case x < 0.8:
		c.ReceivedCallsWithVendor4youMultiple++
	default:
		c.ReceivedCallsWithVendor4youAnonymous++
	}
}

func (l *line) leaveQueue(c *contact) {
	if i := slices.Index(l.waiting, c); i >= 0 {
		l.waiting = slices.Delete(l.waiting, i, i+1)
		l.storeWait(seconds(l.w.now - c.start))
	}
	l.watchOldest()
}

// watchOldest updates the record every second while a contact waits.
func (l *line) watchOldest() {
	if len(l.waiting) == 0 {
		l.watched = nil
		return
	}
	if l.watched == l.waiting[0] {
		return
	}
	l.watched = l.waiting[0]
	l.tick(l.watched)
}

func (l *line) tick(c *contact) {
	waited := l.w.now - c.start
	l.w.after(time.Second-waited%time.Second, func() {
		if l.watched == c {
			l.changed()
			l.tick(c)
		}
	})
}

func (l *line) record() *ServiceStat {
	c := l.calls
	c.QueuedCalls = int64(len(l.waiting))
	c.ConnectedCall = l.talking
	c.CurrentCalls = c.QueuedCalls + c.ConnectedCall
	var wait int64
	if len(l.waiting) > 0 {
		wait = seconds(l.w.now - l.waiting[0].start)
	}
	c.MaxTimeCallOnQueue = l.maxTimeCallOnQueue(wait)
	if c.AnsweredCalls > 0 {
		c.AverageTimeOnQueue = math.Round(l.totalWait.Seconds()/float64(c.AnsweredCalls)*100) / 100
	}
	return &ServiceStat{
		Code:        l.service.code,
		Channel:     l.ch.String(),
		Calls:       c,
		Users:       l.roster.serviceUsers(),
		CustomStats: l.survey.stats(),
		CurrentWait: wait,
	}
}

// storeWait stores the wait of a contact that has left the queue.
func (l *line) storeWait(wait int64) {
	if l.w.opts.LongestWait == LongestKept || wait > l.storedWait {
		l.storedWait = wait
	}
}

// maxTimeCallOnQueue returns the counter with the meaning selected by the options.
func (l *line) maxTimeCallOnQueue(wait int64) int64 {
	switch o := l.w.opts.LongestWait; {
	case o == LongestToday:
		return max(l.storedWait, wait)
	case o == LongestAnswered, o == LongestKept && len(l.waiting) == 0:
		return l.storedWait
	}
	return wait
}

// newDay resets the daily counters. Waiting contacts count as received today.
func (l *line) newDay() {
	queued := int64(len(l.waiting))
	l.calls = ServiceCalls{ReceivedCalls: queued, OutboundReceivedCalls: l.ringing}
	l.totalWait, l.storedWait = 0, 0
	l.survey = surveyStats{}
	l.changed()
}

// desk is a group on a channel.
type desk struct {
	w          *World
	group      *group
	ch         channel
	calls      GroupCalls
	waiting    []*contact // in order of arrival, without ringing contacts
	wrapFactor float64    // factor for the duration of after-contact work; 0 counts as 1
	stuck      bool       // contacts do not reach the agents
	media      []*medium
	roster     roster
	survey     surveyStats
	slot       *slot[GroupStat]
}

func (b *builder) openDesk(g *group, ch channel) *desk {
	w := b.w
	d := &desk{w: w, group: g, ch: ch}
	d.slot = w.ledgers.groups.addSlot(d.record)
	return d
}

func (d *desk) changed() { d.w.ledgers.groups.markStale(d.slot) }

func (d *desk) userMoved(profile int64, before, after position) {
	if before.kindSet != after.kindSet {
		d.roster.move(profile, before.kindSet, after.kindSet)
		d.changed()
	}
}

func (d *desk) record() *GroupStat {
	return &GroupStat{
		Code:        d.group.code,
		Channel:     d.ch.String(),
		Calls:       d.calls,
		Users:       d.roster.groupUsers(),
		CustomStats: d.survey.stats(),
	}
}

func (d *desk) newDay() {
	queued := d.calls.QueuedCalls
	d.calls = GroupCalls{ReceivedCalls: queued, QueuedCalls: queued}
	d.survey = surveyStats{}
	d.changed()
}

// surveyStats holds the data of the custom statistics: satisfaction scores and sales.
type surveyStats struct {
	answerCount, promoters, detractors int64
	lastScore                          float64
	sold, lastSale                     float64
}

// survey records a random score and sale for a finished contact.
func (c *contact) survey() {
	w, l, d := c.line.w, c.line, c.desk
	if w.happensWith(0.3) {
		score := w.randomIndex(11)
		if score < 8 && w.happensWith(0.7) {
			score = 8 + w.randomIndex(3)
		}
		l.survey.rate(score)
		d.survey.rate(score)
	}
	if w.happensWith(0.15) {
		amount := float64(10 + w.randomIndex(240))
		l.survey.sell(amount)
		d.survey.sell(amount)
	}
}

func (s *surveyStats) rate(score int) {
	s.answerCount++
	s.lastScore = float64(score)
	switch {
	case score >= 9:
		s.promoters++
	case score <= 6:
		s.detractors++
	}
}

func (s *surveyStats) sell(amount float64) {
	s.sold += amount
	s.lastSale = amount
}

func (s *surveyStats) stats() []CustomStat {
	nps := 0.0
	if s.answerCount > 0 {
		nps = math.Round(float64(s.promoters-s.detractors)/float64(s.answerCount)*1000) / 10
	}
	return []CustomStat{
		{Key: "NPS", AggregatedValue: nps, Value: s.lastScore},
		{Key: "SALES", AggregatedValue: s.sold, Value: s.lastSale},
	}
}
