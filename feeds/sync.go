package feeds

import (
	"errors"
	"strings"
	"time"

	"wallboard/feeds/dialect"
	"wallboard/feeds/graphqlws"
	"wallboard/feeds/picture"
	"wallboard/feeds/queries"
	"wallboard/feeds/requests"
	"wallboard/feeds/verify"
	"wallboard/model"
)

// next handles a payload: an update or a part of the full state. It returns the
// errors of a message that rejects the credentials.
func (s *sub) next(id string, payload []byte, now time.Time) []graphqlws.GraphQLError {
	s.status.Messages++
	s.status.Bytes += uint64(len(payload))
	s.env.WholeLists = s.gaps.lists.is()
	got := s.requests.Gather(id, payload, now)
	s.hand.goesOn(got.Piece, now)
	id, full := got.ID, got.Full
	if !got.Complete {
		return nil // part of an answer
	}
	if id == s.hand.query {
		return s.answer(full, now)
	}
	if s.audit.Asks(id) {
		return s.looked(full, now)
	}
	payload = full[0]
	if s.retired.has(id) {
		a, err := s.retired.late(payload)
		s.count(a, err, now)
		return nil
	}
	first := id == s.hand.pending && s.hand.isFirst(got.First)
	if first {
		full, held := s.hand.opens(payload, s.joined.next.Ready, s.active != "", s.env, now)
		if full != nil {
			s.asking(s.hand.fresh, s.hand.sentAt)
			return s.answer(full, now)
		}
		if held {
			return nil
		}
	}
	if !s.hand.keep(payload, id, first, s.active != "") {
		s.losses.note(now)
	}
	if s.active == "" {
		return nil // no full state yet: the old records stay
	}
	if s.delivers(id) {
		s.audit.Keep(payload, now)
		if !s.retired.keepAbove(payload, s.hand.maxKept()) {
			s.losses.note(now)
		}
	}
	s.env.Repeats = s.hand.pending != "" || s.speech.Keyless(s.doc.Root)
	a, err := s.data.Delta(payload, first, s.env)
	s.count(a, err, now)
	s.losses.shorter = s.gaps.doubt(s.data.Doubts(), begins(first, &got), s.env.WholeLists) || s.losses.shorter
	if err == nil && a.Records > 0 {
		s.keyed(a.Known > 0 && !got.Opening && id != s.hand.pending)
		s.progress.delivered = true
		s.status.updated(a.Records, now)
		if s.audit.Falls(now) {
			s.host.restarted(countersFell)
		}
	}
	return refusal(a)
}

// begins reports whether a message was the first of a subscription or of one of
// its pieces.
func begins(first bool, got *requests.Received) bool { return first || got.Begins }

// count records the errors of a message. Data with errors is still data.
func (s *sub) count(a picture.Applied, err error, now time.Time) {
	if len(a.Errs) > 0 {
		s.status.Errors++
		s.host.warn(s.doc.Root, "server reports errors with the data", errors.New(graphqlws.Reasons(a.Errs)))
	}
	if err = errors.Join(err, a.Skipped); err != nil {
		s.host.warn(s.doc.Root, "cannot read message", err)
		if errors.Is(err, picture.ErrKeyless) {
			s.unkeyed(now)
			return
		}
		s.doWithout(s.speech.Misread(&s.doc, err))
		s.status.BadMessages++
		s.losses.note(now)
	}
}

