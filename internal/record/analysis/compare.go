package analysis

import (
	"context"
	"math"
	"slices"
	"time"

	"wallboard/internal/textformat"
	"wallboard/model"
)

const (
	// comparisonSpan is the period before an action in which similar moments are searched for.
	comparisonSpan = 72 * time.Hour
	// minSimilarMoments is the number of similar moments needed for a comparison.
	minSimilarMoments = 3
	// comparisonDistance is the minimum time between an action and a similar moment, and between two
	// similar moments.
	comparisonDistance = 10 * time.Minute
)

// comparison compares the effects of actions with similar moments without an action.
type comparison struct {
	snapshots       Snapshots
	actions         []Action
	countermeasures []Countermeasure // from the marks of the recording
	isRead          bool             // countermeasures was set
	statesByScope   map[Scope][]scopeState
}

// describeSimilar describes how the wait changed in similar moments without an action, within the time
// after which the effect e was measured: "in 5 similar moments without an action it went from
// 1:05 to 0:30". If there are fewer than minSimilarMoments such moments, the result says this.
func (c *comparison) describeSimilar(ctx context.Context, e *Effect, scope Scope) (string, error) {
	states, err := c.states(ctx, scope)
	if err != nil {
		return "", err
	}
	var n int
	var before, after time.Duration
	last := time.Time{}
	for i, s := range states {
		if s.at.Sub(last) < comparisonDistance || e.stateBefore.at.Sub(s.at) < max(comparisonDistance, e.Elapsed) || e.stateBefore.at.Sub(s.at) > comparisonSpan ||
			!s.resembles(&e.stateBefore) || c.hasAction(scope, s.at, s.at.Add(e.Elapsed)) {
			continue
		}
		if end := stateAfter(states[i:], e.Elapsed); !end.at.IsZero() {
			n, before, after, last = n+1, before+s.wait, after+end.wait, s.at
		}
	}
	if n < minSimilarMoments {
		return "too few similar moments to compare with", nil
	}
	mean := func(d time.Duration) string { return textformat.Duration((d / time.Duration(n)).Round(time.Second)) }
	return "in " + textformat.CountWithNoun(n, "similar moment", "similar moments") + " without an action it went from " + mean(before) + " to " + mean(after), nil
}

// states returns the recorded states of a scope, a minute apart, from comparisonSpan before the first
// action to the last one.
func (c *comparison) states(ctx context.Context, scope Scope) ([]scopeState, error) {
	if states, known := c.statesByScope[scope]; known {
		return states, nil
	}
	if marked, ok := c.snapshots.(interface{ Marks() []model.Mark }); ok && !c.isRead {
		c.countermeasures, c.isRead = CountermeasuresOf(marked.Marks()), true
	}
	from, to := c.actions[0].At, c.actions[0].At
	for _, a := range c.actions {
		if a.At.Before(from) {
			from = a.At
		}
		if a.At.After(to) {
			to = a.At
		}
	}
	states := []scopeState{}
	for s, err := range c.snapshots.SampledSnapshots(from.Add(-comparisonSpan), to, coarseStep, scope.tables()...) {
		if err == nil {
			err = contextError(ctx)
		}
		if err != nil {
			return nil, err
		}
		if now, known := stateOf(s, scope); known && (len(states) == 0 || s.At.After(states[len(states)-1].at)) {
			states = append(states, now)
		}
	}
	c.statesByScope[scope] = states
	return states, nil
}

// hasAction reports whether an action or a measure concerned a scope between from and to or up
// to effectSearchSpan before from.
func (c *comparison) hasAction(scope Scope, from, to time.Time) bool {
	during := func(at time.Time, of Scope) bool {
		concerns := of == scope || of.Channel == scope.Channel && (of.Service == "" || scope.Service == "")
		return concerns && at.After(from.Add(-effectSearchSpan)) && at.Before(to)
	}
	return slices.ContainsFunc(c.actions, func(a Action) bool { return during(a.At, a.Scope) }) ||
		slices.ContainsFunc(c.countermeasures, func(m Countermeasure) bool { return during(m.At, m.Scope) })
}

// resembles reports whether contacts wait in both states, in about the same number, for about
// as long and with about as many ready agents.
func (s *scopeState) resembles(other *scopeState) bool {
	const share = 0.35 // largest relative difference
	isNear := func(a, b, least float64) bool { return math.Abs(a-b) <= max(least, share*max(a, b)) }
	return s.waiting > 0 && isNear(float64(s.waiting), float64(other.waiting), 1) &&
		isNear(s.wait.Seconds(), other.wait.Seconds(), 15) && isNear(float64(s.ready), float64(other.ready), 1)
}
