package records

import "time"

const (
	// checkEvery is the minimum interval between two checks of any subscriptions. auditRate limits
	// the size of the answers per second, in bytes. If the audits need a higher rate to finish in
	// time, the limit is auditSpare times that rate, because on a busy floor everything is checked
	// twice.
	checkEvery = 100 * time.Millisecond
	auditRate  = 1 << 20
	auditSpare = 4
	// maxRunning limits the concurrent checks.
	maxRunning = 2
)

// Pacer schedules the audits of all subscriptions evenly, so that a large floor
// causes a constant load. The zero value has no audits.
type Pacer struct {
	verifiers []*Verifier
	nextAt    time.Time
}

// Add adds an audit and sets its number.
func (p *Pacer) Add(v *Verifier) {
	v.opts.Number = len(p.verifiers)
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
	Number int // number of the subscription
	Chunk  int
}

// Urgent returns the most urgent due check, unless enough are running.
func (p *Pacer) Urgent(now time.Time) (first Turn, ok bool) {
	var at time.Time
	under := 0
	for n, v := range p.verifiers {
		if v.running != nil {
			under++
		}
		if !v.opts.Ready() {
			continue
		}
		if i, verified, due := v.Urgent(now); due && (!ok || verified.Before(at)) {
			first, at, ok = Turn{n, i}, verified, true
		}
	}
	return first, ok && under < maxRunning
}

// Next is like [Pacer.Urgent] but limits the rate; the caller must start the
// check.
func (p *Pacer) Next(now time.Time) (Turn, bool) {
	if now.Before(p.nextAt) {
		return Turn{}, false
	}
	t, ok := p.Urgent(now)
	if ok {
		p.nextAt = now.Add(checkEvery)
	}
	return t, ok
}

// AddCost delays the next check according to the size of an answer.
func (p *Pacer) AddCost(bytes int, now time.Time) {
	rate := 0.0
	for _, v := range p.verifiers {
		rate += auditSpare * v.Cost()
	}
	pause := time.Duration(float64(bytes) / max(auditRate, rate) * float64(time.Second))
	if p.nextAt.Before(now) {
		p.nextAt = now
	}
	p.nextAt = p.nextAt.Add(pause)
}
