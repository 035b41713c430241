package feeds

import (
	"time"

	"wallboard/feeds/picture"
	"wallboard/model"
)

// restartEvery bounds how often everything is asked for again because the platform
// seems to have started anew.
const restartEvery = 30 * time.Second

// restarts are the times that the platform started anew.
type restarts struct {
	n  uint64
	at time.Time // the last one
}

// begins notes that it seems to have done so, and reports whether that is news.
func (r *restarts) begins(now time.Time) bool {
	if !r.at.IsZero() && now.Sub(r.at) < restartEvery {
		return false
	}
	r.n, r.at = r.n+1, now
	return true
}

// logDrift writes down what was wrong.
func (f *Feed) logDrift(op string, d *picture.Difference, of int) {
	f.log.Warn("drift repaired", "operation", op, "kind", string(d.Kind), "record", f.clean(d.Name), "field", d.Path,
		"ours", model.CleanText(f.login.Redact(d.Ours), model.MaxBody),
		"theirs", model.CleanText(f.login.Redact(d.Theirs), model.MaxBody), "of", of)
}

// renewAll subscribes to everything again, beside what there is, because the
// platform started anew: what was subscribed before may be silent for ever.
func (f *Feed) renewAll(why string) {
	if f.line.conn == nil || !f.restarts.begins(f.now()) {
		return
	}
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
