package alert

import "time"

// state is what a rule knows of one record.
type state struct {
	level       Level
	since       [Critical]time.Time // since when it is at least a warning, critical; zero: it is not
	unsureSince time.Time           // when somebody knew last; zero: somebody does
	due         time.Time           // when time alone may raise the level; zero: never
	alert       *Alert
}

// verdict is what a rule says of a record at one time.
type verdict struct {
	want    Level
	certain bool
	now     time.Time
	before  time.Time // when the record was looked at last
	// unbroken is since when the record has been looked at without a break:
	// what may have happened in a break is no proof of anything.
	unbroken time.Time
}

// next takes a verdict and returns the level that follows from it. Whether the
// level rises is a matter of how long it has been wanted, a fall is at once.
func (s *state) next(v verdict, wait, maxGap time.Duration) Level {
	s.due = time.Time{}
	if !v.certain {
		if s.unsureSince.IsZero() || s.unsureSince.After(v.now) { // or the clock was set back
			s.unsureSince = v.before
		}
		return s.level
	}
	if !s.unsureSince.IsZero() && v.now.Sub(s.unsureSince) > maxGap {
		s.since = [Critical]time.Time{}
	}
	s.unsureSince = time.Time{}
	for l := Warning; l <= Critical; l++ {
		switch since := &s.since[l-1]; {
		case v.want < l:
			*since = time.Time{}
		case since.IsZero(), since.After(v.now): // or the clock was set back
			*since = v.now
		default:
			*since = later(*since, v.unbroken)
		}
	}
	if v.want <= s.level {
		return v.want
	}
	for l := v.want; l > s.level; l-- {
		at := s.since[l-1].Add(wait)
		if !v.now.Before(at) {
			return l
		}
		s.due = at
	}
	return s.level
}
