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

// next takes a payload over: an update, or the full state. It returns the errors
// of one that says the credentials will not do, in the place of data.
func (s *sub) next(id string, payload []byte, now time.Time) []graphqlws.GraphQLError {
	s.status.Messages++
	s.status.Bytes += uint64(len(payload))
	s.env.WholeLists = s.gaps.lists.is()
	got := s.requests.Gather(id, payload, now)
	if got.Piece {
		s.hand.since = now // the answer goes on
	}
	id, full := got.ID, got.Full
	switch {
	case !got.Complete: // a piece of an answer
	case id == s.hand.query:
		return s.answer(full, now)
	case s.audit.Asks(id):
		return s.looked(full, now)
	case s.retired.has(id):
		a, err := s.retired.late(full[0])
		s.count(a, err, now)
	default:
		return s.update(id, full[0], &got, now)
	}
	return nil
}

// update takes a message of a subscription over: of the one that delivers, or of the
// pending one.
func (s *sub) update(id string, payload []byte, got *requests.Received, now time.Time) []graphqlws.GraphQLError {
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
		return nil // the first full state is not there yet: the old picture stays
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
	s.losses.shorter = s.gaps.doubt(s.data.Doubts(), begins(first, got), s.env.WholeLists) || s.losses.shorter
	if err == nil && a.Records > 0 {
		if a.Known > 0 && !got.Opening && id != s.hand.pending && s.delivery.keyed() {
			s.renew = true
			s.respread()
		}
		s.progress.delivered = true
		s.status.updated(a.Records, now)
		if s.audit.Falls(now) {
			s.host.restarted(countersFell)
		}
	}
	return refusal(a)
}

// begins reports whether a message was the first of a subscription or of a piece of it.
func begins(first bool, got *requests.Received) bool { return first || got.Begins }

// count notes the errors of a message. Data with errors are still data.
func (s *sub) count(a picture.Applied, err error, now time.Time) {
	if len(a.Errs) > 0 {
		s.status.Errors++
		s.host.warn(s.doc.Root, "the server reports errors with the data", errors.New(graphqlws.Reasons(a.Errs)))
	}
	if err = errors.Join(err, a.Skipped); err != nil {
		s.host.warn(s.doc.Root, "message not understood", err)
		if errors.Is(err, picture.ErrKeyless) {
			s.unkeyed(now)
			return
		}
		s.doWithout(s.speech.Misread(&s.doc, err))
		s.status.BadMessages++
		s.losses.note(now)
	}
}

// answer takes the full state over, with the updates that came since it was
// asked for on top, and makes the pending subscription the active one.
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
	s.hand.query = "" // its complete is for nobody
	switch {
	case err != nil:
		s.doWithout(s.speech.Misread(&s.doc, err))
		s.status.BadMessages++
		s.host.warn(s.doc.Root, "full state not understood", err)
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
		s.gaps.names = nil // all of them are in it
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
		// What is missing may be gone, or may be what the errors are about.
		s.doWithout(s.speech.Failed(&s.doc, graphqlws.ParseErrors(a.Errs)))
		s.later("the full state came with errors: "+graphqlws.Reasons(a.Errs), now)
		return nil
	}
	s.gaps.dropEarly(&s.filter, s.data)
	if joining || again { // the others are as old as they were
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

// promote makes the pending subscription, if there is one, the active one.
// trusted is whether what is there was better than the full state.
func (s *sub) promote(trusted bool, now time.Time) {
	if s.hand.pending != "" && s.active != "" && s.filter.want != s.hand.fresh { // it changed again meanwhile
		s.filter.behind = s.filter.changed
	}
	if s.hand.pending != "" { // what it takes the place of ends at once, or, where that may still tell something, in a moment
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

// unverified goes on with the updates alone when the full state cannot be had,
// and asks again later.
func (s *sub) unverified(reason string, now time.Time) {
	var kept picture.Backlog
	if s.active == "" { // else they were merged as they came
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

// later says that the full state could not be had, and asks again after a
// while. What is left of an earlier connection is old, not only unverified.
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

// complete handles an operation that the server ended. Nobody asked it to end a
// subscription, so that is made again.
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

// drop forgets a subscription that the server ended, and takes back what was
// asked beside it and is of no use without it.
func (s *sub) drop(id string, now time.Time) {
	others := []string{id, s.hand.query} // id may still be open there: errors do not end it everywhere
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

// loseSmall does without a second subscription, which the server has ended.
func (s *sub) loseSmall(id string, now time.Time) {
	s.joined.refused, s.renew = true, true
	if id == s.hand.pending {
		s.drop(id, now)
		return
	}
	s.requests.Cancel(id) // errors do not end it everywhere
	if s.joined.id = ""; !s.joined.next.Ready {
		s.losses.since = now
	}
}

// unkeyed notes that updates do not say which record they are for.
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
	s.losses.resync = true // what the update was about is known to nobody
	if s.status.State == model.SubLive {
		s.delivery.show(&s.status, now)
	}
}

// doWithout asks again where there are news of fields that cannot be had, without
// these.
func (s *sub) doWithout(news bool) {
	if !news {
		return
	}
	s.status.Lacks = s.status.clean(strings.Join(dialect.Missing(s.speech.Lacks(s.doc.Root), s.speech.Types(s.doc.Root)), ", "))
	s.renew, s.losses.resync, s.losses.askedAt = true, true, time.Time{}
}
