package backtest

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"wallboard/internal/alert"
	"wallboard/internal/alert/diagnosis"
	"wallboard/internal/alert/situation"
	"wallboard/model"
)

// EstimateStats counts how often the board's statements about queues of services were right.
type EstimateStats struct {
	// Clears is the number of queues for which the board estimated when they would clear on their
	// own, and ClearsRight is the number of right estimates. Only the first estimate of a queue
	// counts; see [situation.ClearEstimate.IsRightAfter].
	Clears, ClearsRight int
	// Causes is the number of main causes whose figure is known: more contacts, fewer agents, longer handling
	// or after-call work. Further queues of a service with the same main cause do not count until the figure
	// of the cause has returned at least halfway to normal. The cause was right if the last queue ended at
	// about the time when the figure came back: at most causeLag after it and at most maxQueuelessTime before
	// it.
	Causes, CausesRight int
}

// Phrase describes the counts in a phrase for the middle of a sentence. It omits counts without
// queues. If no queues were counted, it returns "".
func (e *EstimateStats) Phrase() string {
	var parts []string
	of := "the main cause of queues"
	if e.Clears > 0 {
		parts, of = append(parts, fmt.Sprintf("about when queues clear in %d of %d", e.ClearsRight, e.Clears)), "their main cause"
	}
	if e.Causes > 0 {
		parts = append(parts, fmt.Sprintf("about %s in %d of %d (the queues ended when its figure came back)", of, e.CausesRight, e.Causes))
	}
	if len(parts) == 0 {
		return ""
	}
	return "the board was right " + strings.Join(parts, ", and ") + "."
}

// judgedQueue holds the estimate of when the queue of a situation clears, with what happened later.
type judgedQueue struct {
	at       time.Time // time of the first estimate; zero: none
	estimate situation.ClearEstimate
	emptyAt  time.Time
	ended    time.Time // zero: the queue is open
	hasCause bool      // a main cause of the queue is watched or was watched
}

// causeKey identifies a cause of the queues of a service.
type causeKey struct {
	service model.ServiceKey
	kind    diagnosis.CauseKind
}

// watchedCause is a main cause that is not judged yet.
type watchedCause struct {
	figureBefore, firstFigure float64   // the figure of the cause before the queue began, and when the cause was named
	queuedAt                  time.Time // when a queue with this cause was last open
	recoveredSince            time.Time // zero: the figure has not come back
}

const (
	// causeLag is how long a queue may go on after the figure of its cause has come back.
	causeLag = 10 * time.Minute
	// maxQueuelessTime is how long the figure of a cause may stay away after the last queue has ended. It is longer
	// than the period over which the figures are averaged.
	maxQueuelessTime = 15 * time.Minute
)

// EstimateJudge compares the board's statements about queues with what happened later. The zero
// value is ready to use.
type EstimateJudge struct {
	open   map[string]*judgedQueue // by ID of the situation
	causes map[causeKey]*watchedCause
	stats  EstimateStats
	last   time.Time // time of the last update
}

// judgingDelay is how long after its end a queue is judged. A queue that reopens within this time
// keeps its ID.
const judgingDelay = time.Minute

// maxUpdateGap is the longest time between two updates within which causes can be judged.
const maxUpdateGap = time.Minute

// Stats returns the counts of the queues that have ended.
func (j *EstimateJudge) Stats() EstimateStats { return j.stats }

// Update processes the live situations at the time now. history is the source of their causes. After
// more than maxUpdateGap without an update, it forgets the causes that are not judged yet.
func (j *EstimateJudge) Update(live []situation.Situation, history *diagnosis.History, now time.Time) {
	if j.open == nil {
		j.open, j.causes = make(map[string]*judgedQueue), make(map[causeKey]*watchedCause)
	}
	if now.Sub(j.last) > maxUpdateGap {
		clear(j.causes)
	}
	j.last = now
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
		j.watchCauses(s, q, now)
	}
	for id, q := range j.open {
		switch {
		case seen[id]:
			q.ended = time.Time{}
		case q.ended.IsZero():
			q.ended = now
		}
		if !q.ended.IsZero() && now.Sub(q.ended) > judgingDelay {
			delete(j.open, id)
			j.stats.addClear(q)
		}
	}
	for k, c := range j.causes {
		figure, known := diagnosis.CauseFigure(history, k.service, k.kind, c.figureBefore, now).Get()
		right, done := c.judge(figure, known, now)
		if !done {
			continue
		}
		if delete(j.causes, k); !known {
			continue
		}
		if j.stats.Causes++; right {
			j.stats.CausesRight++
		}
	}
}

// update processes the situation of the queue at the time now.
func (q *judgedQueue) update(s *situation.Situation, now time.Time) {
	switch e := s.Help.Estimate; {
	case !q.at.IsZero():
		if s.QueueEmpty && q.emptyAt.IsZero() {
			q.emptyAt = now
		}
	case e.Duration > 0:
		q.at, q.estimate = now, e
	}
}

// watchCauses starts to watch the first main cause of a queue, unless it is watched already. It records
// for each watched cause that a queue is open.
func (j *EstimateJudge) watchCauses(s *situation.Situation, q *judgedQueue, now time.Time) {
	for i := range s.Causes {
		c := &s.Causes[i]
		k := causeKey{model.ServiceKey{Code: s.Place.Key.Code, Channel: s.Place.Key.Channel}, c.Kind}
		if w := j.causes[k]; w != nil {
			w.queuedAt = now
			q.hasCause = q.hasCause || i == 0
			continue
		}
		then, okThen := c.Before.Get()
		value, okNow := c.Now.Get()
		if i == 0 && !q.hasCause && okThen && okNow && then != value && slices.Contains(measuredCauses(), c.Kind) {
			q.hasCause = true
			j.causes[k] = &watchedCause{figureBefore: then, firstFigure: value, queuedAt: now}
		}
	}
}

// judge compares the current figure of the cause with the figure before the queue. done is true once it is
// certain whether the cause was right, or if the figure is still unknown after maxQueuelessTime.
func (c *watchedCause) judge(figure float64, known bool, now time.Time) (right, done bool) {
	isBack := known && (figure-c.firstFigure)/(c.figureBefore-c.firstFigure) >= 0.5
	switch {
	case !isBack:
		c.recoveredSince = time.Time{}
		return false, now.Sub(c.queuedAt) > maxQueuelessTime
	case c.recoveredSince.IsZero():
		c.recoveredSince = now
	}
	if c.queuedAt.Sub(c.recoveredSince) > causeLag {
		return false, true
	}
	return true, now.Sub(c.queuedAt) > judgingDelay
}

// measuredCauses returns the kinds of causes whose figure shows whether the cause has gone.
func measuredCauses() []diagnosis.CauseKind {
	return []diagnosis.CauseKind{diagnosis.MoreContacts, diagnosis.FewerAgents, diagnosis.LongerHandling, diagnosis.LongerWrapUp}
}

// addClear judges the statement about when a queue clears, after the queue has ended.
func (e *EstimateStats) addClear(q *judgedQueue) {
	if q.at.IsZero() {
		return
	}
	if e.Clears++; q.emptyAt.IsZero() {
		q.emptyAt = q.ended
	}
	if q.estimate.IsRightAfter(q.emptyAt.Sub(q.at)) {
		e.ClearsRight++
	}
}
