package records

import "time"

const (
	// minCheckInterval is the minimum interval between the starts of two checks, also of different
	// subscriptions. maxAuditRate limits the bytes of answers per second. If the audits need more
	// to finish in time, the limit is auditRateFactor times the needed rate, because on a busy
	// floor everything is checked twice.
	minCheckInterval = 100 * time.Millisecond
	maxAuditRate     = 1 << 20
	auditRateFactor  = 4
	// maxRunningChecks is the maximum number of checks that run at the same time.
	maxRunningChecks = 2
)

// AuditScheduler schedules the audits of all subscriptions so that a large floor causes a constant load. The
// zero value has no audits.
type AuditScheduler struct {
	verifiers []*Verifier
	nextAt    time.Time
}

// Add adds an audit. The audits are numbered in the order in which they are added, starting with 0.
func (p *AuditScheduler) Add(v *Verifier) {
	v.opts.Subscription = len(p.verifiers)
	p.verifiers = append(p.verifiers, v)
}

// SetInterval sets, for all audits, the time within which every figure is verified.
func (p *AuditScheduler) SetInterval(d time.Duration) {
	for _, v := range p.verifiers {
		v.opts.Interval = d
	}
}

// DueChunk identifies the chunk whose check is next.
type DueChunk struct {
	Subscription int // number of the audit
	Chunk        int
}

// MostUrgent returns the most urgent check that is due. ok is false if none is due or if
// maxRunningChecks checks are running.
func (p *AuditScheduler) MostUrgent(now time.Time) (first DueChunk, ok bool) {
	var at time.Time
	running := 0
	for n, v := range p.verifiers {
		if v.running != nil {
			running++
		}
		if !v.opts.Ready() {
			continue
		}
		if i, verified, due := v.MostUrgentChunk(now); due && (!ok || verified.Before(at)) {
			first, at, ok = DueChunk{n, i}, verified, true
		}
	}
	return first, ok && running < maxRunningChecks
}

// Next is like [AuditScheduler.MostUrgent], but ok is false if the last check began less than
// minCheckInterval ago or [AuditScheduler.DelayNext] has delayed the next one. If it returns true, the
// caller must start the check.
func (p *AuditScheduler) Next(now time.Time) (DueChunk, bool) {
	if now.Before(p.nextAt) {
		return DueChunk{}, false
	}
	t, ok := p.MostUrgent(now)
	if ok {
		p.nextAt = now.Add(minCheckInterval)
	}
	return t, ok
}

// DelayNext delays the next check in proportion to bytes, the size of an answer. This limits the
// load on the platform.
func (p *AuditScheduler) DelayNext(bytes int, now time.Time) {
	rate := 0.0
	for _, v := range p.verifiers {
		rate += auditRateFactor * v.BytesPerSecond()
	}
	pause := time.Duration(float64(bytes) / max(maxAuditRate, rate) * float64(time.Second))
	if p.nextAt.Before(now) {
		p.nextAt = now
	}
	p.nextAt = p.nextAt.Add(pause)
}
