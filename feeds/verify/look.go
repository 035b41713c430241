package verify

import (
	"time"

	"wallboard/feeds/picture"
)

const (
	// lookAgain is when suspects are looked at again, lookLate the same when an
	// update touched one of them a moment ago: a replica may not have it yet.
	lookAgain = 2 * time.Second
	lookLate  = 12 * time.Second
)

// look is one query of the audit, and the updates that came since it was sent.
type look struct {
	id    string
	chunk int
	at    time.Time
	first bool // not about suspects
	kept  picture.Backlog
	since uint64 // the store's version [picture.LagBound] before
}

// Query is the id of the query under way, "" where there is none.
func (v *Verifier) Query() string {
	if v.look == nil {
		return ""
	}
	return v.look.id
}

// Asks reports whether an operation is the query under way.
func (v *Verifier) Asks(id string) bool { return id != "" && id == v.Query() }

// Urgent returns which of the chunks that are due was verified longest ago,
// and when. Where they do not all get their turn in time, that is what keeps the
// others from being late as well.
func (v *Verifier) Urgent(now time.Time) (i int, verified time.Time, ok bool) {
	if v.look != nil {
		return 0, time.Time{}, false
	}
	for n := range v.Chunks {
		c := &v.Chunks[n]
		if !c.Next().After(now) && (!ok || c.verified.Before(verified)) {
			i, verified, ok = n, c.verified, true
		}
	}
	return i, verified, ok
}

// Start asks for a chunk, or for the suspects in it. since is the store's
// version [picture.LagBound] ago. It reports whether there was nothing left to ask
// for: then the look is over, and [Verifier.Settle] must follow.
func (v *Verifier) Start(i int, of Covered, since uint64, now time.Time) (over bool) {
	c := &v.Chunks[i]
	if c.explained() {
		return true
	}
	names := c.Names
	if len(c.Suspects) > 0 && names != nil {
		names = c.suspected()
	} else if len(v.Chunks) == 1 {
		names = nil
	}
	r := of.part(names)
	if r.Keys == 0 && len(c.Suspects) == 0 && of.Left { // all of them have left
		c.began = now
		return true
	}
	if r.Keys == 0 && of.Request.Keys > 0 { // ghosts that no filter names: everything is asked for
		r = of.Request
	}
	id, err := v.asker.Ask(r, now)
	if err != nil {
		return false // the session has ended
	}
	if len(c.Suspects) == 0 {
		c.began, c.late = now, max(0, now.Sub(c.due))
	}
	v.look = &look{id: id, chunk: i, at: now, since: since, first: len(c.Suspects) == 0}
	return false
}

// CancelLook takes a look back.
func (v *Verifier) CancelLook() {
	if v.look != nil {
		v.asker.Cancel(v.look.id)
	}
	v.look = nil
}

// Keep keeps an update that came while a look is under way.
func (v *Verifier) Keep(payload []byte, now time.Time) {
	if v.look != nil && !v.look.kept.Add(payload, maxKept) {
		v.giveUp("too much changed while the full state was asked for", now)
	}
}

// Step gives up a look that gets no answer.
func (v *Verifier) Step(now time.Time) {
	if v.look != nil && now.Sub(v.look.at) > Patience(v.failures) {
		v.giveUp("the server does not answer the query for the full state", now)
	}
}

func (v *Verifier) giveUp(reason string, now time.Time) {
	v.asker.Cancel(v.look.id)
	v.Fail(reason, now)
}

// Fail ends a look that came to nothing, and tries again later. Time tells when the
// figures count as unverified.
func (v *Verifier) Fail(reason string, now time.Time) {
	c := &v.Chunks[v.look.chunk]
	v.look = nil
	v.failures++
	v.reason = reason
	retry := now.Add(min(maxRetry, lookAgain<<min(v.failures-1, 8)))
	c.due, c.again = retry, retry
}

// Answer takes the answer to a look. One that cannot be compared with ends nothing:
// [Verifier.Fail] must follow, or whoever hears of it ends the session. After any
// other [Verifier.Settle] must follow. synced is when a record was asked for by its
// name last.
func (v *Verifier) Answer(full picture.FullState, synced func(name string) time.Time, now time.Time) Verdict {
	l := v.look
	c := &v.Chunks[l.chunk]
	in := picture.Scope{
		Covers: func(name string) bool { return v.covers(l.chunk, name) },
		Since:  l.since,
		Took:   now.Sub(l.at),
	}
	if !l.first {
		in.Only = c.Suspects // empty where they have left meanwhile
	}
	found, err := v.data.Look(full, l.kept.From(0), v.env, in)
	if err != nil {
		v.data.Repair(nil)
		return Verdict{Chunk: l.chunk, Err: err, Answer: found.Applied}
	}
	v.look, v.failures, v.reason = nil, 0, ""
	if in.Only == nil {
		v.data.Repair(nil)
		c.suspect(found.Diffs, now)
		return Verdict{Chunk: l.chunk}
	}
	return v.judge(l.chunk, found, synced, now)
}
