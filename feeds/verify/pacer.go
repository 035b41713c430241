package verify

import "time"

const (
	// lookEvery is the least time between two looks of all subscriptions, and
	// auditRate how many bytes of answers a second they may cost, unless a pass
	// would not come to its end in time then: auditSpare times what that takes.
	// Where everything changes all the time, all of it is looked at twice.
	lookEvery  = 100 * time.Millisecond
	auditRate  = 1 << 20
	auditSpare = 4
	// looksAtOnce bounds how many looks wait for their answers.
	looksAtOnce = 2
)

// Pacer paces the audits of all subscriptions, so that a big floor costs the
// platform the same at any time. Its zero value paces none.
type Pacer struct {
	all    []*Verifier
	nextAt time.Time
}

// Add paces one more audit. Its number is that of those before it.
func (p *Pacer) Add(v *Verifier) {
	v.opts.Number = len(p.all)
	p.all = append(p.all, v)
}

// SetInterval sets for how long no figure of any goes unverified.
func (p *Pacer) SetInterval(d time.Duration) {
	for _, v := range p.all {
		v.opts.Interval = d
	}
}

// Turn is a look at a chunk whose turn it is.
type Turn struct {
	Number int // of the subscription
	Chunk  int
}

// Urgent returns the most urgent look that is due, if any is and not enough of them
// wait for their answers.
func (p *Pacer) Urgent(now time.Time) (first Turn, ok bool) {
	var at time.Time
	under := 0
	for n, v := range p.all {
		if v.look != nil {
			under++
		}
		if !v.opts.Ready() {
			continue
		}
		if i, verified, due := v.Urgent(now); due && (!ok || verified.Before(at)) {
			first, at, ok = Turn{n, i}, verified, true
		}
	}
	return first, ok && under < looksAtOnce
}

// Next is [Pacer.Urgent] at a pace: the look that it returns is to begin.
func (p *Pacer) Next(now time.Time) (Turn, bool) {
	if now.Before(p.nextAt) {
		return Turn{}, false
	}
	t, ok := p.Urgent(now)
	if ok {
		p.nextAt = now.Add(lookEvery)
	}
	return t, ok
}

// Spend delays the next look by what an answer of so many bytes has cost.
func (p *Pacer) Spend(bytes int, now time.Time) {
	rate := 0.0
	for _, v := range p.all {
		rate += auditSpare * v.Cost()
	}
	pause := time.Duration(float64(bytes) / max(auditRate, rate) * float64(time.Second))
	if p.nextAt.Before(now) {
		p.nextAt = now
	}
	p.nextAt = p.nextAt.Add(pause)
}
