package diagnosis

import (
	"cmp"
	"math"
	"slices"
	"strings"
)

// ServiceDemand describes the contacts that arrive at a service, the work per contact, and the
// target.
type ServiceDemand struct {
	Code              string
	PerSecond         float64 // contacts that arrive per second
	SecondsPerContact float64 // seconds that a contact takes an agent, including after-call work
	Target            float64 // target service level, 0 to 1; 0: none
}

// Outcome is the outcome that a model predicts for the callers of a service or a floor.
type Outcome struct {
	ServiceLevel float64 // share of the contacts answered within [AnswerTimeLimit], 0 to 1
	Wait         float64 // mean waiting time in seconds
	QueueGrows   bool    // more contacts arrive than agents can serve; ServiceLevel is then 0 and Wait has no meaning
	Unstaffed    bool    // no agent serves the service; QueueGrows is then true
}

// pool models the services of a channel and the agents who serve them. Agents with the same
// services form a skill group. A contact waits only if all agents who serve its service are busy
// with any of their services.
type pool struct {
	services []pooledService
	groups   []skillGroup
	handling float64 // mean seconds per contact of all services
	arrivals float64 // contacts per second of all services
	target   float64 // target service level of the floor; 0: none

	byServices map[string]int // index of a skill group by its services, joined; -1: the pool has none of the services
}

// pooledService is a service with the indexes of the skill groups that serve it.
type pooledService struct {
	ServiceDemand

	groups []int
}

// skillGroup is a group of agents with the same services.
type skillGroup struct {
	services  []int
	atWork    int     // agents who take contacts
	away      int     // agents on a break
	occupancy float64 // share of the time in which an agent at work is busy; above 1: overloaded
}

// newPool returns a pool without agents. target is the target service level of the floor, or 0 if
// there is none.
func newPool(demand []ServiceDemand, target float64) *pool {
	p := &pool{target: target}
	load := 0.0
	for _, d := range demand {
		p.services = append(p.services, pooledService{ServiceDemand: d})
		p.arrivals += d.PerSecond
		load += d.PerSecond * d.SecondsPerContact
	}
	if p.arrivals > 0 {
		p.handling = load / p.arrivals
	}
	return p
}

// addAgents adds agents to their skill groups. isOut reports whether an agent is on a break.
// Services that are not in the pool are ignored.
func (p *pool) addAgents(agents []PlannedAgent, isOut func(*PlannedAgent) bool) {
	index := make(map[string]int, len(p.services))
	for i := range p.services {
		index[p.services[i].Code] = i
	}
	p.byServices = make(map[string]int)
	for i := range agents {
		a := &agents[i]
		at := p.addGroup(a.Services, index)
		switch {
		case at < 0:
		case isOut(a):
			p.groups[at].away++
		default:
			p.groups[at].atWork++
		}
	}
	for i := range p.groups {
		p.groups[i].occupancy = 0.8
	}
	p.balanceLoad(initialRounds)
}

// addGroup returns the index of the skill group with exactly these services. It creates the group
// if necessary. If none of the services is in the pool, it returns -1. index maps the code of a
// service to its index.
func (p *pool) addGroup(services []string, index map[string]int) int {
	key := strings.Join(services, "\x00")
	if at, ok := p.byServices[key]; ok {
		return at
	}
	var g skillGroup
	for _, code := range services {
		if s, known := index[code]; known {
			g.services = append(g.services, s)
		}
	}
	at := -1
	if len(g.services) > 0 {
		at = len(p.groups)
		p.groups = append(p.groups, g)
		for _, s := range g.services {
			p.services[s].groups = append(p.services[s].groups, at)
		}
	}
	p.byServices[key] = at
	return at
}

// groupOf returns the index of the skill group with exactly these services, or -1 if there is none.
func (p *pool) groupOf(services []string) int {
	if at, ok := p.byServices[strings.Join(services, "\x00")]; ok {
		return at
	}
	return -1
}

// Numbers of rounds of [pool.balanceLoad]: initialRounds after filling a pool, refineRounds after moving a
// few agents.
const initialRounds, refineRounds = 40, 6

