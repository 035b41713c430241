package world

import "time"

// userCategories holds the categories of a user on a channel. contactChannel is the service channel
// of the contact during a conversation, otherwise nil.
type userCategories struct {
	categorySet
	contactChannel *serviceChannel
}

// occupancyCounter is a service channel, group channel or attendant, which counts its users.
type occupancyCounter interface {
	userMoved(profile int64, before, after userCategories)
}

// userChannel holds the state and the figures of a user on a channel.
type userChannel struct {
	user    *user
	channel channel

	state          state
	stateSince     time.Duration // instant at which the state began
	accountedUntil time.Duration // instant up to which figuresOfDay includes the time
	activity       activity
	detailCode     string
	group          string
	service        string
	isServing      bool            // talks to a contact of this channel
	contactChannel *serviceChannel // service channel of the current contact; nil: none, or a call to an attendant
	categories     userCategories

	figuresOfDay dayFigures

	isOnHold  bool
	holdSince time.Duration
	holdTime  time.Duration

	groupChannels    []*groupChannel
	counters         []occupancyCounter
	markStatsChanged func()
}

// dayFigures holds the figures of a user on a channel that start at midnight.
type dayFigures struct {
	offered, answered, notAnswered, overSpeed int64
	callIn, callOut, callOutPrivate           int64

	timeInState    [numStates]time.Duration
	busyElsewhere  time.Duration // time in NOT_READY_BUSY because of another channel
	timeByCode     timeByActivity
	busyByCode     timeByActivity
	notReadyByCode timeByActivity
}

// timeByActivity holds the time spent with each activity code. A code that was used stays in
// the list after midnight with a time of 0, because clients merge the lists by code.
type timeByActivity struct {
	used  [numActivities + 1]bool
	spent [numActivities + 1]time.Duration
}

func (t *timeByActivity) add(code activity, d time.Duration) {
	t.used[code] = true
	t.spent[code] += d
}

func (t *timeByActivity) reset() { clear(t.spent[:]) }

func (t *timeByActivity) list() []TimeInActivityCode {
	out := []TimeInActivityCode{}
	for _, code := range activities() {
		if t.used[code] {
			out = append(out, TimeInActivityCode{ActivityCode: code.String(), TotalTime: seconds(t.spent[code])})
		}
	}
	return out
}

func newUserChannel(u *user, ch channel) *userChannel {
	return &userChannel{user: u, channel: ch, detailCode: EmptyMark, group: EmptyMark, service: EmptyMark, markStatsChanged: func() {}}
}

// setState sets the state and the activity code, and notifies the counters.
func (m *userChannel) setState(s state, code activity) {
	m.accumulateTime()
	if s != m.state {
		m.stateSince = m.user.world.now
		m.detailCode = EmptyMark
	}
	if code != m.activity {
		m.detailCode = EmptyMark
	}
	m.state, m.activity = s, code
	current := userCategories{categorySet: categoriesOf(m.reportedState(), code)}
	if m.isServing {
		current.contactChannel = m.contactChannel
	}
	for _, a := range m.counters {
		a.userMoved(m.user.profileID, m.categories, current)
	}
	m.categories = current
	m.markChanged()
}

// reportedState returns the state that the records show: the actual state except with
// [Options.NotReadyElsewhere], where a user who is busy on another channel counts as not ready.
func (m *userChannel) reportedState() state {
	if m.state == stateNotReadyBusy && !m.isServing && m.user.world.opts.NotReadyElsewhere {
		return stateNotReady
	}
	return m.state
}

// accumulateTime adds the time since the last call to the figures of the current state and
// activity code.
func (m *userChannel) accumulateTime() {
	d := m.user.world.now - m.accountedUntil
	m.accountedUntil = m.user.world.now
	if m.state == stateOffline {
		return
	}
	m.figuresOfDay.timeInState[m.state] += d
	if m.state == stateNotReadyBusy && !m.isServing {
		m.figuresOfDay.busyElsewhere += d
	}
	if m.activity == activityNone {
		return
	}
	m.figuresOfDay.timeByCode.add(m.activity, d)
	switch {
	case m.state.isBusy():
		m.figuresOfDay.busyByCode.add(m.activity, d)
	case m.state == stateNotReady:
		m.figuresOfDay.notReadyByCode.add(m.activity, d)
	}
}

