package world

import "time"

// The script: the first two minutes after the opening bring a rush on the
// biggest service, a team that leaves for lunch together, the recovery of both
// and a campaign that runs dry; later, something of the kind comes every few
// minutes.
const (
	rushAt     = 20 * time.Second
	rushFor    = 40 * time.Second
	rushFactor = 5
	lunchAt    = 50 * time.Second
	lunchFor   = 40 * time.Second
	recallAt   = 80 * time.Second
	dryAfter   = 65 * time.Second
	troubles   = 6 * time.Minute // mean time between later events
)

func (w *World) planDrama() {
	big := w.biggestService()
	w.after(rushAt, func() { w.rush(big, max(rushFactor, w.factorToQueue(big, rushFor)), rushFor) })
	w.after(lunchAt, func() { w.teamBreak(w.teamBeside(big), activityLunch, lunchFor) })
	w.after(recallAt, func() { w.recall(big.groups[0]) })
	if n := len(w.campaigns); n > 0 {
		c := w.campaigns[n-1]
		c.refill = 4 * time.Minute
		c.trim(int64(dryAfter / c.pace))
	}
	w.after(3*time.Minute, w.planTrouble)
}

// planTrouble lets random things go wrong for ever.
func (w *World) planTrouble() {
	w.after(w.exponential(troubles), func() {
		if w.chance(0.6) {
			w.rush(w.services[w.pick(len(w.services))], 3+2*w.dice.Float64(), w.between(30*time.Second, 2*time.Minute))
		} else {
			w.teamBreak(w.groups[w.pick(len(w.groups))], activityMeeting, w.between(time.Minute, 3*time.Minute))
		}
		w.planTrouble()
	})
}

// rush multiplies the calls of a service for a while.
func (w *World) rush(s *service, factor float64, d time.Duration) {
	for _, st := range w.streams {
		if st.line.service == s && st.line.ch == channelCall {
			st.setSurge(factor)
			w.after(d, func() { st.setSurge(1) })
		}
	}
}

// factorToQueue returns how much a rush must multiply the calls of a service so
// that its agents cannot take them all: those who are ready, and the part of the
// others that gets free meanwhile.
func (w *World) factorToQueue(s *service, d time.Duration) float64 {
	const (
		inQueue  = 12
		getsFree = 0.3
	)
	var rate, takers float64
	for _, st := range w.streams {
		if st.line.service != s || st.line.ch != channelCall {
			continue
		}
		rate += st.rate * dayCurve(w.timeOfDay())
		for _, m := range st.desk.media {
			switch m.state {
			case stateOffline, stateNotReady:
			case stateReady:
				takers++
			case stateBooked, stateBusy, stateNotReadyBusy, stateWNR, stateDNIn, stateDNOut, stateDNPrivate:
				takers += getsFree
			}
		}
	}
	if rate == 0 {
		return 1
	}
	return (takers + inQueue) / (rate * d.Seconds())
}

// recall ends the pauses of a group.
func (w *World) recall(g *group) {
	for _, u := range g.agents {
		if u.here && !u.busy {
			u.resume()
		}
	}
}

// teamBreak sends three quarters of a group into a break together.
func (w *World) teamBreak(g *group, code activity, d time.Duration) {
	for i, u := range g.agents {
		if i%4 != 3 {
			u.askPause(pause{code, d})
		}
	}
}

// biggestService returns the service with the most calls to expect.
func (w *World) biggestService() *service {
	rates := make(map[*service]float64, len(w.services))
	best := w.services[0]
	for _, st := range w.streams {
		if st.line.ch != channelCall {
			continue
		}
		s := st.line.service
		if rates[s] += st.rate; rates[s] > rates[best] {
			best = s
		}
	}
	return best
}

// teamBeside returns the largest group that does not serve s, so that the lunch
// does not hit the service of the rush; with a single group there is no choice.
func (w *World) teamBeside(s *service) *group {
	var best *group
	for _, g := range w.groups {
		if g != s.groups[0] && (best == nil || len(g.agents) > len(best.agents)) {
			best = g
		}
	}
	if best == nil {
		return w.groups[0]
	}
	return best
}
