package feeds

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"wallboard/feeds/graphqlws"
	"wallboard/model"
)

// The audit holds a subscription against the platform's full state again and
// again, in chunks of keys. A difference is a suspect at first: the update may
// be on its way, or the answer may come from a replica that is behind. Only
// what a second look shows again, while no update changed it, was lost.

const (
	// auditAfter is when a full state that was taken over is looked at again.
	auditAfter = 5 * time.Second
	// lagBound is how far a replica of the platform may be behind.
	lagBound = 15 * time.Second
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
	// chunkRecords is about how many records one query asks for.
	chunkRecords = 1000
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
	look     *look     // the query under way
	hotUntil time.Time // there was drift
	syncedAt time.Time // the full state was asked for that was taken over last
	failures int
	reason   string // why the last look came to nothing
}

// chunk is a part of the keys of a filter.
type chunk struct {
	names    []string // sorted; nil: everything
	verified time.Time
	due      time.Time // of the next first look
	began    time.Time // the last first look
	passes   int
	place    float64 // in [0,1): when in the interval its looks are
	suspects map[suspect]*suspicion
	again    time.Time // when the suspects are looked at again
}

// look is one query of the audit, and the updates that came since it was sent.
type look struct {
	id       string
	chunk    int
	at       time.Time
	kept     [][]byte
	keptSize int
	since    uint64 // the store's version lagBound before
}

// suspect is a value that may be wrong: a field of a record, or all of it.
type suspect struct {
	key  any
	path string
}

// suspicion is what made it one.
type suspicion struct {
	name         string
	ours, theirs string
	looks        int
	changed      bool // by an update since
}

// planAudit starts over after a full state that was asked for at a time was
// taken over.
func (s *sub) planAudit(asked, now time.Time) {
	s.dropChunks()
	a := &s.audit
	a.syncedAt, a.failures, a.reason = asked, 0, ""
	parts := cutNames(namesOf(s.have.filter), s.data.records())
	a.chunks = make([]chunk, len(parts))
	for i := range a.chunks {
		_, place := math.Modf(s.place + float64(i)*goldenRatio)
		a.chunks[i] = chunk{names: parts[i], verified: asked, due: now.Add(auditAfter), place: place}
	}
}

// dropChunks ends the audit of what there was.
func (s *sub) dropChunks() {
	s.cancelLook()
	for i := range s.audit.chunks {
		s.data.watch(i, nil)
	}
	s.audit.chunks, s.overdue = nil, false
}

// cutNames cuts names into parts of about chunkRecords records.
func cutNames(names []string, records int) [][]string {
	if len(names) == 0 {
		return [][]string{nil}
	}
	n := max(1, (records+chunkRecords-1)/chunkRecords)
	return slices.Collect(slices.Chunk(names, (len(names)+n-1)/n))
}

// namesOf returns the names of the records in a filter, sorted.
func namesOf(filter string) []string {
	root, err := parseFilter(filter)
	if err != nil {
		return nil
	}
	var names []string
	root.eachKeyed(func(v value, i int) {
		for _, e := range v.members[i].members {
			names = append(names, unquote(e.scalar))
		}
	})
	slices.Sort(names)
	return slices.Compact(names)
}

// eachKeyed calls f for every object in a filter that names records.
func (v value) eachKeyed(f func(v value, i int)) {
	if i := v.keyed(); i >= 0 {
		f(v, i)
		return
	}
	for _, m := range v.members {
		if i := m.keyed(); i >= 0 {
			f(m, i)
		}
	}
}

// unquote returns what a literal stands for.
func unquote(literal string) string {
	var text string
	if json.Unmarshal([]byte(literal), &text) != nil { // a number
		return literal
	}
	return text
}

// terms are what a filter asks for besides names. Figures for other terms are
// other figures.
func terms(filter string) string {
	root, err := parseFilter(filter)
	if err != nil {
		return ""
	}
	var all []string
	note := func(v value, but int) {
		for n, m := range v.members {
			if n != but {
				var b strings.Builder
				m.literal(&b)
				all = append(all, v.names[n]+":"+b.String())
			}
		}
	}
	named := false
	root.eachKeyed(func(v value, i int) { named = true; note(v, i) })
	if !named {
		note(root, -1)
	}
	slices.Sort(all)
	return strings.Join(slices.Compact(all), " ")
}

// inFilter tells of a name whether a filter asks for it.
func (s *sub) inFilter(filter string) func(string) bool {
	names := namesOf(filter)
	return func(name string) bool {
		if len(names) == 0 {
			return true
		}
		_, ok := slices.BinarySearch(names, name)
		return ok
	}
}

