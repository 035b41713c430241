package alert

import (
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
	changed func()       // nil: nobody asks
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

// put is that. The caller holds the lock.

func (s *Snoozes) put(z Snooze) {
	s.version++
	s.list = slices.DeleteFunc(slices.Clone(s.list), func(o Snooze) bool {
		return o.ID == z.ID || !o.Until.After(z.From)
	})
	s.list = append(s.list, z)
	s.list = s.list[max(0, len(s.list)-maxSnoozes):]
	if s.changed != nil {
		s.changed()
	}
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

// OnChange has a function called after every further change, whoever made it. It must
// return at once, and ask for no snoozes.
func (s *Snoozes) OnChange(changed func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.changed = changed
}

// at is the version, which is another one after every change.
func (s *Snoozes) at() uint64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.version
}

// Quiet is a silence that is in force.
type Quiet struct {
	Title   string // what it is about; "" is everything
	By      string // who asked for it; "": it was planned
	Until   time.Time
	Planned bool
}
