package track

import (
	"slices"
	"strings"
	"time"

	"wallboard/model"
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

// people are the agents of a floor.
type people struct {
	agents   map[model.UserStatKey]*agent
	channels map[string][]*agent // the same by user name: one for each channel
	rows     []*agent            // in the order of their table
	order    uint64              // its generation
	users    *model.Table[string, model.User]
	gone     []left
	ready    map[model.Channel]int
	round    uint64
	pictures int
}

// agent is one on one channel, as they were seen last.
type agent struct {
	key      model.UserStatKey
	stat     *model.UserStat
	services []string
	moved    time.Time // when they were seen to go into their state; zero: nobody saw it
	round    uint64
	hour     hour
}

// left is an agent who logged out.
type left struct {
	Gone
	services []string
}

// follow takes in the agents.
func (p *people) follow(t *Track, s *model.Snapshot, now time.Time) {
	rows := s.UserStats.Rows()
	if p.order != s.UserStats.Generation() || len(p.rows) != len(rows) || !p.inPlace(rows) {
		p.place(t, s, now)
	}
	moved := p.served(s.Users)
	for i, u := range rows {
		if a := p.rows[i]; a.stat != u || moved.may(a.key.Username) && !same(a.services, services(s, a.key.Username)) {
			p.see(t, s, a, u, now)
		}
	}
	for len(p.gone) > 0 && now.Sub(p.gone[0].At) > goneFor {
		p.gone = p.gone[1:]
	}
}

// whose are agents who may serve others than before.
type whose struct {
	names map[string]bool
	all   bool
}

func (w *whose) may(name string) bool { return w.all || len(w.names) > 0 && w.names[name] }

// served takes in the table of users, and returns whose services may have changed.
// Its rows are compared place by place: thousands change their state each second,
// and next to nobody what they serve.
func (p *people) served(users *model.Table[string, model.User]) (w whose) {
	before := p.users
	p.users = users
	if before == users {
		return w
	}
	old, rows := before.Rows(), users.Rows()
	if before.Generation() != users.Generation() || len(old) != len(rows) {
		return whose{all: true}
	}
	for i, u := range rows {
		switch was := old[i]; {
		case was == u:
		case was.Key() != u.Key(): // of another floor
			return whose{all: true}
		case !same(was.Services, u.Services):
			if w.names == nil {
				w.names = make(map[string]bool)
			}
			w.names[u.Key()] = true
		}
	}
	return w
}

func (p *people) inPlace(rows []*model.UserStat) bool {
	for i, u := range rows {
		if p.rows[i].stat != u && p.rows[i].key != u.Key() {
			return false
		}
	}
	return true
}

// place puts the agents into the order of a table, and lets go of who logged out.
func (p *people) place(t *Track, s *model.Snapshot, now time.Time) {
	p.order, p.rows = s.UserStats.Generation(), p.rows[:0]
	p.round++
	before, kept := len(p.agents), 0
	for u := range s.UserStats.All() {
		a := p.agents[u.Key()]
		if a == nil {
			a = &agent{key: u.Key()}
			p.agents[a.key] = a
			p.channels[a.key.Username] = append(p.channels[a.key.Username], a)
		} else if a.round != p.round {
			kept++
		}
		a.round = p.round
		p.rows = append(p.rows, a)
	}
	other := before > 0 && kept == 0 && len(p.rows) > 0 // the same people by other names, or another floor
	for k, a := range p.agents {
		if a.round == p.round {
			continue
		}
		p.put(t, a, now, -1)
		if a.stat != nil && !other {
			p.gone = append(p.gone, left{Gone{Username: k.Username, Name: Name(a.stat), At: now, Channel: k.Channel}, a.services})
		}
		p.forget(a)
	}
	if other {
		p.gone = nil
		p.pictures++
	}
	if extra := len(p.gone) - mostGone; extra > 0 {
		p.gone = slices.Delete(p.gone, 0, extra)
	}
}

// forget forgets an agent on a channel.
func (p *people) forget(a *agent) {
	name := a.key.Username
	delete(p.agents, a.key)
	left := slices.DeleteFunc(p.channels[name], func(o *agent) bool { return o == a })
	if p.channels[name] = left; len(left) == 0 {
		delete(p.channels, name)
	}
}

// see takes one agent on one channel who has changed.
func (p *people) see(t *Track, s *model.Snapshot, a *agent, u *model.UserStat, now time.Time) {
	p.put(t, a, now, -1)
	a.ended(t, u, now)
	if a.stat != nil && a.stat.Status != u.Status {
		a.moved = now
	}
	a.stat, a.services = u, services(s, a.key.Username)
	a.hour.put(u.Status, now)
	p.put(t, a, now, 1)
}

func same(a, b []string) bool {
	return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0]) || slices.Equal(a, b)
}

