package feeds

import (
	"math"
	"slices"
	"time"

	"wallboard/feeds/graphqlws"
	"wallboard/feeds/picture"
	"wallboard/feeds/queries"
)

// The audit holds a subscription against the platform's full state again and
// again, in chunks of keys. A difference is a suspect at first: the update may
// be on its way, or the answer may come from a replica that is behind. Only
// what a second look shows again, while no update changed it, was lost.

const (
	// auditAfter is when a full state that was taken over is looked at again.
	auditAfter = 5 * time.Second
	// lookForUnits is the same where two full states have to tell a unit.
	lookForUnits = 2 * time.Second
	// lookAgain is when suspects are looked at again, lookLate the same when an
	// update touched one of them a moment ago: a replica may not have it yet.
	lookAgain = 2 * time.Second
	lookLate  = 12 * time.Second
	// maxLooks is after how many looks a figure counts as lost that is another
	// one every time, and never announced.
	maxLooks = 4
	// After drift there is an audit every hotInterval, for hotFor.
	hotInterval = 15 * time.Second
	hotFor      = 10 * time.Minute
	// auditSlack is how much later than its interval an audit may be.
	auditSlack = 2 * time.Second
	// chunkRecords is about how many records one query asks for, chunkSlow the same
	// where the full state took slowFull: there must be time for all of them.
	chunkRecords = 250
	chunkSlow    = 1000
	// mostChunks bounds how many queries one pass takes: they are asked one after
	// the other, and a platform may take a second or two for each.
	mostChunks = 20
	slowFull   = 2 * time.Second
	// fallsWithin is how close together counters fall when the platform starts
	// anew.
	fallsWithin = 10 * time.Second
	// leastSpread is the part of the interval that is left of the second pass at
	// least; goldenRatio spreads any number of chunks over the rest.
	leastSpread = 0.3
	goldenRatio = 0.618034
	// healthInterval is how often serverHealth is asked for: it tells that the
	// engine behind the socket is alive.
	healthInterval = 15 * time.Second
	// maxDriftLogged bounds the log lines of one look.
	maxDriftLogged = 8
)

// audit is where the audit of one subscription is.
type audit struct {
	interval time.Duration // no figure goes unverified for longer
	chunks   []chunk
	size     int       // of the full state, in bytes
	look     *look     // the query under way
	hotUntil time.Time // there was drift
	syncedAt time.Time // the full state was asked for that was taken over last
	failures int
	reason   string // why the last look came to nothing
}

// look is one query of the audit, and the updates that came since it was sent.
type look struct {
	id    string
	chunk int
	at    time.Time
	first bool // not about suspects
	kept  picture.Backlog
	since uint64 // the store's version lagBound before
}

// every is how long after a first look the next one is due. What the slowest chunk
// took the last time until it was verified, a late second look at least, is taken
// off the interval, half of it at most: on a large floor looks wait for each other.
func (a *audit) every() time.Duration {
	slowest := lookLate
	for i := range a.chunks {
		slowest = max(slowest, a.chunks[i].took)
	}
	return max(a.interval-slowest-auditSlack, a.interval/2)
}

// planAudit starts over after a full state that was asked for at a time was
// taken over.
func (s *sub) planAudit(asked, now time.Time) {
	s.dropChunks()
	a := &s.audit
	a.syncedAt, a.failures, a.reason = asked, 0, ""
	parts := cutNames(queries.Names(s.taken(s.have.Filter)), s.data.Records(), s.chunkSize())
	a.chunks = make([]chunk, len(parts))
	for i := range a.chunks {
		_, place := math.Modf(s.place + float64(i)*goldenRatio)
		a.chunks[i] = chunk{names: parts[i], verified: asked, due: now.Add(auditAfter), place: place}
	}
	if s.seeksUnits() {
		a.chunks[0].due = now.Add(lookForUnits)
	}
}

// dropChunks ends the audit of what there was.
func (s *sub) dropChunks() {
	s.cancelLook()
	for i := range s.audit.chunks {
		s.data.Watch(i, nil)
	}
	s.audit.chunks, s.overdue = nil, false
}

// nextLook returns which chunk is due first, and when.
func (s *sub) nextLook() (i int, due time.Time, ok bool) {
	if !s.looks() {
		return 0, time.Time{}, false
	}
	for n := range s.audit.chunks {
		if at := s.audit.chunks[n].next(); !ok || at.Before(due) {
			i, due, ok = n, at, true
		}
	}
	return i, due, ok
}

