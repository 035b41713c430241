package world

import (
	"slices"
	"time"
)

// When everybody who serves a service goes home, and comes back; how often a call comes
// to it meanwhile. It is the first thing that the drama has go wrong: it shows at once,
// why needs no past to tell, and it is over soon.
const (
	desertedAt   = 12 * time.Second
	desertedFor  = 36 * time.Second
	desertedCall = 6 * time.Second
)

// desert has everybody who serves some service log out, and come back.
func (x *drama) desert() {
	w := x.w
	s := x.lonely()
	if s == nil {
		return
	}
	calls := x.rate(s) * desertedCall.Seconds()
	if calls <= 0 {
		return
	}
	var gone []*user
	for _, u := range callers(s) {
		until := u.until
		u.until = 0 // nobody comes back from a short absence
		w.after(desertedFor, func() {
			u.until = until
			u.comeBack()
		})
		if u.here {
			gone = append(gone, u)
		}
	}
	w.multiply(s, channelCall, max(1, 1/calls))
	w.after(desertedFor-desertedCall, func() { w.multiply(s, channelCall, 1) })
	for _, at := range []time.Duration{0, desertedCall} { // whom a call rang at has it by then
		w.after(at, func() {
			for _, u := range gone {
				u.goHome()
			}
		})
	}
}

// goHome logs a user out, who ends what they are doing at once. Whom a call rings at
// leaves after it.
func (u *user) goHome() {
	if u.busy && (u.contact == nil || u.contact.stage != stageRinging) && u.dialled == nil && u.visit == nil {
		u.leaving = true
		if c := u.contact; c != nil && c.talking() {
			c.finish()
		}
		u.release()
		return
	}
	u.logout()
}

// lonely returns the service that most agents serve, so that the queue is taken at once
// when they are back; nil where there is none beside the biggest service. It is
// rather not one of the team that goes to lunch.
func (x *drama) lonely() *service {
	big := x.biggestService()
	beside := x.teamBeside(big)
	var best *service
	most := 0
	for _, s := range x.w.services {
		n := len(present(callers(s)))
		if n == 0 || slices.Contains(s.groups, big.groups[0]) {
			continue
		}
		if slices.Contains(s.groups, beside) {
			n = 1 // rather another
		}
		if n > most {
			best, most = s, n
		}
	}
	return best
}

// rate is how many calls a second come to a service at this time of day.
func (x *drama) rate(s *service) float64 {
	rate := 0.0
	for _, st := range x.w.streams {
		if st.line.service == s && st.line.ch == channelCall {
			rate += st.rate * dayCurve(x.w.timeOfDay())
		}
	}
	return rate
}
