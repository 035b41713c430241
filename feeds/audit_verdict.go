package feeds

import (
	"fmt"
	"time"

	"wallboard/feeds/picture"
	"wallboard/model"
)

// unitPasses is how often a chunk is looked at sooner because a unit is not
// known.
const unitPasses = 5

// noteFalls notices that the platform started anew: the counters of most
// records fall together.
func (s *sub) noteFalls(now time.Time) {
	n := s.data.Fallen()
	if n == 0 {
		return
	}
	if now.Sub(s.fellAt) > fallsWithin {
		s.falls, s.fellAt = 0, now
	}
	s.falls += n
	if s.falls >= max(2, s.data.Counting()) {
		s.falls = 0
		s.restarted("the counters of many records have fallen")
	}
}

// suspect notes what differs at first sight.
func (s *sub) suspect(c *chunk, found picture.Findings, now time.Time) {
	c.passes++
	wait := lookAgain
	c.suspects = make(map[picture.Suspect]*picture.Suspicion, len(found.Diffs))
	for i := range found.Diffs {
		d := &found.Diffs[i]
		c.suspects[d.Suspect] = &picture.Suspicion{Name: d.Name, Ours: d.Ours, Theirs: d.Theirs, Apart: d.Diff.Apart, Looks: 1}
		if d.Recent {
			wait = lookLate
		}
	}
	c.again = now.Add(wait)
}

// judgeSuspects decides about those that a later look shows again.
func (s *sub) judgeSuspects(c *chunk, found picture.Findings, now time.Time) {
	still := make(map[picture.Suspect]*picture.Suspicion)
	var confirmed []picture.Difference
	fallen := make(map[any]bool)
	for _, d := range found.Diffs {
		was := c.suspects[d.Suspect]
		if was == nil || was.Changed || was.Ours != d.Ours {
			continue // the update was on its way
		}
		if d.Counter {
			fallen[d.Key] = true
		}
		same := was.Theirs == d.Theirs ||
			d.Diff.Reckoned && d.Diff.Apart != 0 && (d.Diff.Apart-was.Apart).Abs() <= picture.Tolerance
		if !same && was.Looks+1 < maxLooks {
			was.Theirs, was.Apart, was.Looks = d.Theirs, d.Diff.Apart, was.Looks+1
			still[d.Suspect] = was
			continue
		}
		confirmed = append(confirmed, d)
	}
	if len(fallen) > 0 && 2*len(fallen) >= found.Counting {
		s.data.Repair(nil)
		c.suspects = nil
		s.restarted("the counters of many records have fallen")
		return
	}
	s.data.Repair(confirmed)
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
func (s *sub) countDrift(c *chunk, confirmed []picture.Difference, now time.Time) {
	if len(confirmed) == 0 {
		return
	}
	s.status.LastData = now
	var sum model.Drift
	for i := range confirmed {
		d := &confirmed[i]
		if d.Diff.Unread {
			continue // no update told, or could tell, what it is
		}
		if d.Diff.Element() && d.Ours == "null" && s.gaps.lists.is() {
			s.gaps.lists.sees(false) // it was dropped, perhaps for being left out
		}
		synced := later(later(s.audit.syncedAt, s.joined.who[d.Name].since), s.gaps.since[d.Name])
		if c.verified.Sub(synced) < picture.LagBound {
			s.status.Late++
			continue
		}
		switch d.Kind {
		case picture.DriftMissing:
			sum.Missing++
		case picture.DriftGhost:
			sum.Ghost++
		case picture.DriftCleared:
			sum.Cleared++
		case picture.DriftValue:
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
	s.data.Watch(i, c.suspects)
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