// balanceLoad distributes the contacts of each service over its skill groups in proportion to their
// idle agents. This models a platform that gives each contact to the agent who has been ready for
// longest. balanceLoad sets the occupancy of the groups. It approaches the solution in a number of
// rounds. A group whose occupancy swings around the solution changes more slowly.
func (p *pool) balanceLoad(rounds int) {
	const leastIdle = 0.02 // minimum share of idle time, which lets an overloaded group still get contacts
	const maxPace = 0.3    // share of the change that a group makes in a round
	load, last, pace := make([]float64, len(p.groups)), make([]float64, len(p.groups)), make([]float64, len(p.groups))
	for g := range pace {
		pace[g] = maxPace
	}
	for range rounds {
		clear(load)
		for i := range p.services {
			s := &p.services[i]
			idle := 0.0
			for _, g := range s.groups {
				idle += float64(p.groups[g].atWork) * max(1-p.groups[g].occupancy, leastIdle)
			}
			if idle <= 0 {
				continue
			}
			work := s.PerSecond * s.SecondsPerContact
			for _, g := range s.groups {
				load[g] += work * float64(p.groups[g].atWork) * max(1-p.groups[g].occupancy, leastIdle) / idle
			}
		}
		for g := range p.groups {
			n := float64(p.groups[g].atWork)
			if n == 0 {
				continue
			}
			change := load[g]/n - p.groups[g].occupancy
			if pace[g] = min(1.2*pace[g], maxPace); change*last[g] < 0 { // the occupancy swings around the solution
				pace[g] /= 2
			}
			p.groups[g].occupancy += pace[g] * change
			last[g] = change
		}
	}
}

// staffOf returns the number of agents at work who serve a service, and their total load in agents.
func (p *pool) staffOf(s *pooledService) (agents int, load float64) {
	for _, g := range s.groups {
		agents += p.groups[g].atWork
		load += float64(p.groups[g].atWork) * p.groups[g].occupancy
	}
	return agents, load
}

// outcomeOf returns the predicted outcome for callers of a service.
func (p *pool) outcomeOf(s *pooledService) Outcome {
	agents, load := p.staffOf(s)
	return erlangC(agents, load, p.handling)
}

// floorOutcome returns the average predicted outcome for callers of the whole floor. Callers of a service
// whose queue grows lower the service level but do not count for the waiting time. The queue of the
// floor grows only if the queues of all services do.
func (p *pool) floorOutcome() Outcome {
	var out Outcome
	served := 0.0
	for i := range p.services {
		s := &p.services[i]
		if s.PerSecond <= 0 {
			continue
		}
		if one, share := p.outcomeOf(s), s.PerSecond/p.arrivals; !one.QueueGrows {
			out.ServiceLevel += share * one.ServiceLevel
			out.Wait += share * one.Wait
			served += share
		}
	}
	if served == 0 {
		return Outcome{Wait: overloadedWait, QueueGrows: true}
	}
	out.Wait /= served
	return out
}

// overloadedWait is the waiting time in seconds that stands for a growing queue. It makes
// overloaded services comparable.
const overloadedWait = 3600

// erlangC returns the outcome if a number of agents serve a load, given in agents. handling is the
// mean handling time of a contact in seconds. The model is Erlang C.
func erlangC(agents int, load, handling float64) Outcome {
	spare := float64(agents) - load
	switch {
	case agents == 0: // no agent takes the contacts
		return Outcome{Wait: overloadedWait * (1 + load), QueueGrows: true, Unstaffed: true}
	case load <= 0:
		return Outcome{ServiceLevel: 1}
	}
	if spare <= 0.005*load || handling <= 0 {
		return Outcome{Wait: overloadedWait * (1 - min(spare, 0)), QueueGrows: true}
	}
	blocked := 1.0
	for n := 1; n <= agents; n++ {
		blocked = load * blocked / (float64(n) + load*blocked)
	}
	waits := blocked / (1 - load/float64(agents)*(1-blocked))
	return Outcome{ServiceLevel: 1 - waits*math.Exp(-spare*AnswerTimeLimit.Seconds()/handling), Wait: waits * handling / spare}
}

// addedWaits returns for each service how much longer its callers would wait with one agent less.
// The unit is seconds of waiting of all callers per second. A service without agents counts as
// overloaded.
func (p *pool) addedWaits() []float64 {
	out := make([]float64, len(p.services))
	for i := range p.services {
		s := &p.services[i]
		agents, load := p.staffOf(s)
		if agents == 0 {
			out[i] = s.PerSecond * overloadedWait
			continue
		}
		out[i] = s.PerSecond * max(erlangC(agents-1, load, p.handling).Wait-erlangC(agents, load, p.handling).Wait, 0)
	}
	return out
}

// cost returns the total importance of the services of a skill group.
func (g *skillGroup) cost(importance []float64) (sum float64) {
	for _, s := range g.services {
		sum += importance[s]
	}
	return sum
}

// releaseAgents sends n agents on a break, from the skill groups whose absence makes callers wait least.
// It returns how many agents it has sent. If no agent is left, that is less than n.
func (p *pool) releaseAgents(n int) (released int) { return p.moveAgents(n, false, nil) }

// recallAgents is the opposite of releaseAgents: it brings n agents back to work and returns how many it
// has brought back.
func (p *pool) recallAgents(n int) (recalled int) { return p.moveAgents(n, true, nil) }

