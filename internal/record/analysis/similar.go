package analysis

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"
	"time"

	"wallboard/internal/words"
	"wallboard/model"
)

// Moment is the state of a service, or of a whole channel, at a time.
type Moment struct {
	At             time.Time
	Waiting, Ready int64
	Arrived        int64         // contacts that arrived in the ten minutes before
	LongestWait    time.Duration // longest wait of the contacts in the queue
}

// SimilarMoment is an earlier moment that is similar to a given one, with the events that followed.
type SimilarMoment struct {
	Moment
	QueueEmptyAfter  time.Duration    // time until the queue was empty; 0: it was not empty within ExaminedTime, or was empty already
	ReadyAtEnd       int64            // ready agents when the queue was empty, or at the end of ExaminedTime
	LongestWaitAfter time.Duration    // longest wait until the queue was empty, or until the end of ExaminedTime
	ExaminedTime     time.Duration    // recorded time after the moment that was examined
	Countermeasures  []Countermeasure // measures in the scope at that time; see [AddCountermeasures]
}

const (
	arrivalSpan = 10 * time.Minute // period before a moment in which Arrived is counted
	// minMomentDistance is the minimum time between two similar moments in a result.
	minMomentDistance = 30 * time.Minute
	// continuationSpan limits the time after a similar moment in which the recording is examined.
	continuationSpan = time.Hour
)

// ErrNoRecentData means that too little was recorded in the ten minutes before a moment.
var ErrNoRecentData = errors.New("not enough of the last ten minutes is recorded to search for similar moments")

// FindSimilarMoments returns the moment at a time, and up to limit earlier moments that are similar
// to it, the most similar first. Similar moments are at a similar time of day and have similar
// numbers of waiting contacts, ready agents and arrivals. The error may be [ErrNoRecentData].
func FindSimilarMoments(ctx context.Context, p Snapshots, at time.Time, scope Scope, zone *time.Location, limit int) (Moment, []SimilarMoment, error) {
	from, _ := p.Span()
	var states []scopeState
	for s, err := range p.SampledSnapshots(from, at, coarseStep, scope.tables()...) {
		if err == nil {
			err = contextError(ctx)
		}
		if err != nil {
			return Moment{}, nil, err
		}
		if now, known := stateOf(s, scope); known && (len(states) == 0 || s.At.After(states[len(states)-1].at)) {
			states = append(states, now)
		}
	}
	var moments []Moment
	places := []int{} // index of each moment in states
	for i, first := 0, 0; i < len(states); i++ {
		for states[i].at.Sub(states[first].at) > arrivalSpan {
			first++
		}
		if states[i].at.Sub(states[first].at) < arrivalSpan-2*coarseStep || states[i].received < states[first].received {
			continue // too little is recorded, or the counters were reset
		}
		moments = append(moments, Moment{states[i].at, states[i].waiting, states[i].ready, states[i].received - states[first].received, states[i].wait})
		places = append(places, i)
	}
	n := len(moments)
	if n == 0 || at.Sub(moments[n-1].At) > maxGap {
		return Moment{}, nil, ErrNoRecentData
	}
	now := moments[n-1]
	var found []int
	for i, m := range moments[:n-1] {
		if now.At.Sub(m.At) >= minMomentDistance && momentDistance(now, m, zone) <= 1 {
			found = append(found, i)
		}
	}
	slices.SortStableFunc(found, func(a, b int) int {
		return cmp.Compare(momentDistance(now, moments[a], zone), momentDistance(now, moments[b], zone))
	})
	var out []SimilarMoment
	for _, i := range found {
		if len(out) < limit && !slices.ContainsFunc(out, func(l SimilarMoment) bool { return l.At.Sub(moments[i].At).Abs() < minMomentDistance }) {
			out = append(out, continuation(states[places[i]:], moments[i]))
		}
	}
	return now, out, nil
}

