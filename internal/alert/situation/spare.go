package situation

import (
	"fmt"
	"strconv"
	"time"

	"wallboard/internal/alert/diagnosis"
	"wallboard/internal/phrases"
	"wallboard/model"
)

// SpareLines returns sentences that say how many agents a service can spare before the next contact
// waits, and which agents are likely to be free next. plan may be nil; otherwise it lowers the number to
// the one with which the targets still hold.
func SpareLines(s *model.Snapshot, names model.Names, k model.ServiceKey, now time.Time, plan *diagnosis.ReleasePlan) []string {
	if s == nil || !isFresh(s) {
		return []string{"How many agents it can spare is not known: the figures are not the present ones."}
	}
	floor := diagnosis.SpareFloor(s, k.Channel, k.Code)
	thin := floor.Services[k.Code]
	one, many := phrases.WaitingNouns(k.Channel)
	nobody := "No agent is known to serve it."
	if r := s.Services.Get(k); r != nil {
		if logged, known := r.UserStats.LoggedUsers.Count.Get(); known && logged == 0 {
			nobody = "Nobody is logged in for it: no agent to spare."
		}
	}
	if thin.Agents == 0 {
		return []string{nobody}
	}
	var out []string
	switch waiting, known := floor.Waiting[k.Code].Get(); {
	case !known:
		out = append(out, "How many "+many+" wait is not known: no agent to spare.")
	case waiting > 0:
		out = append(out, phrases.Capital(many)+" wait already: no agent to spare.")
	case thin.Ready == 0:
		out = append(out, "Nobody is ready for it: the next "+one+" waits.")
	case thin.Free == 0:
		out = append(out, fmt.Sprintf("%s ready, shared with services that have nobody else: the next %s may wait.",
			phrases.Count(thin.Ready, "agent is", "agents are"), one))
	default:
		out = append(out, fmt.Sprintf("%s ready for it, %d of them needed by no other service. %s.",
			phrases.Count(thin.Ready, "agent is", "agents are"), thin.Free, releaseText(floor, plan, k)))
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

// releaseText says how many ready agents of a service can be released, and what happens if one more
// is. If plan has figures, it is the number that page Breaks shows.
func releaseText(floor *diagnosis.FloorSpare, plan *diagnosis.ReleasePlan, k model.ServiceKey) string {
	thin, n := floor.Services[k.Code], floor.ReleasableFrom(k.Code)
	one, many := phrases.WaitingNouns(k.Channel)
	limit := ""
	if n < thin.Free-1 {
		limit = " while " + many + " wait for services that they also serve"
	}
	if plan != nil && plan.MissingReason == "" && plan.CanGoFrom[k.Code] < n {
		n, limit = plan.CanGoFrom[k.Code], " without missing a target"
	}
	can := [...]string{"None can go", "One can go"}[min(n, 1)]
	if n > 1 {
		can = strconv.Itoa(n) + " can go"
	}
	if limit != "" {
		return can + limit
	}
	next := [...]string{"If one goes", can + "; if two go"}[min(n, 1)]
	if n > 1 {
		next = can + "; if one more goes"
	}
	if thin.Free < thin.Ready { // another service may need the remaining agents first
		return next + ", the next " + one + " may wait"
	}
	return next + ", the next " + one + " waits"
}