// moveAgents moves n agents from work to a break or, if back is true, from a break to work. It moves only
// agents of the skill groups with the indexes in from. If from is nil, it considers all groups.
func (p *pool) moveAgents(n int, back bool, from []int) (moved int) {
	for moved < n {
		weight := p.addedWaits()
		best, least := -1, 0.0
		for i := range p.groups {
			g := &p.groups[i]
			if !back && g.atWork == 0 || back && g.away == 0 || from != nil && !slices.Contains(from, i) {
				continue
			}
			sum := g.cost(weight)
			if back {
				sum = -sum
			}
			if best < 0 || sum < least {
				best, least = i, sum
			}
		}
		if best < 0 {
			return moved
		}
		// On a large floor, several agents move in each step, to save time.
		g := &p.groups[best]
		step := min(n-moved, p.stepSize(), g.atWork)
		if back {
			step = -min(n-moved, p.stepSize(), g.away)
		}
		p.sendOnBreak(best, step)
		moved += max(step, -step)
	}
	return moved
}

// stepSize returns how many agents move at once: about 1 % of the agents at work. It is also the
// precision of [pool.mostReleasable].
func (p *pool) stepSize() int { return 1 + p.atWork()/100 }

// sendOnBreak sends n agents of the skill group at index group on a break. A negative n brings agents
// back.
func (p *pool) sendOnBreak(group, n int) {
	g := &p.groups[group]
	before := g.atWork
	g.atWork, g.away = g.atWork-n, g.away+n
	if before > 0 && g.atWork > 0 {
		g.occupancy *= float64(before) / float64(g.atWork)
	}
	p.balanceLoad(refineRounds)
}

// atWork returns the number of agents at work.
func (p *pool) atWork() (n int) {
	for i := range p.groups {
		n += p.groups[i].atWork
	}
	return n
}

// clone returns a copy in which agents can move without changing p.
func (p *pool) clone() *pool {
	out := *p
	out.groups = slices.Clone(p.groups)
	return &out
}

// tolerance is how far the service level may fall for a service that misses its target anyway.
const tolerance = 0.005

// meetsTargets reports whether the service levels of the floor and of each service reach their targets or
// are at most tolerance below those in base, and no service with a growing queue has lost an agent.
func (p *pool) meetsTargets(base *pool) bool {
	enough := func(now, before, target float64) bool { return target == 0 || now >= min(target, before-tolerance) }
	if !enough(p.floorOutcome().ServiceLevel, base.floorOutcome().ServiceLevel, p.target) {
		return false
	}
	for i := range p.services {
		s := &p.services[i]
		if s.PerSecond <= 0 {
			continue
		}
		before := base.outcomeOf(&base.services[i])
		agents, _ := p.staffOf(s)
		staff, _ := base.staffOf(&base.services[i])
		if before.QueueGrows && agents < staff || !enough(p.outcomeOf(s).ServiceLevel, before.ServiceLevel, s.Target) {
			return false
		}
	}
	return true
}

// mostReleasable returns how many agents can leave at the same time while the targets are still
// met.
func (p *pool) mostReleasable() int {
	return p.mostReleasableFrom(nil, p.atWork(), 1+p.atWork()/20, 1+p.atWork()/100)
}

// mostReleasableFrom is like mostReleasable but releases at most limit agents, and only those of the skill
// groups with the indexes in groups. If groups is nil, it considers all groups. It releases agents in steps.
// The first step has first agents. When a step would miss the targets, the step is halved. If a step then has
// fewer than least agents, mostReleasableFrom stops.
func (p *pool) mostReleasableFrom(groups []int, limit, first, least int) (n int) {
	at := p.clone()
	for step := first; step >= least; {
		next := at.clone()
		if n+step <= limit && next.moveAgents(step, false, groups) == step && next.meetsTargets(p) {
			at, n = next, n+step
			continue
		}
		step /= 2
	}
	return n
}

// servicesAtRisk returns the codes of the services that miss their targets, the lowest service level first.
func (p *pool) servicesAtRisk() []string {
	type risk struct {
		code  string
		level float64
	}
	var found []risk
	for i := range p.services {
		s := &p.services[i]
		if o := p.outcomeOf(s); s.PerSecond > 0 && s.Target > 0 && o.ServiceLevel < s.Target {
			found = append(found, risk{s.Code, o.ServiceLevel})
		}
	}
	slices.SortFunc(found, func(a, b risk) int { return cmp.Or(cmp.Compare(a.level, b.level), strings.Compare(a.code, b.code)) })
	out := make([]string, len(found))
	for i := range found {
		out[i] = found[i].code
	}
	return out
}
