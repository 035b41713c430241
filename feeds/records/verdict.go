package records

import (
	"time"

	"wallboard/model"
)

const (
	// maxChecks is the number of checks after which a value that differed in each of
	// them, and that no update changed, counts as lost.
	maxChecks = 4
	// maxFallDuration is the time within which counters fall when the platform
	// restarts.
	maxFallDuration = 10 * time.Second
	// maxDriftLogged limits the log lines per check.
	maxDriftLogged = 8
)

// Verdict is the result of a check.
type Verdict struct {
	ChunkIndex             int
	Err               error   // the answer cannot be compared
	Answer            Applied // the answer, if Err is set
	PlatformRestarted bool    // most counters have fallen: the platform restarted, nothing was repaired
	Repaired          []Difference
	Drift             model.Drift   // repaired differences that count as lost updates
	Late              uint64        // number of differences that were already in the full state
	Log               []*Difference // some of the lost updates
}

// setSuspects records the differences of a first check.
func (c *Chunk) setSuspects(diffs []Difference, now time.Time) {
	c.passCount++
	wait := recheckDelay
	c.Suspects = make(map[Suspect]*Suspicion, len(diffs))
	for i := range diffs {
		d := &diffs[i]
		c.Suspects[d.Suspect] = &Suspicion{Name: d.Name, Ours: d.Ours, Theirs: d.Theirs, Apart: d.Diff.Apart, CheckCount: 1}
		if d.RecentlyUpdated {
			wait = lateRecheckDelay
		}
	}
	c.recheckAt = now.Add(wait)
}

// judgeSuspects decides about the suspects after a later check.
func (v *Verifier) judgeSuspects(i int, found Findings, synced func(string) time.Time, now time.Time) Verdict {
	c := &v.Chunks[i]
	still := make(map[Suspect]*Suspicion)
	var confirmed []Difference
	fallen := make(map[any]bool)
	for _, d := range found.Diffs {
		was := c.Suspects[d.Suspect]
		if was == nil || was.Changed || was.Ours != d.Ours {
			continue // the update was on its way
		}
		if d.CounterFell {
			fallen[d.Key] = true
		}
		same := was.Theirs == d.Theirs ||
			d.Diff.FromElapsed && d.Diff.Apart != 0 && (d.Diff.Apart-was.Apart).Abs() <= InstantTolerance
		if !same && was.CheckCount+1 < maxChecks {
			was.Theirs, was.Apart, was.CheckCount = d.Theirs, d.Diff.Apart, was.CheckCount+1
			still[d.Suspect] = was
			continue
		}
		confirmed = append(confirmed, d)
	}
	if len(fallen) > 0 && 2*len(fallen) >= found.NonZeroCount {
		v.data.Repair(nil)
		c.Suspects = nil
		return Verdict{ChunkIndex: i, PlatformRestarted: true}
	}
	v.data.Repair(confirmed)
	verdict := v.countRepairs(c, confirmed, synced, now)
	verdict.ChunkIndex = i
	c.Suspects = still
	c.recheckAt = now.Add(lateRecheckDelay)
	return verdict
}

// countRepairs counts the repaired differences. If a lagging replica sent the full state, a
// difference may already have been in it, and no update was lost. This is possible until a check at
// least [MaxLag] after the query for the full state has found no differences.
func (v *Verifier) countRepairs(c *Chunk, confirmed []Difference, synced func(string) time.Time, now time.Time) Verdict {
	out := Verdict{Repaired: confirmed}
	for i := range confirmed {
		d := &confirmed[i]
		if d.Diff.UnitUnknown {
			continue // no update contained the value in a known unit
		}
		since := v.syncedAt
		if named := synced(d.Name); named.After(since) {
			since = named
		}
		if c.verifiedAt.Sub(since) < MaxLag {
			out.Late++
			continue
		}
		switch d.Kind {
		case DriftMissing:
			out.Drift.Missing++
		case DriftGhost:
			out.Drift.Ghost++
		case DriftCleared:
			out.Drift.Cleared++
		case DriftValue:
			out.Drift.Value++
		}
		if i < maxDriftLogged {
			out.Log = append(out.Log, d)
		}
	}
	if out.Drift == (model.Drift{}) {
		return out
	}
	v.frequentUntil = now.Add(driftDuration)
	for i := range v.Chunks {
		o := &v.Chunks[i]
		if soon := o.checkedAt.Add(driftInterval); soon.Before(o.dueAt) {
			o.dueAt = soon
		}
	}
	return out
}

// fallenCounters counts records with fallen counters.
type fallenCounters struct {
	count int
	since time.Time // when the first of them fell
}

// PlatformRestarted reports whether the platform restarted: the counters of most records
// have fallen together, the last of them in the last update.
func (v *Verifier) PlatformRestarted(now time.Time) bool {
	n := v.data.FallenCount()
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
