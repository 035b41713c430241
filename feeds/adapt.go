package feeds

import (
	"strconv"
	"time"

	"wallboard/feeds/dialect"
	"wallboard/feeds/graphqlws"
	"wallboard/model"
)

// maxAdaptions bounds how often a subscription is tried again in another way on
// one connection.
const maxAdaptions = 32

// adapting is what was tried on a connection to be understood by the server.
type adapting struct {
	times    int   // that it was spoken to in another way
	searched bool  // what it does not take was looked for
	hunt     *hunt // nil: no search is under way
}

// adapt changes how the server is spoken to after it refused an operation, and
// starts that again. It returns false when there is nothing left to change.
func (l *learner) adapt(s *sub, id string, errs []graphqlws.GraphQLError) bool {
	how, known := s.requests.Sent(id)
	if !known || s.adapted.times >= maxAdaptions || s.small(s.requests.Whole(id)) { // the large one is spoken as this is
		return false
	}
	s.adapted.times++
	if s.requests.BearsOne(id, s.hand.pending) {
		return s.again(id, 0, l.now())
	}
	r := dialect.ReadComplaint(s.doc.Root, how, errs)
	wait, ok := l.heed(s, id, how, &r)
	if !ok {
		wait, ok = l.tryOther(s, id, how, &r)
	}
	if !ok {
		return !r.Root && l.searches(s, id, errs)
	}
	reason := ""
	if len(errs) > 0 {
		reason = errs[0].Message
	}
	l.log.Info("trying in another way what the server refused", "operation", s.doc.Root, "reason", l.clean(reason))
	return s.again(id, wait, l.now())
}

// heed does what the server says about a request.
func (l *learner) heed(s *sub, id string, how dialect.Sent, r *dialect.Complaint) (wait time.Duration, ok bool) {
	switch {
	case l.speech.Outdated(&s.doc, how, s.requests.Root()), r.Root && l.otherRoot(s, id, r.Meant):
	case r.Shape && l.awaitsSchema(): // it tells in which shape a field may be asked for
		l.askSchema()
		wait = introspectionPatience
	case r.Shape && l.schemaSays(s), l.lacking(s, r):
	case r.TooMuch && l.speech.Halve(s.doc.Root, how.Keys):
	case r.Filters && l.otherFilters(s):
	default:
		return 0, false
	}
	return wait, true
}

// tryOther changes what the server does not speak of, and may mean.
func (l *learner) tryOther(s *sub, id string, how dialect.Sent, r *dialect.Complaint) (wait time.Duration, ok bool) {
	switch {
	case l.schemaSays(s):
	case l.awaitsSchema():
		l.askSchema()
		wait = introspectionPatience
	case r.Root && l.mute(s, id, "the platform has no subscription "+s.requests.Root()):
	case l.otherFilters(s):
	case how.Keys > manyKeys && l.speech.Halve(s.doc.Root, how.Keys):
	default:
		return 0, false
	}
	return wait, true
}

// manyKeys is how many keys make a filter long enough to be refused for its
// length by a server that does not say why.
const manyKeys = 100

// otherFilters sends filters the other way, once per connection, unless the
// server has taken one as it is.
func (l *learner) otherFilters(s *sub) bool {
	return s.doc.Filtered && !l.subs.authorized() && l.speech.OtherFilters()
}

// halveLargest asks for less at a time in the place of the longest request that
// is under way: it is what a server has no room for that does not say which. One
// such end of a connection may be nonsense; it is done when there were several.
// It returns false when there is nothing to halve.
func (l *learner) halveLargest() bool {
	if !l.speech.BreaksOff() {
		return true
	}
	var of *sub
	var longest dialect.Sent
	for _, s := range l.subs {
		if how := s.requests.Largest(); how.Size > longest.Size {
			of, longest = s, how
		}
	}
	return of != nil && l.speech.Halve(of.doc.Root, longest.Keys)
}

// again starts an operation anew that the server refused.
func (s *sub) again(id string, wait time.Duration, now time.Time) bool {
	id = s.requests.Whole(id)
	switch id {
	case s.hand.query:
		s.requests.Cancel(id)
		s.hand.query = ""
		if s.hand.pending == "" {
			s.losses.resync, s.losses.askedAt = true, now.Add(wait-resyncEvery)
		} else {
			s.hand.since = now.Add(wait - queryAfter)
		}
	case s.active, s.hand.pending:
		s.drop(id, now)
		s.retry.at = now.Add(wait)
		if s.active == "" {
			s.setState(model.SubConnecting, "finding out what the server understands", now)
		}
	default:
		return false
	}
	s.step(now)
	return true
}

// refusedAt reports whether a subscription waits for a new try.
func (s *sub) refusedAt(now time.Time) bool { return s.requests.Connected() && s.retry.waits(now) }

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
		s.setState(s.liveState(), s.liveReason(), now)
	}
}

// respread makes one subscription per record where that is needed and there are
// others than it was made for, or is being made for.
func (s *sub) respread() {
	newest := s.active
	if s.hand.pending != "" {
		newest = s.hand.pending
	}
	s.spread = s.requests.Narrow() && !s.requests.Covers(newest)
}

// liveState is the state of a subscription whose full state was taken over.
func (s *sub) liveState() model.SubState {
	if s.poll > 0 || s.hinted() {
		return model.SubPolling
	}
	return model.SubLive
}

func (s *sub) liveReason() string {
	switch {
	case s.requests.Muted() != "":
		return s.requests.Muted() + "; its query is asked every " + seconds(s.poll)
	case s.poll > 0:
		return "asked for every " + seconds(s.poll)
	case s.hinted():
		return "updates do not say which record they are for; all are asked for after each, every " + seconds(hintEvery) + " at most"
	}
	return ""
}

func seconds(d time.Duration) string { return strconv.FormatFloat(d.Seconds(), 'f', -1, 64) + " s" }

// hinted reports whether updates only tell that something has changed.
func (s *sub) hinted() bool {
	return s.speech.Keyless(s.doc.Root) && !s.requests.Narrow() && s.data.Records() > 0
}

// hintEvery is how often the full state is asked for at most when updates are
// only hints.
const hintEvery = 2 * time.Second

// resyncPace is how often the full state may be asked for.
func (s *sub) resyncPace() time.Duration {
	if s.hinted() {
		return max(hintEvery, 4*s.hand.took)
	}
	return resyncEvery
}

// pollDue asks for the full state where no update comes by itself.
func (s *sub) pollDue(now time.Time) {
	if s.poll > 0 && s.active != "" && now.Sub(s.losses.askedAt) >= max(s.poll, 4*s.hand.took) {
		s.losses.resync = true
	}
}
