package world

import "time"

const day = 24 * time.Hour

// shift is the working time of an agent, as times of day from midnight.
type shift struct {
	from, to time.Duration
}

// randomShift returns a random shift. Most agents work during the first peak of the day, some start
// for the second, a few work late.
func randomShift(a *scheduler) shift {
	switch x := a.rng.Float64(); {
	case x < 0.86:
		from := a.randomBetween(7*time.Hour+30*time.Minute, 9*time.Hour+30*time.Minute)
		return shift{from, from + 8*time.Hour + 30*time.Minute}
	case x < 0.95:
		from := a.randomBetween(10*time.Hour+30*time.Minute, 12*time.Hour)
		return shift{from, from + 8*time.Hour}
	default:
		from := a.randomBetween(13*time.Hour, 14*time.Hour+30*time.Minute)
		return shift{from, from + 8*time.Hour}
	}
}

// scheduleShift schedules the login and the logout for the day that begins at midnight, and for
// the following days. An agent whose shift has already begun logs in within a minute.
func (u *user) scheduleShift(s shift, midnight time.Duration) {
	w := u.world
	from, to := midnight+s.from, midnight+s.to
	if w.now < to {
		u.shiftEnd = to
		if from < w.now {
			from = w.now + w.randomBetween(0, time.Minute)
		}
		w.scheduleAt(from, u.login)
		w.scheduleAt(to, u.logout)
	}
	w.scheduleAt(midnight+day, func() { u.scheduleShift(s, midnight+day) })
}

// returnFromAbsence logs the user in after a short absence, unless their shift is over.
func (u *user) returnFromAbsence() {
	if u.world.now < u.shiftEnd {
		u.login()
	}
}

// startRoutine schedules a user's breaks and calls on the directory number during a session.
func (u *user) startRoutine() {
	u.repeatAtRandom(40*time.Minute, u.takeBreak)
	if u.profileType == ProfileAgent && u.channels[0].channel == channelCall {
		u.repeatAtRandom(14*time.Minute, u.useTelephone)
	}
}

// repeatAtRandom runs action at random intervals, with the given mean, until the user logs out.
func (u *user) repeatAtRandom(mean time.Duration, action func()) {
	session := u.sessionNumber
	u.world.scheduleAfter(u.world.randomExponential(mean), func() {
		if u.sessionNumber != session {
			return
		}
		action()
		if u.sessionNumber == session {
			u.repeatAtRandom(mean, action)
		}
	})
}

// takeBreak starts a random break: a pause or, occasionally for agents, a short absence.
func (u *user) takeBreak() {
	w := u.world
	x := w.rng.Float64()
	lunchtime := w.timeOfDay() >= 12*time.Hour && w.timeOfDay() < 14*time.Hour
	switch {
	case x < 0.08 && u.profileType == ProfileAgent && !u.isBusy:
		u.logout()
		w.scheduleAfter(w.randomBetween(40*time.Second, 3*time.Minute), u.returnFromAbsence)
	case lunchtime && x < 0.6:
		u.requestPause(pause{activityLunch, w.randomBetween(20*time.Minute, 40*time.Minute)})
	case x < 0.7:
		u.requestPause(pause{activityPause, w.randomBetween(time.Minute, 5*time.Minute)})
	case x < 0.85:
		u.requestPause(pause{activityBackOffice, w.randomBetween(2*time.Minute, 8*time.Minute)})
	case x < 0.94:
		u.requestPause(pause{activityMeeting, w.randomBetween(5*time.Minute, 15*time.Minute)})
	default:
		u.requestPause(pause{activityTraining, w.randomBetween(10*time.Minute, 20*time.Minute)})
	}
}

// scheduleChurn logs out random free agents, at most perMinute per minute on average. Each of them
// returns within 15 s.
func (w *World) scheduleChurn(perMinute float64) {
	mean := time.Duration(float64(time.Minute) / perMinute)
	w.scheduleAfter(w.randomExponential(mean), func() {
		if u := w.agents[w.rng.IntN(len(w.agents))]; u.isLoggedIn && !u.isBusy {
			u.logout()
			w.scheduleAfter(w.randomBetween(200*time.Millisecond, 15*time.Second), u.returnFromAbsence)
		}
		w.scheduleChurn(perMinute)
	})
}

// useTelephone makes or answers a call on the directory number of an agent, if the agent is ready.
func (u *user) useTelephone() {
	w, m := u.world, u.channels[0]
	if u.isBusy || m.state != stateReady {
		return
	}
	var s state
	switch x := w.rng.Float64(); {
	case x < 0.35:
		s = stateDNIn
		m.figuresOfDay.callIn++
	case x < 0.8:
		s = stateDNOut
		m.figuresOfDay.callOut++
	default:
		s = stateDNPrivate
		m.figuresOfDay.callOutPrivate++
	}
	u.occupy(m, s)
	turn := u.occupationVersion
	w.scheduleAfter(w.randomLogNormal(35*time.Second, 0.7), func() {
		if u.occupationVersion == turn {
			u.endOccupation()
		}
	})
}
