package world

import "time"

// position describes a user on a channel: the sets that contain the user and, during a
// conversation, the line of the contact.
type position struct {
	kindSet
	line *line
}

// occupancyCounter is a line, desk or attendant that counts a user on a channel.
type occupancyCounter interface {
	userMoved(profile int64, was, is position)
}

// medium is a user on one of their channels, with the figures of the day.
type medium struct {
	user *user
	ch   channel

	state       state
	since       time.Duration // start of the state
	accounted   time.Duration // end of the time that is included in spent
	code        activity
	code2       string
	group       string
	service     string
	isServing   bool  // talks to a contact of this channel
	contactLine *line // the contact's line; nil for operators
	position    position

	day dayFigures

	onHold    bool
	holdSince time.Duration
	holdTime  time.Duration

	desks            []*desk
	counters         []occupancyCounter
	markStatsChanged func()
}

// dayFigures are the figures of a medium that are reset at midnight.
type dayFigures struct {
	offered, answered, notAnswered, overSpeed int64
	callIn, callOut, callOutPrivate           int64

	spent          [numStates]time.Duration
	elsewhere      time.Duration // the part of NOT_READY_BUSY caused by other channels
	timeByCode     tally
	busyByCode     tally
	notReadyByCode tally
}

// tally is time by activity code. A code that was used stays in the list after
// midnight, with no time, because clients merge the lists by code.
type tally struct {
	used  [numActivities + 1]bool
	spent [numActivities + 1]time.Duration
}

func (t *tally) add(code activity, d time.Duration) {
	t.used[code] = true
	t.spent[code] += d
}

func (t *tally) reset() { clear(t.spent[:]) }

func (t *tally) list() []TimeInActivityCode {
	out := []TimeInActivityCode{}
	for _, code := range activities() {
		if t.used[code] {
			out = append(out, TimeInActivityCode{ActivityCode: code.String(), TotalTime: seconds(t.spent[code])})
		}
	}
	return out
}

func newMedium(u *user, ch channel) *medium {
	return &medium{user: u, ch: ch, code2: Empty, group: Empty, service: Empty, markStatsChanged: func() {}}
}

// setState changes the state and activity code of the medium and informs its audience.
func (m *medium) setState(s state, code activity) {
	m.accumulate()
	if s != m.state {
		m.since = m.user.world.now
		m.code2 = Empty
	}
	if code != m.code {
		m.code2 = Empty
	}
	m.state, m.code = s, code
	current := position{kindSet: kindsOf(m.reportedState(), code)}
	if m.isServing {
		current.line = m.contactLine
	}
	for _, a := range m.counters {
		a.userMoved(m.user.profile, m.position, current)
	}
	m.position = current
	m.changed()
}

// reportedState returns the state that records show. With NotReadyElsewhere a user
// who is busy on another channel is not ready.
func (m *medium) reportedState() state {
	if m.state == stateNotReadyBusy && !m.isServing && m.user.world.opts.NotReadyElsewhere {
		return stateNotReady
	}
	return m.state
}

// accumulate adds the time since the last call to the figures of the current state.
func (m *medium) accumulate() {
	d := m.user.world.now - m.accounted
	m.accounted = m.user.world.now
	if m.state == stateOffline {
		return
	}
	m.day.spent[m.state] += d
	if m.state == stateNotReadyBusy && !m.isServing {
		m.day.elsewhere += d
	}
	if m.code == activityNone {
		return
	}
	m.day.timeByCode.add(m.code, d)
	switch {
	case m.state.occupied():
		m.day.busyByCode.add(m.code, d)
	case m.state == stateNotReady:
		m.day.notReadyByCode.add(m.code, d)
	}
}

// changed marks the records that show the medium.
func (m *medium) changed() {
	m.markStatsChanged()
	m.user.markChanged()
}

// attach sets the group and the service of the current contact.
func (m *medium) attach(group, service string) { m.group, m.service = group, service }

