package records

import (
	"fmt"
	"iter"
	"math"
	"time"

	"wallboard/feeds/graphql"
	"wallboard/feeds/merge"
	"wallboard/model"
)

const (
	// firstCheckDelay is the delay between a full state and the first check of its records.
	firstCheckDelay = 5 * time.Second
	// earlyCheckDelay is the delay between a full state and the early check of its records. It is
	// at least as long as most platforms gather updates. The early check applies to subscriptions
	// with at most maxEarlyRecords records, so that it adds little load.
	earlyCheckDelay = time.Second
	maxEarlyRecords = 500
	// unitCheckDelay replaces firstCheckDelay if another full state is needed to detect the unit of
	// a time.
	unitCheckDelay = 2 * time.Second
	// maxUnitChecks limits how many checks of a chunk are brought forward to detect a unit.
	maxUnitChecks = 5
	// auditTolerance is how late figures may be verified without counting as overdue.
	auditTolerance = 2 * time.Second
	// driftInterval is the interval between checks for driftDuration after a lost update was found.
	driftInterval = 15 * time.Second
	driftDuration = 10 * time.Minute
	// healthInterval is how often serverHealth is queried. An answer shows that the service behind
	// the connection still works.
	healthInterval = 15 * time.Second
	// minSpread is the earliest time of a chunk's second check, as a share of the interval.
	// goldenRatio distributes any number of chunks evenly over the interval.
	minSpread   = 0.3
	goldenRatio = 0.618034

	queryTimeout    = 15 * time.Second
	maxQueryTimeout = 2 * time.Minute
	maxRetryDelay   = 30 * time.Second
	// maxBuffered limits the size in bytes of the updates that are buffered during a check.
	maxBuffered = 16 << 20
)

// AnswerTimeout returns how long to wait for a full state. failures is the number of failed
// attempts in a row.
func AnswerTimeout(failures int) time.Duration {
	return min(maxQueryTimeout, queryTimeout<<min(failures, 8))
}

// VerifiedRecords provides the records that a [Verifier] checks.
type VerifiedRecords interface {
	// Compare compares the records with a full answer. The caller must then call Repair with the
	// differences to repair.
	Compare(answer FullState, later iter.Seq[[]byte], env *merge.Env, in CompareScope) (Findings, error)
	Repair(some []Difference)
	// WatchSuspects makes updates mark each suspect that they change or repeat. A nil map ends the watch.
	WatchSuspects(chunk int, suspects map[SuspectKey]*SuspectValue)
	// FallenCounters returns how many records of the last update have a counter that fell.
	// NonZeroCount returns how many records have a counter above 0.
	FallenCounters() int
	NonZeroCount() int
	// Records returns the number of records.
	Records() int
}

// AuditQuerier sends the queries of the audit.
type AuditQuerier interface {
	// SendQuery sends a query. An error means that the session has ended. The caller need not handle it.
	SendQuery(r graphql.Request, now time.Time) (id string, err error)
	// Cancel cancels the query id.
	Cancel(id string)
}

// VerifierOptions configures a [Verifier].
type VerifierOptions struct {
	Op           model.Op
	Interval     time.Duration // interval within which every figure is verified
	Subscription int           // number of the audit, which distributes the checks within the interval
	// Ready reports whether a check can begin now.
	Ready func() bool
	// SeeksUnits reports whether another full state would help to detect the unit of a time.
	SeeksUnits func() bool
}

// Verifier audits one subscription: it periodically compares the records with the platform's and
// repairs differences.
type Verifier struct {
	Chunks []Chunk // empty before the first full state

	opts    VerifierOptions
	data    VerifiedRecords
	env     *merge.Env
	querier AuditQuerier

	fullStateSize   int           // in bytes
	running         *runningCheck // nil: no check is running
	frequentUntil   time.Time     // until when the audit checks more often after a lost update
	syncedAt        time.Time     // when the newest applied full state was queried
	failures        int           // number of failed checks in a row
	lastFailure     string        // why the last check failed; "": it succeeded
	reportedOverdue bool          // OverdueReason has reported that the figures are too old
	fallenCounters  fallenCounters
}

// NewVerifier returns a Verifier of the records in data. The Verifier does nothing before the first
// call of [Verifier.Restart].
func NewVerifier(o VerifierOptions, data VerifiedRecords, env *merge.Env, asker AuditQuerier) *Verifier {
	return &Verifier{opts: o, data: data, env: env, querier: asker}
}

