package world

import "time"

// user is an agent or an operator, with their current contact or call.
type user struct {
	world       *World
	profileID   int64
	profileType string
	username    string
	name        string
	surname     string
	site        int64

	skillsets  []string
	services   []string
	channels   []*userChannel // in channel order, at least one
	attendants []*attendant

	shiftEnd        time.Duration // end of the current or last shift
	isLoggedIn      bool
	isBusy          bool // rings, talks or does after-contact work on any channel
	isLogoutPending bool // log out as soon as no longer busy
	contact         *contact
	attendantCall   *attendantCall
	dialedCall      *dialedCall
	requestedPause  *pause // pause to start when no longer busy; nil: none

	sessionNumber     uint64 // incremented at login and logout, so that timers of the previous session do nothing
	occupationVersion uint64 // incremented when the occupation changes, so that timers of the previous occupation do nothing
	pauseVersion      uint64 // incremented when a pause begins or ends, so that the timer of an earlier pause does nothing

	forcedRound uint64 // number of the last call of ForceUpdate that changed the user

	markChanged func()
}

// pause is a break with an activity code.
type pause struct {
	code     activity
	duration time.Duration
}

// userRecord returns the user record of document 2, or nil if the user is logged out.
func (u *user) userRecord() *User {
	if !u.isLoggedIn {
		return nil
	}
	r := &User{
		Username:      u.username,
		Name:          u.name,
		Surname:       u.surname,
		ActiveProfile: u.profileID,
		ProfileType:   u.profileType,
		Services:      u.services,
		Skillsets:     u.skillsets,
		Site:          u.site,
	}
	for _, m := range u.channels {
		r.ActivityCodes[m.channel] = m.activity.String()
		r.Statuses[m.channel] = m.reportedState().String()
	}
	return r
}

// login logs the user in and makes them ready.
func (u *user) login() {
	if u.isLoggedIn {
		return
	}
	u.isLoggedIn, u.isLogoutPending, u.requestedPause = true, false, nil
	u.sessionNumber++
	for _, m := range u.channels {
		m.accountedUntil = u.world.now
		m.holdSince = u.world.now
		m.setState(stateReady, activityNone)
	}
	u.startRoutine()
	u.world.scheduleAfter(0, u.assignNextContact)
}

// logout logs the user out: at once, or when they are no longer busy.
func (u *user) logout() {
	switch {
	case !u.isLoggedIn:
		return
	case u.isBusy:
		u.isLogoutPending = true
		return
	}
	u.sessionNumber++
	u.pauseVersion++
	u.occupationVersion++
	for _, m := range u.channels {
		m.clearContact()
		m.setState(stateOffline, activityNone)
	}
	u.isLoggedIn, u.isLogoutPending = false, false
}

// occupy makes the user busy with state s on the channel m. The user is not available on other
// channels until endOccupation is called.
func (u *user) occupy(m *userChannel, s state) {
	u.isBusy = true
	u.occupationVersion++
	for _, other := range u.channels {
		if other != m && other.state == stateReady {
			other.setState(stateNotReadyBusy, activityNone)
		}
	}
	m.setState(s, activityNone)
}

// endOccupation ends the user's occupation. The user then logs out if that is pending, starts the
// requested pause if there is one, or becomes ready.
func (u *user) endOccupation() {
	u.isBusy, u.contact, u.attendantCall = false, nil, nil
	u.occupationVersion++
	if u.isLogoutPending {
		u.logout()
		return
	}
	if u.requestedPause != nil {
		p := *u.requestedPause
		u.requestedPause = nil
		u.startPause(p)
		return
	}
	for _, m := range u.channels {
		m.clearContact()
		if m.state != stateNotReady {
			m.setState(stateReady, activityNone)
		}
	}
	u.assignNextContact()
}

// startPause makes the user not ready on all channels for the duration of the pause.
func (u *user) startPause(p pause) {
	u.occupationVersion++
	for _, m := range u.channels {
		m.clearContact()
		m.setState(stateNotReady, p.code)
		m.detailCode = p.code.randomDetail(&u.world.scheduler)
	}
	u.endPauseAfter(p.duration)
}

// endPauseAfter ends all current pauses of the user after d. A new call replaces the previous one.
func (u *user) endPauseAfter(d time.Duration) {
	u.pauseVersion++
	pauseTurn := u.pauseVersion
	u.world.scheduleAfter(d, func() {
		if u.pauseVersion == pauseTurn && u.isLoggedIn {
			u.endPause()
		}
	})
}

func (u *user) endPause() {
	u.pauseVersion++
	for _, m := range u.channels {
		if m.state != stateNotReady {
			continue
		}
		if u.isBusy {
			m.setState(stateNotReadyBusy, activityNone)
		} else {
			m.setState(stateReady, activityNone)
		}
	}
	u.assignNextContact()
}

// requestPause starts a pause if the user is ready. If the user is busy, the pause starts
// afterwards, and a conversation continues in the state NOT_READY_BUSY. Further requests are
// ignored until the first pause has started.
func (u *user) requestPause(p pause) {
	switch {
	case !u.isLoggedIn || u.requestedPause != nil:
	case !u.isBusy:
		if u.channels[0].state == stateReady {
			u.startPause(p)
		}
	default:
		u.requestedPause = &p
		for _, m := range u.channels {
			if m.state == stateBusy {
				m.setState(stateNotReadyBusy, p.code)
			}
		}
	}
}

// assignNextContact assigns the contact or attendant call that has waited longest to u, if u is free.
func (u *user) assignNextContact() {
	if !u.isLoggedIn || u.isBusy {
		return
	}
	if u.profileType == ProfileOperator {
		u.assignAttendantCall()
		return
	}
	var oldest *contact
	var freeMedium *userChannel
	for _, m := range u.channels {
		if m.state != stateReady {
			continue
		}
		for _, d := range m.groupChannels {
			if len(d.waiting) > 0 && !d.isStuck && (oldest == nil || d.waiting[0].startedAt < oldest.startedAt) {
				oldest, freeMedium = d.waiting[0], m
			}
		}
	}
	if oldest != nil {
		oldest.startRinging(freeMedium)
	}
}

// randomDetail returns a random second activity code for the code c, or [EmptyMark] if c has none.
func (c activity) randomDetail(a *scheduler) string {
	switch c {
	case activityBackOffice:
		return [...]string{"ORDERS", "CLAIMS", "E-MAIL"}[a.randomIndex(3)]
	case activityMeeting:
		return [...]string{"TEAM", "ONE-TO-ONE"}[a.randomIndex(2)]
	case activityNone, activityLunch, activityPause, activityTraining:
	}
	return EmptyMark
}
