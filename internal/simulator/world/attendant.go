package world

import (
	"slices"
	"time"
)

// component is an index into attendant.components.
type component uint8

const (
	componentInternal component = iota
	componentExternal
	componentReturns
	numComponents = int(componentReturns) + 1
)

func (c component) String() string {
	return [numComponents]string{ComponentInternal, ComponentExternal, ComponentReturns}[c]
}

// attendant is the switchboard of a service, whose calls are answered by operators.
type attendant struct {
	w               *World
	service         *service
	operators       []*user
	components      [numComponents]attendantComponent
	waiting         []*attendantCall
	usersByCategory usersByCategory
	slots           []*recordSlot[AttendantStat] // one per component, then ALL
}

type attendantComponent struct {
	calls   AttendantCalls
	talking int64
}

// attendantCall is a call to an attendant.
type attendantCall struct {
	contactBase
	attendant *attendant
	component component
	user      *user // the operator who answered
	stage     stage // waiting, talking or over
}

const (
	attendantPatience = 45 * time.Second
	attendantTalkTime = 28 * time.Second
)

func (b *builder) newAttendant(s *service) *attendant {
	w := b.w
	a := &attendant{w: w, service: s}
	ledger := &w.recordSets.attendants
	for c := range component(numComponents) {
		a.slots = append(a.slots, ledger.addSlot(func() *AttendantStat { return a.record(c.String(), a.components[c].calls) }))
	}
	a.slots = append(a.slots, ledger.addSlot(func() *AttendantStat { return a.record(ComponentAll, a.sumOfComponents()) }))
	return a
}

func (a *attendant) sumOfComponents() AttendantCalls {
	var all AttendantCalls
	for i := range a.components {
		c := &a.components[i].calls
		all.AnsweredCalls += c.AnsweredCalls
		all.ClosedCalls += c.ClosedCalls
		all.CurrentCalls += c.CurrentCalls
		all.HangupCalls += c.HangupCalls
		all.ReceivedCalls += c.ReceivedCalls
	}
	return all
}

func (a *attendant) record(component string, calls AttendantCalls) *AttendantStat {
	return &AttendantStat{
		Code:        a.service.code,
		Channel:     Call,
		Component:   component,
		Calls:       calls,
		Users:       a.usersByCategory.attendantUsers(),
		CustomStats: []CustomStat{},
	}
}

// markChanged marks the records of a component and of ALL components as stale.
func (a *attendant) markChanged(c component) {
	a.w.recordSets.attendants.markStale(a.slots[c])
	a.w.recordSets.attendants.markStale(a.slots[numComponents])
}

func (a *attendant) userMoved(profile int64, before, after userCategories) {
	if before.categorySet == after.categorySet {
		return
	}
	a.usersByCategory.moveUser(profile, before.categorySet, after.categorySet)
	for _, s := range a.slots {
		a.w.recordSets.attendants.markStale(s)
	}
}

// scheduleCalls schedules calls to a component. mean is the mean time between calls at the peak.
func (a *attendant) scheduleCalls(c component, mean time.Duration) {
	w := a.w
	w.scheduleAfter(w.randomExponential(mean), func() {
		if w.happensWith(dayCurve(w.timeOfDay())) {
			a.receiveCall(c)
		}
		a.scheduleCalls(c, mean)
	})
}

func (a *attendant) receiveCall(c component) {
	calls := &a.components[c].calls
	calls.ReceivedCalls++
	defer a.markChanged(c)
	if !a.w.isOpen() || a.w.happensWith(closedChance) {
		calls.ClosedCalls++
		return
	}
	calls.CurrentCalls++
	v := &attendantCall{contactBase: a.w.phones.newContactBase(), attendant: a, component: c}
	a.waiting = append(a.waiting, v)
	a.w.scheduleAfter(a.w.randomLogNormal(attendantPatience, 0.6), func() { a.abandonCall(v) })
	var best *user
	for _, u := range a.operators {
		if u.channels[0].state == stateReady && (best == nil || u.channels[0].stateSince < best.channels[0].stateSince) {
			best = u
		}
	}
	if best != nil {
		best.answerAttendantCall(v)
	}
}

func (a *attendant) abandonCall(v *attendantCall) {
	if v.stage != stageWaiting {
		return
	}
	a.removeWaiting(v)
	v.stage = stageEnded
	calls := &a.components[v.component].calls
	calls.CurrentCalls--
	calls.HangupCalls++
	a.markChanged(v.component)
}

func (a *attendant) removeWaiting(v *attendantCall) {
	if i := slices.Index(a.waiting, v); i >= 0 {
		a.waiting = slices.Delete(a.waiting, i, i+1)
	}
}

// startNewDay resets the daily counters. Waiting calls count as received today.
func (a *attendant) startNewDay() {
	for i := range a.components {
		p := &a.components[i]
		p.calls = AttendantCalls{CurrentCalls: p.calls.CurrentCalls, ReceivedCalls: p.calls.CurrentCalls - p.talking}
		a.markChanged(component(i))
	}
}

// assignAttendantCall assigns the call that has waited longest to the operator u, if u is ready.
func (u *user) assignAttendantCall() {
	if u.channels[0].state != stateReady {
		return
	}
	var oldest *attendantCall
	for _, a := range u.attendants {
		if len(a.waiting) > 0 && (oldest == nil || a.waiting[0].startedAt < oldest.startedAt) {
			oldest = a.waiting[0]
		}
	}
	if oldest != nil {
		u.answerAttendantCall(oldest)
	}
}

// answerAttendantCall connects the waiting call v to the operator u.
func (u *user) answerAttendantCall(v *attendantCall) {
	w, a, m := u.world, v.attendant, u.channels[0]
	p := &a.components[v.component]
	a.removeWaiting(v)
	v.stage, v.user, u.attendantCall = stageTalking, u, v
	v.recordAnswer(w.now)
	p.calls.AnsweredCalls++
	p.talking++
	a.markChanged(v.component)
	m.figuresOfDay.offered++
	m.figuresOfDay.answered++
	if w.now-v.startedAt > handlingOf(channelCall).speedLimit {
		m.figuresOfDay.overSpeed++
	}
	m.setContact(EmptyMark, a.service.code)
	m.accumulateTime()
	m.isServing = true
	u.occupy(m, stateBusy)
	w.scheduleAfter(w.randomLogNormal(attendantTalkTime, 0.6), v.hangUp)
}

func (v *attendantCall) isTalking() bool { return v.stage == stageTalking }

// hangUp ends the conversation unless it is over.
func (v *attendantCall) hangUp() {
	if v.stage != stageTalking {
		return
	}
	v.stage = stageEnded
	p := &v.attendant.components[v.component]
	p.talking--
	p.calls.CurrentCalls--
	v.attendant.markChanged(v.component)
	v.user.endOccupation()
}

func (v *attendantCall) record() CallRecord {
	a := v.attendant
	r := a.w.phones.incomingRecord(&v.contactBase, v.user, a.service)
	r.CallInfo["component"] = v.component.String()
	return r
}

// operatorStat returns the operator record of document 2.
func (u *user) operatorStat() *OperatorStat {
	m := u.channels[0]
	return &OperatorStat{
		Username:        u.username,
		Name:            u.name,
		Surname:         u.surname,
		UserSite:        u.site,
		LoggedProfileID: u.profileID,
		Channel:         m.channel.String(),
		ActivityCode:    m.activity.String(),
		ActivityCode2:   m.detailCode,
	}
}
