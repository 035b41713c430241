// Package backtest evaluates alert rules on the snapshots of a recording. [Run] determines the alerts
// that sets of rules would have raised, and [Compare] compares them. Run uses one goroutine per set
// and returns when all have ended.
//
// [Evaluate] measures the value of the current rules: how often each rule raised an alert, how the
// alerts ended, and whether they preceded a missed service level. It also finds the level or
// duration that would have saved alerts without losing an alert that mattered. It starts no
// goroutine.
package backtest

import (
	"cmp"
	"context"
	"errors"
	"iter"
	"slices"
	"sync"
	"time"

	"wallboard/internal/alert"
	"wallboard/internal/alert/forecast"
	"wallboard/model"
)

// RuleSet is a named set of rules.
type RuleSet struct {
	Name    string
	Options alert.Options
	// IntradayLog provides the earlier days for rules about forecasts. If it is nil, forecasts are
	// unknown.
	IntradayLog *forecast.IntradayLog
}

// Episode is an alert that a set of rules would have raised.
type Episode struct {
	Rule  string
	Key   alert.Key
	Text  string
	Level alert.Level // highest level of the alert
	// Raised and Ended are when the alert was raised and ended. If the alert had not ended by the
	// last snapshot, Open is true and Ended is the time of this snapshot. BeforeStart is true if
	// the alert was raised before the start of the backtest.
	Raised, Ended     time.Time
	Open, BeforeStart bool
	Lasted            time.Duration // duration without gaps in the recording
	Critical          []Span        // periods in which the alert was critical, without gaps in the recording
}

// Outcome holds the alerts that a set of rules would have raised.
type Outcome struct {
	Set      RuleSet
	Episodes []Episode // sorted by start
}

// Result is the result of a backtest.
type Result struct {
	From, To  time.Time // times of the first and last snapshot
	Snapshots int
	Recorded  time.Duration // time covered by the recording, without gaps
	Gaps      []Span        // periods without snapshots
	Outcomes  []Outcome     // outcomes in the order of the sets
}

// Span is a period of time.
type Span struct{ From, To time.Time }

const (
	// longestPause is the longest time between two snapshots that does not count as a gap.
	longestPause = 15 * time.Second
	// warmUp is the length of the period before the start that is also evaluated, because a
	// condition that is met at the start may already have been met for as long as its rule
	// requires.
	warmUp = 15 * time.Minute
	// batchSize is the number of snapshots that are passed to an engine at a time. maxQueuedBatches
	// is the number of batches that can wait for an engine.
	batchSize        = 64
	maxQueuedBatches = 4
)

// WarmUp is how long before the start of the backtest the snapshots passed to [Run] should begin.
const WarmUp = warmUp

// Run evaluates each set of rules on the snapshots of a period that begins at from. The snapshots
// must be sorted by time and should begin [WarmUp] before from. If progress is not nil, Run calls
// it after each batch with the time of the last snapshot. The error is that of an invalid set of
// rules, of snapshots or of ctx.
func Run(ctx context.Context, snapshots iter.Seq2[*model.Snapshot, error], from time.Time, sets []RuleSet, progress func(at time.Time)) (Result, error) {
	judges, err := newEvaluators(sets, from)
	if err != nil {
		return Result{}, err
	}
	out := Result{}
	var work sync.WaitGroup
	feeds := make([]chan []*model.Snapshot, len(judges))
	for i, j := range judges {
		feeds[i] = make(chan []*model.Snapshot, maxQueuedBatches)
		work.Go(func() {
			for some := range feeds[i] {
				for _, s := range some {
					if ctx.Err() != nil { // discard the remaining batches
						break
					}
					j.evaluate(s)
				}
			}
		})
	}
	var batch []*model.Snapshot
	send := func() {
		for i := range feeds {
			feeds[i] <- batch
		}
		if progress != nil && len(batch) > 0 {
			progress(batch[len(batch)-1].At)
		}
		batch = make([]*model.Snapshot, 0, batchSize)
	}
	var last time.Time
	for s, broken := range snapshots {
		if err = errors.Join(broken, ctx.Err()); err != nil {
			break
		}
		if s.At.Before(last) {
			continue // the clock was set back: this time was already evaluated
		}
		last = s.At
		out.addSnapshot(s.At, from)
		if batch = append(batch, s); len(batch) == batchSize {
			send()
		}
	}
	send()
	for i := range feeds {
		close(feeds[i])
	}
	work.Wait()
	if err != nil {
		return Result{}, err
	}
	for _, j := range judges {
		out.Outcomes = append(out.Outcomes, Outcome{j.set, j.finish()})
	}
	return out, nil
}

