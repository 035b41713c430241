package alert

import (
	"slices"
	"time"
)

// Silence mutes alerts at planned times of the day.
type Silence struct {
	Title    string         // description of the silence
	Days     []time.Weekday // days on which the silence begins; empty means every day
	From, To time.Duration  // times of day; if To is not after From, To is on the next day
	Zone     *time.Location // nil: local time zone
	// Codes restricts the silence to some services, groups and campaigns. Rules restricts it to
	// rules with these names. An empty value means no restriction.
	Codes map[Scope][]string
	Rules []string
}

// EndAt returns the end of the silence if it is in force at now, otherwise the zero time.
func (s *Silence) EndAt(now time.Time) time.Time {
	zone := s.Zone
	if zone == nil {
		zone = time.Local
	}
	local := now.In(zone)
	for _, daysAgo := range []int{1, 0} { // a silence that began yesterday may still be in force
		day := local.AddDate(0, 0, -daysAgo)
		begin, end := timeOfDay(day, s.From, 0), timeOfDay(day, s.To, 0)
		if s.To <= s.From {
			end = timeOfDay(day, s.To, 1)
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

// timeOfDay returns when the clock shows the given time on the date that is days after the date of day.
// It uses the calendar instead of adding hours, because a day with a change to or from daylight saving
// time does not have 24 hours.
func timeOfDay(day time.Time, clock time.Duration, days int) time.Time {
	y, m, d := day.Date()
	return time.Date(y, m, d+days, int(clock/time.Hour), int(clock%time.Hour/time.Minute), 0, 0, day.Location())
}

func (s *Silence) appliesTo(a *Alert) bool {
	if len(s.Rules) > 0 && !slices.Contains(s.Rules, a.Rule) {
		return false
	}
	return len(s.Codes) == 0 || slices.Contains(s.Codes[a.Key.Scope], a.Key.Code)
}
