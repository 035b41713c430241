package diagnosis

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"wallboard/model"
)

// SpareCapacity describes how many agents a service can spare.
type SpareCapacity struct {
	// Free is the number of contacts that the service can take at once while each other service
	// with a ready agent keeps one for its next contact.
	Free int
	// Ready is the number of agents who are ready for the service, including agents whom other
	// services need.
	Ready int
	// Agents is the number of logged-in agents who serve the service.
	Agents int
	// NextFree lists the agents who are likely to be free next, the most likely first.
	NextFree []BusyAgent
}

// BusyAgent is an agent with a contact or in after-call work.
type BusyAgent struct {
	Username string
	Status   model.UserStatus
	Since    time.Time // start of the current state; zero: unknown
}

// maxNextFree limits the length of [SpareCapacity.NextFree].
const maxNextFree = 3

// FloorSpare describes how many agents the services of a channel can spare at one time.
type FloorSpare struct {
	Services map[string]SpareCapacity // by code; a service without agents is missing, or empty if its code was given
	Waiting  map[string]model.Int     // waiting contacts of each service, by code
	Ready    int                      // ready agents of the channel
	// Releasable is the number of ready agents who can leave at once if each service with a ready
	// agent keeps one. A service with waiting contacts, or an unknown number of them, keeps all its
	// agents.
	Releasable int
	IsCurrent  bool // the figures of agents and services are up to date
}

// ComputeFloorSpare returns how many agents each service of a channel, or each of the given codes, can
// spare. To consider shared skills, it uses a maximum matching of ready agents to services: first
// one agent for each other service, then as many as possible for this one.
func ComputeFloorSpare(s *model.Snapshot, ch model.Channel, codes ...string) *FloorSpare {
	f := newAgentMatcher(s, ch)
	out := &FloorSpare{
		Services: make(map[string]SpareCapacity, len(f.services)), Waiting: make(map[string]model.Int),
		Ready: len(f.matching.assigned), Releasable: f.releasableAgents(s, ch),
		IsCurrent: s.Health.IsCurrent(model.OpUserStats) && s.Health.IsCurrent(model.OpServices),
	}
	if len(codes) == 0 {
		codes = slices.Collect(maps.Keys(f.services))
	}
	for _, code := range codes {
		out.Services[code] = f.spareCapacity(code)
	}
	for r := range s.Services.All() {
		if r.Channel == ch {
			out.Waiting[r.Key().Code] = r.ChannelStats.QueuedCalls
		}
	}
	return out
}

// ReleasableFrom returns how many agents can leave a service before its next contact has to wait.
// If contacts are already waiting, or if their number is unknown, it returns 0.
func (s *FloorSpare) ReleasableFrom(code string) int {
	if n, known := s.Waiting[code].Get(); !known || n > 0 {
		return 0
	}
	return max(min(s.Services[code].Free-1, s.Releasable), 0)
}

// releasableAgents returns how many ready agents can leave at once; see Releasable of [FloorSpare].
func (f *agentMatcher) releasableAgents(s *model.Snapshot, ch model.Channel) int {
	stays := make([]bool, len(f.matching.assigned)) // by agent: the agent must stay for a service with waiting contacts
	for r := range s.Services.All() {
		if n, known := r.ChannelStats.QueuedCalls.Get(); r.Channel != ch || known && n == 0 {
			continue
		}
		for _, i := range f.matching.ready[r.Key().Code] {
			stays[i] = true
		}
	}
	staying := f.matching.clone()
	clear(staying.assigned)
	staying.ready = make(map[string][]int, len(f.matching.ready))
	free := len(stays)
	for code, agents := range f.matching.ready {
		staying.ready[code] = slices.DeleteFunc(slices.Clone(agents), func(i int) bool { return !stays[i] })
	}
	for _, is := range stays {
		if is {
			free--
		}
	}
	// The agents who stay also cover their other services. Only services without such an agent need
	// another one.
	covered := 0
	for _, code := range slices.Sorted(maps.Keys(staying.ready)) {
		if staying.assign(code) {
			covered++
		}
	}
	return free - (f.matchedServices - covered)
}

