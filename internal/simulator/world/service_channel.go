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
	channels   [NumChannels]*serviceChannel // nil for channels that the service does not use
}

// group is a group of agents who serve the same services.
type group struct {
	code, name string
	services   []*service
	agents     []*user
	channels   [NumChannels]*groupChannel // nil for channels that no service of the group uses
}

// serviceChannel holds the contacts and figures of a service on a channel.
type serviceChannel struct {
	w               *World
	service         *service
	channel         channel
	calls           ServiceCalls // counters of the day; record adds the other fields
	totalWait       time.Duration
	waiting         []*contact // in order of arrival, including ringing contacts
	storedWait      int64      // wait for maxTimeCallOnQueue of contacts that have left the queue, in seconds
	talking         int64
	ringingOutbound int64    // number of outbound attempts that ring
	talkFactor      float64  // factor for the duration of conversations; 0 counts as 1
	watchedContact  *contact // oldest waiting contact, whose wait changes the record every second; nil: none
	usersByCategory usersByCategory
	surveyStats     surveyStats
	slot            *recordSlot[ServiceStat]
}

func (b *builder) newServiceChannel(s *service, ch channel) *serviceChannel {
	w := b.w
	l := &serviceChannel{w: w, service: s, channel: ch}
	l.slot = w.recordSets.services.addSlot(l.record)
	return l
}

func (l *serviceChannel) markChanged() { l.w.recordSets.services.markStale(l.slot) }

// userMoved updates the sets of users by category after the categories of a user have changed.
func (l *serviceChannel) userMoved(profile int64, before, after userCategories) {
	if before.contactChannel == l {
		before.categorySet |= categoryOnService.bit()
	}
	if after.contactChannel == l {
		after.categorySet |= categoryOnService.bit()
	}
	if before.categorySet != after.categorySet {
		l.usersByCategory.moveUser(profile, before.categorySet, after.categorySet)
		l.markChanged()
	}
}

