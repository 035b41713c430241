package diagnosis

import (
	"cmp"
	"slices"
	"time"

	"wallboard/model"
)

// Spare describes how many agents a service can spare.
type Spare struct {
	// Free is the number of contacts that the service can take at once while every
	// other service that has an agent now keeps one for its next contact.
	Free int
	// Ready is the number of agents ready for the service, including those that others
	// need.
	Ready int
	// Agents is the number of logged-in agents who serve it.
	Agents int
	// Next lists the agents who are likely to be free next, likeliest first.
	Next []Next
}

// Releasable returns how many agents may leave before the next contact waits.
func (t *Spare) Releasable() int { return max(t.Free-1, 0) }

// Next is a busy agent.
type Next struct {
	Username string
	Status   model.UserStatus
	Since    time.Time // zero: unknown
}

// maxNext limits the length of [Spare.Next].
const maxNext = 3

// SpareOf returns how many agents a service can spare, considering all shared skills:
// ready agents are matched to services (a maximum matching), first one to each other
// service, then as many as possible to this one.
func SpareOf(s *model.Snapshot, k model.ServiceKey) Spare {
	m := matching{ready: make(map[string][]int)}
	var out Spare
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
				m.ready[code] = append(m.ready[code], len(m.taken))
			}
			m.taken = append(m.taken, "")
			if serves {
				out.Ready++
			}
		case model.WNR, model.Busy:
			if serves {
				at, _ := u.TimeInState.Get()
				out.Next = append(out.Next, Next{u.Key().Username, u.Status, at})
			}
		case model.NotReady, model.BusyElsewhere, model.Booked, model.NotReadyBusy, model.BusyDNCallIn, model.BusyDNCallOut, model.BusyDNCallOutPrivate:
		}
	}
	m.seen = make([]bool, len(m.taken))
	codes := make([]string, 0, len(m.ready))
	for code := range m.ready {
		if code != k.Code {
			codes = append(codes, code)
		}
	}
	slices.Sort(codes)
	for _, code := range codes {
		m.give(code)
	}
	for m.give(k.Code) {
		out.Free++
	}
	// After-call work ends sooner than a conversation; the longest comes first.
	slices.SortFunc(out.Next, func(a, b Next) int {
		wrap := func(n Next) int {
			if n.Status == model.WNR {
				return 0
			}
			return 1
		}
		return cmp.Or(wrap(a)-wrap(b), a.Since.Compare(b.Since), cmp.Compare(a.Username, b.Username))
	})
	out.Next = out.Next[:min(len(out.Next), maxNext)]
	return out
}

// matching assigns ready agents to services.
type matching struct {
	ready map[string][]int // by service: indexes of the agents ready for it
	taken []string         // by agent: the assigned service, or ""
	seen  []bool           // by agent: visited in the current search
}

// give assigns one more agent to a service, reassigning others if necessary, and
// reports whether that was possible.
func (m *matching) give(code string) bool {
	clear(m.seen)
	return m.search(code)
}

func (m *matching) search(code string) bool {
	for _, i := range m.ready[code] {
		if m.taken[i] == "" && !m.seen[i] {
			m.seen[i], m.taken[i] = true, code
			return true
		}
	}
	for _, i := range m.ready[code] {
		if m.seen[i] {
			continue
		}
		m.seen[i] = true
		if m.search(m.taken[i]) {
			m.taken[i] = code
			return true
		}
	}
	return false
}
