package feeds

import (
	"time"

	"wallboard/feeds/graphqlws"
	"wallboard/model"
)

// handler is what a session's reader calls. It belongs to one session, so that
// a late frame of an old one reaches nothing.
type handler struct {
	f    *Feed
	conn transport // set under the feed's mutex when the session is taken over

	worked bool // it brought data that need credentials; the feed's mutex guards it
}

// current locks the feed and reports whether the session is still the feed's.
func (h *handler) current() bool {
	h.f.mu.Lock()
	if h.conn == nil || h.f.line.conn != h.conn || h.f.cutByGap(h.f.now()) {
		return false
	}
	h.f.sleep.rouse()
	return true
}

// Next implements graphqlws.Handler.
func (h *handler) Next(id string, payload []byte) {
	defer h.f.mu.Unlock()
	if !h.current() {
		return
	}
	f, now := h.f, h.f.now()
	f.env.Now, f.env.Received = now.Add(f.clock.offset), now
	if f.learner.answered(id, payload) {
		f.dirty = true
		return
	}
	if s := f.subs.owner(id); s != nil {
		h.next(s, id, payload, now)
	}
}

// next hands a payload to its subscription.
func (h *handler) next(s *sub, id string, payload []byte, now time.Time) {
	f := h.f
	if see := f.opts.OnPayload; see != nil {
		see(s.doc.Root, s.requests.IsQuery(id), payload)
	}
	before := s.status
	version, health, asked := f.version.Value.Server, f.health.Value, s.audit.Asks(s.requests.Whole(id))
	if refused := s.next(id, payload, now); refused != nil {
		h.refused(s, id, refused)
	}
	h.worked = h.worked || s.progress.delivered && s.doc.Filtered
	if len(f.env.Bare) > 0 {
		f.learner.meet(s, f.env.Bare)
		f.env.Bare = nil
	}
	f.takeUnits()
	s.step(now)
	if asked {
		f.pacer.Spend(len(payload), now)
	}
	if s.doc.Root == opVersion || s.doc.Root == opServerHealth {
		f.noteServer(version, health)
	}
	f.dirty = f.dirty || s.status.State != before.State || s.status.BadMessages != before.BadMessages ||
		s.status.Drift != before.Drift
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

// Fail implements graphqlws.Handler.
func (h *handler) Fail(id string, errs []graphqlws.GraphQLError) {
	defer h.f.mu.Unlock()
	if !h.current() {
		return
	}
	if h.f.learner.refused(id) {
		h.f.dirty = true
	} else if s := h.f.subs.owner(id); s != nil {
		h.refused(s, id, errs)
	}
}

// refused handles an operation that the server refuses.
func (h *handler) refused(s *sub, id string, errs []graphqlws.GraphQLError) {
	f := h.f
	f.dirty = true
	if refused := graphqlws.Unauthorized(errs); refused != nil && (s.progress.delivered || !f.subs.authorized()) {
		// The credentials are good for nothing, or no longer: start over with
		// new ones. Document 2 has no other code for a single operation that is
		// not allowed, so one that never delivered while others do is only that.
		h.conn.Abort(refused)
		return
	}
	if !f.learner.adapt(s, id, errs) {
		s.fail(id, errs, f.now())
	}
}

// Complete implements graphqlws.Handler.
func (h *handler) Complete(id string) {
	defer h.f.mu.Unlock()
	if !h.current() {
		return
	}
	if s := h.f.subs.owner(id); s != nil {
		s.complete(id, h.f.now())
		h.f.dirty = true
	}
}

// Bad implements graphqlws.Handler.
func (h *handler) Bad(reason string, frame []byte, lost bool) {
	defer h.f.mu.Unlock()
	if !h.current() {
		return
	}
	f := h.f
	f.dirty = true
	f.troubles.badFrame(reason, frame)
	if !lost {
		return
	}
	for _, s := range f.subs { // whose data it held is not known
		if s.active != "" || s.hand.query != "" {
			s.losses.note(f.now())
		}
	}
}