// noteFalls notices that the platform started anew: the counters of most
// records fall together.
func (s *sub) noteFalls(now time.Time) {
	n := s.data.fallen()
	if n == 0 {
		return
	}
	if now.Sub(s.fellAt) > fallsWithin {
		s.falls, s.fellAt = 0, now
	}
	s.falls += n
	if s.falls >= max(2, s.data.counting()) {
		s.falls = 0
		s.restarted("the counters of many records have fallen")
	}
}

// only restricts a request to some names.
func (r request) only(names []string) request {
	root, err := parseFilter(r.filter)
	if err != nil || names == nil {
		return r
	}
	keep := func(v value, i int) (value, int) {
		var some []value
		for _, e := range v.members[i].members {
			if _, ok := slices.BinarySearch(names, unquote(e.scalar)); ok {
				some = append(some, e)
			}
		}
		return v.with(i, some), len(some)
	}
	out := request{ready: true}
	if i := root.keyed(); i >= 0 {
		root, out.keys = keep(root, i)
	} else {
		part := value{object: true}
		for n, m := range root.members {
			i := m.keyed()
			if i < 0 {
				continue
			}
			m, some := keep(m, i)
			if some > 0 {
				part.names, part.members = append(part.names, root.names[n]), append(part.members, m)
				out.keys += some
			}
		}
		root = part
	}
	var b strings.Builder
	root.literal(&b)
	out.filter = b.String()
	return out
}

// covers tells whether a chunk is about the record with a name. The chunks
// share out all names, those that no filter has included.
func (a *audit) covers(i int, name string) bool {
	if i > 0 && name <= last(a.chunks[i-1].names) {
		return false
	}
	return i == len(a.chunks)-1 || name <= last(a.chunks[i].names)
}

func last(names []string) string { return names[len(names)-1] }

// nextLook returns which chunk is due first, and when.
func (s *sub) nextLook() (i int, due time.Time, ok bool) {
	if s.conn == nil || !s.verified || s.active == "" || s.pending != "" || s.query != "" || s.resync || s.renew ||
		s.audit.look != nil || s.poll > 0 {
		return 0, time.Time{}, false
	}
	for n := range s.audit.chunks {
		c := &s.audit.chunks[n]
		at := c.due
		if len(c.suspects) > 0 {
			at = c.again
		}
		if !ok || at.Before(due) {
			i, due, ok = n, at, true
		}
	}
	return i, due, ok
}

// startLook asks for a chunk, or for the suspects in it. since is the store's
// version lagBound ago.
func (s *sub) startLook(i int, since uint64, now time.Time) {
	c := &s.audit.chunks[i]
	names := c.names
	if len(c.suspects) > 0 && names != nil {
		names = nil
		for _, sn := range c.suspects {
			names = append(names, sn.name)
		}
		slices.Sort(names)
		names = slices.Compact(names)
	} else if len(s.audit.chunks) == 1 {
		names = nil
	}
	r := s.have.only(names)
	if r.keys == 0 && s.have.keys > 0 { // ghosts that no filter names: everything is asked for
		r = s.have
	}
	id, err := s.send(kindQuery, r, now)
	if err != nil {
		return // the session has ended; its end is an event of its own
	}
	if len(c.suspects) == 0 {
		c.began = now
	}
	s.audit.look = &look{id: id, chunk: i, at: now, since: since}
}

// looking tells whether an operation is the audit's.
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
	if l.keptSize += len(payload); l.keptSize > maxKept {
		s.cancelLook()
		s.lookFailed(l, "too much changed while the full state was asked for", now)
		return
	}
	l.kept = append(l.kept, slices.Clone(payload))
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
func (s *sub) looked(payload []byte, now time.Time) []graphqlws.GraphQLError {
	l := s.audit.look
	s.audit.look = nil
	c := &s.audit.chunks[l.chunk]
	in := scope{
		covers: func(name string) bool { return s.audit.covers(l.chunk, name) },
		since:  l.since,
	}
	if len(c.suspects) > 0 {
		in.only = c.suspects
	}
	found, err := s.data.look(payload, l.kept, s.env, in)
	if err != nil {
		s.data.repair(nil)
		if found.refused != nil {
			s.audit.look = l // whoever hears of it ends it
			return found.refused
		}
		s.lookFailed(l, err.Error(), now)
		return nil
	}
	if s.audit.failures, s.audit.reason = 0, ""; in.only == nil {
		s.data.repair(nil)
		s.suspect(c, found, now)
	} else {
		s.judgeSuspects(c, found, now)
	}
	s.settleChunk(l.chunk, now)
	return nil
}