// answer applies the full state, with the updates since the query on top, and
// makes the pending subscription the active one.
func (s *sub) answer(full picture.FullState, now time.Time) []graphqlws.GraphQLError {
	joining, again := s.joined.next.Ready, s.gaps.request.Ready
	s.env.Bare = nil
	if !joining && !again {
		s.status.Unknown = ""
	}
	asked, named := s.asked()
	trusted := s.losses.unbroken && !s.losses.resync
	if trusted {
		s.data.Trust(s.host.ago(), s.filter.parsed.inKeys(asked.Filter), s.filter.parsed.inKeys(s.filter.have.Filter))
	}
	size := full.Size()
	a, err := s.data.Replace(full, s.hand.kept.From(s.hand.mark), named, s.env)
	if refused := refusal(a); refused != nil && err == nil {
		return refused
	}
	s.hand.query = "" // the complete message of the query is ignored
	switch {
	case err != nil:
		s.doWithout(s.speech.Misread(&s.doc, err))
		s.status.BadMessages++
		s.host.warn(s.doc.Root, "cannot read full state", err)
		s.unverified("the full state is not understood: "+err.Error(), now)
		return nil
	case !a.HasData:
		s.doWithout(s.speech.Failed(&s.doc, graphqlws.ParseErrors(a.Errs)))
		s.status.Errors++
		s.unverified("the full state is empty: "+graphqlws.Reasons(a.Errs), now)
		return nil
	}
	s.count(a, nil, now)
	s.gaps.weigh(a.Shown)
	if s.gaps.done(); !joining && !again {
		s.gaps.names = nil // the full state contains all of them
	}
	s.losses.shorter = s.gaps.doubt(s.data.Doubts(), false, s.env.WholeLists) || s.losses.shorter
	s.status.Updates += a.Records
	s.status.LastData, s.progress.delivered = now, true
	anew := s.hand.pending != ""
	if anew && !joining {
		s.hand.learn(a.Records)
	}
	s.promote(trusted, now)
	if len(a.Errs) > 0 {
		// Missing records may be gone, or may be what the errors are about.
		s.doWithout(s.speech.Failed(&s.doc, graphqlws.ParseErrors(a.Errs)))
		s.later("the full state came with errors: "+graphqlws.Reasons(a.Errs), now)
		return nil
	}
	s.gaps.dropEarly(&s.filter, s.data)
	if joining || again { // the other records are not verified by this
		return nil
	}
	s.speech.AllRight(s.doc.Root)
	if !s.progress.verified {
		s.progress.firstAt = now
	}
	s.status.VerifiedAt, s.progress.verified, s.renew = s.losses.askedAt, true, s.renew && !anew
	s.audit.Plan(verify.FullState{Names: queries.Names(s.filter.covered()), Asked: s.losses.askedAt, Took: s.hand.took, Size: size}, now)
	s.delivery.show(&s.status, now)
	return nil
}

// promote makes the pending subscription, if any, the active one. trusted is
// set if our records were newer than the query result.
func (s *sub) promote(trusted bool, now time.Time) {
	if s.hand.pending != "" && s.active != "" && s.filter.want != s.hand.fresh { // the filter changed again meanwhile
		s.filter.behind = s.filter.changed
	}
	if s.hand.pending != "" { // the replaced subscription ends now, or a little later if it may still send something
		old := []string{s.joined.id}
		if s.joined.id = ""; !s.joined.next.Ready {
			old = append(old, s.active)
		}
		s.retired.end()
		s.retired.retire(old, s.hand.kept, now)
		if !trusted {
			s.retired.forget()
		}
	}
	switch {
	case s.hand.pending == "":
	case s.joined.next.Ready:
		s.cover.gathered()
		for _, name := range s.joined.takeIn(s.hand.pending) {
			s.audit.Admit(name)
		}
		s.filter.have = s.hand.fresh
	default:
		s.joined.leaveLarge(now)
		s.hand.took = now.Sub(s.hand.since)
		s.cover.gathered()
		s.active, s.filter.have, s.delivery.began = s.hand.pending, s.hand.fresh, now
	}
	s.abandon()
	s.respread()
}

// unverified continues with updates only because the full state is not
// available, and schedules another query.
func (s *sub) unverified(reason string, now time.Time) {
	var kept picture.Backlog
	if s.active == "" { // otherwise they were merged on arrival
		kept = s.hand.kept
	}
	s.gaps.done()
	s.promote(false, now)
	for p := range kept.From(0) {
		a, err := s.data.Delta(p, false, s.env)
		s.count(a, err, now)
	}
	s.later(reason, now)
}

// later reports that the full state is not available and schedules another
// query. Records from an earlier connection are stale, not just unverified.
func (s *sub) later(reason string, now time.Time) {
	state := model.SubUnverified
	if !s.progress.verified && !s.status.VerifiedAt.IsZero() {
		state = model.SubStale
	}
	s.status.set(state, reason, now)
	s.losses.resync = true
	s.losses.askedAt = now.Add(s.retry.backoff())
}

