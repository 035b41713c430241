package backtest

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"wallboard/internal/alert"
	"wallboard/internal/alert/diagnosis"
	"wallboard/internal/alert/situation"
)

// EstimateStats counts how often the board's statements about queues of services were right.
type EstimateStats struct {
	// Clears is the number of queues for which the board estimated when they would clear on their
	// own, and ClearsRight is the number of right estimates. Only the first estimate of a queue
	// counts; see [situation.ClearEstimate.IsRightAfter].
	Clears, ClearsRight int
	// Causes is the number of queues with a main cause whose figure was known: more contacts, fewer
	// agents, longer handling or after-call work. CausesRight is the number of these queues whose
	// figure had returned at least half way when the queue ended. A queue that ended through other
	// help counts as wrong.
	Causes, CausesRight int
}

// Words describes the counts in a phrase for the middle of a sentence. It omits counts without
// queues. If no queues were counted, it returns "".
func (e *EstimateStats) Words() string {
	var parts []string
	of := "the main cause of queues"
	if e.Clears > 0 {
		parts, of = append(parts, fmt.Sprintf("about when queues clear in %d of %d", e.ClearsRight, e.Clears)), "their main cause"
	}
	if e.Causes > 0 {
		parts = append(parts, fmt.Sprintf("about %s in %d of %d (its figure had come back when the queue ended)", of, e.CausesRight, e.Causes))
	}
	if len(parts) == 0 {
		return ""
	}
	return "the board was right " + strings.Join(parts, ", and ") + "."
}

// judgedQueue holds the board's statements about the queue of a situation and the later events.
type judgedQueue struct {
	at                                    time.Time // time of the first estimate of when the queue would clear; zero: none
	estimate                              situation.ClearEstimate
	emptyAt                               time.Time
	ended                                 time.Time           // zero: the queue is open
	cause                                 diagnosis.CauseKind // the first main cause; "": none
	figureBefore, firstFigure, lastFigure float64             // figure of the cause before the queue, when the cause was first named, and when the queue was last seen
}

// EstimateJudge compares the board's statements about queues with the later events. The zero value
// is ready to use.
type EstimateJudge struct {
	open  map[string]*judgedQueue // by ID of the situation
	stats EstimateStats
}

// reopenWithin is how long after its end a queue is judged. A queue that reopens within this time
// keeps its ID.
const reopenWithin = time.Minute

// Stats returns the counts of the queues that have ended.
func (j *EstimateJudge) Stats() EstimateStats { return j.stats }

// Update processes the live situations at the time now.
func (j *EstimateJudge) Update(live []situation.Situation, now time.Time) {
	if j.open == nil {
		j.open = make(map[string]*judgedQueue)
	}
	seen := make(map[string]bool)
	for i := range live {
		s := &live[i]
		if s.Place.Key.Scope != alert.Service || s.FromStart {
			continue
		}
		seen[s.ID] = true
		q := j.open[s.ID]
		if q == nil {
			q = new(judgedQueue)
			j.open[s.ID] = q
		}
		q.update(s, now)
	}
	for id, q := range j.open {
		switch {
		case seen[id]:
			q.ended = time.Time{}
		case q.ended.IsZero():
			q.ended = now
		}
		if !q.ended.IsZero() && now.Sub(q.ended) > reopenWithin {
			delete(j.open, id)
			j.stats.add(q)
		}
	}
}

// update processes the situation of the queue at the time now.
func (q *judgedQueue) update(s *situation.Situation, now time.Time) {
	switch {
	case !q.at.IsZero():
		if s.QueueEmpty && q.emptyAt.IsZero() {
			q.emptyAt = now
		}
	default:
		if e := s.Help.Estimate; e.Duration > 0 {
			q.at, q.estimate = now, e
		}
	}
	for i := range s.Causes {
		c := &s.Causes[i]
		then, okThen := c.Then.Get()
		value, okNow := c.Now.Get()
		switch {
		case okThen && okNow:
		case c.Kind == q.cause:
			return // the cause remains, but its figure is unknown
		default:
			continue
		}
		if q.cause == "" && i == 0 && then != value && slices.Contains(measuredCauses(), c.Kind) {
			q.cause, q.figureBefore, q.firstFigure, q.lastFigure = c.Kind, then, value, value
		}
		if c.Kind == q.cause {
			q.lastFigure = value
			return
		}
	}
	if q.cause != "" && len(s.Causes) > 0 {
		q.lastFigure = q.figureBefore // the cause is gone
	}
}

// measuredCauses returns the kinds of causes whose figure shows whether the cause has gone.
func measuredCauses() []diagnosis.CauseKind {
	return []diagnosis.CauseKind{diagnosis.MoreContacts, diagnosis.FewerAgents, diagnosis.LongerHandling, diagnosis.LongerWrapUp}
}

func (e *EstimateStats) add(q *judgedQueue) {
	if !q.at.IsZero() {
		e.Clears++
		if q.emptyAt.IsZero() {
			q.emptyAt = q.ended
		}
		if q.estimate.IsRightAfter(q.emptyAt.Sub(q.at)) {
			e.ClearsRight++
		}
	}
	if q.cause != "" {
		e.Causes++
		if (q.lastFigure-q.firstFigure)/(q.figureBefore-q.firstFigure) >= 0.5 {
			e.CausesRight++
		}
	}
}
