package world

import "time"

// user is an agent or an operator: who they are and what they are doing.
type user struct {
	w        *World
	profile  int64
	kind     string
	username string
	name     string
	surname  string
	site     int64

	skillsets []string
	services  []string
	media     []*medium // in channel order; agents and operators have at least one
	booth     []*attendant

	until   time.Duration // the end of the last shift begun
	here    bool
	busy    bool // rings, talks or does the work after it, on any channel
	leaving bool // logs out as soon as they are free
	contact *contact
	visit   *visit
	dialled *outcall
	wish    *pause // the pause asked for while busy

	session uint64 // grows at login and logout, ends the routines of the session
	turn    uint64 // grows when the occupation changes, ends its timers
	rest    uint64 // grows when a pause begins, ends the timer of the one before

	nudged uint64 // the last ForceUpdate that moved the user

	changed func()
}

// pause is a break with an activity code.
type pause struct {
	code activity
	d    time.Duration
}

// record returns the user as document 2 shows them.
func (u *user) record() *User {
	if !u.here {
		return nil
	}
	r := &User{
		Username:      u.username,
		Name:          u.name,
		Surname:       u.surname,
		ActiveProfile: u.profile,
		ProfileType:   u.kind,
		Services:      u.services,
		Skillsets:     u.skillsets,
		Site:          u.site,
	}
	for _, m := range u.media {
		r.ActivityCodes[m.ch] = m.code.String()
		r.Statuses[m.ch] = m.told().String()
	}
	return r
}

// login brings the user to the floor, ready for work.
func (u *user) login() {
	if u.here {
		return
	}
	u.here, u.leaving, u.wish = true, false, nil
	u.session++
	for _, m := range u.media {
		m.accounted = u.w.now
		m.holdSince = u.w.now
		m.become(stateReady, activityNone)
	}
	u.startRoutine()
	u.w.after(0, u.seekWork)
}

// logout sends the user home, at once or when they are free.
func (u *user) logout() {
	switch {
	case !u.here:
		return
	case u.busy:
		u.leaving = true
		return
	}
	u.session++
	u.rest++
	u.turn++
	for _, m := range u.media {
		m.detach()
		m.become(stateOffline, activityNone)
	}
	u.here, u.leaving = false, false
}

// occupy puts the user to work on one channel; they are not available on the
// others until release.
func (u *user) occupy(m *medium, s state) {
	u.busy = true
	u.turn++
	for _, other := range u.media {
		if other != m && other.state == stateReady {
			other.become(stateNotReadyBusy, activityNone)
		}
	}
	m.become(s, activityNone)
}

// release ends the occupation: the user leaves, takes the pause they asked for,
// or is ready for more.
func (u *user) release() {
	u.busy, u.contact, u.visit = false, nil, nil
	u.turn++
	if u.leaving {
		u.logout()
		return
	}
	if u.wish != nil {
		p := *u.wish
		u.wish = nil
		u.pause(p)
		return
	}
	for _, m := range u.media {
		m.detach()
		if m.state != stateNotReady {
			m.become(stateReady, activityNone)
		}
	}
	u.seekWork()
}

// pause makes the user not ready on all channels for a while.
func (u *user) pause(p pause) {
	u.turn++
	for _, m := range u.media {
		m.detach()
		m.become(stateNotReady, p.code)
		m.code2 = p.code.detail(&u.w.agenda)
	}
	u.resumeAfter(p.d)
}

// resumeAfter plans the end of every pause that the user is in.
func (u *user) resumeAfter(d time.Duration) {
	u.rest++
	rest := u.rest
	u.w.after(d, func() {
		if u.rest == rest && u.here {
			u.resume()
		}
	})
}

func (u *user) resume() {
	u.rest++
	for _, m := range u.media {
		if m.state != stateNotReady {
			continue
		}
		if u.busy {
			m.become(stateNotReadyBusy, activityNone)
		} else {
			m.become(stateReady, activityNone)
		}
	}
	u.seekWork()
}

// askPause pauses the user now or, if they are busy, when they are free; in the middle
// of a conversation that shows.
func (u *user) askPause(p pause) {
	switch {
	case !u.here || u.wish != nil:
	case !u.busy:
		if u.media[0].state == stateReady {
			u.pause(p)
		}
	default:
		u.wish = &p
		for _, m := range u.media {
			if m.state == stateBusy {
				m.become(stateNotReadyBusy, p.code)
			}
		}
	}
}

// seekWork gives a free user the contact that has waited longest.
func (u *user) seekWork() {
	if !u.here || u.busy {
		return
	}
	if u.kind == ProfileOperator {
		u.seekVisit()
		return
	}
	var oldest *contact
	var on *medium
	for _, m := range u.media {
		if m.state != stateReady {
			continue
		}
		for _, d := range m.desks {
			if len(d.waiting) > 0 && !d.stuck && (oldest == nil || d.waiting[0].began < oldest.began) {
				oldest, on = d.waiting[0], m
			}
		}
	}
	if oldest != nil {
		oldest.book(on)
	}
}

// detail draws the detail that an activity code carries, if it is one of those that do.
func (c activity) detail(a *agenda) string {
	switch c {
	case activityBackOffice:
		return [...]string{"ORDERS", "CLAIMS", "E-MAIL"}[a.pick(3)]
	case activityMeeting:
		return [...]string{"TEAM", "ONE-TO-ONE"}[a.pick(2)]
	case activityNone, activityLunch, activityPause, activityTraining:
	}
	return Empty
}
