package records

import "time"

const (
	// minCheckInterval is the minimum interval between two checks of any subscriptions.
	// maxAuditRate limits the size of the answers per second, in bytes. If the audits need a higher
	// rate to finish in time, the limit is auditRateFactor times that rate, because on a busy floor
	// everything is checked twice.
	minCheckInterval = 100 * time.Millisecond
	maxAuditRate     = 1 << 20
	auditRateFactor  = 4
	// maxRunningChecks limits the concurrent checks.
	maxRunningChecks = 2
)

// Pacer schedules the audits of all subscriptions evenly, so that a large floor
// causes a constant load. The zero value has no audits.
type Pacer struct {
	verifiers []*Verifier
	nextAt    time.Time
}

// Add adds an audit and sets its number.
func (p *Pacer) Add(v *Verifier) {
	v.opts.Subscription = len(p.verifiers)
	p.verifiers = append(p.verifiers, v)
}

// SetInterval sets the time within which every figure is verified.
func (p *Pacer) SetInterval(d time.Duration) {
	for _, v := range p.verifiers {
		v.opts.Interval = d
	}
}

// Turn identifies the chunk to check.
type Turn struct {
	Subscription int // number of the subscription
	Chunk        int
}

// MostUrgent returns the most urgent due check, unless enough are running.
func (p *Pacer) MostUrgent(now time.Time) (first Turn, ok bool) {
	var at time.Time
	under := 0
	for n, v := range p.verifiers {
		if v.running != nil {
			under++
		}
		if !v.opts.Ready() {
			continue
		}
		if i, verified, due := v.MostUrgentChunk(now); due && (!ok || verified.Before(at)) {
			first, at, ok = Turn{n, i}, verified, true
		}
	}
	return first, ok && under < maxRunningChecks
}

// Next is like [Pacer.MostUrgent] but limits the rate; the caller must start the
// check.
func (p *Pacer) Next(now time.Time) (Turn, bool) {
	if now.Before(p.nextAt) {
		return Turn{}, false
	}
	t, ok := p.MostUrgent(now)
	if ok {
		p.nextAt = now.Add(minCheckInterval)
	}
	return t, ok
}

// DelayNext delays the next check according to the size of an answer.
func (p *Pacer) DelayNext(bytes int, now time.Time) {
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