// urgentLook returns which of the chunks that are due was verified longest ago,
// and when. Where they do not all get their turn in time, that is what keeps the
// others from being late as well.
func (s *sub) urgentLook(now time.Time) (i int, verified time.Time, ok bool) {
	if !s.looks() {
		return 0, time.Time{}, false
	}
	for n := range s.audit.chunks {
		c := &s.audit.chunks[n]
		if !c.next().After(now) && (!ok || c.verified.Before(verified)) {
			i, verified, ok = n, c.verified, true
		}
	}
	return i, verified, ok
}

// looks reports whether a look can begin.
func (s *sub) looks() bool {
	return s.conn != nil && s.verified && s.active != "" && s.pending == "" && s.query == "" && !s.resync && !s.renew &&
		s.audit.look == nil && s.poll == 0
}

// startLook asks for a chunk, or for the suspects in it. since is the store's
// version lagBound ago.
func (s *sub) startLook(i int, since uint64, now time.Time) {
	c := &s.audit.chunks[i]
	names := c.names
	if len(c.suspects) > 0 && names != nil {
		names = nil
		for _, sn := range c.suspects {
			names = append(names, sn.Name)
		}
		slices.Sort(names)
		names = slices.Compact(names)
	} else if len(s.audit.chunks) == 1 {
		names = nil
	}
	r := s.part(names)
	if r.Keys == 0 && len(c.suspects) == 0 && len(s.joined.left) > 0 { // all of them have left
		c.began = now
		s.settleChunk(i, now)
		return
	}
	if r.Keys == 0 && s.have.Keys > 0 { // ghosts that no filter names: everything is asked for
		r = s.have
	}
	id, err := s.send(queries.KindQuery, r, now)
	if err != nil {
		return // the session has ended; its end is an event of its own
	}
	if len(c.suspects) == 0 {
		c.began, c.late = now, max(0, now.Sub(c.due))
	}
	s.audit.look = &look{id: id, chunk: i, at: now, since: since, first: len(c.suspects) == 0}
}

// looking reports whether an operation is the audit's.
func (s *sub) looking(id string) bool { return s.audit.look != nil && s.audit.look.id == id }

// cancelLook takes a look back.
func (s *sub) cancelLook() {
	if s.audit.look != nil && s.conn != nil {
		s.cancel(s.audit.look.id)
	}
	s.audit.look = nil
}

// keepForLook keeps an update that came while a look is under way.
func (s *sub) keepForLook(payload []byte, now time.Time) {
	l := s.audit.look
	if l == nil {
		return
	}
	if !l.kept.Add(payload, maxKept) {
		s.cancelLook()
		s.lookFailed(l, "too much changed while the full state was asked for", now)
	}
}

// stepLook gives up a look that gets no answer.
func (s *sub) stepLook(now time.Time) {
	l := s.audit.look
	if l == nil {
		return
	}
	if patience := min(queryPatience, queryTimeout<<min(s.audit.failures, 8)); now.Sub(l.at) > patience {
		s.cancelLook()
		s.lookFailed(l, "the server does not answer the query for the full state", now)
	}
}

// lookFailed tries again later. Time tells when the figures count as
// unverified.
func (s *sub) lookFailed(l *look, reason string, now time.Time) {
	s.audit.look = nil
	s.audit.failures++
	s.audit.reason = reason
	c := &s.audit.chunks[l.chunk]
	retry := now.Add(min(maxRetry, lookAgain<<min(s.audit.failures-1, 8)))
	c.due, c.again = retry, retry
}

// looked takes the answer to a look.
func (s *sub) looked(full picture.FullState, now time.Time) []graphqlws.GraphQLError {
	l := s.audit.look
	s.audit.look = nil
	c := &s.audit.chunks[l.chunk]
	in := picture.Scope{
		Covers: func(name string) bool { return s.audit.covers(l.chunk, name) },
		Since:  l.since,
		Took:   now.Sub(l.at),
	}
	if !l.first {
		in.Only = c.suspects // empty where they have left meanwhile
	}
	found, err := s.data.Look(full, l.kept.List, s.env, in)
	if err != nil {
		s.data.Repair(nil)
		if refused := refusal(found.Applied); refused != nil {
			s.audit.look = l // whoever hears of it ends it
			return refused
		}
		s.lookFailed(l, err.Error(), now)
		return nil
	}
	if s.audit.failures, s.audit.reason = 0, ""; in.Only == nil {
		s.data.Repair(nil)
		s.suspect(c, found, now)
	} else {
		s.judgeSuspects(c, found, now)
	}
	s.settleChunk(l.chunk, now)
	return nil
}
