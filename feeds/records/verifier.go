package records

import (
	"fmt"
	"iter"
	"math"
	"time"

	"wallboard/feeds/merge"
	"wallboard/feeds/queries"
	"wallboard/model"
)

const (
	// firstCheckDelay is the delay between a full state and its first check.
	firstCheckDelay = 5 * time.Second
	// unitCheckDelay is the delay if a second full state is needed to detect a
	// unit.
	unitCheckDelay = 2 * time.Second
	// maxUnitChecks limits the number of these early checks of a chunk.
	maxUnitChecks = 5
	// auditSlack is the tolerated delay of an audit.
	auditSlack = 2 * time.Second
	// After drift, audits run every driftInterval for driftDuration.
	driftInterval = 15 * time.Second
	driftDuration = 10 * time.Minute
	// healthInterval is how often serverHealth is queried: it shows that the
	// engine behind the socket is alive.
	healthInterval = 15 * time.Second
	// minSpread is the minimum delay of a chunk's second check as a share of the interval;
	// goldenRatio distributes any number of chunks over the rest.
	minSpread   = 0.3
	goldenRatio = 0.618034

	queryTimeout    = 15 * time.Second
	maxQueryTimeout = 2 * time.Minute
	maxRetryDelay   = 30 * time.Second
	// maxBuffered limits the memory of updates received during a check, in bytes.
	maxBuffered = 16 << 20
)

// AnswerTimeout returns how long to wait for a full state after a number of failures
// in a row.
func AnswerTimeout(failures int) time.Duration {
	return min(maxQueryTimeout, queryTimeout<<min(failures, 8))
}

// VerifiedRecords gives access to the verified records.
type VerifiedRecords interface {
	// Compare compares the records with a full answer; Repair must follow and
	// applies some of the differences.
	Compare(answer FullState, later iter.Seq[[]byte], env *merge.Env, in Scope) (Findings, error)
	Repair(some []Difference)
	// Watch asks the records to mark each suspect that an update changes; a nil map stops it.
	Watch(chunk int, suspects map[Suspect]*Suspicion)
	// FallenCount returns how many records had a counter fall in the last update,
	// NonZeroCount how many have counters above 0.
	FallenCount() int
	NonZeroCount() int
	// Records returns the number of records.
	Records() int
}

// Asker sends queries.
type Asker interface {
	// Ask sends a query. An error means that the session has ended, which is
	// handled elsewhere.
	Ask(r queries.Request, now time.Time) (id string, err error)
	// Cancel cancels a query.
	Cancel(id string)
}

// VerifierOptions configures a Verifier.
type VerifierOptions struct {
	Op           model.Op
	Interval     time.Duration // time within which every figure is verified
	Subscription int           // number of the subscription: distributes the checks within the interval
	// Ready reports whether a check can begin.
	Ready func() bool
	// SeeksUnits reports whether another full state would help to detect a
	// unit.
	SeeksUnits func() bool
}

// Verifier audits one subscription.
type Verifier struct {
	Chunks []Chunk // none before the first full state

	opts  VerifierOptions
	data  VerifiedRecords
	env   *merge.Env
	asker Asker

	fullStateSize   int           // size of the full state in bytes
	running         *runningCheck // running check
	frequentUntil   time.Time     // end of the frequent audits after drift
	syncedAt        time.Time     // when the last applied full state was queried
	failures        int           // failed checks in a row
	lastFailure     string        // why the last check failed; "": it did not
	reportedOverdue bool          // Overdue has reported the figures as too old
	fallenCounters  fallenCounters
}

// NewVerifier returns an idle Verifier.
func NewVerifier(o VerifierOptions, data VerifiedRecords, env *merge.Env, asker Asker) *Verifier {
	return &Verifier{opts: o, data: data, env: env, asker: asker}
}

// AppliedState describes an applied full state.
type AppliedState struct {
	Names   []string      // names in the filter, sorted
	AskedAt time.Time     // when it was queried
	Took    time.Duration // how long the answer took
	Size    int           // in bytes
}