// AppliedState describes a full state that was applied to the records.
type AppliedState struct {
	Names      []string      // names in the filter, sorted
	AskedAt    time.Time     // when the full state was queried
	AnswerTime time.Duration // how long the answer took
	Size       int           // in bytes
}

// Restart starts the audit again after a full state was applied.
func (v *Verifier) Restart(full AppliedState, now time.Time) {
	v.Stop()
	v.fullStateSize, v.syncedAt, v.failures, v.lastFailure = full.Size, full.AskedAt, 0, ""
	parts := cutNames(full.Names, v.data.Records(), chunkSize(v.data.Records(), full.AnswerTime))
	v.Chunks = make([]Chunk, len(parts))
	for i := range v.Chunks {
		_, place := math.Modf(float64(v.opts.Subscription+i) * goldenRatio)
		v.Chunks[i] = Chunk{Names: parts[i], verifiedAt: full.AskedAt, dueAt: now.Add(firstCheckDelay), position: place}
	}
	if v.opts.SeeksUnits() {
		v.Chunks[0].dueAt = now.Add(unitCheckDelay)
	}
	if len(v.Chunks) == 1 && v.data.Records() <= maxEarlyRecords && v.opts.Op != model.OpServerHealth {
		v.Chunks[0].earlyCheckAt = now.Add(earlyCheckDelay)
	}
}

// Stop ends the audit until the next call of Restart.
func (v *Verifier) Stop() {
	v.CancelCheck()
	for i := range v.Chunks {
		v.data.WatchSuspects(i, nil)
	}
	v.Chunks, v.reportedOverdue = nil, false
}

// checkInterval returns the interval between the first checks of a chunk. So that every figure is
// verified in time, it is shorter than the configured interval: by 4/3 of the time that the slowest
// chunk took in the last pass, and by auditTolerance. It is at least half the configured interval.
func (v *Verifier) checkInterval() time.Duration {
	slowest := lateRecheckDelay
	for i := range v.Chunks {
		slowest = max(slowest, v.Chunks[i].lastDuration)
	}
	return max(v.opts.Interval-slowest-slowest/3-auditTolerance, v.opts.Interval/2)
}

// BytesPerSecond returns the average number of bytes of answers that the audit receives per second.
func (v *Verifier) BytesPerSecond() float64 {
	return float64(v.fullStateSize) / v.checkInterval().Seconds()
}

// FinishCheck schedules the next check of chunk i. verified is the time at which all figures were
// last known to be correct, and since is the new value of this time. wasOverdue is true if the
// figures had been reported as overdue and are not overdue any more.
func (v *Verifier) FinishCheck(i int, verified, now time.Time) (since time.Time, wasOverdue bool) {
	c := &v.Chunks[i]
	v.data.WatchSuspects(i, c.Suspects)
	if len(c.Suspects) > 0 {
		return verified, false
	}
	if c.awaitsEarlyCheck() {
		c.Suspects, c.earlyCheckAt = nil, time.Time{}
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
	if v.reportedOverdue && now.Sub(verified) <= v.opts.Interval+auditTolerance {
		v.reportedOverdue, wasOverdue = false, true
	}
	return verified, wasOverdue
}

// nextDelay returns the delay until the next first check of a chunk. After a full state, the first
// checks of all chunks are due together. Later checks are distributed over the interval, so that
// the load becomes constant.
func (v *Verifier) nextDelay(c *Chunk, now time.Time) time.Duration {
	if v.opts.Op == model.OpServerHealth {
		return healthInterval
	}
	interval := v.checkInterval()
	if now.Before(v.frequentUntil) {
		return min(driftInterval, interval)
	}
	if c.passCount <= maxUnitChecks && v.opts.SeeksUnits() {
		return min(unitCheckDelay<<max(0, c.passCount-1), interval)
	}
	if c.passCount == 1 {
		return time.Duration(float64(interval) * (minSpread + (1-minSpread)*c.position))
	}
	return interval
}

// OverdueReason returns the reason why the figures are too old, or "" if they are not. verified is when
// they were last verified.
func (v *Verifier) OverdueReason(verified, now time.Time) string {
	age := now.Sub(verified)
	if verified.IsZero() || len(v.Chunks) == 0 || age <= v.opts.Interval+auditTolerance {
		return ""
	}
	v.reportedOverdue = true
	reason := fmt.Sprintf("not held against the full state for %v", age.Round(time.Second))
	if v.lastFailure != "" {
		reason += ": " + v.lastFailure
	}
	return reason
}
