package situation

import (
	"fmt"
	"time"

	"wallboard/internal/alert/diagnosis"
	"wallboard/internal/phrases"
	"wallboard/model"
)

// SpareLines returns sentences that say how many agents a service can spare before the next contact
// waits, and which agents are likely to be free next.
func SpareLines(s *model.Snapshot, names model.Names, k model.ServiceKey, now time.Time) []string {
	if s == nil || !isFresh(s) {
		return []string{"How many agents it can spare is not known: the figures are not the present ones."}
	}
	thin := diagnosis.SpareOf(s, k)
	one, many := phrases.WaitingNouns(k.Channel)
	waiting, nobody := 0.0, "No agent is known to serve it."
	if r := s.Services.Get(k); r != nil {
		waiting, _ = r.ChannelStats.QueuedCalls.Figure().Get()
		if logged, known := r.UserStats.LoggedUsers.Count.Get(); known && logged == 0 {
			nobody = "Nobody is logged in for it: no agent to spare."
		}
	}
	if thin.Agents == 0 {
		return []string{nobody}
	}
	var out []string
	switch {
	case waiting > 0:
		out = append(out, phrases.Capital(many)+" wait already: no agent to spare.")
	case thin.Ready == 0:
		out = append(out, "Nobody is ready for it: the next "+one+" waits.")
	case thin.Free == 0:
		out = append(out, fmt.Sprintf("%s ready, shared with services that have nobody else: the next %s may wait.",
			phrases.Count(thin.Ready, "agent is", "agents are"), one))
	default:
		waits := "waits"
		if thin.Free < thin.Ready { // another service may need the remaining agents first
			waits = "may wait"
		}
		out = append(out, fmt.Sprintf("%s ready for it, %d of them needed by no other service. %s, the next %s %s.",
			phrases.Count(thin.Ready, "agent is", "agents are"), thin.Free, releaseText(thin.Releasable()), one, waits))
	}
	for _, n := range thin.NextFree {
		state := "in a conversation"
		if n.Status == model.WNR {
			state = "in after-call work"
		}
		if !n.Since.IsZero() {
			state += " for " + phrases.Duration(now.Sub(n.Since))
		}
		out = append(out, "Likely free next: "+phrases.Person(s, names, n.Username, k.Channel)+", "+state+".")
	}
	return out
}

// releaseText returns a sentence that says how many agents can be released, and the beginning of a
// sentence about the effect of releasing one more.
func releaseText(n int) string {
	switch n {
	case 0:
		return "If one goes"
	case 1:
		return "One can go; if two go"
	}
	return fmt.Sprintf("%d can go; if one more goes", n)
}