// newEvaluators returns an evaluator for each set of rules.
func newEvaluators(sets []RuleSet, from time.Time) ([]*evaluator, error) {
	out := make([]*evaluator, len(sets))
	for i, set := range sets {
		set.Options.Silences = nil // silences do not affect the comparison
		engine, err := alert.New(set.Options)
		if err != nil {
			return nil, err
		}
		out[i] = &evaluator{
			set: set, engine: engine, from: from, open: make(map[string]*openEpisode), forecasts: forecast.Tracker{IntradayLog: set.IntradayLog},
		}
	}
	return out, nil
}

// addSnapshot adds a snapshot to the period, the recorded time, the gaps and the number of
// snapshots of the result. It ignores snapshots before from.
func (r *Result) addSnapshot(at, from time.Time) {
	if at.Before(from) {
		return
	}
	if r.Snapshots++; r.Snapshots == 1 {
		r.From = at
	} else if step := at.Sub(r.To); step > longestPause {
		r.Gaps = append(r.Gaps, Span{r.To, at})
	} else {
		r.Recorded += step
	}
	r.To = at
}

// evaluator evaluates one set of rules.
type evaluator struct {
	set          RuleSet
	engine       *alert.Engine
	from         time.Time
	forecasts    forecast.Tracker
	startedAt    time.Time // time of the first snapshot that counts
	lastSnapshot time.Time
	recorded     time.Duration           // time covered by the recording so far
	open         map[string]*openEpisode // active episodes by alert ID
	ended        []Episode
}

// openEpisode is an episode that has not ended.
type openEpisode struct {
	Episode
	recordedAtStart time.Duration // value of recorded at the start of the episode
	criticalSince   time.Time     // when the alert became critical; zero: it is not critical
}

func (j *evaluator) evaluate(s *model.Snapshot) {
	step := s.At.Sub(j.lastSnapshot)
	switch {
	case j.startedAt.IsZero():
		if !s.At.Before(j.from) {
			j.startedAt = s.At
		}
	case step > longestPause:
		for _, e := range j.open {
			if !e.criticalSince.IsZero() {
				j.endCritical(e)
				e.criticalSince = s.At
			}
		}
	default:
		j.recorded += step
	}
	j.lastSnapshot = s.At
	if j.engine.Forecasts().IsNeeded() {
		j.forecasts.Observe(s, s.At, j.engine.Goal)
		j.forecasts.UpdateEngine(j.engine, s, s.At)
	}
	for _, c := range j.engine.Evaluate(s, s.At) {
		j.applyChange(&c)
	}
}

// endCritical ends the current critical period of an episode, if any, at the time of the last
// snapshot.
func (j *evaluator) endCritical(e *openEpisode) {
	from := e.criticalSince
	e.criticalSince = time.Time{}
	if from.IsZero() || j.startedAt.IsZero() {
		return
	}
	if from.Before(j.startedAt) {
		from = j.startedAt
	}
	if from.Before(j.lastSnapshot) {
		e.Critical = append(e.Critical, Span{from, j.lastSnapshot})
	}
}

// updateCritical begins or ends the critical period of an episode, depending on its level.
func (j *evaluator) updateCritical(e *openEpisode) {
	switch {
	case e.Level != alert.Critical:
		j.endCritical(e)
	case e.criticalSince.IsZero():
		e.criticalSince = j.lastSnapshot
	}
}

func (j *evaluator) applyChange(c *alert.Change) {
	a := &c.Alert
	e := j.open[a.ID]
	switch c.Kind {
	case alert.ChangeRaised:
		e = &openEpisode{recordedAtStart: j.recorded, Episode: Episode{
			Rule: a.Rule, Key: a.Key, Text: a.Text, Level: a.Level, Raised: a.Raised, BeforeStart: a.Raised.Before(j.from),
		}}
		j.open[a.ID] = e
		j.updateCritical(e)
	case alert.ChangeEscalated, alert.ChangeEased:
		if e != nil {
			e.Level, e.Text = a.Level, a.Text // Level becomes the worst level when the alert ends
			j.updateCritical(e)
		}
	case alert.ChangeCleared, alert.ChangeVanished:
		if e != nil {
			delete(j.open, a.ID)
			j.endCritical(e)
			if e.Ended = a.Ended; !e.Ended.Before(j.from) {
				e.Level, e.Lasted = a.HighestLevel, j.recorded-e.recordedAtStart
				j.ended = append(j.ended, e.Episode)
			}
		}
	case alert.ChangeResumed:
	}
}

// finish ends the episodes that are still open. It returns all episodes, sorted by start.
func (j *evaluator) finish() []Episode {
	for _, e := range j.open {
		j.endCritical(e)
		e.Open, e.Ended, e.Lasted = true, j.lastSnapshot, j.recorded-e.recordedAtStart
		if len(e.Critical) > 0 {
			e.Level = alert.Critical
		}
		j.ended = append(j.ended, e.Episode)
	}
	slices.SortFunc(j.ended, func(a, b Episode) int {
		if by := a.Raised.Compare(b.Raised); by != 0 {
			return by
		}
		return cmp.Compare(a.Key.String(), b.Key.String())
	})
	return j.ended
}
