package world

import "time"

const day = 24 * time.Hour

// shift is when an agent works, as times of day.
type shift struct {
	from, to time.Duration
}

// drawShift draws a shift: most agents are there when the day's first wave of
// calls comes, some come for the second, a few stay until late.
func drawShift(a *agenda) shift {
	switch x := a.dice.Float64(); {
	case x < 0.86:
		from := a.between(7*time.Hour+30*time.Minute, 9*time.Hour+30*time.Minute)
		return shift{from, from + 8*time.Hour + 30*time.Minute}
	case x < 0.95:
		from := a.between(10*time.Hour+30*time.Minute, 12*time.Hour)
		return shift{from, from + 8*time.Hour}
	default:
		from := a.between(13*time.Hour, 14*time.Hour+30*time.Minute)
		return shift{from, from + 8*time.Hour}
	}
}

// keepShift plans today's login and logout and, at the end, tomorrow's. An agent
// whose shift has begun comes within a minute.
func (u *user) keepShift(s shift, midnight time.Duration) {
	w := u.w
	from, to := midnight+s.from, midnight+s.to
	if w.now < to {
		u.until = to
		if from < w.now {
			from = w.now + w.between(0, time.Minute)
		}
		w.at(from, u.login)
		w.at(to, u.logout)
	}
	w.at(midnight+day, func() { u.keepShift(s, midnight+day) })
}

// comeBack ends a short absence, if the shift still lasts.
func (u *user) comeBack() {
	if u.w.now < u.until {
		u.login()
	}
}

// startRoutine begins what users do of themselves during a session.
func (u *user) startRoutine() {
	u.routine(40*time.Minute, u.takeBreak)
	if u.kind == ProfileAgent && u.media[0].ch == channelCall {
		u.routine(14*time.Minute, u.useTelephone)
	}
}

// routine repeats do for the rest of the session.
func (u *user) routine(mean time.Duration, do func()) {
	session := u.session
	u.w.after(u.w.exponential(mean), func() {
		if u.session != session {
			return
		}
		do()
		if u.session == session {
			u.routine(mean, do)
		}
	})
}

// takeBreak asks for a pause; now and then an agent logs out for a moment
// instead.
func (u *user) takeBreak() {
	w := u.w
	x := w.dice.Float64()
	lunchtime := w.timeOfDay() >= 12*time.Hour && w.timeOfDay() < 14*time.Hour
	switch {
	case x < 0.08 && u.kind == ProfileAgent && !u.busy:
		u.logout()
		w.after(w.between(40*time.Second, 3*time.Minute), u.comeBack)
	case lunchtime && x < 0.6:
		u.askPause(pause{activityLunch, w.between(20*time.Minute, 40*time.Minute)})
	case x < 0.7:
		u.askPause(pause{activityPause, w.between(time.Minute, 5*time.Minute)})
	case x < 0.85:
		u.askPause(pause{activityBackOffice, w.between(2*time.Minute, 8*time.Minute)})
	case x < 0.94:
		u.askPause(pause{activityMeeting, w.between(5*time.Minute, 15*time.Minute)})
	default:
		u.askPause(pause{activityTraining, w.between(10*time.Minute, 20*time.Minute)})
	}
}

// churn sends agents home who are free, and brings them back a moment later, so
// many a minute in the mean.
func (w *World) churn(perMinute float64) {
	mean := time.Duration(float64(time.Minute) / perMinute)
	w.after(w.exponential(mean), func() {
		if u := w.agents[w.dice.IntN(len(w.agents))]; u.here && !u.busy {
			u.logout()
			w.after(w.between(200*time.Millisecond, 15*time.Second), u.comeBack)
		}
		w.churn(perMinute)
	})
}

// useTelephone makes or takes a call on the agent's own directory number.
func (u *user) useTelephone() {
	w, m := u.w, u.media[0]
	if u.busy || m.state != stateReady {
		return
	}
	var s state
	switch x := w.dice.Float64(); {
	case x < 0.35:
		s = stateDNIn
		m.day.callIn++
	case x < 0.8:
		s = stateDNOut
		m.day.callOut++
	default:
		s = stateDNPrivate
		m.day.callOutPrivate++
	}
	u.occupy(m, s)
	turn := u.turn
	w.after(w.logNormal(35*time.Second, 0.7), func() {
		if u.turn == turn {
			u.release()
		}
	})
}
