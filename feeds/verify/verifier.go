package verify

import (
	"fmt"
	"iter"
	"math"
	"time"

	"wallboard/feeds/merge"
	"wallboard/feeds/picture"
	"wallboard/feeds/queries"
	"wallboard/model"
)

const (
	// auditAfter is when a full state that was taken over is looked at again.
	auditAfter = 5 * time.Second
	// lookForUnits is the same where two full states have to tell a unit.
	lookForUnits = 2 * time.Second
	// unitPasses is how often a chunk is looked at sooner because of that.
	unitPasses = 5
	// auditSlack is how much later than its interval an audit may be.
	auditSlack = 2 * time.Second
	// After drift there is an audit every hotInterval, for hotFor.
	hotInterval = 15 * time.Second
	hotFor      = 10 * time.Minute
	// healthInterval is how often serverHealth is asked for: it tells that the
	// engine behind the socket is alive.
	healthInterval = 15 * time.Second
	// leastSpread is the part of the interval that is left of the second pass at
	// least; goldenRatio spreads any number of chunks over the rest.
	leastSpread = 0.3
	goldenRatio = 0.618034

	queryTimeout  = 15 * time.Second
	queryPatience = 2 * time.Minute
	maxRetry      = 30 * time.Second
	// maxKept bounds the memory of updates that come during a look, in bytes.
	maxKept = 16 << 20
)

// Patience is how long an answer with a full state is waited for, after so many
// failures in a row.
func Patience(failures int) time.Duration {
	return min(queryPatience, queryTimeout<<min(failures, 8))
}

// Records are what is held against the full state.
type Records interface {
	// Look holds a full answer against what is there; Repair takes some of the
	// differences over, and must follow.
	Look(answer picture.FullState, later iter.Seq[[]byte], env *merge.Env, in picture.Scope) (picture.Findings, error)
	Repair(some []picture.Difference)
	// Watch makes updates note in the suspicions what they change; nil ends it.
	Watch(chunk int, suspects map[picture.Suspect]*picture.Suspicion)
	// Fallen is how many records had a counter fall in the last update, Counting
	// how many have counters above 0.
	Fallen() int
	Counting() int
	// Records is how many there are.
	Records() int
}

// Asker sends the queries.
type Asker interface {
	// Ask sends one. An error is the end of the session, which is an event of its
	// own.
	Ask(r queries.Request, now time.Time) (id string, err error)
	// Cancel takes one back.
	Cancel(id string)
}

// Options say what is verified, and how often.
type Options struct {
	Op       model.Op
	Interval time.Duration // no figure goes unverified for longer
	Number   int           // of the subscription: the looks of each are elsewhere in the interval
	// Ready reports whether a look can begin.
	Ready func() bool
	// SeeksUnits reports whether another full state would help to find a unit.
	SeeksUnits func() bool
}

// Verifier is the audit of one subscription.
type Verifier struct {
	Chunks []Chunk // of what there is; none before the first full state

	opts  Options
	data  Records
	env   *merge.Env
	asker Asker

	size     int       // of the full state, in bytes
	look     *look     // the query under way
	hotUntil time.Time // there was drift
	syncedAt time.Time // the full state was asked for that was taken over last
	failures int
	reason   string // why the last look came to nothing
	overdue  bool   // no audit came in time
	falls    falls
}

// New makes a verifier that has nothing to do until it is told what to verify.
func New(o Options, data Records, env *merge.Env, asker Asker) *Verifier {
	return &Verifier{opts: o, data: data, env: env, asker: asker}
}

// FullState is one that was taken over.
type FullState struct {
	Names []string // that the filter has, sorted
	Asked time.Time
	Took  time.Duration
	Size  int // in bytes
}

// Plan starts over after a full state was taken over.
func (v *Verifier) Plan(full FullState, now time.Time) {
	v.Drop()
	v.size, v.syncedAt, v.failures, v.reason = full.Size, full.Asked, 0, ""
	parts := cutNames(full.Names, v.data.Records(), chunkSize(v.data.Records(), full.Took))
	v.Chunks = make([]Chunk, len(parts))
	for i := range v.Chunks {
		_, place := math.Modf(float64(v.opts.Number+i) * goldenRatio)
		v.Chunks[i] = Chunk{Names: parts[i], verified: full.Asked, due: now.Add(auditAfter), place: place}
	}
	if v.opts.SeeksUnits() {
		v.Chunks[0].due = now.Add(lookForUnits)
	}
}

// Drop ends the audit of what there was.
func (v *Verifier) Drop() {
	v.CancelLook()
	for i := range v.Chunks {
		v.data.Watch(i, nil)
	}
	v.Chunks, v.overdue = nil, false
}

// every is how long after a first look the next one is due. What the slowest chunk
// took the last time until it was verified, a late second look at least, and a third
// more is taken off the interval, half of it at most: on a large floor looks wait for
// each other, and a machine may be busier the next time.
func (v *Verifier) every() time.Duration {
	slowest := lookLate
	for i := range v.Chunks {
		slowest = max(slowest, v.Chunks[i].took)
	}
	return max(v.opts.Interval-slowest-slowest/3-auditSlack, v.opts.Interval/2)
}

// Cost is how many bytes of answers a second one pass after the other takes.
func (v *Verifier) Cost() float64 { return float64(v.size) / v.every().Seconds() }

// Settle plans what comes after a look at a chunk. verified is since when all
// figures are; Settle returns since when they are now, and whether they were
// overdue until now.
func (v *Verifier) Settle(i int, verified, now time.Time) (since time.Time, intime bool) {
	c := &v.Chunks[i]
	v.data.Watch(i, c.Suspects)
	if len(c.Suspects) > 0 {
		return verified, false
	}
	c.Suspects, c.verified, c.took = nil, c.began, c.late+now.Sub(c.began)
	c.due = c.began.Add(v.pace(c, now))
	oldest := now
	for i := range v.Chunks {
		if at := v.Chunks[i].verified; at.Before(oldest) {
			oldest = at
		}
	}
	if oldest.After(verified) {
		verified = oldest
	}
	if v.overdue && now.Sub(verified) <= v.opts.Interval+auditSlack {
		v.overdue, intime = false, true
	}
	return verified, intime
}

// pace returns how long after a first look the next one begins. The time for a
// late second look is taken off. The chunks begin together; the second pass
// spreads them over the interval, so that they cost the same at any time.
func (v *Verifier) pace(c *Chunk, now time.Time) time.Duration {
	if v.opts.Op == model.OpServerHealth {
		return healthInterval
	}
	every := v.every()
	if now.Before(v.hotUntil) {
		return min(hotInterval, every)
	}
	if c.passes <= unitPasses && v.opts.SeeksUnits() {
		return min(lookForUnits<<max(0, c.passes-1), every)
	}
	if c.passes == 1 {
		return time.Duration(float64(every) * (leastSpread + (1-leastSpread)*c.place))
	}
	return every
}

// Overdue says why figures that were verified at a time are too old, "" where they
// are not.
func (v *Verifier) Overdue(verified, now time.Time) string {
	age := now.Sub(verified)
	if verified.IsZero() || len(v.Chunks) == 0 || age <= v.opts.Interval+auditSlack {
		return ""
	}
	v.overdue = true
	reason := fmt.Sprintf("not held against the full state for %v", age.Round(time.Second))
	if v.reason != "" {
		reason += ": " + v.reason
	}
	return reason
}
