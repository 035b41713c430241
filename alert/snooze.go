package alert

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"wallboard/model"
)

// Snooze keeps the alerts of some records quiet for a while, because a viewer asked
// for it. What becomes worse than it was is not kept quiet.
type Snooze struct {
	ID    string
	Title string // what it is about, for people; clean
	By    string // who asked for it; clean
	Keys  []Key  // the records; none: everything
	Level Level  // the highest level that it keeps quiet
	From  time.Time
	Until time.Time
}

// The bounds of a snooze: nobody forgets what they have silenced for longer than a
// shift.
const (
	ShortestSnooze = time.Minute
	LongestSnooze  = 12 * time.Hour
)

// clockSlack is how far the clocks of two boards may be from each other.
const clockSlack = time.Minute

// maxSnoozes bounds how many there are at a time.
const maxSnoozes = 200

// NewSnooze returns a snooze of some alerts, none for everything, from now on. It
// covers the records of the alerts and the levels that they have now; one of
// everything covers all levels. The span is brought within [ShortestSnooze] and
// [LongestSnooze].
func NewSnooze(alerts []Alert, title, by string, span time.Duration, now time.Time) Snooze {
	now = now.Round(0)
	s := Snooze{
		Title: model.CleanText(title, model.MaxName), By: model.CleanText(by, model.MaxName),
		From: now, Until: now.Add(min(max(span, ShortestSnooze), LongestSnooze)), Level: Critical,
	}
	if len(alerts) > 0 {
		s.Level = Warning
	}
	for i := range alerts {
		s.Level = max(s.Level, alerts[i].Level)
		if !slices.Contains(s.Keys, alerts[i].Key) {
			s.Keys = append(s.Keys, alerts[i].Key)
		}
	}
	var id strings.Builder
	for _, k := range s.Keys {
		id.WriteString(k.String() + ",")
	}
	s.ID = id.String() + "@" + strconv.FormatInt(now.UnixMilli(), 10)
	return s
}

// Valid reports whether a snooze has an end that is not too far from its beginning.
func (s *Snooze) Valid() bool {
	return s.ID != "" && s.Until.After(s.From) && s.Until.Sub(s.From) <= LongestSnooze &&
		s.Level >= Warning && s.Level <= Critical
}

// at reports whether the snooze is in force at a time. Before its beginning it is
// not: with a clock that was set back it would last for longer than was asked for.
func (s *Snooze) at(now time.Time) bool {
	return !now.Before(s.From.Add(-clockSlack)) && now.Before(s.Until)
}

// covers reports whether an alert is kept quiet.
func (s *Snooze) covers(a *Alert) bool {
	return a.Level <= s.Level && (len(s.Keys) == 0 || slices.Contains(s.Keys, a.Key))
}

// Snoozes are those of a platform, shared by whoever judges it. The methods are
// safe for concurrent use.
type Snoozes struct {
	mu      sync.Mutex
	list    []Snooze
	keep    func(Snooze) // nil: nobody keeps them
	version uint64
}

// Add puts a snooze into force. One with the same ID takes the place of the one
// before it, so that an end that has passed takes it away. What is not valid is left
// out.
func (s *Snoozes) Add(z Snooze) {
	if !z.Valid() {
		return
	}
	s.mu.Lock()
	s.put(z)
	keep := s.keep
	s.mu.Unlock()
	if keep != nil {
		keep(z)
	}
}

func (s *Snoozes) put(z Snooze) {
	s.version++
	s.list = slices.DeleteFunc(slices.Clone(s.list), func(o Snooze) bool {
		return o.ID == z.ID || !o.Until.After(z.From)
	})
	s.list = append(s.list, z)
	s.list = s.list[max(0, len(s.list)-maxSnoozes):]
}

// Merge takes over what others have put into force; of one that both know the
// earlier end counts.
func (s *Snoozes) Merge(others []Snooze) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, z := range others {
		if !z.Valid() {
			continue
		}
		at := slices.IndexFunc(s.list, func(o Snooze) bool { return o.ID == z.ID })
		if at < 0 || z.Until.Before(s.list[at].Until) {
			s.put(z)
		}
	}
}

// List returns the snoozes, whether they are in force or over.
func (s *Snoozes) List() []Snooze {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.list
}

// OnAdd has every further [Snoozes.Add] passed on to who keeps them, which must
// return at once.
func (s *Snoozes) OnAdd(keep func(Snooze)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.keep = keep
}

