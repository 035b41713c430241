package world

import (
	"cmp"
	"slices"
	"time"
)

// stage is the stage of a contact: waiting, ringing, talking or over.
type stage uint8

const (
	stageWaiting stage = iota
	stageRinging
	stageTalking
	stageEnded
)

// contact is a call, chat, mail or other contact of a service. It is in the queue of its service
// channel until it is answered or over. It is in the queue of its group channel only while it waits
// without ringing.
type contact struct {
	contactBase
	serviceChannel *serviceChannel
	groupChannel   *groupChannel
	stage          stage
	userChannel    *userChannel // channel of the agent for whom the contact rings or who handles it; nil while it waits
	ringCount      uint64       // number of times that the contact began to ring
}

// handlingTimes holds the typical times of contacts on a channel.
type handlingTimes struct {
	talkTime        time.Duration // median
	talkSpread      float64       // sigma of the logarithm of talkTime
	wrapUpTime      time.Duration // mean time of after-contact work
	ringTime        time.Duration // mean time until the agent answers
	patience        time.Duration // median time after which a waiting customer hangs up
	speedLimit      time.Duration // maximum wait of contacts that count as answered in time
	holdProbability float64       // probability that the agent holds the contact
}

// handlingOf returns the typical times of contacts on a channel.
func handlingOf(ch channel) handlingTimes {
	switch ch {
	case channelVideo:
		return handlingTimes{110 * time.Second, 0.5, 20 * time.Second, 4 * time.Second, 70 * time.Second, 30 * time.Second, 0.2}
	case channelChat:
		return handlingTimes{130 * time.Second, 0.6, 8 * time.Second, 3 * time.Second, 2 * time.Minute, 45 * time.Second, 0}
	case channelMail:
		return handlingTimes{150 * time.Second, 0.7, 5 * time.Second, 2 * time.Second, 40 * time.Hour, 10 * time.Minute, 0}
	case channelLiveHelp:
		return handlingTimes{100 * time.Second, 0.6, 10 * time.Second, 3 * time.Second, 100 * time.Second, 45 * time.Second, 0}
	case channelCall, channelCustom1, channelCustom2, channelCustom3, channelOmniDesk:
	}
	return handlingTimes{68 * time.Second, 0.6, 18 * time.Second, 3 * time.Second, 100 * time.Second, 20 * time.Second, 0.22}
}

// meanOccupation returns the mean time for which a contact occupies an agent.
func (h handlingTimes) meanOccupation() time.Duration {
	return h.ringTime + h.talkTime*6/5 + h.wrapUpTime
}

const (
	shortWait       = 5 * time.Second  // wait below which an abandoned contact counts as a short call
	ringTimeout     = 15 * time.Second // time after which an unanswered contact returns to the queue
	noAnswerChance  = 0.015            // probability that the agent does not answer
	impatientChance = 0.02             // probability that a customer has very little patience
	closedChance    = 0.012            // probability that a contact in opening hours finds the service closed
	callbackShare   = 0.4              // share of the contacts to a closed service that ask for a callback
	accessListShare = 0.08             // share of the contacts whose customer is in the access list
	vendorShare     = 0.3              // share of the contacts with Vendor4you
)

// receiveContact handles the arrival of a contact of the service for one of its groups.
func (l *serviceChannel) receiveContact(d *groupChannel) {
	w := l.w
	l.countArrival(w)
	d.calls.ReceivedCalls++
	defer func() { l.markChanged(); d.markChanged() }()
	if !w.isOpen() || w.happensWith(closedChance) {
		l.calls.ClosedCalls++
		d.calls.ClosedCalls++
		if w.happensWith(callbackShare) {
			l.calls.ClosedCallsCallBack++
		}
		return
	}
	c := &contact{contactBase: w.phones.newContactBase(), serviceChannel: l, groupChannel: d}
	l.waiting = append(l.waiting, c)
	d.waiting = append(d.waiting, c)
	d.calls.QueuedCalls++
	w.scheduleAfter(l.patience(), func() { c.abandon() })
	c.dispatch()
	l.watchOldestContact()
}

func (l *serviceChannel) patience() time.Duration {
	w, ch := l.w, l.channel
	if w.happensWith(impatientChance) && ch != channelMail {
		return w.randomExponential(4 * time.Second)
	}
	return w.randomLogNormal(handlingOf(ch).patience, 0.8)
}

// dispatch makes a waiting contact ring at the agent who has been ready longest, if any agent
// is ready.
func (c *contact) dispatch() {
	if m := c.groupChannel.longestReady(); m != nil {
		c.startRinging(m)
	}
}

// startRinging makes a waiting contact ring at an agent.
func (c *contact) startRinging(m *userChannel) {
	w := c.serviceChannel.w
	c.groupChannel.dequeue(c)
	c.stage, c.userChannel = stageRinging, m
	c.ringCount++
	m.user.contact = c
	m.figuresOfDay.offered++
	m.setContact(c.groupChannel.group.code, c.serviceChannel.service.code)
	m.user.occupy(m, stateBooked)

	ring := c.ringCount
	isStillRinging := func() bool { return c.stage == stageRinging && c.ringCount == ring }
	if w.happensWith(noAnswerChance) {
		w.scheduleAfter(ringTimeout, func() {
			if isStillRinging() {
				c.returnToQueue()
			}
		})
		return
	}
	mean := handlingOf(c.serviceChannel.channel).ringTime
	w.scheduleAfter(w.randomBetween(mean/2, mean*3/2), func() {
		if isStillRinging() {
			c.answer()
		}
	})
}

