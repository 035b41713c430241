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
	// Free is the number of contacts that the service can take at once while every other service
	// that has a ready agent keeps one for its next contact.
	Free int
	// Ready is the number of agents ready for the service, including those that other services
	// need.
	Ready int
	// Agents is the number of logged-in agents who serve it.
	Agents int
	// NextFree lists the agents who are likely to be free next, likeliest first.
	NextFree []BusyAgent
}

// Releasable returns how many agents may leave before the next contact waits.
func (t *SpareCapacity) Releasable() int { return max(t.Free-1, 0) }

// BusyAgent is a busy agent.
type BusyAgent struct {
	Username string
	Status   model.UserStatus
	Since    time.Time // zero: unknown
}

// maxNext limits the length of [SpareCapacity.NextFree].
const maxNext = 3

// SpareOf returns how many agents a service can spare. It accounts for shared skills by matching
// ready agents to services (a maximum matching): first one to each other service, then as many as
// possible to this one.
func SpareOf(s *model.Snapshot, k model.ServiceKey) SpareCapacity {
	f := newSpareFloor(s, k.Channel)
	return f.spare(k.Code)
}

// SpareFloor returns how many agents each service of a channel can spare, by code, and how many ready
// agents can leave at once while every service that has a ready agent keeps one, and every service
// with waiting contacts, or for which it is unknown whether there are any, keeps all.
func SpareFloor(s *model.Snapshot, ch model.Channel) (services map[string]SpareCapacity, releasable int) {
	f := newSpareFloor(s, ch)
	services = make(map[string]SpareCapacity, len(f.services))
	for code := range f.services {
		services[code] = f.spare(code)
	}
	return services, f.releasable(s, ch)
}

// releasable returns how many ready agents can leave at once.
func (f *spareFloor) releasable(s *model.Snapshot, ch model.Channel) int {
	stays := make([]bool, len(f.one.assigned)) // by agent: serves waiting contacts
	for r := range s.Services.All() {
		if n, known := r.ChannelStats.QueuedCalls.Get(); r.Channel != ch || known && n == 0 {
			continue
		}
		for _, i := range f.one.ready[r.Key().Code] {
			stays[i] = true
		}
	}
	staying := f.one.clone()
	clear(staying.assigned)
	staying.ready = make(map[string][]int, len(f.one.ready))
	free := len(stays)
	for code, agents := range f.one.ready {
		staying.ready[code] = slices.DeleteFunc(slices.Clone(agents), func(i int) bool { return !stays[i] })
	}
	for _, is := range stays {
		if is {
			free--
		}
	}
	// Agents who stay also serve other services. Only the services that remain need another agent.
	covered := 0
	for _, code := range slices.Sorted(maps.Keys(staying.ready)) {
		if staying.assign(code) {
			covered++
		}
	}
	return free - (f.matched - covered)
}

// spareFloor holds the agents of a channel, and one ready agent matched to each service.
type spareFloor struct {
	services map[string]*SpareCapacity // without Free
	one      matching
	matched  int      // number of matched services
	blocked  []string // services with ready agents that are all matched to others, sorted
}

func newSpareFloor(s *model.Snapshot, ch model.Channel) *spareFloor {
	f := &spareFloor{services: make(map[string]*SpareCapacity), one: matching{ready: make(map[string][]int)}}
	for u := range s.UserStats.All() {
		if u.Channel != ch {
			continue
		}
		if who := s.Users.Get(u.Key().Username); who != nil {
			f.add(u, slices.Compact(slices.Sorted(slices.Values(who.Services))))
		}
	}
	f.one.visited = make([]bool, len(f.one.assigned))
	for _, code := range slices.Sorted(maps.Keys(f.one.ready)) {
		if f.one.assign(code) {
			f.matched++
		} else {
			f.blocked = append(f.blocked, code)
		}
	}
	return f
}

// add adds an agent who serves services.
func (f *spareFloor) add(u *model.UserStat, services []string) {
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
			f.one.ready[code] = append(f.one.ready[code], len(f.one.assigned))
		}
		f.one.assigned = append(f.one.assigned, "")
	case model.WNR, model.Busy:
		at, _ := u.TimeInState.Get()
		for _, code := range services {
			f.services[code].NextFree = append(f.services[code].NextFree, BusyAgent{u.Key().Username, u.Status, at})
		}
	case model.NotReady, model.BusyElsewhere, model.Booked, model.NotReadyBusy, model.BusyDNCallIn, model.BusyDNCallOut, model.BusyDNCallOutPrivate:
	}
}

// spare returns how many agents a service can spare.
func (f *spareFloor) spare(code string) SpareCapacity {
	of := f.services[code]
	if of == nil {
		return SpareCapacity{}
	}
	out := *of
	m := f.one.clone()
	if i := slices.Index(m.assigned, code); i >= 0 {
		m.assigned[i] = "" // the other services come first
	}
	for _, other := range f.blocked {
		if other != code {
			m.assign(other)
		}
	}
	for m.assign(code) {
		out.Free++
	}
	// After-call work ends sooner than a conversation; the longest comes first.
	out.NextFree = slices.SortedFunc(slices.Values(of.NextFree), func(a, b BusyAgent) int {
		wrap := func(n BusyAgent) int {
			if n.Status == model.WNR {
				return 0
			}
			return 1
		}
		return cmp.Or(wrap(a)-wrap(b), a.Since.Compare(b.Since), cmp.Compare(a.Username, b.Username))
	})
	out.NextFree = out.NextFree[:min(len(out.NextFree), maxNext)]
	return out
}

// matching assigns ready agents to services.
type matching struct {
	ready    map[string][]int // by service: indexes of the agents ready for it
	assigned []string         // by agent: the assigned service, or ""
	visited  []bool           // by agent: visited in the current search
}

// clone returns a copy that can be changed.
func (m *matching) clone() matching {
	return matching{ready: m.ready, assigned: slices.Clone(m.assigned), visited: make([]bool, len(m.visited))}
}

// assign assigns one more agent to a service, reassigning others if necessary, and
// reports whether that was possible.
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