// fail handles an operation that the server ended with an error.
func (s *sub) fail(id string, errs []graphqlws.GraphQLError, now time.Time) {
	id = s.requests.Whole(id)
	if s.retired.has(id) {
		return // it is being ended anyway
	}
	reason := "refused"
	if len(errs) > 0 {
		reason = errs[0].Message
	}
	s.status.Errors++
	s.host.warn(s.doc.Root, "operation refused", errors.New(reason))
	if s.audit.Asks(id) {
		s.audit.Fail("the query for the full state is refused: "+reason, now)
		return
	}
	if id == s.hand.query {
		s.hand.query = ""
		s.unverified("the query for the full state is refused: "+reason, now)
		return
	}
	if s.joined.is(id, s.hand.pending) {
		s.loseSmall(id, now)
		return
	}
	s.drop(id, now)
	s.retry.at = now.Add(s.retry.backoff())
	s.status.set(model.SubRefused, reason, now)
}

// complete handles an operation that the server ended. A subscription ended
// without our request is made again.
func (s *sub) complete(id string, now time.Time) {
	id = s.requests.Whole(id)
	if s.retired.has(id) {
		return
	}
	if s.audit.Asks(id) {
		s.audit.Fail("the server ended the query for the full state without an answer", now)
		return
	}
	if id == s.hand.query {
		s.hand.query = ""
		s.unverified("the server ended the query for the full state without an answer", now)
		return
	}
	if s.joined.is(id, s.hand.pending) {
		s.loseSmall(id, now)
		return
	}
	lasted := id == s.active && s.delivery.lasted(now)
	if s.drop(id, now); lasted {
		s.step(now)
		return
	}
	s.retry.at = now.Add(s.retry.backoff())
	if s.active == "" {
		s.status.set(model.SubBackoff, "the server ended the subscription", now)
	}
}

// drop removes a subscription that the server ended, and cancels the operations
// that depend on it.
func (s *sub) drop(id string, now time.Time) {
	others := []string{id, s.hand.query} // id may still be open on the server: an error does not end it everywhere
	if id == s.active {
		others = append(others, s.hand.pending)
		s.active, s.filter.have = "", queries.Request{}
		s.retired.forget()
		s.joined.leaveLarge(now)
	}
	if id == s.hand.pending {
		s.joined.stay(now)
	}
	for _, o := range others {
		if o != "" {
			s.requests.Cancel(o)
		}
	}
	s.abandon()
}

// loseSmall gives up the small subscription, which the server ended.
func (s *sub) loseSmall(id string, now time.Time) {
	s.joined.refused, s.renew = true, true
	if id == s.hand.pending {
		s.drop(id, now)
		return
	}
	s.requests.Cancel(id) // an error does not end it everywhere
	if s.joined.id = ""; !s.joined.next.Ready {
		s.losses.since = now
	}
}

// unkeyed records that an update does not say which record it is for.
func (s *sub) unkeyed(now time.Time) {
	believed, news := s.speech.Unkeyed(s.doc.Root)
	if !believed {
		s.status.BadMessages++
		s.losses.note(now)
		return
	}
	if news {
		s.status.BadMessages++
	}
	s.respread()
	s.losses.resync = true // the content of the update is lost
	if s.status.State == model.SubLive {
		s.delivery.show(&s.status, now)
	}
}

// keyed records updates that say which record they are for, against the belief
// that updates do not.
func (s *sub) keyed(is bool) {
	if is && s.speech.Keyed(s.doc.Root) {
		s.renew = true
		s.respread()
	}
}

// doWithout asks again without the missing fields, if there are new ones.
func (s *sub) doWithout(news bool) {
	if !news {
		return
	}
	s.status.Lacks = s.status.clean(strings.Join(dialect.Missing(s.speech.Lacks(s.doc.Root), s.speech.Types(s.doc.Root)), ", "))
	s.renew, s.losses.resync, s.losses.askedAt = true, true, time.Time{}
}
