package diagnosis

import (
	"slices"
	"time"

	"wallboard/model"
)

// The last hour of an agent is stored in steps of half a minute, one byte per step. So 20,000
// agents need only a few MiB.
const (
	hourStep  = 30 * time.Second
	hourSteps = int64(time.Hour / hourStep)
)

// AgentHour holds the states that an agent had on a channel in the last hour.
type AgentHour struct {
	End    time.Time // end of the last step
	Step   time.Duration
	States []model.UserStatus // last state of each step, oldest first; "": unknown
}

// stateRing holds the states of an agent as a ring of steps.
type stateRing struct {
	states     [hourSteps]uint8 // index of the state in [model.States], plus 1; 0: unknown
	firstStep  int64            // number of the first known step
	latestStep int64            // number of the latest step; 0: none
}

func stepOf(t time.Time) int64 { return t.Unix() / int64(hourStep/time.Second) }

// statusByte encodes a state for a stateRing. A state that is not in [model.States] counts as
// unknown.
func statusByte(s model.UserStatus) uint8 {
	all := model.States()
	return uint8(slices.Index(all[:], s) + 1) //nolint:gosec // there are ten states
}

// extendTo repeats the latest state in all later steps, up to step number to.
func (h *stateRing) extendTo(to int64) {
	if h.latestStep == 0 {
		return
	}
	state := h.states[h.latestStep%hourSteps]
	if to < h.latestStep { // the clock was set back
		*h = stateRing{firstStep: to, latestStep: to}
		h.states[to%hourSteps] = state
		return
	}
	for s := max(h.latestStep, to-hourSteps) + 1; s <= to; s++ {
		h.states[s%hourSteps] = state
	}
	h.latestStep = to
}

// put records the state of an agent at a time.
func (h *stateRing) put(s model.UserStatus, now time.Time) {
	step := stepOf(now)
	if h.extendTo(step); h.latestStep == 0 {
		h.firstStep, h.latestStep = step, step
	}
	h.states[step%hourSteps] = statusByte(s)
}

// insertHistory inserts the states of past before the current ones. It repeats the last state of past
// up to step number to. Later steps before the first current state are unknown.
func (h *stateRing) insertHistory(past stateRing, to int64) {
	if h.latestStep == 0 || past.latestStep == 0 || past.firstStep >= h.firstStep {
		return
	}
	past.extendTo(to)
	first := max(past.firstStep, past.latestStep-hourSteps+1, h.latestStep-hourSteps+1)
	for s := first; s < h.firstStep; s++ {
		h.states[s%hourSteps] = 0
		if s <= past.latestStep {
			h.states[s%hourSteps] = past.states[s%hourSteps]
		}
	}
	h.firstStep = min(h.firstStep, first)
}

// outage is a period in which the feed delivered no current figures.
type outage struct{ from, to time.Time }

// recordOutage records that the feed delivered no current figures from the last update until now.
func (t *History) recordOutage(now time.Time) {
	if t.lastFresh.IsZero() || !now.After(t.lastFresh) {
		return
	}
	t.outages = append(recentOutages(t.outages, now), outage{t.lastFresh, now})
}

// recentOutages returns the outages that ended less than an hour before now.
func recentOutages(missed []outage, now time.Time) []outage {
	return slices.DeleteFunc(missed, func(b outage) bool { return now.Sub(b.to) > time.Hour })
}

// AgentHour returns the states that an agent had on a channel in the hour before now. Steps without
// observation are unknown.
func (t *History) AgentHour(k model.UserStatKey, now time.Time) AgentHour {
	out := AgentHour{End: now, Step: hourStep, States: make([]model.UserStatus, hourSteps)}
	a := t.agents.agents[k]
	if a == nil || a.states.latestStep == 0 {
		return out
	}
	h := a.states // a copy because extendTo changes the ring
	h.extendTo(stepOf(now))
	all, last := model.States(), stepOf(now)
	for i := range out.States {
		step := last - hourSteps + 1 + int64(i)
		state := h.states[step%hourSteps]
		if step < h.firstStep || state == 0 || t.inOutage(step) {
			continue
		}
		out.States[i] = all[state-1]
	}
	return out
}

// inOutage reports whether the end of a step lies in an outage.
func (t *History) inOutage(step int64) bool {
	end := time.Unix((step+1)*int64(hourStep/time.Second)-1, 0)
	if t.lastUpdate.IsZero() && end.After(t.lastFresh) {
		return true
	}
	return slices.ContainsFunc(t.outages, func(b outage) bool { return end.After(b.from) && end.Before(b.to) })
}