// markChanged marks the user's record and the user's figures on this channel as stale.
func (m *userChannel) markChanged() {
	m.markStatsChanged()
	m.user.markChanged()
}

// setContact sets the group and the service of the current contact.
func (m *userChannel) setContact(group, service string) { m.group, m.service = group, service }

// clearContact forgets the current contact, if any. The caller must call setState afterwards.
func (m *userChannel) clearContact() {
	if m.service == EmptyMark {
		return
	}
	m.accumulateTime()
	m.group, m.service = EmptyMark, EmptyMark
	m.isServing, m.contactChannel = false, nil
	m.setHold(false)
}

// setHold starts or ends holding the contact.
func (m *userChannel) setHold(isHolding bool) {
	if m.isOnHold == isHolding {
		return
	}
	if m.isOnHold {
		m.holdTime += m.user.world.now - m.holdSince
	}
	m.isOnHold, m.holdSince = isHolding, m.user.world.now
	m.markStatsChanged()
}

// startNewDay resets the figures of the day. The current state continues.
func (m *userChannel) startNewDay() {
	m.accumulateTime()
	yesterday := m.figuresOfDay
	m.figuresOfDay = dayFigures{timeByCode: yesterday.timeByCode, busyByCode: yesterday.busyByCode, notReadyByCode: yesterday.notReadyByCode}
	m.figuresOfDay.timeByCode.reset()
	m.figuresOfDay.busyByCode.reset()
	m.figuresOfDay.notReadyByCode.reset()
	m.holdTime = 0
	if m.state == stateBooked {
		m.figuresOfDay.offered = 1
	}
	m.markChanged()
}

// figures returns the figures with the field names of document 2. TimeInStateBusy is the sum
// of its rounded parts, which therefore do not exceed it.
func (m *userChannel) figures() Figures {
	d := &m.figuresOfDay
	elsewhere := seconds(d.busyElsewhere)
	onService := seconds(d.timeInState[stateBusy] + d.timeInState[stateNotReadyBusy] - d.busyElsewhere)
	in, out, private := seconds(d.timeInState[stateDNIn]), seconds(d.timeInState[stateDNOut]), seconds(d.timeInState[stateDNPrivate])
	return Figures{
		UserSite:                         m.user.site,
		LoggedProfileID:                  m.user.profileID,
		Channel:                          m.channel.String(),
		ActivityCode:                     m.activity.String(),
		ActivityCode2:                    m.detailCode,
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
		TimeInState:                      m.user.world.recordTime(m.stateSince),
		TimeInStateBooked:                seconds(d.timeInState[stateBooked]),
		TimeInStateBusy:                  onService + elsewhere + in + out + private,
		TimeInStateBusyOnService:         onService,
		TimeInStateNotReady:              seconds(d.timeInState[stateNotReady]),
		TimeInStateReady:                 seconds(d.timeInState[stateReady]),
		TimeInStateWNR:                   seconds(d.timeInState[stateWNR]),
		TimeInStateBusyDNCallIn:          in,
		TimeInStateBusyDNCallOut:         out,
		TimeInStateBusyDNCallOutPrivate:  private,
	}
}

func (m *userChannel) userStat() *UserStat {
	u := m.user
	if !u.isLoggedIn {
		return nil
	}
	return &UserStat{Username: u.username, Name: u.name, Surname: u.surname, Figures: m.figures()}
}

func (m *userChannel) profileStat() *UserProfileStat {
	if !m.user.isLoggedIn {
		return nil
	}
	return &UserProfileStat{
		ID:         m.user.profileID,
		Figures:    m.figures(),
		TimeInHold: TimeInHold{Time: seconds(m.holdTime), TimeInState: m.user.world.recordTime(m.holdSince), Never: m.holdTime == 0 && !m.isOnHold},
	}
}

// seconds returns d in seconds, rounded down.
func seconds(d time.Duration) int64 { return int64(d / time.Second) }
