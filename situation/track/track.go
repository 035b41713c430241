package track

import (
	"maps"
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

// Track is what a floor did lately. It belongs to one goroutine.
type Track struct {
	lines map[model.ServiceKey]*line
	rows  []*line // in the order of the table of services
	order uint64  // its generation

	people people

	picture  *model.Snapshot
	last     time.Time // when somebody looked
	fresh    time.Time // so too, through a time in which nobody could
	missed   []blind
	began    time.Time // since when somebody has looked
	restarts uint64
}

// New returns a track of nothing.
func New() *Track {
	return &Track{
		lines: make(map[model.ServiceKey]*line),
		people: people{
			agents: make(map[model.UserStatKey]*agent), channels: make(map[string][]*agent), ready: make(map[model.Channel]int),
		},
	}
}

// Began is since when somebody has looked; zero: nobody has.
func (t *Track) Began() time.Time { return t.began }

// Pictures grows when the agents are called otherwise than before, for example
// because their names are hidden from now on: what was said of them must not be
// shown any more.
func (t *Track) Pictures() int { return t.people.pictures }

// Note looks at a picture at a time on the server's clock. It looks only where the
// agents and the services are told as they are. What has not changed costs nothing.
func (t *Track) Note(s *model.Snapshot, now time.Time) {
	now = now.Round(0)
	if !Fresh(&s.Health) {
		t.settle()
		t.last = time.Time{}
		return
	}
	passed := now.Sub(t.last)
	gap := t.last.IsZero() || passed < 0 || passed > longestGap || s.Health.Restarts != t.restarts
	if gap {
		t.interrupt(now, passed < 0)
		t.miss(now)
	}
	if t.began.IsZero() || now.Before(t.began) {
		t.began = now
	}
	t.last, t.fresh, t.restarts = now, now, s.Health.Restarts
	if s == t.picture && !gap {
		return
	}
	t.follow(s, now)
	t.people.follow(t, s, now)
	t.picture = s
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

// settle lets the time that somebody has looked pass for all lines.
func (t *Track) settle() {
	if t.last.IsZero() {
		return
	}
	for _, l := range t.lines {
		l.pass(t.last)
	}
}

// interrupt begins anew after a time in which nobody looked.
func (t *Track) interrupt(now time.Time, setBack bool) {
	t.settle()
	for _, l := range t.lines {
		l.interrupt(now)
		if setBack {
			l.setBack(now)
		}
	}
}

// follow takes in the services.
func (t *Track) follow(s *model.Snapshot, now time.Time) {
	rows := s.Services.Rows()
	if t.order != s.Services.Generation() || len(t.rows) != len(rows) || !t.inPlace(rows) {
		t.place(s, now)
	}
	for i, r := range rows {
		if l := t.rows[i]; l.record != r {
			l.pass(now)
			l.take(r, now)
		}
	}
}

// inPlace reports whether the rows of the table are those of the track.
func (t *Track) inPlace(rows []*model.Service) bool {
	for i, r := range rows {
		if t.rows[i].record != r && t.rows[i].key != r.Key() {
			return false
		}
	}
	return true
}

// place puts the lines into the order of a table, and forgets those that are gone.
func (t *Track) place(s *model.Snapshot, now time.Time) {
	t.order, t.rows = s.Services.Generation(), t.rows[:0]
	for r := range s.Services.All() {
		l := t.lines[r.Key()]
		if l == nil {
			l = &line{key: r.Key(), upto: now, looked: now, agents: make(map[*agent]struct{})}
			t.lines[l.key] = l
			t.people.join(l)
		}
		t.rows = append(t.rows, l)
	}
	if len(t.lines) > len(t.rows) {
		maps.DeleteFunc(t.lines, func(k model.ServiceKey, _ *line) bool { return s.Services.Get(k) == nil })
	}
}

// of returns a line with the time passed that somebody has looked, nil for none.
func (t *Track) of(k model.ServiceKey) *line {
	l := t.lines[k]
	if l != nil && !t.last.IsZero() {
		l.pass(t.last)
	}
	return l
}

// Span is what a service did on a channel between two times; nothing is known of it
// where Seconds is 0.
func (t *Track) Span(k model.ServiceKey, from, to time.Time) Span {
	if l := t.of(k); l != nil {
		return l.span(from, to)
	}
	return Span{}
}

// Staffed is how many agents of a service were logged in and not away in the better
// minutes between two times (the upper quartile), false where nobody knows.
func (t *Track) Staffed(k model.ServiceKey, from, to time.Time) (n float64, ok bool) {
	if l := t.of(k); l != nil {
		return l.staffed(from, to)
	}
	return 0, false
}

// Elsewhere is how many agents of a service were busy with something else, or on calls
// that are no service's, in the middle one of the minutes between two times, false
// where nobody knows.
func (t *Track) Elsewhere(k model.ServiceKey, from, to time.Time) (n float64, ok bool) {
	if l := t.of(k); l != nil {
		return l.elsewhere(from, to)
	}
	return 0, false
}

// Ready is how many agents are ready on a channel, whatever they serve.
func (t *Track) Ready(ch model.Channel) int { return t.people.ready[ch] }

// Present is where the agents of a service are now. All are 0 where nobody knows.
func (t *Track) Present(k model.ServiceKey) Heads {
	if l := t.lines[k]; l != nil {
		h, _ := l.heads()
		return h
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

// Waiting is since when somebody has waited for a service without a break; zero:
// nobody waits, or nobody knows.
func (t *Track) Waiting(k model.ServiceKey) time.Time {
	if l := t.lines[k]; l != nil {
		return l.waits
	}
	return time.Time{}
}

// Agents are those who serve a service on its channel, by user name.
func (t *Track) Agents(k model.ServiceKey) []*model.UserStat {
	l := t.lines[k]
	if l == nil {
		return nil
	}
	out := make([]*model.UserStat, 0, len(l.agents))
	for a := range l.agents {
		out = append(out, a.stat)
	}
	slices.SortFunc(out, func(a, b *model.UserStat) int {
		return strings.Compare(a.Username.String(), b.Username.String())
	})
	return out
}