// agentMatcher holds the agents of a channel, matched so that as many services as possible have a
// ready agent.
type agentMatcher struct {
	services        map[string]*SpareCapacity // capacity of each service by code; Free is not set
	matching        matching
	matchedServices int      // number of services to which an agent is matched
	blocked         []string // services whose ready agents are all matched to other services; sorted
}

func newAgentMatcher(s *model.Snapshot, ch model.Channel) *agentMatcher {
	f := &agentMatcher{services: make(map[string]*SpareCapacity), matching: matching{ready: make(map[string][]int)}}
	for u := range s.UserStats.All() {
		if u.Channel != ch {
			continue
		}
		if who := s.Users.Get(u.Key().Username); who != nil {
			f.add(u, slices.Compact(slices.Sorted(slices.Values(who.Services))))
		}
	}
	f.matching.visited = make([]bool, len(f.matching.assigned))
	for _, code := range slices.Sorted(maps.Keys(f.matching.ready)) {
		if f.matching.assign(code) {
			f.matchedServices++
		} else {
			f.blocked = append(f.blocked, code)
		}
	}
	return f
}

// add adds an agent who serves the given services.
func (f *agentMatcher) add(u *model.UserStat, services []string) {
	for _, code := range services {
		if f.services[code] == nil {
			f.services[code] = &SpareCapacity{}
		}
		f.services[code].Agents++
	}
	switch u.Status {
	case model.Ready:
		for _, code := range services {
			f.services[code].Ready++
			f.matching.ready[code] = append(f.matching.ready[code], len(f.matching.assigned))
		}
		f.matching.assigned = append(f.matching.assigned, "")
	case model.WNR, model.Busy:
		at, _ := u.TimeInState.Get()
		for _, code := range services {
			f.services[code].NextFree = append(f.services[code].NextFree, BusyAgent{u.Key().Username, u.Status, at})
		}
	case model.NotReady, model.BusyElsewhere, model.Booked, model.NotReadyBusy, model.BusyDNCallIn, model.BusyDNCallOut, model.BusyDNCallOutPrivate:
	}
}

// spareCapacity returns how many agents the service with a code can spare.
func (f *agentMatcher) spareCapacity(code string) SpareCapacity {
	of := f.services[code]
	if of == nil {
		return SpareCapacity{}
	}
	out := *of
	m := f.matching.clone()
	if i := slices.Index(m.assigned, code); i >= 0 {
		m.assigned[i] = "" // release the agent, so that the other services are matched first
	}
	for _, other := range f.blocked {
		if other != code {
			m.assign(other)
		}
	}
	for m.assign(code) {
		out.Free++
	}
	// Agents in after-call work come first, because it ends sooner than a talk. Among agents in the same
	// state, the one who has been in it for longest comes first.
	out.NextFree = slices.SortedFunc(slices.Values(of.NextFree), func(a, b BusyAgent) int {
		wrap := func(n BusyAgent) int {
			if n.Status == model.WNR {
				return 0
			}
			return 1
		}
		return cmp.Or(wrap(a)-wrap(b), a.Since.Compare(b.Since), cmp.Compare(a.Username, b.Username))
	})
	out.NextFree = out.NextFree[:min(len(out.NextFree), maxNextFree)]
	return out
}

// matching assigns ready agents to services.
type matching struct {
	ready    map[string][]int // by service: indexes of its ready agents
	assigned []string         // by agent: the assigned service, or ""
	visited  []bool           // by agent: visited in the current search
}

// clone returns a copy in which agents can be assigned without changing m.
func (m *matching) clone() matching {
	return matching{ready: m.ready, assigned: slices.Clone(m.assigned), visited: make([]bool, len(m.visited))}
}

// assign assigns one more agent to the given service and reports whether it found one. It may
// reassign other agents.
func (m *matching) assign(code string) bool {
	clear(m.visited)
	return m.search(code)
}

func (m *matching) search(code string) bool {
	for _, i := range m.ready[code] {
		if m.assigned[i] == "" && !m.visited[i] {
			m.visited[i], m.assigned[i] = true, code
			return true
		}
	}
	for _, i := range m.ready[code] {
		if m.visited[i] {
			continue
		}
		m.visited[i] = true
		if m.search(m.assigned[i]) {
			m.assigned[i] = code
			return true
		}
	}
	return false
}
