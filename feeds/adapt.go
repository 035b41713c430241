package feeds

import (
	"regexp"
	"slices"
	"strconv"
	"time"

	"wallboard/feeds/graphqlws"
	"wallboard/model"
)

// maxAdaptions bounds how often a subscription is tried again in another way on
// one connection.
const maxAdaptions = 32

// How servers say that a filter names too much, or that it is not written as
// they want it.
var (
	tooMuchWords = regexp.MustCompile(`(?i)too (many|much|long|large|big|complex)|at most|maximum|exceed|limit`)
	filterWords  = regexp.MustCompile(`(?i)variable|literal|inline`)
)

// adapt changes how the server is spoken to after it refused an operation, and
// starts that again. It returns false when there is nothing left to change.
func (f *Feed) adapt(s *sub, id string, errs []graphqlws.GraphQLError) bool {
	how, known := s.fans.sent[id]
	if !known || s.adaptions >= maxAdaptions || s.small(s.whole(id)) { // the large one is spoken as this is
		return false
	}
	s.adaptions++
	if s.bearsOne(id) {
		return s.again(id, 0, f.now())
	}
	r := readComplaint(s.doc.Root, how, errs)
	wait, ok := f.heed(s, id, how, &r, errs)
	if !ok {
		wait, ok = f.tryOther(s, id, how, &r)
	}
	if !ok {
		return !r.root && f.searches(s, id, errs)
	}
	reason := ""
	if len(errs) > 0 {
		reason = errs[0].Message
	}
	f.log.Info("trying in another way what the server refused", "operation", s.doc.Root, "reason", f.clean(reason))
	return s.again(id, wait, f.now())
}

// heed does what the server says about a request.
func (f *Feed) heed(s *sub, id string, how sent, r *complaint, errs []graphqlws.GraphQLError) (wait time.Duration, ok bool) {
	switch {
	case s.outdated(how), r.root && f.otherRoot(s, id, r.meant):
	case r.shape && (!f.learnt || f.awaitsSchema()): // it tells in which shape a field may be asked for
		f.askSchema()
		wait = introspectionPatience
	case r.shape && f.schemaSays(s), f.lacking(s, r):
	case speaksOf(tooMuchWords, errs) && f.speech.halve(s.doc.Root, how.keys):
	case speaksOf(filterWords, errs) && f.otherFilters(s):
	default:
		return 0, false
	}
	return wait, true
}

// tryOther changes what the server does not speak of, and may mean.
func (f *Feed) tryOther(s *sub, id string, how sent, r *complaint) (wait time.Duration, ok bool) {
	switch {
	case f.schemaSays(s):
	case !f.learnt || f.awaitsSchema():
		f.askSchema()
		wait = introspectionPatience
	case r.root && f.mute(s, id, "the platform has no subscription "+s.subRoot):
	case f.otherFilters(s):
	case how.keys > manyKeys && f.speech.halve(s.doc.Root, how.keys):
	default:
		return 0, false
	}
	return wait, true
}

// manyKeys is how many keys make a filter long enough to be refused for its
// length by a server that does not say why.
const manyKeys = 100

// speaksOf reports whether one of the errors has some words.
func speaksOf(words *regexp.Regexp, errs []graphqlws.GraphQLError) bool {
	return slices.ContainsFunc(errs, func(e graphqlws.GraphQLError) bool { return words.MatchString(e.Message) })
}

// outdated reports whether an operation was sent before something was learnt.
func (s *sub) outdated(how sent) bool {
	most := s.speech.most(s.doc.Root)
	return how.variables != (s.doc.Filtered && s.speech.variables()) || most > 0 && how.keys > most ||
		how.root != s.subRoot && how.root != "" || how.selection != s.speech.selection(&s.doc)
}

// otherFilters sends filters the other way, once per connection, unless the
// server has taken one as it is.
func (f *Feed) otherFilters(s *sub) bool {
	d := f.speech
	if !s.doc.Filtered || d.pinned.Filters != FiltersAuto || d.tried || f.authorized() {
		return false
	}
	d.tried, d.dirty = true, true
	if d.variables() {
		d.known.Filters = FiltersLiteral
	} else {
		d.known.Filters = FiltersVariables
	}
	return true
}

// halve lowers the bound of the keys in one filter below what was refused.
func (d *dialect) halve(op string, keys int) bool {
	if keys < 2 || d.pinned.MaxKeys > 0 {
		return false
	}
	d.known.MaxKeys[op], d.dirty = keys/2, true
	return true
}

// halveLargest asks for less at a time in the place of the longest request that
// is under way: it is what a server has no room for that does not say which. One
// such end of a connection may be nonsense; it is done when there were several.
// It returns false when there is nothing to halve.
func (f *Feed) halveLargest() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.speech.trials.tooLong() || !f.speech.evidence.speaksFor(claim{kind: claimTooLong}) {
		return true
	}
	var of *sub
	var longest sent
	for _, s := range f.subs {
		if how := s.largest(); how.size > longest.size {
			of, longest = s, how
		}
	}
	return of != nil && f.speech.halve(of.doc.Root, longest.keys)
}

// again starts an operation anew that the server refused.
func (s *sub) again(id string, wait time.Duration, now time.Time) bool {
	id = s.whole(id)
	switch id {
	case s.query:
		s.cancel(id)
		s.query = ""
		if s.pending == "" {
			s.resync, s.resyncAt = true, now.Add(wait-resyncEvery)
		} else {
			s.since = now.Add(wait - queryAfter)
		}
	case s.active, s.pending:
		s.drop(id, now)
		s.retryAt = now.Add(wait)
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
func (s *sub) refusedAt(now time.Time) bool { return s.conn != nil && now.Before(s.retryAt) }

// unkeyed notes that updates do not say which record they are for.
func (s *sub) unkeyed(now time.Time) {
	if c := (claim{kind: claimKeyless, op: s.doc.Root}); !s.speech.evidence.speaksFor(c) && !s.speech.keyless(s.doc.Root) {
		s.status.BadMessages++
		s.lost(now)
		return
	}
	if !s.speech.keyless(s.doc.Root) {
		s.speech.known.Keyless = append(s.speech.known.Keyless, s.doc.Root)
		s.speech.dirty = true
		s.status.BadMessages++
	}
	s.respread()
	s.resync = true // what the update was about is known to nobody
	if s.status.State == model.SubLive {
		s.setState(s.liveState(), s.liveReason(), now)
	}
}

// respread makes one subscription per record where that is needed and there are
// others than it was made for, or is being made for.
func (s *sub) respread() {
	newest := s.active
	if s.pending != "" {
		newest = s.pending
	}
	s.spread = s.narrow() && !s.fans.byID[newest].covered(keysOf(s.data.Keys()))
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
	case s.mute.on():
		return s.mute.reason + "; its query is asked every " + seconds(s.poll)
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
	return s.speech.keyless(s.doc.Root) && !s.narrow() && s.data.Records() > 0
}

// hintEvery is how often the full state is asked for at most when updates are
// only hints.
const hintEvery = 2 * time.Second

// resyncPace is how often the full state may be asked for.
func (s *sub) resyncPace() time.Duration {
	if s.hinted() {
		return max(hintEvery, 4*s.took)
	}
	return resyncEvery
}

// pollDue asks for the full state where no update comes by itself.
func (s *sub) pollDue(now time.Time) {
	if s.poll > 0 && s.active != "" && now.Sub(s.resyncAt) >= max(s.poll, 4*s.took) {
		s.resync = true
	}
}
