package feeds

import (
	"fmt"
	"time"

	"wallboard/model"
)

// unitPasses is how often a chunk is looked at sooner because a unit is not
// known.
const unitPasses = 5

// suspect is a value that may be wrong: a field of a record, or all of it.
type suspect struct {
	key  any
	path string
}

// suspicion is what made it one.
type suspicion struct {
	name         string
	ours, theirs string
	apart        time.Duration // of two instants
	looks        int
	changed      bool // by an update since, or told by one
}

// noteFalls notices that the platform started anew: the counters of most
// records fall together.
func (s *sub) noteFalls(now time.Time) {
	n := s.data.fallen()
	if n == 0 {
		return
	}
	if now.Sub(s.fellAt) > fallsWithin {
		s.falls, s.fellAt = 0, now
	}
	s.falls += n
	if s.falls >= max(2, s.data.counting()) {
		s.falls = 0
		s.restarted("the counters of many records have fallen")
	}
}

// suspect notes what differs at first sight.
func (s *sub) suspect(c *chunk, found findings, now time.Time) {
	c.passes++
	wait := lookAgain
	c.suspects = make(map[suspect]*suspicion, len(found.diffs))
	for i := range found.diffs {
		d := &found.diffs[i]
		c.suspects[d.suspect] = &suspicion{name: d.name, ours: d.ours, theirs: d.theirs, apart: d.diff.Apart, looks: 1}
		if d.recent {
			wait = lookLate
		}
	}
	c.again = now.Add(wait)
}

// judgeSuspects decides about those that a later look shows again.
func (s *sub) judgeSuspects(c *chunk, found findings, now time.Time) {
	still := make(map[suspect]*suspicion)
	var confirmed []difference
	fallen := make(map[any]bool)
	for _, d := range found.diffs {
		was := c.suspects[d.suspect]
		if was == nil || was.changed || was.ours != d.ours {
			continue // the update was on its way
		}
		if d.counter {
			fallen[d.key] = true
		}
		same := was.theirs == d.theirs ||
			d.diff.Reckoned && d.diff.Apart != 0 && (d.diff.Apart-was.apart).Abs() <= clockTolerance
		if !same && was.looks+1 < maxLooks {
			was.theirs, was.apart, was.looks = d.theirs, d.diff.Apart, was.looks+1
			still[d.suspect] = was
			continue
		}
		confirmed = append(confirmed, d)
	}
	if len(fallen) > 0 && 2*len(fallen) >= found.counting {
		s.data.repair(nil)
		c.suspects = nil
		s.restarted("the counters of many records have fallen")
		return
	}
	s.data.repair(confirmed)
	if len(confirmed) > 0 {
		s.respread()
	}
	s.countDrift(c, confirmed, now)
	c.suspects = still
	c.again = now.Add(lookLate)
}

// countDrift notes what was repaired. What is found before an answer that was
// asked for lagBound after the full state has agreed may have been wrong in that
// already: a replica gave it, and no update was lost.
func (s *sub) countDrift(c *chunk, confirmed []difference, now time.Time) {
	if len(confirmed) == 0 {
		return
	}
	s.status.LastData = now
	var sum model.Drift
	for i := range confirmed {
		d := &confirmed[i]
		if d.diff.Unread {
			continue // no update told, or could tell, what it is
		}
		if d.diff.Element() && d.ours == "null" && s.gaps.lists.is() {
			s.gaps.lists.sees(false) // it was dropped, perhaps for being left out
		}
		synced := later(later(s.audit.syncedAt, s.joined.who[d.name].since), s.gaps.since[d.name])
		if c.verified.Sub(synced) < lagBound {
			s.status.Late++
			continue
		}
		switch d.kind {
		case driftMissing:
			sum.Missing++
		case driftGhost:
			sum.Ghost++
		case driftCleared:
			sum.Cleared++
		case driftValue:
			sum.Value++
		}
		if i < maxDriftLogged {
			s.drifted(s.doc.Root, d, len(confirmed))
		}
	}
	if sum == (model.Drift{}) {
		return
	}
	s.status.Drift = s.status.Drift.Plus(sum)
	s.status.DriftAt = now
	s.audit.hotUntil = now.Add(hotFor)
	for i := range s.audit.chunks {
		o := &s.audit.chunks[i]
		if soon := o.began.Add(hotInterval); soon.Before(o.due) {
			o.due = soon
		}
	}
}

// settleChunk plans what comes after a look.
func (s *sub) settleChunk(i int, now time.Time) {
	c := &s.audit.chunks[i]
	if s.renew {
		return
	}
	s.data.watch(i, c.suspects)
	if len(c.suspects) > 0 {
		return
	}
	c.suspects, c.verified, c.took = nil, c.began, c.late+now.Sub(c.began)
	c.due = c.began.Add(s.pace(c, now))
	oldest := now
	for i := range s.audit.chunks {
		if v := s.audit.chunks[i].verified; v.Before(oldest) {
			oldest = v
		}
	}
	if oldest.After(s.status.VerifiedAt) {
		s.status.VerifiedAt = oldest
		s.status.Audits++
	}
	if s.overdue && now.Sub(s.status.VerifiedAt) <= s.audit.interval+auditSlack {
		s.overdue = false
		s.setState(s.liveState(), s.liveReason(), now)
	}
}

// pace returns how long after a first look the next one begins. The time for a
// late second look is taken off. The chunks begin together; the second pass
// spreads them over the interval, so that they cost the same at any time.
func (s *sub) pace(c *chunk, now time.Time) time.Duration {
	if s.doc.Root == opServerHealth {
		return healthInterval
	}
	every := s.audit.every()
	if now.Before(s.audit.hotUntil) {
		return min(hotInterval, every)
	}
	if c.passes <= unitPasses && s.seeksUnits() {
		return min(lookForUnits<<c.passes, every)
	}
	if c.passes == 1 {
		return time.Duration(float64(every) * (leastSpread + (1-leastSpread)*c.place))
	}
	return every
}

// judgeAge marks figures that were not verified in time.
func (s *sub) judgeAge(now time.Time) {
	if !s.status.State.Current() || s.status.VerifiedAt.IsZero() || len(s.audit.chunks) == 0 {
		return
	}
	if age := now.Sub(s.status.VerifiedAt); age > s.audit.interval+auditSlack {
		s.overdue = true
		reason := fmt.Sprintf("not held against the full state for %v", age.Round(time.Second))
		if s.audit.reason != "" {
			reason += ": " + s.audit.reason
		}
		s.setState(model.SubUnverified, reason, now)
	}
}
