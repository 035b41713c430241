package feeds

import (
	"time"

	"wallboard/feeds/picture"
	"wallboard/model"
)

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
	// restartEvery bounds how often everything is asked for again because the
	// platform seems to have started anew.
	restartEvery = 30 * time.Second
)

// auditor paces the audits of all subscriptions, so that a big floor costs the
// platform the same at any time.
type auditor struct {
	nextAt    time.Time
	marks     picture.Marks
	renewedAt time.Time
}

// spend delays the next look by what an answer has cost, at so many bytes a
// second.
func (a *auditor) spend(bytes int, rate float64, now time.Time) {
	pause := time.Duration(float64(bytes) / rate * float64(time.Second))
	a.nextAt = later(a.nextAt, now).Add(pause)
}

// auditRate is how many bytes of answers a second the audits may cost.
func (f *Feed) auditRate() float64 {
	rate := 0.0
	for _, s := range f.subs {
		rate += auditSpare * s.audit.Cost()
	}
	return max(auditRate, rate)
}

// stepAudit starts the look that is due first.
func (f *Feed) stepAudit(now time.Time) {
	f.auditor.marks.Note(f.store.Version(), now)
	if now.Before(f.auditor.nextAt) {
		return
	}
	if s, chunk := f.dueLook(now); s != nil {
		s.startLook(chunk, f.auditor.marks.Before(now), now)
		f.auditor.nextAt = now.Add(lookEvery)
	}
}

// dueLook returns the most urgent look that is due, a nil subscription when none
// is or when enough of them wait for their answers.
func (f *Feed) dueLook(now time.Time) (first *sub, chunk int) {
	var at time.Time
	under := 0
	for _, s := range f.subs {
		if s.audit.Query() != "" {
			under++
		}
		if !s.looks() {
			continue
		}
		if i, verified, ok := s.audit.Urgent(now); ok && (first == nil || verified.Before(at)) {
			first, chunk, at = s, i, verified
		}
	}
	if under >= looksAtOnce {
		return nil, 0
	}
	return first, chunk
}

// logDrift writes down what was wrong.
func (f *Feed) logDrift(op string, d *picture.Difference, of int) {
	f.log.Warn("drift repaired", "operation", op, "kind", string(d.Kind), "record", f.clean(d.Name), "field", d.Path,
		"ours", model.CleanText(f.login.redact(d.Ours), model.MaxBody),
		"theirs", model.CleanText(f.login.redact(d.Theirs), model.MaxBody), "of", of)
}

// renewAll subscribes to everything again, beside what there is, because the
// platform started anew: what was subscribed before may be silent for ever.
func (f *Feed) renewAll(why string) {
	now := f.now()
	if f.line.conn == nil || !f.auditor.renewedAt.IsZero() && now.Sub(f.auditor.renewedAt) < restartEvery {
		return
	}
	f.auditor.renewedAt = now
	f.restarts++
	f.dirty = true
	f.log.Warn("the platform started anew; everything is asked for again", "why", why)
	for _, s := range f.subs {
		if s.active != "" {
			s.renew = true
			s.audit.CancelLook()
		}
	}
}

// noteServer looks for signs of a new start after an answer about the server.
func (f *Feed) noteServer(before model.ServerVersion, health model.ServerHealth) {
	now := f.version.Value.Server
	if before.Major.Known() && now.Major.Known() && before != now {
		f.renewAll("its version has changed")
	}
	if was, is := health.Unwell(), f.health.Value.Unwell(); was && !is {
		f.renewAll("it is well again")
	}
}