// wake ends the snoozes of the records of some alerts, none for all of them, and
// returns how many.
func (s *Snoozes) wake(alerts []Alert, now time.Time) int {
	n := 0
	for _, z := range s.List() {
		ours := len(alerts) == 0 || slices.ContainsFunc(alerts, func(a Alert) bool {
			return slices.Contains(z.Keys, a.Key)
		})
		if ours && z.at(now) {
			z.Until = later(now.Round(0), z.From.Add(time.Millisecond))
			s.Add(z)
			n++
		}
	}
	return n
}

// Quiet is a silence that is in force.
type Quiet struct {
	Title   string // what it is about; "" is everything
	By      string // who asked for it; "": it was planned
	Until   time.Time
	Planned bool
}

// quiet is what keeps an engine's alerts silent.
type quiet struct {
	planned []Silence
	snoozes *Snoozes

	inForce []Quiet
	some    bool      // there were silent alerts at the last look
	now     []Silence // planned ones that are in force, and when they end
	ends    []time.Time
	snoozed []Snooze
}

// look finds out what is in force at a time.
func (q *quiet) look(now time.Time) {
	q.inForce, q.now, q.ends, q.snoozed = nil, q.now[:0], q.ends[:0], q.snoozed[:0]
	for i := range q.planned {
		if end := q.planned[i].Until(now); !end.IsZero() {
			q.now, q.ends = append(q.now, q.planned[i]), append(q.ends, end)
			q.inForce = append(q.inForce, Quiet{Title: q.planned[i].Title, Until: end, Planned: true})
		}
	}
	for _, z := range q.snoozes.List() {
		if z.at(now) {
			q.snoozed = append(q.snoozed, z)
			q.inForce = append(q.inForce, Quiet{Title: z.Title, By: z.By, Until: z.Until})
		}
	}
	slices.SortStableFunc(q.inForce, func(a, b Quiet) int { return cmp.Or(a.Until.Compare(b.Until), cmp.Compare(a.Title, b.Title)) })
}

// inherit goes on with what another knew.
func (q *quiet) inherit(old *quiet) {
	q.snoozes, q.inForce, q.some = old.snoozes, old.inForce, old.some
}

// until returns how long an alert is silent, the zero time where it is not.
func (q *quiet) until(a *Alert) time.Time {
	var end time.Time
	for i := range q.now {
		if q.now[i].covers(a) {
			end = later(end, q.ends[i])
		}
	}
	for i := range q.snoozed {
		if q.snoozed[i].covers(a) {
			end = later(end, q.snoozed[i].Until)
		}
	}
	return end
}

// silence notes on every alert until when it is silent, and tells of those whose
// silence is over while they last.
func (e *Engine) silence() {
	if !e.tick && len(e.changes) == 0 {
		return
	}
	e.quiet.look(e.now)
	if len(e.quiet.inForce) == 0 && !e.quiet.some {
		return
	}
	e.quiet.some = false
	news := make(map[string]bool, len(e.changes))
	for i := range e.changes {
		c := &e.changes[i].Alert
		news[c.ID] = true
		if c.Ended.IsZero() {
			c.Silent = e.quiet.until(c)
		}
	}
	for _, a := range e.active {
		was := a.Silent
		a.Silent = e.quiet.until(a)
		e.quiet.some = e.quiet.some || !a.Silent.IsZero()
		if !was.IsZero() && a.Silent.IsZero() && !news[a.ID] {
			e.changes = append(e.changes, Change{Kind: Resumed, Alert: a.copy()})
		}
	}
}

// Snooze keeps alerts quiet; see [NewSnooze].
func (e *Engine) Snooze(z Snooze) {
	e.quiet.snoozes.Add(z)
	e.quiet.look(z.From)
	for _, a := range e.active {
		a.Silent = e.quiet.until(a)
		e.quiet.some = e.quiet.some || !a.Silent.IsZero()
	}
}

// Wake ends the snoozes of the records of some alerts, none for every snooze, and
// returns how many have ended. Planned silences go on.
func (e *Engine) Wake(alerts []Alert, now time.Time) int { return e.quiet.snoozes.wake(alerts, now) }

// Silences returns the silences that are in force, the first to end first.
func (e *Engine) Silences() []Quiet { return slices.Clone(e.quiet.inForce) }

// ShareSnoozes has the engine go by snoozes that others share.
func (e *Engine) ShareSnoozes(s *Snoozes) { e.quiet.snoozes = s }
