package track

import (
	"slices"
	"strings"
	"time"

	"wallboard/model"
)

const (
	// longestGap is how long nobody may have looked for the time to count.
	longestGap = 30 * time.Second
	// mostGone bounds how many agents who logged out are remembered, goneFor how
	// long.
	mostGone = 500
	goneFor  = 2 * time.Hour
)

// Gone is an agent who is not there for a service any more.
type Gone struct {
	Username string
	Name     string // as the picture calls them
	At       time.Time
	Status   model.UserStatus // "": logged out
	// Activity is the code of who is not ready; Service and Channel are what else
	// they are busy with.
	Activity string
	Service  string
	Channel  model.Channel
}

// Track is what a floor did lately. It belongs to one goroutine.
type Track struct {
	lines  map[model.ServiceKey]*line
	agents map[model.UserStatKey]*agent
	gone   []left
	round  uint64

	last  time.Time // when somebody looked
	began time.Time // since when somebody has looked
}

// agent is one on one channel, as they were seen last.
type agent struct {
	stat     *model.UserStat
	services []string
	round    uint64
}

// left is an agent who logged out.
type left struct {
	Gone
	channel  model.Channel
	services []string
}

// New returns a track of nothing.
func New() *Track {
	return &Track{
		lines: make(map[model.ServiceKey]*line), agents: make(map[model.UserStatKey]*agent),
	}
}

// Began is since when somebody has looked; zero: nobody has.
func (t *Track) Began() time.Time { return t.began }

// Note looks at a picture at a time on the server's clock. It looks only where the
// agents and the services are told as they are.
func (t *Track) Note(s *model.Snapshot, now time.Time) {
	if !Fresh(&s.Health) {
		t.last = time.Time{}
		return
	}
	passed := now.Sub(t.last)
	if t.last.IsZero() || passed < 0 || passed > longestGap {
		passed = 0
	}
	if t.began.IsZero() || now.Before(t.began) {
		t.began = now
	}
	t.last = now
	for r := range s.Services.All() {
		l := t.line(r.Key())
		l.pass(now, passed)
		if l.record != r {
			l.record = r
			l.count(r, now)
			l.ready(r, now)
		}
	}
	t.round++
	for u := range s.UserStats.All() {
		t.see(s, u, now)
	}
	t.forget(now)
}

// Fresh reports whether a picture tells services and agents as they are.
func Fresh(h *model.Health) bool {
	if h.Link.State != model.LinkUp {
		return false
	}
	for _, op := range []model.Op{model.OpServices, model.OpUserStats, model.OpUsers} {
		if sub := h.Subscription(op); sub != nil && !sub.State.Fresh() && sub.State != model.SubWaiting {
			return false
		}
	}
	return true
}

func (t *Track) line(k model.ServiceKey) *line {
	l := t.lines[k]
	if l == nil {
		l = &line{}
		t.lines[k] = l
	}
	return l
}

// see takes one agent on one channel.
func (t *Track) see(s *model.Snapshot, u *model.UserStat, now time.Time) {
	k := u.Key()
	services := t.services(s, k.Username)
	a := t.agents[k]
	if a == nil {
		a = &agent{}
		t.agents[k] = a
	}
	a.round = t.round
	if a.stat == u && same(a.services, services) {
		return
	}
	t.put(a, k.Channel, -1)
	t.ended(a, u, now)
	a.stat, a.services = u, services
	t.put(a, k.Channel, 1)
}

func same(a, b []string) bool {
	return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0])
}

// services are those that an agent serves, as the table of users tells.
func (t *Track) services(s *model.Snapshot, username string) []string {
	if u := s.Users.Get(username); u != nil {
		return u.Services
	}
	return nil
}

// put counts an agent where they are, or no longer.
func (t *Track) put(a *agent, ch model.Channel, n float64) {
	if a.stat == nil {
		return
	}
	for _, code := range a.services {
		if l := t.lines[model.ServiceKey{Code: code, Channel: ch}]; l != nil {
			*place(&l.present, code, a.stat) += n
		}
	}
}

// place is where an agent is in the eyes of a service.
func place(h *Heads, service string, u *model.UserStat) *float64 {
	with := u.CurrentService.String()
	switch u.Status {
	case model.Ready:
		return &h.Ready
	case model.NotReady:
		return &h.Away
	case model.WNR:
		if with == service || with == "" {
			return &h.WrapUp
		}
		return &h.Bound
	case model.Booked, model.Busy, model.NotReadyBusy:
		if with == service || with == "" && u.Status != model.NotReadyBusy {
			return &h.Here
		}
		return &h.Bound
	case model.BusyDNCallIn, model.BusyDNCallOut, model.BusyDNCallOutPrivate:
		return &h.OnPhone
	}
	return &h.Bound
}

