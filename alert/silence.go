package alert

import (
	"slices"
	"time"
)

// Silence keeps alerts quiet at planned times. A part of the day has an end, so that
// a silence has one as well.
type Silence struct {
	Title    string         // what it is about, for people
	Days     []time.Weekday // on which it begins; none: every day
	From, To time.Duration  // of the day's clock; To not after From is on the next day
	Zone     *time.Location // nil: that of the machine
	// Codes are those of services, groups and campaigns; Rules are names of rules.
	// Of what has names nothing else is silent: no codes are all records, no rules
	// all rules.
	Codes map[Scope][]string
	Rules []string
}

// Until returns when a silence ends that is in force at a time, the zero time where
// it is not.
func (s *Silence) Until(now time.Time) time.Time {
	zone := s.Zone
	if zone == nil {
		zone = time.Local
	}
	local := now.In(zone)
	for _, back := range []int{1, 0} { // one that began yesterday may go on
		day := local.AddDate(0, 0, -back)
		begin, end := onDay(day, s.From, 0), onDay(day, s.To, 0)
		if s.To <= s.From {
			end = onDay(day, s.To, 1)
		}
		if len(s.Days) > 0 && !slices.Contains(s.Days, day.Weekday()) {
			continue
		}
		if !now.Before(begin) && now.Before(end) {
			return end
		}
	}
	return time.Time{}
}

// onDay is a time of the clock on the day of another one, days later: not so many
// hours after midnight, which another clock for the summer would move.
func onDay(day time.Time, clock time.Duration, days int) time.Time {
	y, m, d := day.Date()
	return time.Date(y, m, d+days, int(clock/time.Hour), int(clock%time.Hour/time.Minute), 0, 0, day.Location())
}

// covers reports whether an alert is kept quiet.
func (s *Silence) covers(a *Alert) bool {
	if len(s.Rules) > 0 && !slices.Contains(s.Rules, a.Rule) {
		return false
	}
	return len(s.Codes) == 0 || slices.Contains(s.Codes[a.Key.Scope], a.Key.Code)
}
