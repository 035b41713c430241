package alert

import "time"

// ruleState is the state of a rule for one record.
type ruleState struct {
	level           Level
	isStartRecorded bool              // a recording shows when the condition began to be met
	since           [Critical]instant // by level: time since which the level is reached; 0: not reached
	unknownSince    instant           // when the condition was last known; 0: it is known now
	dueAt           instant           // when the level may rise without new data; 0: never
	alert           *activeAlert
}

// instant is a time in nanoseconds since 1970, 0 if unset. It takes a third of the memory of a
// [time.Time]. This matters because each rule of each agent has several instants.
type instant int64

func instantOf(t time.Time) instant {
	if t.IsZero() {
		return 0
	}
	return instant(t.UnixNano())
}

// isReached reports whether the instant is set and not after now.
func (i instant) isReached(now instant) bool { return i != 0 && now >= i }

// timeIn returns the instant as a time in the location of zone, or the zero time if it is unset.
func (i instant) timeIn(zone time.Time) time.Time {
	if i == 0 {
		return time.Time{}
	}
	return time.Unix(0, int64(i)).In(zone.Location())
}

type ruleVerdict struct {
	level        Level
	certain      bool
	now          time.Time
	previousTime time.Time // when the rule was last evaluated
	// observedSince is the start of the uninterrupted observation. Earlier times do not prove that
	// the condition was met.
	observedSince time.Time
}

// nextLevel processes a verdict and returns the new level. The level rises when a higher level has
// lasted for at least wait, and falls at once. An uncertain verdict does not change the level. If the
// condition was unknown for longer than maxGap, the wait begins again.
func (s *ruleState) nextLevel(v ruleVerdict, wait, maxGap time.Duration) Level {
	now := instantOf(v.now)
	s.dueAt = 0
	if !v.certain {
		if s.unknownSince == 0 || s.unknownSince > now { // the second condition is true if the clock was set back
			s.unknownSince = instantOf(v.previousTime)
		}
		return s.level
	}
	if s.unknownSince != 0 && now-s.unknownSince > instant(maxGap) {
		s.since = [Critical]instant{}
	}
	s.unknownSince = 0
	for l := Warning; l <= Critical; l++ {
		switch since := &s.since[l-1]; {
		case v.level < l:
			*since = 0
		case *since == 0, *since > now: // the second condition is true if the clock was set back
			*since = now
		default:
			*since = max(*since, instantOf(v.observedSince))
		}
	}
	if v.level <= s.level {
		return v.level
	}
	for l := v.level; l > s.level; l-- {
		at := s.since[l-1] + instant(wait)
		if now >= at {
			return l
		}
		s.dueAt = at
	}
	return s.level
}
