package situation

import (
	"time"

	"wallboard/internal/alert"
	"wallboard/internal/alert/diagnosis"
	"wallboard/internal/words"
	"wallboard/model"
)

// Limits for suggestions about queues.
const (
	preferredClearTime = 5 * time.Minute  // preferred time to clear a queue
	maxClearTime       = 15 * time.Minute // longest acceptable time to clear a queue
	minExtraAgents     = 3                // number of extra agents that may be suggested for any queue, even if fewer agents serve it
	maxHelpers         = 5                // maximum number of helpers that are suggested
)

// helpFor returns suggestions for a situation. The result is empty if the place is not a service or
// has no waiting contacts.
func (w *Tracker) helpFor(s *model.Snapshot, sit *Situation, now time.Time) Help {
	k := sit.Place.Key
	if k.Scope != alert.Service {
		return Help{}
	}
	r := s.Services.Get(model.ServiceKey{Code: k.Code, Channel: k.Channel})
	if r == nil || r.ChannelStats.QueuedCalls.Or(0) == 0 {
		return Help{}
	}
	return w.queueHelp(s, r, k, now)
}

// queueHelp returns suggestions for clearing the queue of a service, and an estimate of when the
// queue clears without help.
func (w *Tracker) queueHelp(s *model.Snapshot, r *model.Service, k alert.Key, now time.Time) Help {
	h := Help{agentsReady: r.UserStats.ReadyUsers.Count.Or(0) > 0}
	load, lacks := diagnosis.LoadOf(w.history, r, now)
	if !lacks.IsZero() {
		h.assumptions = []words.Text{words.LoadUnknown(lacks)}
	} else {
		h.assumptions = load.Assumptions()
		h.ClearTime, h.ClearTimeKnown = load.TimeToClear(0)
		h.ClearsByHangUps = load.MostlyHangUps()
		if !h.ClearTimeKnown || h.ClearTime > preferredClearTime {
			if more := load.AgentsToKeepUp(); more <= maxExtra(load) { // do not show unrealistic numbers
				h.KeepUpAgents = more
			}
		}
		h.Needed = neededAgents(load)
		if !h.Needed.OnePerContact && h.Needed.MoreAgents > 0 && h.KeepUpAgents > h.Needed.MoreAgents {
			h.assumptions = append(h.assumptions, words.LoadKeepUp(h.KeepUpAgents))
		}
		if h.Needed.MoreAgents == 0 && (!h.ClearTimeKnown || h.ClearTime > maxClearTime) {
			h.assumptions = append(h.assumptions, words.LoadNotEnough(maxExtra(load), int(maxClearTime.Minutes())))
		}
	}
	if w.agentIndex == nil {
		w.agentIndex = diagnosis.NewAgentIndex(s)
	}
	span := w.history.PeriodTotals(r.Key(), now.Add(-time.Hour), now)
	who := w.agentIndex.Helpers(w.history, r.Key(), span.MeanWrapUp(model.Figure{}), now)
	for i := range who[:min(len(who), maxHelpers)] {
		h.Helpers = append(h.Helpers, w.describeHelper(s, &who[i], k, now))
	}
	return h
}

// clearEstimates removes the estimates about the queue. They are wrong if contacts are not routed
// to the agents.
func (h *Help) clearEstimates() {
	h.Needed, h.KeepUpAgents, h.ClearTime, h.ClearTimeKnown, h.ClearsByHangUps = Staffing{}, 0, 0, false, false
	h.assumptions = []words.Text{words.LoadNotRouted()}
}

// neededAgents returns the smallest number of extra agents that clears the queue within [preferredClearTime]
// and serves most of the waiting contacts. If that number exceeds [maxExtra], it returns the number
// for [maxClearTime]. If the queue clears without help, MoreAgents is 0, and MaxMoreAgents is above 0
// if that is uncertain. If the number for maxClearTime is also too high, it returns the zero value.
func neededAgents(load diagnosis.Load) Staffing {
	for _, within := range []time.Duration{preferredClearTime, maxClearTime} {
		more, ok := load.AgentsToServe(within)
		switch {
		case ok && more == 0:
			_, most := load.AgentRange(0, within)
			return Staffing{MaxMoreAgents: min(most, maxExtra(load))}
		case ok && more <= maxExtra(load):
			takes, _ := load.TimeToClear(more)
			least, most := load.AgentRange(more, within)
			return Staffing{MoreAgents: more, MinMoreAgents: least, MaxMoreAgents: most, ClearTime: takes, OnePerContact: float64(more) >= load.Waiting}
		}
	}
	return Staffing{}
}

// maxExtra returns the highest number of extra agents that may be suggested: the number of agents
// who serve the queue now, but at least [minExtraAgents].
func maxExtra(load diagnosis.Load) int { return max(minExtraAgents, int(load.Agents+0.5)) }

// describeHelper describes an agent who could help: the current state, the reason for the
// suggestion, and the cost of moving the agent.
func (w *Tracker) describeHelper(s *model.Snapshot, a *diagnosis.Helper, k alert.Key, now time.Time) Helper {
	out := Helper{kind: a.Kind, Username: a.Username, Name: w.personName(s, a.Username, k.Channel)}
	lasted := now.Sub(a.Since)
	known := !a.Since.IsZero()
	// state returns the message with the duration if that is known.
	state := func(alone words.Text, with func(time.Duration) words.Text) words.Text {
		if known {
			return with(lasted)
		}
		return alone
	}
	switch a.Kind {
	case diagnosis.HelpReadyGroup:
		out.state, out.reason = state(words.StateInReady(), words.HelpReadyFor), words.HelpSameGroup()
		if a.CurrentService != "" {
			out.cost = words.HelpLeaves(max(a.RemainingReady, 0), w.names.NameOf(model.NameService, a.CurrentService))
		}
	case diagnosis.HelpReadyElsewhere:
		ch := words.ChannelInSentence(a.Channel)
		out.reason = words.HelpHasSkill()
		out.state = state(words.HelpReadyChannel(ch), func(d time.Duration) words.Text { return words.HelpReadyChannelFor(ch, d) })
	case diagnosis.HelpLoggedOut:
		if out.Name == a.Username && a.Name != "" {
			out.Name = a.Name
		}
		out.state = words.HelpLoggedOut(words.ClockOf(a.Since, w.zone))
	case diagnosis.HelpWrapUp:
		out.state, out.reason = state(words.SpeakIsWrapUp(), words.HelpWrapUpFor), words.HelpWrapUpLong()
	case diagnosis.HelpBreak, diagnosis.HelpShortBreak:
		out.state = state(words.StateInNotReady(), words.HelpNotReadyFor)
		if a.Activity != "" {
			name := w.names.NameOf(model.NameActivity, a.Activity)
			out.state = state(words.HelpIn(name), func(d time.Duration) words.Text { return words.HelpInFor(name, d) })
		}
	}
	return out
}