// answer starts the conversation of a ringing contact.
func (c *contact) answer() {
	w := c.serviceChannel.w
	l, d, m, u := c.serviceChannel, c.groupChannel, c.userChannel, c.userChannel.user
	h := handlingOf(l.channel)
	wait := w.now - c.startedAt
	c.stage = stageTalking
	c.recordAnswer(w.now)
	l.leaveQueue(c)
	l.talking++
	l.calls.AnsweredCalls++
	l.totalWait += wait
	d.calls.QueuedCalls--
	d.calls.AnsweredCalls++
	m.figuresOfDay.answered++
	if wait <= h.speedLimit {
		l.calls.AnsweredCallsUnderSpeedLimit++
	} else {
		m.figuresOfDay.overSpeed++
	}
	m.accumulateTime()
	m.isServing, m.contactChannel = true, l
	if u.requestedPause != nil {
		m.setState(stateNotReadyBusy, u.requestedPause.code)
	} else {
		m.setState(stateBusy, activityNone)
	}
	l.markChanged()
	d.markChanged()

	talk := scaleDuration(w.randomLogNormal(h.talkTime, h.talkSpread), l.talkFactor)
	scheduleWhileTalking := func(d time.Duration, do func()) {
		w.scheduleAfter(d, func() {
			if c.stage == stageTalking {
				do()
			}
		})
	}
	scheduleWhileTalking(talk, func() { c.finish() })
	if w.happensWith(h.holdProbability) && talk > 30*time.Second {
		begin := w.randomBetween(talk/4, talk/2)
		scheduleWhileTalking(begin, func() { m.setHold(true) })
		scheduleWhileTalking(begin+w.randomBetween(talk/10, talk/3), func() { m.setHold(false) })
	}
}

// scaleDuration returns d multiplied by factor. A factor of 0 counts as 1.
func scaleDuration(d time.Duration, factor float64) time.Duration {
	return time.Duration(float64(d) * cmp.Or(factor, 1))
}

func (c *contact) isTalking() bool { return c.stage == stageTalking }

// hangUp ends a contact as if the customer had hung up.
func (c *contact) hangUp() {
	if c.stage == stageTalking {
		c.finish()
	} else {
		c.abandon()
	}
}

func (c *contact) record() CallRecord {
	r := c.serviceChannel.w.phones.incomingRecord(&c.contactBase, c.userChannel.user, c.serviceChannel.service)
	r.Skillset = c.groupChannel.group.code
	return r
}

// finish ends the conversation and starts the agent's after-contact work.
func (c *contact) finish() {
	w := c.serviceChannel.w
	l, d, m, u := c.serviceChannel, c.groupChannel, c.userChannel, c.userChannel.user
	c.stage = stageEnded
	w.finished.addContact(c)
	l.talking--
	c.recordSurvey()
	m.accumulateTime()
	m.isServing, m.contactChannel = false, nil
	m.setHold(false)
	u.occupationVersion++
	m.setState(stateWNR, activityNone)
	l.markChanged()
	d.markChanged()

	turn := u.occupationVersion
	w.scheduleAfter(scaleDuration(w.randomExponential(handlingOf(l.channel).wrapUpTime)+2*time.Second, d.wrapFactor), func() {
		if u.occupationVersion == turn {
			u.endOccupation()
		}
	})
}

// abandon ends a waiting or ringing contact as if the customer had hung up.
func (c *contact) abandon() {
	w := c.serviceChannel.w
	switch c.stage {
	case stageTalking, stageEnded:
		return
	case stageWaiting:
		c.groupChannel.dequeue(c)
	case stageRinging:
		defer c.userChannel.recordMissedRing()
	}
	c.stage = stageEnded
	w.finished.addContact(c)
	c.serviceChannel.leaveQueue(c)
	c.serviceChannel.calls.HangupCalls++
	c.groupChannel.calls.QueuedCalls--
	c.groupChannel.calls.HangupCalls++
	if w.now-c.startedAt < shortWait {
		c.serviceChannel.calls.ShortCalls++
		c.groupChannel.calls.ShortCalls++
	}
	c.serviceChannel.markChanged()
	c.groupChannel.markChanged()
}

// returnToQueue returns a contact that an agent did not answer to its place in the queue, and
// starts a pause of the agent.
func (c *contact) returnToQueue() {
	w := c.serviceChannel.w
	m := c.userChannel
	c.stage, c.userChannel = stageWaiting, nil
	c.groupChannel.requeue(c)
	if m.user.requestedPause == nil {
		m.user.requestedPause = &pause{activityPause, w.randomBetween(time.Minute, 3*time.Minute)}
	}
	m.recordMissedRing()
	c.dispatch()
}

// recordMissedRing counts a contact that the agent did not answer, and makes the agent
// available again.
func (m *userChannel) recordMissedRing() {
	m.figuresOfDay.notAnswered++
	m.user.endOccupation()
}

// longestReady returns the channel of the agent who has been ready longest. It returns nil if
// no agent is ready, or if the group channel is stuck.
func (d *groupChannel) longestReady() *userChannel {
	if d.isStuck {
		return nil
	}
	var best *userChannel
	for _, m := range d.userChannels {
		if m.state == stateReady && (best == nil || m.stateSince < best.stateSince) {
			best = m
		}
	}
	return best
}

func (d *groupChannel) dequeue(c *contact) {
	if i := slices.Index(d.waiting, c); i >= 0 {
		d.waiting = slices.Delete(d.waiting, i, i+1)
	}
}

func (d *groupChannel) requeue(c *contact) {
	i, _ := slices.BinarySearchFunc(d.waiting, c, func(a, b *contact) int { return int(a.startedAt - b.startedAt) })
	d.waiting = slices.Insert(d.waiting, i, c)
}
