package situation

import (
	"fmt"
	"strconv"
	"time"

	"wallboard/internal/alert/diagnosis"
	"wallboard/internal/phrases"
	"wallboard/model"
)

// SpareLines returns sentences about how many agents a service can spare before the next contact
// waits, and which agents are likely to be free next. plan may be nil. Otherwise it lowers the
// number to the one at which the targets are still met.
func SpareLines(s *model.Snapshot, names model.Names, k model.ServiceKey, now time.Time, plan *diagnosis.ReleasePlan) []string {
	if s == nil || !isFresh(s) {
		return []string{"The figures are not current: how many agents can be released is unknown."}
	}
	floor := diagnosis.SpareFloor(s, k.Channel, k.Code)
	thin := floor.Services[k.Code]
	one, many := phrases.WaitingNouns(k.Channel)
	noAgents := "No agents are known for it."
	if r := s.Services.Get(k); r != nil {
		if logged, known := r.UserStats.LoggedUsers.Count.Get(); known && logged == 0 {
			noAgents = "No agents logged in – no one can be released."
		}
	}
	if thin.Agents == 0 {
		return []string{noAgents}
	}
	var out []string
	switch waiting, known := floor.Waiting[k.Code].Get(); {
	case !known:
		out = append(out, "How many "+many+" are waiting is unknown – no one can be released.")
	case waiting > 0:
		out = append(out, phrases.Count(int(waiting), one, many)+" waiting – no one can be released.")
	case thin.Ready == 0:
		out = append(out, "No one available: the next "+one+" waits.")
	case thin.Free == 0:
		out = append(out, fmt.Sprintf("%s available, shared with services that have no one else: the next %s may wait.",
			phrases.Agents(thin.Ready), one))
	default:
		shared := ""
		if n := thin.Ready - thin.Free; n > 0 { // other services may need these agents first
			shared = fmt.Sprintf(" (%d shared with other services)", n)
		}
		out = append(out, fmt.Sprintf("%s available%s. %s.", phrases.Agents(thin.Ready), shared, releaseText(floor, plan, k)))
	}
	for _, n := range thin.NextFree {
		state := "with a contact"
		if k.Channel == model.Call {
			state = "on a call"
		}
		if n.Status == model.WNR {
			state = "in after-call work"
		}
		if !n.Since.IsZero() {
			state += " " + phrases.Duration(now.Sub(n.Since))
		}
		out = append(out, "Next free: "+phrases.Person(s, names, n.Username, k.Channel)+" ("+state+").")
	}
	return out
}

// releaseText describes how many ready agents of a service can be released. If neither other
// services nor the targets limit the number, it also describes what happens if one more agent is
// released. The targets of plan, which may be nil, can lower the number.
func releaseText(floor *diagnosis.FloorSpare, plan *diagnosis.ReleasePlan, k model.ServiceKey) string {
	thin, n := floor.Services[k.Code], floor.ReleasableFrom(k.Code)
	one, many := phrases.WaitingNouns(k.Channel)
	limit := ""
	if n < thin.Free-1 {
		limit = " while " + many + " wait or may wait for services that they also serve"
	}
	// The plan is some seconds old. Its number counts only if the targets limited it, and not a
	// queue at that time.
	if plan != nil && plan.MissingReason == "" && plan.Target > 0 && plan.Spare != nil && plan.CanGoFrom[k.Code] < min(n, plan.Spare.ReleasableFrom(k.Code)) {
		n, limit = plan.CanGoFrom[k.Code], " without missing a target"
	}
	can := strconv.Itoa(n) + " can be released"
	if n == 0 {
		can = "No one can be released"
	}
	if limit != "" {
		return can + limit
	}
	next := "Release one"
	if n > 0 {
		next = can + ": release " + strconv.Itoa(n+1)
	}
	if thin.Free < thin.Ready { // other services may need the remaining agents first
		return next + " and the next " + one + " may wait"
	}
	return next + " and the next " + one + " waits"
}
