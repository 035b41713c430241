package diagnosis

import (
	"slices"
	"time"

	"wallboard/model"
)

// The last hour of an agent is kept in steps of half a minute, one byte each, so that
// 20,000 agents take a few MiB.
const (
	hourStep  = 30 * time.Second
	hourSteps = int64(time.Hour / hourStep)
)

// Hour holds the states of an agent on a channel in the last hour.
type Hour struct {
	End    time.Time // end of the last step
	Step   time.Duration
	States []model.UserStatus // last state of each step, oldest first; "": unknown
}

// hour holds the states of an agent as a ring of steps.
type hour struct {
	states [hourSteps]uint8 // 1 + index in [model.States]; 0: unknown
	from   int64            // the first known step
	at     int64            // the latest step; 0: none
}

func stepOf(t time.Time) int64 { return t.Unix() / int64(hourStep/time.Second) }

// statusByte encodes a state. A state that is not in [model.States] is unknown.
func statusByte(s model.UserStatus) uint8 {
	all := model.States()
	return uint8(slices.Index(all[:], s) + 1) //nolint:gosec // there are ten
}

// pass extends the current state up to a step.
func (h *hour) pass(to int64) {
	if h.at == 0 {
		return
	}
	state := h.states[h.at%hourSteps]
	if to < h.at { // the clock was set back
		*h = hour{from: to, at: to}
		h.states[to%hourSteps] = state
		return
	}
	for s := max(h.at, to-hourSteps) + 1; s <= to; s++ {
		h.states[s%hourSteps] = state
	}
	h.at = to
}

// put records the state of an agent.
func (h *hour) put(s model.UserStatus, now time.Time) {
	step := stepOf(now)
	if h.pass(step); h.at == 0 {
		h.from, h.at = step, step
	}
	h.states[step%hourSteps] = statusByte(s)
}

// remember inserts recorded states, extended up to step to, before the present ones.
// Steps in between are unknown.
func (h *hour) remember(past hour, to int64) {
	if h.at == 0 || past.at == 0 || past.from >= h.from {
		return
	}
	past.pass(to)
	first := max(past.from, past.at-hourSteps+1, h.at-hourSteps+1)
	for s := first; s < h.from; s++ {
		h.states[s%hourSteps] = 0
		if s <= past.at {
			h.states[s%hourSteps] = past.states[s%hourSteps]
		}
	}
	h.from = min(h.from, first)
}

// outage is a period without observation.
type outage struct{ from, to time.Time }

// noteOutage records that there was no observation until now.
func (t *History) noteOutage(now time.Time) {
	if t.fresh.IsZero() || !now.After(t.fresh) {
		return
	}
	t.outages = append(lastHour(t.outages, now), outage{t.fresh, now})
}

// lastHour drops periods that ended more than an hour before now.
func lastHour(missed []outage, now time.Time) []outage {
	return slices.DeleteFunc(missed, func(b outage) bool { return now.Sub(b.to) > time.Hour })
}

// Hour returns what an agent did on a channel in the hour before now. Steps without
// observation are unknown.
func (t *History) Hour(k model.UserStatKey, now time.Time) Hour {
	out := Hour{End: now, Step: hourStep, States: make([]model.UserStatus, hourSteps)}
	a := t.people.agents[k]
	if a == nil || a.hour.at == 0 {
		return out
	}
	h := a.hour // a copy
	h.pass(stepOf(now))
	all, last := model.States(), stepOf(now)
	for i := range out.States {
		step := last - hourSteps + 1 + int64(i)
		state := h.states[step%hourSteps]
		if step < h.from || state == 0 || t.inOutage(step) {
			continue
		}
		out.States[i] = all[state-1]
	}
	return out
}

// inOutage reports whether the end of a step was not observed.
func (t *History) inOutage(step int64) bool {
	end := time.Unix((step+1)*int64(hourStep/time.Second)-1, 0)
	if t.last.IsZero() && end.After(t.fresh) {
		return true
	}
	return slices.ContainsFunc(t.outages, func(b outage) bool { return end.After(b.from) && end.Before(b.to) })
}
