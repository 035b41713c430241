package records

import (
	"time"

	"wallboard/model"
)

const (
	// maxChecks is the number of checks after which our value counts as wrong even if the platform
	// sent another value in each check. It does not apply if an update has changed our value.
	maxChecks = 4
	// maxFallDuration is the time within which all counters fall when the platform restarts.
	maxFallDuration = 10 * time.Second
	// maxDriftLogged limits how many differences are logged per check.
	maxDriftLogged = 8
)

// CheckResult is the result of a check: the differences found and repaired.
type CheckResult struct {
	ChunkIndex        int
	Err               error       // why the answer cannot be compared; nil: it was compared
	Answer            ApplyResult // if Err is set: what the answer contained
	PlatformRestarted bool        // many counters have fallen: the platform restarted, nothing was repaired
	Repaired          []Difference
	Drift             model.Drift   // number of repaired differences that show lost updates, by kind
	LagDifferences    uint64        // number of repaired differences that a full state from a lagging replica may explain
	LoggedDifferences []*Difference // the first differences that show lost updates, to be logged
}

// setSuspects records diffs, the differences that a first check found, and schedules the second
// check.
func (c *Chunk) setSuspects(diffs []Difference, now time.Time) {
	c.passCount++
	wait := recheckDelay
	c.Suspects = make(map[SuspectKey]*SuspectValue, len(diffs))
	for i := range diffs {
		c.addSuspect(&diffs[i])
		if diffs[i].RecentlyUpdated {
			wait = lateRecheckDelay
		}
	}
	c.recheckAt = now.Add(wait)
}

func (c *Chunk) addSuspect(d *Difference) {
	c.Suspects[d.SuspectKey] = &SuspectValue{Name: d.Name, Ours: d.Ours, Theirs: d.Theirs, TimeOffset: d.Diff.TimeOffset, CheckCount: 1}
}

// setEarlySuspects records diffs, the differences that an early check found, and schedules the
// second check. If a counter fell, it records none, because the answer then comes from a lagging
// replica. The first check will find any wrong values.
func (c *Chunk) setEarlySuspects(diffs []Difference, now time.Time) {
	c.Suspects = make(map[SuspectKey]*SuspectValue)
	for i := range diffs {
		if diffs[i].CounterFell {
			c.Suspects = nil
			return
		}
		if !diffs[i].Diff.UnitUnknown {
			c.addSuspect(&diffs[i])
		}
	}
	c.recheckAt = now.Add(earlyRecheckDelay)
}

// judgeSuspects compares found, the differences of a later check of chunk i, with the suspects. It repairs the
// confirmed differences and schedules another check for the others. If counters have fallen in at least half of
// the records, the platform has restarted and judgeSuspects repairs nothing, except in an early check. synced is
// as in [Verifier.EvaluateAnswer].
func (v *Verifier) judgeSuspects(i int, found Findings, synced func(string) time.Time, now time.Time) CheckResult {
	c := &v.Chunks[i]
	remaining := make(map[SuspectKey]*SuspectValue)
	var confirmed []Difference
	fallen := make(map[any]bool)
	for _, d := range found.Diffs {
		was := c.Suspects[d.SuspectKey]
		if was == nil || was.Changed || was.Ours != d.Ours {
			continue // an update has changed the value since
		}
		if d.CounterFell {
			fallen[d.Key] = true
		}
		same := was.Theirs == d.Theirs ||
			d.Diff.FromElapsed && d.Diff.TimeOffset != 0 && (d.Diff.TimeOffset-was.TimeOffset).Abs() <= InstantTolerance
		if !same && was.CheckCount+1 < maxChecks {
			was.Theirs, was.TimeOffset, was.CheckCount = d.Theirs, d.Diff.TimeOffset, was.CheckCount+1
			remaining[d.SuspectKey] = was
			continue
		}
		confirmed = append(confirmed, d)
	}
	if !c.awaitsEarlyCheck() && len(fallen) > 0 && 2*len(fallen) >= found.NonZeroCount {
		v.data.Repair(nil)
		c.Suspects = nil
		return CheckResult{ChunkIndex: i, PlatformRestarted: true}
	}
	v.data.Repair(confirmed)
	verdict := v.countRepairs(c, confirmed, synced, now)
	verdict.ChunkIndex = i
	c.Suspects = remaining
	if c.recheckAt = now.Add(lateRecheckDelay); c.awaitsEarlyCheck() {
		c.recheckAt = now.Add(earlyRecheckDelay)
	}
	return verdict
}

// countRepairs counts the differences that were repaired in chunk c. A difference may come from a
// full state that a lagging replica sent, and then no update was lost. A difference therefore
// counts as a lost update only if the chunk was verified at least [MaxReplicaLag] after the full state was
// queried. synced is as in [Verifier.EvaluateAnswer].
func (v *Verifier) countRepairs(c *Chunk, confirmed []Difference, synced func(string) time.Time, now time.Time) CheckResult {
	out := CheckResult{Repaired: confirmed}
	for i := range confirmed {
		d := &confirmed[i]
		if d.Diff.UnitUnknown {
			continue // a value without a known unit is not a lost update
		}
		since := v.syncedAt
		if named := synced(d.Name); named.After(since) {
			since = named
		}
		if c.verifiedAt.Sub(since) < MaxReplicaLag {
			out.LagDifferences++
			continue
		}
		switch d.Kind {
		case DriftMissing:
			out.Drift.Missing++
		case DriftDeleted:
			out.Drift.Ghost++
		case DriftCleared:
			out.Drift.Cleared++
		case DriftValue:
			out.Drift.Value++
		}
		if i < maxDriftLogged {
			out.LoggedDifferences = append(out.LoggedDifferences, d)
		}
	}
	if out.Drift == (model.Drift{}) {
		return out
	}
	v.frequentUntil = now.Add(driftDuration)
	for i := range v.Chunks {
		o := &v.Chunks[i]
		if frequentAt := o.checkedAt.Add(driftInterval); frequentAt.Before(o.dueAt) {
			o.dueAt = frequentAt
		}
	}
	return out
}

// fallenCounters counts records with a counter that fell.
type fallenCounters struct {
	count int
	since time.Time // when the first of these counters fell
}

// PlatformRestarted reports whether the platform has restarted: counters have fallen in as many
// records as have counters above 0, within about maxFallDuration, and some of them in the last
// update.
func (v *Verifier) PlatformRestarted(now time.Time) bool {
	n := v.data.FallenCounters()
	if n == 0 {
		return false
	}
	if now.Sub(v.fallenCounters.since) > maxFallDuration {
		v.fallenCounters = fallenCounters{since: now}
	}
	if v.fallenCounters.count += n; v.fallenCounters.count < max(2, v.data.NonZeroCount()) {
		return false
	}
	v.fallenCounters.count = 0
	return true
}
