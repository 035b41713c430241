package feeds

import (
	"time"

	"wallboard/feeds/graphql"
	"wallboard/model"
)

// handler receives the frames of one session. Each session has its own handler, so late frames of
// an old session have no effect.
type handler struct {
	feed *Feed
	conn transport // set with the feed's mutex held when the session becomes current

	deliveredData bool // the session has delivered data that needs credentials; guarded by the feed's mutex
}

// lockIfCurrent locks the feed and reports whether the handler's session is still the current one.
// The caller calls unlock in either case.
func (h *handler) lockIfCurrent() bool {
	h.feed.mu.Lock()
	return h.conn != nil && h.feed.connection.conn == h.conn && !h.feed.abortAfterGap(h.feed.now())
}

// unlock unlocks the feed. It ends the sleep of the ticker if the message has made work due before
// the end of the sleep.
func (h *handler) unlock() {
	f := h.feed
	defer f.mu.Unlock() // also if a broken state makes hasDueWork panic, which ends only the session
	if f.sleep.active && f.publisher.nextRun(&f.sleep, f.opts.Publish, f.hasDueWork(f.now()), f.dirty || f.store.IsDirty()).Before(f.sleep.until) {
		f.sleep.wakeUp()
	}
}

// Next implements graphql.Handler.
func (h *handler) Next(id string, payload []byte) {
	defer h.unlock()
	if !h.lockIfCurrent() {
		return
	}
	f, now := h.feed, h.feed.now()
	f.env.Now, f.env.ReceivedAt = now.Add(f.clock.offset), now
	if f.learner.handleAnswer(id, payload) {
		f.dirty = true
		return
	}
	if s := f.subs.byID(id); s != nil {
		h.deliver(s, id, payload, now)
	}
}

// deliver passes a payload to s, the subscription to which the operation id belongs.
func (h *handler) deliver(s *subscription, id string, payload []byte, now time.Time) {
	f := h.feed
	if onPayload := f.opts.OnPayload; onPayload != nil {
		onPayload(s.doc.Root, s.requests.IsQuery(id), payload)
	}
	before := s.status
	version, health, asked := f.version.Value.Server, f.health.Value, s.audit.IsRunning(s.requests.OperationID(id))
	if refused := s.handlePayload(id, payload, now); refused != nil {
		h.handleRefused(s, id, refused)
	}
	h.deliveredData = h.deliveredData || s.progress.delivered && s.doc.Filtered
	if len(f.env.BareTypes) > 0 {
		f.learner.handleUnexpectedTypes(s, f.env.BareTypes)
		f.env.BareTypes = nil
	}
	f.requeryChangedUnits()
	s.step(now)
	if asked {
		f.auditScheduler.DelayNext(len(payload), now)
	}
	if s.doc.Root == opVersion || s.doc.Root == opServerHealth {
		f.checkServerRestart(version, health)
	}
	f.dirty = f.dirty || s.status.State != before.State || s.status.BadMessages != before.BadMessages ||
		s.status.Drift != before.Drift
}

// checkServerRestart subscribes to all operations again if the last message changed the server's
// version or its health from bad to good. before and health are the version and the health before
// this message.
func (f *Feed) checkServerRestart(before model.ServerVersion, health model.ServerHealth) {
	now := f.version.Value.Server
	if before.Major.Known() && now.Major.Known() && before != now {
		f.resubscribeAll("its version has changed")
	}
	if wasUnwell, isUnwell := health.IsUnhealthy(), f.health.Value.IsUnhealthy(); wasUnwell && !isUnwell {
		f.resubscribeAll("it is well again")
	}
}

// Fail implements graphql.Handler.
func (h *handler) Fail(id string, errs []graphql.Error) {
	defer h.unlock()
	if !h.lockIfCurrent() {
		return
	}
	if h.feed.learner.handleRefusal(id) {
		h.feed.dirty = true
	} else if s := h.feed.subs.byID(id); s != nil {
		h.handleRefused(s, id, errs)
	}
}

// handleRefused handles an operation that the server refused with errs. It ends the connection,
// changes the request, or schedules the next attempt.
func (h *handler) handleRefused(s *subscription, id string, errs []graphql.Error) {
	f := h.feed
	f.dirty = true
	if refused := graphql.FindUnauthorized(errs); refused != nil && (s.progress.delivered || !f.subs.isAuthorized()) {
		// The credentials are invalid or have expired: reconnect with new ones. Document 2 has no
		// separate code for a forbidden operation. If this operation has never delivered data and
		// others have, only the operation is forbidden.
		h.conn.Abort(refused)
		return
	}
	if !f.learner.adaptRequest(s, id, errs) {
		s.handleFailure(id, errs, f.now())
	}
}

// Complete implements graphql.Handler.
func (h *handler) Complete(id string) {
	defer h.unlock()
	if !h.lockIfCurrent() {
		return
	}
	if s := h.feed.subs.byID(id); s != nil {
		s.handleComplete(id, h.feed.now())
		h.feed.dirty = true
	}
}

// UnreadableFrame implements graphql.Handler.
func (h *handler) UnreadableFrame(reason string, frame []byte, lost bool) {
	defer h.unlock()
	if !h.lockIfCurrent() {
		return
	}
	f := h.feed
	f.dirty = true
	f.problems.countBadFrame(reason, frame)
	if !lost {
		return
	}
	for _, s := range f.subs { // any operation may have lost data in this frame
		if s.activeID != "" || s.handover.queryID != "" {
			s.losses.recordLoss(f.now())
		}
	}
}
