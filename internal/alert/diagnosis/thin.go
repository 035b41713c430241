package diagnosis

import (
	"cmp"
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

// maxNext limits the length of [Spare.NextFree].
const maxNext = 3

// SpareOf returns how many agents a service can spare. It accounts for shared skills by matching
// ready agents to services (a maximum matching): first one to each other service, then as many as
// possible to this one.
func SpareOf(s *model.Snapshot, k model.ServiceKey) SpareCapacity {
	m := matching{ready: make(map[string][]int)}
	var out SpareCapacity
	for u := range s.UserStats.All() {
		if u.Channel != k.Channel {
			continue
		}
		who := s.Users.Get(u.Key().Username)
		if who == nil {
			continue
		}
		serves := slices.Contains(who.Services, k.Code)
		if serves {
			out.Agents++
		}
		switch u.Status {
		case model.Ready:
			for _, code := range who.Services {
				m.ready[code] = append(m.ready[code], len(m.assigned))
			}
			m.assigned = append(m.assigned, "")
			if serves {
				out.Ready++
			}
		case model.WNR, model.Busy:
			if serves {
				at, _ := u.TimeInState.Get()
				out.NextFree = append(out.NextFree, BusyAgent{u.Key().Username, u.Status, at})
			}
		case model.NotReady, model.BusyElsewhere, model.Booked, model.NotReadyBusy, model.BusyDNCallIn, model.BusyDNCallOut, model.BusyDNCallOutPrivate:
		}
	}
	m.visited = make([]bool, len(m.assigned))
	codes := make([]string, 0, len(m.ready))
	for code := range m.ready {
		if code != k.Code {
			codes = append(codes, code)
		}
	}
	slices.Sort(codes)
	for _, code := range codes {
		m.assign(code)
	}
	for m.assign(k.Code) {
		out.Free++
	}
	// After-call work ends sooner than a conversation; the longest comes first.
	slices.SortFunc(out.NextFree, func(a, b BusyAgent) int {
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