// suspect notes what differs at first sight.
func (s *sub) suspect(c *chunk, found findings, now time.Time) {
	c.passes++
	wait := lookAgain
	c.suspects = make(map[suspect]*suspicion, len(found.diffs))
	for i := range found.diffs {
		d := &found.diffs[i]
		c.suspects[d.suspect] = &suspicion{name: d.name, ours: d.ours, theirs: d.theirs, looks: 1}
		if d.recent {
			wait = lookLate
		}
	}
	c.again = now.Add(wait)
}

// judgeSuspects decides about those that a later look shows again.
func (s *sub) judgeSuspects(c *chunk, found findings, now time.Time) {
	still := make(map[suspect]*suspicion)
	var confirmed []difference
	fallen := make(map[any]bool)
	for _, d := range found.diffs {
		was := c.suspects[d.suspect]
		if was == nil || was.changed || was.ours != d.ours {
			continue // the update was on its way
		}
		if d.counter {
			fallen[d.key] = true
		}
		if was.theirs != d.theirs && was.looks+1 < maxLooks {
			was.theirs, was.looks = d.theirs, was.looks+1
			still[d.suspect] = was
			continue
		}
		confirmed = append(confirmed, d)
	}
	if len(fallen) > 0 && 2*len(fallen) >= found.counting {
		s.data.repair(nil)
		c.suspects = nil
		s.restarted("the counters of many records have fallen")
		return
	}
	s.data.repair(confirmed)
	s.countDrift(c, confirmed, now)
	c.suspects = still
	c.again = now.Add(lookLate)
}

// countDrift notes what was repaired. What the first audit after a full state
// finds was in that already: a replica gave it, and no update was lost.
func (s *sub) countDrift(c *chunk, confirmed []difference, now time.Time) {
	if len(confirmed) == 0 {
		return
	}
	s.status.LastData = now
	if c.began.Sub(s.audit.syncedAt) < lagBound {
		s.status.Late += uint64(len(confirmed))
		return
	}
	var sum model.Drift
	for i := range confirmed {
		d := &confirmed[i]
		switch d.kind {
		case driftMissing:
			sum.Missing++
		case driftGhost:
			sum.Ghost++
		case driftCleared:
			sum.Cleared++
		case driftValue:
			sum.Value++
		}
		if i < maxDriftLogged {
			s.drifted(s.doc.root, d, len(confirmed))
		}
	}
	s.status.Drift = s.status.Drift.Plus(sum)
	s.status.DriftAt = now
	s.audit.hotUntil = now.Add(hotFor)
	for i := range s.audit.chunks {
		o := &s.audit.chunks[i]
		if soon := o.began.Add(hotInterval); soon.Before(o.due) {
			o.due = soon
		}
	}
}

// settleChunk plans what comes after a look.
func (s *sub) settleChunk(i int, now time.Time) {
	c := &s.audit.chunks[i]
	if s.renew {
		return
	}
	s.data.watch(i, c.suspects)
	c.due = c.began.Add(s.pace(c, now))
	if len(c.suspects) > 0 {
		return
	}
	c.suspects, c.verified = nil, c.began
	oldest := now
	for i := range s.audit.chunks {
		if v := s.audit.chunks[i].verified; v.Before(oldest) {
			oldest = v
		}
	}
	if oldest.After(s.status.VerifiedAt) {
		s.status.VerifiedAt = oldest
		s.status.Audits++
	}
	if s.overdue && now.Sub(s.status.VerifiedAt) <= s.audit.interval+auditSlack {
		s.overdue = false
		s.setState(s.liveState(), s.liveReason(), now)
	}
}

// pace returns how long after a first look the next one begins. The time for a
// late second look is taken off. The chunks begin together; the second pass
// spreads them over the interval, so that they cost the same at any time.
func (s *sub) pace(c *chunk, now time.Time) time.Duration {
	if s.doc.root == opServerHealth {
		return healthInterval
	}
	every := max(s.audit.interval-lookLate-auditSlack, s.audit.interval/2)
	if now.Before(s.audit.hotUntil) {
		return min(hotInterval, every)
	}
	if c.passes == 1 {
		return time.Duration(float64(every) * (leastSpread + (1-leastSpread)*c.place))
	}
	return every
}

// judgeAge marks figures that were not verified in time.
func (s *sub) judgeAge(now time.Time) {
	if s.status.State != model.SubLive || s.status.VerifiedAt.IsZero() || len(s.audit.chunks) == 0 {
		return
	}
	if age := now.Sub(s.status.VerifiedAt); age > s.audit.interval+auditSlack {
		s.overdue = true
		reason := fmt.Sprintf("not held against the full state for %v", age.Round(time.Second))
		if s.audit.reason != "" {
			reason += ": " + s.audit.reason
		}
		s.setState(model.SubUnverified, reason, now)
	}
}