// momentDistance returns a measure of how different two moments are. Moments with a distance of at
// most 1 are similar.
func momentDistance(a, b Moment, zone *time.Location) float64 {
	const share = 0.35 // relative difference that gives a distance of 1
	off := func(x, y int64, least float64) float64 {
		return math.Abs(float64(x-y)) / max(least, share*float64(max(x, y)))
	}
	minute := func(t time.Time) int { h, m, _ := t.In(zone).Clock(); return 60*h + m }
	hours := float64(min((minute(a.At)-minute(b.At)+24*60)%(24*60), (minute(b.At)-minute(a.At)+24*60)%(24*60))) / 60
	return max(off(a.Waiting, b.Waiting, 2), off(a.Ready, b.Ready, 1.5), off(a.Arrived, b.Arrived, 4), hours/4)
}

// continuation returns m with the events that followed. states holds the states from m on.
func continuation(states []scopeState, m Moment) SimilarMoment {
	l := SimilarMoment{Moment: m, LongestWaitAfter: m.LongestWait, ReadyAtEnd: m.Ready}
	for i, s := range states[1:] {
		if s.at.Sub(m.At) > continuationSpan || s.at.Sub(states[i].at) > maxGap {
			break
		}
		l.ExaminedTime, l.LongestWaitAfter, l.ReadyAtEnd = s.at.Sub(m.At), max(l.LongestWaitAfter, s.wait), s.ready
		if m.Waiting > 0 && s.waiting == 0 {
			l.QueueEmptyAfter = l.ExaminedTime
			break
		}
	}
	return l
}

// AddCountermeasures adds the measures in marks that concern a scope to similar moments of that
// scope. For each moment it adds the measures from minRecordedTime before the moment until the
// end of ExaminedTime.
func AddCountermeasures(moments []SimilarMoment, scope Scope, marks []model.Mark) {
	measures := CountermeasuresOf(marks)
	for i := range moments {
		l := &moments[i]
		for _, m := range measures {
			concerns := m.Scope == scope || m.Scope.Channel == scope.Channel && (m.Scope.Service == "" || scope.Service == "")
			if concerns && m.At.After(l.At.Add(-minRecordedTime)) && m.At.Before(l.At.Add(l.ExaminedTime)) {
				l.Countermeasures = append(l.Countermeasures, m)
			}
		}
	}
}

// CountermeasuresText lists the measures of the moment: "done then: 14:06 Call the team back, 14:09
// take-over". Times are in zone. It returns "" if no measure is known.
func (l *SimilarMoment) CountermeasuresText(zone *time.Location) words.Text {
	parts := make([]words.Text, len(l.Countermeasures))
	for i, m := range l.Countermeasures {
		parts[i] = words.ReplayMeasure(words.ClockOf(m.At, zone), m.Text())
	}
	if len(parts) == 0 {
		return words.Text{}
	}
	return words.ReplayDoneThen(parts)
}

// Text describes the moment, for example "3 waiting, 2 ready, 14 arrived in 10 min".
func (m *Moment) Text() words.Text {
	return words.ReplayMoment(int(m.Waiting), int(m.Ready), int(m.Arrived))
}

// Outcome describes the events after the moment.
func (l *SimilarMoment) Outcome() words.Text {
	minutes := func(d time.Duration) int { return int(math.Ceil(d.Minutes())) }
	longest := l.LongestWaitAfter.Round(time.Second)
	switch {
	case l.ExaminedTime == 0:
		return words.ReplayOutcomeUnknown()
	case l.QueueEmptyAfter > 0:
		return words.ReplayOutcomeResolved(minutes(l.QueueEmptyAfter), int(l.ReadyAtEnd), longest)
	case l.Waiting > 0:
		return words.ReplayOutcomeOpen(minutes(l.ExaminedTime), longest)
	case l.LongestWaitAfter > l.LongestWait+20*time.Second:
		return words.ReplayOutcomeWaited(minutes(l.ExaminedTime), longest)
	}
	return words.ReplayOutcomeSame(minutes(l.ExaminedTime), longest)
}