// ended counts a conversation, or the work after one, that has come to its end.
func (t *Track) ended(a *agent, u *model.UserStat, now time.Time) {
	if a.stat == nil || a.stat.Status == u.Status && a.stat.CurrentService == u.CurrentService {
		return
	}
	l := t.lines[model.ServiceKey{Code: a.stat.CurrentService.String(), Channel: a.stat.Channel}]
	if l == nil {
		return
	}
	switch a.stat.Status {
	case model.Busy, model.NotReadyBusy:
		if u.Status != model.Busy && u.Status != model.NotReadyBusy {
			l.in(now).Talks++
		}
	case model.WNR:
		l.in(now).WrapUps++
	case model.Ready, model.NotReady, model.Booked, model.BusyDNCallIn, model.BusyDNCallOut, model.BusyDNCallOutPrivate:
	}
}

// forget lets go of who logged out, and remembers that they did.
func (t *Track) forget(now time.Time) {
	for k, a := range t.agents {
		if a.round == t.round {
			continue
		}
		t.put(a, k.Channel, -1)
		if a.stat != nil {
			t.gone = append(t.gone, left{Gone{Username: k.Username, Name: Name(a.stat), At: now}, k.Channel, a.services})
		}
		delete(t.agents, k)
	}
	if extra := len(t.gone) - mostGone; extra > 0 {
		t.gone = slices.Delete(t.gone, 0, extra)
	}
	for len(t.gone) > 0 && now.Sub(t.gone[0].At) > goneFor {
		t.gone = t.gone[1:]
	}
}

// Name is what people call an agent, as the board writes it.
func Name(u *model.UserStat) string {
	name := strings.TrimSpace(u.Surname.String() + " " + u.Name.String())
	if name == "" {
		return u.Username.String()
	}
	return name
}

// Span is what a service did on a channel between two times; nothing is known of it
// where Seconds is 0.
func (t *Track) Span(k model.ServiceKey, from, to time.Time) Span {
	if l := t.lines[k]; l != nil {
		return l.span(from, to)
	}
	return Span{}
}

// Present is where the agents of a service are now.
func (t *Track) Present(k model.ServiceKey) Heads {
	if l := t.lines[k]; l != nil {
		return l.present
	}
	return Heads{}
}

// NobodyReady is since when nobody has been ready for a service; zero: somebody is,
// or nobody knows.
func (t *Track) NobodyReady(k model.ServiceKey) time.Time {
	if l := t.lines[k]; l != nil {
		return l.nobody
	}
	return time.Time{}
}

// Left are the agents of a service who are not there for it any more, and were at a
// time: those who went to a break, to other work or home since, the latest first.
func (t *Track) Left(k model.ServiceKey, since time.Time) []Gone {
	var out []Gone
	for _, g := range t.gone {
		if g.channel == k.Channel && !g.At.Before(since) && slices.Contains(g.services, k.Code) && !t.back(g) {
			out = append(out, g.Gone)
		}
	}
	for key, a := range t.agents {
		u := a.stat
		if key.Channel != k.Channel || u == nil || !slices.Contains(a.services, k.Code) {
			continue
		}
		var h Heads
		switch place(&h, k.Code, u) {
		case &h.Away, &h.Bound, &h.OnPhone:
		default:
			continue
		}
		at, ok := u.TimeInState.Get()
		if ok && at.Before(since) {
			continue
		}
		g := Gone{Username: key.Username, Name: Name(u), At: at, Status: u.Status, Channel: u.Channel}
		if u.Status == model.NotReady {
			g.Activity = u.ActivityCode.String()
		} else {
			g.Service = u.CurrentService.String()
		}
		out = append(out, g)
	}
	slices.SortFunc(out, func(a, b Gone) int {
		if c := b.At.Compare(a.At); c != 0 {
			return c
		}
		return strings.Compare(a.Name, b.Name)
	})
	return out
}

// back reports whether somebody who logged out is there again.
func (t *Track) back(g left) bool {
	for k, a := range t.agents {
		if k.Channel == g.channel && a.stat != nil && Name(a.stat) == g.Name {
			return true
		}
	}
	return false
}
