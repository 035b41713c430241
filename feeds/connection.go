package feeds

import (
	"fmt"
	"time"

	"wallboard/model"
)

// startSession makes conn the current session. h is the handler of its frames.
func (f *Feed) startSession(h *handler, conn transport) {
	f.mu.Lock()
	defer f.mu.Unlock()
	now := f.now()
	h.conn = conn
	f.connection.setConn(conn, f.login.Ways.FallbackName(), f.opts.PollEvery)
	f.learner.setConnection(conn)
	f.setLink(model.LinkUp, "")
	f.env.Times.ResetEvidence()
	if !f.connection.isPolling() {
		f.readClock(conn.ResponseHeader(), conn.Opened(), conn.Opened())
	}
	for _, s := range f.subs {
		s.delivery.pollInterval = f.connection.displayed.PollEvery
		s.handleLinkUp(conn, now)
	}
	f.stepAll(now)
}

// endSession records that the session has ended, and sets the displayed state and reason of the
// link. next is the time of the next attempt, attempt its number.
func (f *Feed) endSession(state model.LinkState, reason string, next time.Time, attempt int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.endSessionLocked(state, reason, next, attempt, f.connection.lastFrameAt())
}

// endSessionLocked is [Feed.endSession] for a caller that holds mu. lastFrame is when the last frame arrived
// (if the process was suspended: when the clock was last checked), or zero if there was no session.
func (f *Feed) endSessionLocked(state model.LinkState, reason string, next time.Time, attempt int, lastFrame time.Time) {
	f.connection.clearConn(state, next, attempt, lastFrame)
	f.learner.setConnection(nil)
	f.setLink(state, reason)
	now := f.now()
	for _, s := range f.subs {
		s.handleLinkDown(reason, now)
		if lastFrame := f.connection.displayed.LastFrame; !lastFrame.IsZero() && s.status.FreshUntil.After(lastFrame) {
			s.status.FreshUntil = lastFrame // the link failed before the failure was noticed
		}
	}
	f.publish(now, f.currentHealth(now))
}

// setLink changes the displayed state of the link.
func (f *Feed) setLink(state model.LinkState, reason string) {
	f.connection.setState(state, f.clean(reason), f.now())
	f.dirty = true
	f.sleep.wakeUp()
}

func (f *Feed) setNotice(s string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.connection.notice = f.clean(s)
}

// abortAfterGap aborts the connection if the last check of our clock was longer ago than normal,
// because the process was suspended. It reports whether it aborted the connection. The caller holds
// mu.
func (f *Feed) abortAfterGap(now time.Time) bool {
	gap, before := f.connection.suspendDetector.gap(now), f.connection.suspendDetector.checkedAt.Round(0)
	if gap == 0 {
		return false
	}
	f.connection.suspendDetector = suspendDetector{checkedAt: now}
	if f.connection.conn == nil {
		return false
	}
	reason := fmt.Sprintf("this machine or this program stood still for %v", gap.Round(time.Second))
	f.log.Warn("connection aborted, resynchronizing everything", "reason", reason)
	f.connection.conn.Abort(fmt.Errorf("feeds: %s", reason))
	f.endSessionLocked(model.LinkBackoff, reason, now, 0, before)
	return true
}

// checkLiveness aborts the connection if the process was suspended. It requests the full states if
// the link is silent. The caller holds mu.
func (f *Feed) checkLiveness(now time.Time) {
	f.abortAfterGap(now)
	f.connection.suspendDetector.checkedAt = now
	if f.connection.conn == nil || f.connection.displayed.PollEvery > 0 {
		f.connection.suspendDetector.linkSilent = false
		return
	}
	was := f.connection.suspendDetector.linkSilent
	lastFrame := f.connection.conn.Stats().LastFrame
	if f.connection.suspendDetector.linkSilent = !lastFrame.IsZero() && now.Sub(lastFrame) > maxSilence; !f.connection.suspendDetector.linkSilent || was {
		return
	}
	for _, s := range f.subs {
		if s.activeID != "" {
			s.losses.needsResync = true // the next call of step queries the full state
			s.status.setState(model.SubUnverified, "no data for "+maxSilence.String()+"; the full state is being requested", now)
		}
	}
}
