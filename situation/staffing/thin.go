package staffing

import (
	"cmp"
	"slices"
	"time"

	"wallboard/model"
)

// Thin is how thin a service is.
type Thin struct {
	// Free is how many contacts of the service can be taken at once while every
	// other service that has somebody now keeps one for its next contact.
	Free int
	// Ready is how many are ready for it, those whom others need included.
	Ready int
	// Agents is how many of those who are logged in serve it.
	Agents int
	// Next are those who are likely to be free next, the likeliest first.
	Next []Next
}

// MayGo is how many may go before the next contact waits with nobody for it.
func (t *Thin) MayGo() int { return max(t.Free-1, 0) }

// Next is an agent who is busy.
type Next struct {
	Username string
	Status   model.UserStatus
	Since    time.Time // zero: unknown
}

// mostNext is how many are named who may be free next.
const mostNext = 3

// ThinOf returns how thin a service is, through all skills that agents share: the
// agents who are ready are matched to the services that they serve, one to each of the
// others first (a maximum matching), and the most that are left to this one.
func ThinOf(s *model.Snapshot, k model.ServiceKey) Thin {
	m := matching{ready: make(map[string][]int)}
	var out Thin
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
	// After-call work is over sooner than a conversation; of each who is longest in it.
	slices.SortFunc(out.Next, func(a, b Next) int {
		wrap := func(n Next) int {
			if n.Status == model.WNR {
				return 0
			}
			return 1
		}
		return cmp.Or(wrap(a)-wrap(b), a.Since.Compare(b.Since), cmp.Compare(a.Username, b.Username))
	})
	out.Next = out.Next[:min(len(out.Next), mostNext)]
	return out
}

// matching gives ready agents to services.
type matching struct {
	ready map[string][]int // by service: who is ready for it
	taken []string         // by agent: the service that has them; "": none
	seen  []bool           // in the present search
}

// give gives one more agent to a service, where need be by giving others to whom they
// are taken from, and reports whether that was possible.
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
