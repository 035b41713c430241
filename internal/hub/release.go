package hub

import (
	"slices"
	"time"

	"wallboard/internal/alert/diagnosis"
	"wallboard/internal/words"
	"wallboard/model"
)

// plannedRelease is a release plan with the time that it was made for.
type plannedRelease struct {
	plan      *diagnosis.ReleasePlan // nil while the first plan is being computed
	madeFor   time.Time
	computing bool
}

const (
	// releaseLifetime is how long a release plan is used before it is computed again. On a large
	// floor, it is largeReleaseLifetime. On a busy machine, a plan takes 7 ms for 60 agents and 12
	// services, 12 ms for 100 agents, and 360 ms for 900 agents and 60 services
	// (BenchmarkPlanRelease).
	releaseLifetime      = 5 * time.Second
	largeReleaseLifetime = 20 * time.Second
	// minBackgroundAgents is the number of agents from which plans are computed in the background,
	// because the computation would delay the board.
	minBackgroundAgents = 100
)

// ReleasePlan returns how many agents of a channel can leave, now and in each half hour until
// closing time. now is the server time. All viewers with the same visibility share the plan, which is at
// most about releaseLifetime old, or largeReleaseLifetime on a large floor. It is nil before the first
// snapshot and, on a large floor, until it is computed. In a private hub, it has only a MissingReason.
func (o Observations) ReleasePlan(now time.Time, ch model.Channel) *diagnosis.ReleasePlan {
	if o.viewer.currentView().isPrivate() {
		return &diagnosis.ReleasePlan{MissingReason: words.ReleaseNeedsLiveBoard()}
	}
	p, h := o.viewer.currentView(), o.viewer.hub
	now = h.options.IntradayLog.Local(now)
	p.mu.Lock()
	last := p.history.releases[ch]
	if last == nil {
		if p.history.releases == nil {
			p.history.releases = make(map[model.Channel]*plannedRelease)
		}
		last = new(plannedRelease)
		p.history.releases[ch] = last
	}
	life := releaseLifetime
	switch {
	case p.visible == nil || last.plan == nil:
	case p.visible.UserStats.Len() >= minBackgroundAgents:
		life = largeReleaseLifetime
	case !last.plan.MissingReason.IsZero() || last.plan.AwayNow != countOnBreak(p.visible, ch):
		life = time.Second // a missing forecast may just have been loaded, or the agents on a break have changed
	}
	if age := now.Sub(last.madeFor); last.computing || p.visible == nil || last.plan != nil && age >= 0 && age < life {
		defer p.mu.Unlock()
		return last.plan
	}
	input := p.releaseInput(now, ch)
	last.madeFor, last.computing = now, true
	p.mu.Unlock()
	compute := func() {
		noHalfHours := h.addHalfHours(input, ch)
		plan := diagnosis.PlanRelease(&input.ReleaseInput)
		plan.HalfHoursMissing = noHalfHours
		p.mu.Lock()
		defer p.mu.Unlock()
		last.plan, last.computing = plan, false
	}
	if len(input.Agents) < minBackgroundAgents {
		compute()
	} else {
		h.background.Go(compute)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	return last.plan
}

// releaseInput is the input of a release plan, with the number of contacts of each service so far
// today.
type releaseInput struct {
	diagnosis.ReleaseInput

	contactsSoFar []float64
	totalContacts model.Figure // contacts of all services so far today
	closingTime   time.Time
}

// releaseInput returns the input of a release plan without half hours, which addHalfHours adds.
// The caller must hold mu.
func (p *sharedView) releaseInput(now time.Time, ch model.Channel) *releaseInput {
	goal, floor := p.engine.Goal(""), model.FloorOf(p.visible, ch, nil, nil)
	out := &releaseInput{ReleaseInput: diagnosis.ReleaseInput{Now: now, Target: goal.ServiceLevel.Or(0)}, totalContacts: floor.Calls.ReceivedCalls.Figure()}
	out.closingTime, _ = goal.ClosingTime(now)
	var codes []string
	for r := range p.visible.Services.All() {
		if r.Channel == ch {
			codes = append(codes, r.Key().Code)
			out.contactsSoFar = append(out.contactsSoFar, float64(r.ChannelStats.ReceivedCalls.Or(0)))
		}
	}
	out.Demand = p.history.situations.History().DemandOf(ch, codes, now, func(code string) float64 { return p.engine.Goal(code).ServiceLevel.Or(0) })
	out.Spare = diagnosis.ComputeFloorSpare(p.visible, ch)
	logged, onBreak := int64(0), int64(0)
	for u := range p.visible.UserStats.All() {
		if u.Channel != ch || u.Status == model.BusyElsewhere {
			continue
		}
		a := diagnosis.PlannedAgent{
			Services: p.servicesOf(u.Key().Username), Ready: u.Status == model.Ready, IsOnBreak: isOnBreak(u), BreakPending: u.Status == model.NotReadyBusy,
			WithoutCode: u.Status == model.NotReady && u.ActivityCode.String() == "",
		}
		if a.IsOnBreak {
			if b, ok := p.history.breaks.BreakOf(u.Key().Username, now); ok {
				a.ReturnAt = b.Return.Likely
			}
		}
		out.Agents = append(out.Agents, a)
		logged, onBreak = logged+u.LoggedTime().Or(0), onBreak+u.TimeInStateNotReady.Or(0)
	}
	out.UsualAway = float64(len(out.Agents)) * float64(onBreak) / float64(max(logged, 1))
	return out
}

// isOnBreak reports whether an agent is on a break, or will be after the current contact.
func isOnBreak(u *model.UserStat) bool {
	return u.Status == model.NotReady || u.Status == model.NotReadyBusy
}

// countOnBreak returns the number of agents of a channel who are on a break, or will be after their
// current contact.
func countOnBreak(s *model.Snapshot, ch model.Channel) (n int) {
	for u := range s.UserStats.All() {
		if u.Channel == ch && isOnBreak(u) {
			n++
		}
	}
	return n
}

// servicesOf returns the sorted codes of an agent's services. The caller must hold mu.
func (p *sharedView) servicesOf(username string) []string {
	if who := p.visible.Users.Get(username); who != nil {
		return slices.Compact(slices.Sorted(slices.Values(who.Services)))
	}
	return nil
}

// addHalfHours adds the half hours until closing time. If there is no forecast, it returns a
// sentence with the reason.
func (h *Hub) addHalfHours(plan *releaseInput, ch model.Channel) (missing words.Text) {
	courses, codes := h.options.IntradayLog, make([]string, len(plan.Demand))
	for i := range plan.Demand {
		codes[i] = plan.Demand[i].Code
	}
	rest := courses.RestOfDay(plan.Now, plan.closingTime, ch, codes, plan.totalContacts)
	split := courses.SplitByService(&rest, ch, codes, plan.contactsSoFar)
	for i := range rest.HalfHours {
		half := &rest.HalfHours[i]
		period := diagnosis.PlannedPeriod{From: half.From, To: half.To, PerSecond: make([]float64, len(codes))}
		for s := range codes {
			period.PerSecond[s] = split[s][i] / max(half.To.Sub(half.From).Seconds(), 1)
		}
		if i > 0 {
			period.Staff = courses.UsualStaff(plan.Now, half.From.Add(half.To.Sub(half.From)/2), ch)
		}
		plan.Periods = append(plan.Periods, period)
	}
	return rest.MissingReason
}

// LongestWorking returns at most n agents of a channel who have worked longest without a
// break, with the advice of the release plan. The longest time comes first. unknown is the
// number of agents at work whose last break is unknown.
func (o Observations) LongestWorking(ch model.Channel, n int) (agents []diagnosis.Advice, unknown int) {
	p := o.viewer.currentView()
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.visible == nil {
		return nil, 0
	}
	find := func(username string) *model.UserStat {
		return p.visible.UserStats.Get(model.UserStatKey{Username: username, Channel: ch})
	}
	working, unknown := p.history.breaks.LongestWorking(func(username string) bool { return find(username) != nil })
	var candidates []diagnosis.BreakCandidate
	for _, w := range working[:min(len(working), n)] {
		candidates = append(candidates, diagnosis.BreakCandidate{
			Username: w.Username, Since: w.Since, Services: p.servicesOf(w.Username), Ready: find(w.Username).Status == model.Ready,
		})
	}
	plan := new(diagnosis.ReleasePlan)
	if r := p.history.releases[ch]; r != nil && r.plan != nil {
		plan = r.plan
	}
	return plan.Advise(candidates), unknown
}

// IsPartialFloor reports whether the viewer sees only a part of the floor.
func (o Observations) IsPartialFloor() bool {
	return !o.viewer.currentView().visibility.Part.IsWholeFloor()
}