// detach clears the current contact, if any. The caller must call become
// afterwards.
func (m *medium) detach() {
	if m.service == Empty {
		return
	}
	m.accumulate()
	m.group, m.service = Empty, Empty
	m.isServing, m.contactLine = false, nil
	m.setHold(false)
}

// setHold starts or ends a hold of the contact.
func (m *medium) setHold(isHolding bool) {
	if m.onHold == isHolding {
		return
	}
	if m.onHold {
		m.holdTime += m.user.world.now - m.holdSince
	}
	m.onHold, m.holdSince = isHolding, m.user.world.now
	m.markStatsChanged()
}

// newDay resets the figures of the day.
func (m *medium) newDay() {
	m.accumulate()
	yesterday := m.day
	m.day = dayFigures{timeByCode: yesterday.timeByCode, busyByCode: yesterday.busyByCode, notReadyByCode: yesterday.notReadyByCode}
	m.day.timeByCode.reset()
	m.day.busyByCode.reset()
	m.day.notReadyByCode.reset()
	m.holdTime = 0
	if m.state == stateBooked {
		m.day.offered = 1
	}
	m.changed()
}

// figures returns the figures of document 2. TimeInStateBusy is the sum of its
// rounded parts, so that the parts never exceed it.
func (m *medium) figures() Figures {
	d := &m.day
	elsewhere := seconds(d.elsewhere)
	onService := seconds(d.spent[stateBusy] + d.spent[stateNotReadyBusy] - d.elsewhere)
	in, out, private := seconds(d.spent[stateDNIn]), seconds(d.spent[stateDNOut]), seconds(d.spent[stateDNPrivate])
	return Figures{
		UserSite:                         m.user.site,
		LoggedProfileID:                  m.user.profile,
		Channel:                          m.ch.String(),
		ActivityCode:                     m.code.String(),
		ActivityCode2:                    m.code2,
		CurrentGroup:                     m.group,
		CurrentService:                   m.service,
		NumberCallFromService:            d.offered,
		NumberCallFromServiceAnswered:    d.answered,
		NumberCallFromServiceNotAnswered: d.notAnswered,
		NumberCallIn:                     d.callIn,
		NumberCallServiceOverSpeedAnswer: d.overSpeed,
		NumberCallOut:                    d.callOut,
		NumberCallOutPrivate:             d.callOutPrivate,
		Status:                           m.reportedState().String(),
		TimeInActivityCode:               d.timeByCode.list(),
		TimeInActivityCodeStateBusy:      d.busyByCode.list(),
		TimeInActivityCodeStateNotReady:  d.notReadyByCode.list(),
		TimeInState:                      m.user.world.instant(m.since),
		TimeInStateBooked:                seconds(d.spent[stateBooked]),
		TimeInStateBusy:                  onService + elsewhere + in + out + private,
		TimeInStateBusyOnService:         onService,
		TimeInStateNotReady:              seconds(d.spent[stateNotReady]),
		TimeInStateReady:                 seconds(d.spent[stateReady]),
		TimeInStateWNR:                   seconds(d.spent[stateWNR]),
		TimeInStateBusyDNCallIn:          in,
		TimeInStateBusyDNCallOut:         out,
		TimeInStateBusyDNCallOutPrivate:  private,
	}
}

func (m *medium) userStat() *UserStat {
	u := m.user
	if !u.loggedIn {
		return nil
	}
	return &UserStat{Username: u.username, Name: u.name, Surname: u.surname, Figures: m.figures()}
}

func (m *medium) profileStat() *UserProfileStat {
	if !m.user.loggedIn {
		return nil
	}
	return &UserProfileStat{
		ID:         m.user.profile,
		Figures:    m.figures(),
		TimeInHold: TimeInHold{Time: seconds(m.holdTime), TimeInState: m.user.world.instant(m.holdSince), Never: m.holdTime == 0 && !m.onHold},
	}
}

// seconds returns d in seconds, rounded down.
func seconds(d time.Duration) int64 { return int64(d / time.Second) }