// Restart restarts the audit after a full state was applied.
func (v *Verifier) Restart(full AppliedState, now time.Time) {
	v.Stop()
	v.fullStateSize, v.syncedAt, v.failures, v.lastFailure = full.Size, full.AskedAt, 0, ""
	parts := cutNames(full.Names, v.data.Records(), chunkSize(v.data.Records(), full.Took))
	v.Chunks = make([]Chunk, len(parts))
	for i := range v.Chunks {
		_, place := math.Modf(float64(v.opts.Subscription+i) * goldenRatio)
		v.Chunks[i] = Chunk{Names: parts[i], verifiedAt: full.AskedAt, dueAt: now.Add(firstCheckDelay), position: place}
	}
	if v.opts.SeeksUnits() {
		v.Chunks[0].dueAt = now.Add(unitCheckDelay)
	}
}

// Stop ends the audit.
func (v *Verifier) Stop() {
	v.CancelCheck()
	for i := range v.Chunks {
		v.data.Watch(i, nil)
	}
	v.Chunks, v.reportedOverdue = nil, false
}

// checkInterval returns the interval between first checks of a chunk: the configured interval,
// minus the time that the slowest chunk last took to verify (at least lateRecheckDelay) and a third
// of it as a reserve, but at least half the configured interval. On a large floor checks wait for
// each other, and the machine may be busier next time.
func (v *Verifier) checkInterval() time.Duration {
	slowest := lateRecheckDelay
	for i := range v.Chunks {
		slowest = max(slowest, v.Chunks[i].lastDuration)
	}
	return max(v.opts.Interval-slowest-slowest/3-auditSlack, v.opts.Interval/2)
}

// BytesPerSecond returns the average load of the audit in bytes of answers per second.
func (v *Verifier) BytesPerSecond() float64 {
	return float64(v.fullStateSize) / v.checkInterval().Seconds()
}

// FinishCheck schedules the next check of a chunk. verified is the time since when all figures are
// verified. FinishCheck returns the new value of that time, and whether the figures were overdue
// until now.
func (v *Verifier) FinishCheck(i int, verified, now time.Time) (since time.Time, wasOverdue bool) {
	c := &v.Chunks[i]
	v.data.Watch(i, c.Suspects)
	if len(c.Suspects) > 0 {
		return verified, false
	}
	c.Suspects, c.verifiedAt, c.lastDuration = nil, c.checkedAt, c.checkDelay+now.Sub(c.checkedAt)
	c.dueAt = c.checkedAt.Add(v.nextDelay(c, now))
	oldest := now
	for i := range v.Chunks {
		if at := v.Chunks[i].verifiedAt; at.Before(oldest) {
			oldest = at
		}
	}
	if oldest.After(verified) {
		verified = oldest
	}
	if v.reportedOverdue && now.Sub(verified) <= v.opts.Interval+auditSlack {
		v.reportedOverdue, wasOverdue = false, true
	}
	return verified, wasOverdue
}

// nextDelay returns the delay until the next first check of a chunk. All chunks
// begin together; the second pass distributes them over the interval, so that
// the load is constant.
func (v *Verifier) nextDelay(c *Chunk, now time.Time) time.Duration {
	if v.opts.Op == model.OpServerHealth {
		return healthInterval
	}
	every := v.checkInterval()
	if now.Before(v.frequentUntil) {
		return min(driftInterval, every)
	}
	if c.passCount <= maxUnitChecks && v.opts.SeeksUnits() {
		return min(unitCheckDelay<<max(0, c.passCount-1), every)
	}
	if c.passCount == 1 {
		return time.Duration(float64(every) * (minSpread + (1-minSpread)*c.position))
	}
	return every
}

// Overdue returns why figures verified at a given time are too old, or "".
func (v *Verifier) Overdue(verified, now time.Time) string {
	age := now.Sub(verified)
	if verified.IsZero() || len(v.Chunks) == 0 || age <= v.opts.Interval+auditSlack {
		return ""
	}
	v.reportedOverdue = true
	reason := fmt.Sprintf("not held against the full state for %v", age.Round(time.Second))
	if v.lastFailure != "" {
		reason += ": " + v.lastFailure
	}
	return reason
}