// countArrival counts a contact that arrives. It draws random properties of the customer.
func (l *serviceChannel) countArrival(w *World) {
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

func (l *serviceChannel) leaveQueue(c *contact) {
	if i := slices.Index(l.waiting, c); i >= 0 {
		l.waiting = slices.Delete(l.waiting, i, i+1)
		l.storeWait(seconds(l.w.now - c.startedAt))
	}
	l.watchOldestContact()
}

// watchOldestContact updates the record of the service every second while a contact waits.
func (l *serviceChannel) watchOldestContact() {
	if len(l.waiting) == 0 {
		l.watchedContact = nil
		return
	}
	if l.watchedContact == l.waiting[0] {
		return
	}
	l.watchedContact = l.waiting[0]
	l.refreshEverySecond(l.watchedContact)
}

func (l *serviceChannel) refreshEverySecond(c *contact) {
	waited := l.w.now - c.startedAt
	l.w.scheduleAfter(time.Second-waited%time.Second, func() {
		if l.watchedContact == c {
			l.markChanged()
			l.refreshEverySecond(c)
		}
	})
}

func (l *serviceChannel) record() *ServiceStat {
	c := l.calls
	c.QueuedCalls = int64(len(l.waiting))
	c.ConnectedCall = l.talking
	c.CurrentCalls = c.QueuedCalls + c.ConnectedCall
	var wait int64
	if len(l.waiting) > 0 {
		wait = seconds(l.w.now - l.waiting[0].startedAt)
	}
	c.MaxTimeCallOnQueue = l.maxTimeCallOnQueue(wait)
	if c.AnsweredCalls > 0 {
		c.AverageTimeOnQueue = math.Round(l.totalWait.Seconds()/float64(c.AnsweredCalls)*100) / 100
	}
	return &ServiceStat{
		Code:        l.service.code,
		Channel:     l.channel.String(),
		Calls:       c,
		Users:       l.usersByCategory.serviceUsers(),
		CustomStats: l.surveyStats.customStats(),
		CurrentWait: wait,
	}
}

// storeWait stores the wait in seconds of a contact that has left the queue.
func (l *serviceChannel) storeWait(wait int64) {
	if l.w.opts.LongestWait == LongestKept || wait > l.storedWait {
		l.storedWait = wait
	}
}

// maxTimeCallOnQueue returns the value of the counter of that name, whose meaning
// [Options.LongestWait] selects. wait is the longest current wait in seconds.
func (l *serviceChannel) maxTimeCallOnQueue(wait int64) int64 {
	switch o := l.w.opts.LongestWait; {
	case o == LongestToday:
		return max(l.storedWait, wait)
	case o == LongestAnswered, o == LongestKept && len(l.waiting) == 0:
		return l.storedWait
	}
	return wait
}

// startNewDay resets the daily counters. Waiting contacts count as received today.
func (l *serviceChannel) startNewDay() {
	queued := int64(len(l.waiting))
	l.calls = ServiceCalls{ReceivedCalls: queued, OutboundReceivedCalls: l.ringingOutbound}
	l.totalWait, l.storedWait = 0, 0
	l.surveyStats = surveyStats{}
	l.markChanged()
}

// groupChannel holds the contacts and figures of a group on a channel.
type groupChannel struct {
	w               *World
	group           *group
	channel         channel
	calls           GroupCalls
	waiting         []*contact // in order of arrival, without ringing contacts
	wrapFactor      float64    // factor for the duration of after-contact work; 0 counts as 1
	isStuck         bool       // fault: contacts do not reach the agents
	userChannels    []*userChannel
	usersByCategory usersByCategory
	surveyStats     surveyStats
	slot            *recordSlot[GroupStat]
}

func (b *builder) newGroupChannel(g *group, ch channel) *groupChannel {
	w := b.w
	d := &groupChannel{w: w, group: g, channel: ch}
	d.slot = w.recordSets.groups.addSlot(d.record)
	return d
}

func (d *groupChannel) markChanged() { d.w.recordSets.groups.markStale(d.slot) }

func (d *groupChannel) userMoved(profile int64, before, after userCategories) {
	if before.categorySet != after.categorySet {
		d.usersByCategory.moveUser(profile, before.categorySet, after.categorySet)
		d.markChanged()
	}
}

func (d *groupChannel) record() *GroupStat {
	return &GroupStat{
		Code:        d.group.code,
		Channel:     d.channel.String(),
		Calls:       d.calls,
		Users:       d.usersByCategory.groupUsers(),
		CustomStats: d.surveyStats.customStats(),
	}
}

func (d *groupChannel) startNewDay() {
	queued := d.calls.QueuedCalls
	d.calls = GroupCalls{ReceivedCalls: queued, QueuedCalls: queued}
	d.surveyStats = surveyStats{}
	d.markChanged()
}

// surveyStats holds the figures of the custom statistics: satisfaction scores and sales.
type surveyStats struct {
	answerCount, promoters, detractors int64
	lastScore                          float64
	sold, lastSale                     float64
}

// recordSurvey records a random score and a random sale for some finished contacts.
func (c *contact) recordSurvey() {
	w, l, d := c.serviceChannel.w, c.serviceChannel, c.groupChannel
	if w.happensWith(0.3) {
		score := w.randomIndex(11)
		if score < 8 && w.happensWith(0.7) {
			score = 8 + w.randomIndex(3)
		}
		l.surveyStats.addScore(score)
		d.surveyStats.addScore(score)
	}
	if w.happensWith(0.15) {
		amount := float64(10 + w.randomIndex(240))
		l.surveyStats.addSale(amount)
		d.surveyStats.addSale(amount)
	}
}

func (s *surveyStats) addScore(score int) {
	s.answerCount++
	s.lastScore = float64(score)
	switch {
	case score >= 9:
		s.promoters++
	case score <= 6:
		s.detractors++
	}
}

func (s *surveyStats) addSale(amount float64) {
	s.sold += amount
	s.lastSale = amount
}

func (s *surveyStats) customStats() []CustomStat {
	nps := 0.0
	if s.answerCount > 0 {
		nps = math.Round(float64(s.promoters-s.detractors)/float64(s.answerCount)*1000) / 10
	}
	return []CustomStat{
		{Key: "NPS", AggregatedValue: nps, Value: s.lastScore},
		{Key: "SALES", AggregatedValue: s.sold, Value: s.lastSale},
	}
}
