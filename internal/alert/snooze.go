package alert

import (
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"wallboard/model"
)

// Snooze silences the alerts of some records for a limited time, at the request of a viewer. It
// does not silence alerts that become worse than Level.
type Snooze struct {
	ID           string
	Title        string // description without control characters; "" if PartlyHidden
	By           string // name of the viewer, without control characters
	Keys         []Key  // records that the snooze covers; empty means all records
	Level        Level  // the highest level that is silenced
	From, Until  time.Time
	PartlyHidden bool // the viewers may not see all records that the snooze covers
}

// Limits of a snooze. The longest is about the length of a shift.
const (
	ShortestSnooze = time.Minute
	LongestSnooze  = 12 * time.Hour
)

// clockTolerance is the difference between the clocks of two boards that is tolerated.
const clockTolerance = time.Minute

const maxSnoozes = 200

// NewSnooze returns a snooze that starts now. It covers the records of alerts, up to the highest
// level of alerts. If alerts is empty, it covers all records and levels. span is limited to the
// range from [ShortestSnooze] to [LongestSnooze].
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

// Valid reports whether the snooze has an ID, a valid level and a valid duration.
func (s *Snooze) Valid() bool {
	return s.ID != "" && s.Until.After(s.From) && s.Until.Sub(s.From) <= LongestSnooze &&
		s.Level >= Warning && s.Level <= Critical
}

// inForce reports whether the snooze is in force. A snooze is also in force up to clockTolerance before
// its start, because clocks of boards differ, but not earlier: after the clock was set back, it
// would last too long.
func (s *Snooze) inForce(now time.Time) bool {
	return !now.Before(s.From.Add(-clockTolerance)) && now.Before(s.Until)
}

func (s *Snooze) covers(a *Alert) bool {
	return a.Level <= s.Level && (len(s.Keys) == 0 || slices.Contains(s.Keys, a.Key))
}

// Snoozes holds the snoozes of a platform, which several engines may share. It is safe
// for concurrent use.
type Snoozes struct {
	mu       sync.Mutex
	list     []Snooze
	onAdd    func(Snooze) // persists an added snooze; may be nil
	onChange func()       // called after changes; may be nil
	version  uint64
}

// Add adds a snooze or replaces the snooze with the same ID. To end a snooze, callers add it again
// with an earlier end. Add ignores invalid snoozes.
func (s *Snoozes) Add(z Snooze) {
	if !z.Valid() {
		return
	}
	s.mu.Lock()
	s.put(z)
	keep := s.onAdd
	s.mu.Unlock()
	if keep != nil {
		keep(z)
	}
}

// put adds a snooze or replaces the snooze with the same ID. It drops snoozes that end before z
// starts, and the oldest if there are too many. The caller must hold the lock.
func (s *Snoozes) put(z Snooze) {
	s.version++
	s.list = slices.DeleteFunc(slices.Clone(s.list), func(o Snooze) bool {
		return o.ID == z.ID || !o.Until.After(z.From)
	})
	s.list = append(s.list, z)
	s.list = s.list[max(0, len(s.list)-maxSnoozes):]
	if s.onChange != nil {
		s.onChange()
	}
}

// Merge adds snoozes from other boards. If s already has a snooze, the earlier of the two ends
// applies. Invalid snoozes are ignored.
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

// List returns the stored snoozes, including ended ones.
func (s *Snoozes) List() []Snooze {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.list
}

// OnAdd sets a function that is called with every snooze passed to [Snoozes.Add]. The function must
// not block.
func (s *Snoozes) OnAdd(keep func(Snooze)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.onAdd = keep
}

// OnChange sets a function that is called after every change of the snoozes. The function must not
// block or call methods of s.
func (s *Snoozes) OnChange(changed func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.onChange = changed
}

// currentVersion returns a number that increases with every change of the snoozes.
func (s *Snoozes) currentVersion() uint64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.version
}

// ActiveSilence is a snooze or a planned silence in force.
type ActiveSilence struct {
	Title                 string // description; "" for a snooze of all alerts, or if PartlyHidden
	By                    string // name of the viewer who snoozed; "" for a planned silence
	Until                 time.Time
	Planned, PartlyHidden bool // PartlyHidden: see [Snooze]
}
