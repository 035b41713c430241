package alert

import "time"

// state is what a rule knows of one record.
type state struct {
	level       Level
	observed    bool              // a recording saw it begin, before the engine did
	since       [Critical]instant // since when it is at least a warning, critical; none: it is not
	unsureSince instant           // when somebody knew last; none: somebody does
	due         instant           // when time alone may raise the level; none: never
	alert       *raised
}

// instant is a time in nanoseconds since 1970, 0 for none: there are some for each rule
// of each agent, and a [time.Time] takes three times as much.
type instant int64

func instantOf(t time.Time) instant {
	if t.IsZero() {
		return 0
	}
	return instant(t.UnixNano())
}

// reached reports whether there is an instant, and it has come.
func (i instant) reached(now instant) bool { return i != 0 && now >= i }

// in returns the time in the zone of another one.
func (i instant) in(zone time.Time) time.Time {
	if i == 0 {
		return time.Time{}
	}
	return time.Unix(0, int64(i)).In(zone.Location())
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
	now := instantOf(v.now)
	s.due = 0
	if !v.certain {
		if s.unsureSince == 0 || s.unsureSince > now { // or the clock was set back
			s.unsureSince = instantOf(v.before)
		}
		return s.level
	}
	if s.unsureSince != 0 && now-s.unsureSince > instant(maxGap) {
		s.since = [Critical]instant{}
	}
	s.unsureSince = 0
	for l := Warning; l <= Critical; l++ {
		switch since := &s.since[l-1]; {
		case v.want < l:
			*since = 0
		case *since == 0, *since > now: // or the clock was set back
			*since = now
		default:
			*since = max(*since, instantOf(v.unbroken))
		}
	}
	if v.want <= s.level {
		return v.want
	}
	for l := v.want; l > s.level; l-- {
		at := s.since[l-1] + instant(wait)
		if now >= at {
			return l
		}
		s.due = at
	}
	return s.level
}