// services are those that an agent serves, as the table of users tells.
func services(s *model.Snapshot, username string) []string {
	if u := s.Users.Get(username); u != nil {
		return u.Services
	}
	return nil
}

// put counts an agent where they are from now on, or no longer.
func (p *people) put(t *Track, a *agent, now time.Time, n float64) {
	if a.stat == nil {
		return
	}
	if a.stat.Status == model.Ready {
		p.ready[a.key.Channel] += int(n)
	}
	for _, code := range a.services {
		l := t.lines[model.ServiceKey{Code: code, Channel: a.key.Channel}]
		if l == nil {
			continue
		}
		l.pass(now)
		if _, is := l.agents[a]; is == (n > 0) {
			continue // a service that is listed twice
		}
		*place(&l.present, code, a.stat) += n
		if n > 0 {
			l.agents[a] = struct{}{}
		} else {
			delete(l.agents, a)
		}
	}
}

// join puts the agents into a line that is new.
func (p *people) join(l *line) {
	for _, a := range p.agents {
		if a.stat == nil || a.key.Channel != l.key.Channel || !slices.Contains(a.services, l.key.Code) {
			continue
		}
		if _, is := l.agents[a]; !is {
			*place(&l.present, l.key.Code, a.stat)++
			l.agents[a] = struct{}{}
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
	case model.BusyElsewhere:
	}
	return &h.Bound
}

// ended counts a conversation, or the work after one, that has come to its end.
func (a *agent) ended(t *Track, u *model.UserStat, now time.Time) {
	if a.stat == nil || a.stat.Status == u.Status && a.stat.CurrentService == u.CurrentService {
		return
	}
	l := t.lines[model.ServiceKey{Code: a.stat.CurrentService.String(), Channel: a.key.Channel}]
	if l == nil {
		return
	}
	switch a.stat.Status {
	case model.Busy, model.NotReadyBusy:
		if u.Status != model.Busy && u.Status != model.NotReadyBusy && !several(a.key.Channel) {
			l.in(now).Talks++
		}
	case model.WNR:
		l.in(now).WrapUps++
	case model.Ready, model.NotReady, model.BusyElsewhere, model.Booked, model.BusyDNCallIn, model.BusyDNCallOut, model.BusyDNCallOutPrivate:
	}
}

// Moved is when an agent was seen to go into their state; zero: nobody saw it.
func (t *Track) Moved(k model.UserStatKey) time.Time {
	if a := t.people.agents[k]; a != nil {
		return a.moved
	}
	return time.Time{}
}

// Name is what people call an agent, as the board writes it.
func Name(u *model.UserStat) string {
	name := strings.TrimSpace(u.Surname.String() + " " + u.Name.String())
	if name == "" {
		return u.Username.String()
	}
	return name
}

// Left are the agents of a service who are not there for it any more, and were at a
// time: those who went to a break, to other work or home since, the latest first.
func (t *Track) Left(k model.ServiceKey, since time.Time) []Gone {
	l := t.lines[k]
	if l == nil {
		return nil
	}
	var out []Gone
	for i := range t.people.gone {
		g := &t.people.gone[i]
		if g.Channel == k.Channel && !g.At.Before(since) && slices.Contains(g.services, k.Code) && !t.people.back(g) {
			out = append(out, g.Gone)
		}
	}
	for a := range l.agents {
		u := a.stat
		var h Heads
		switch place(&h, k.Code, u) {
		case &h.Away, &h.Bound, &h.OnPhone:
		default:
			continue
		}
		at, ok := u.TimeInState.Get()
		if !ok {
			at = a.moved
		}
		if at.Before(since) {
			continue
		}
		g := Gone{Username: a.key.Username, Name: Name(u), At: at, Status: u.Status, Channel: u.Channel}
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
		return strings.Compare(a.Username, b.Username)
	})
	return out
}

// back reports whether somebody who logged out is there again.
func (p *people) back(g *left) bool {
	return p.agents[model.UserStatKey{Username: g.Username, Channel: g.Channel}] != nil
}
