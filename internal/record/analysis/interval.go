package analysis

import (
	"context"
	"slices"
	"time"

	"wallboard/internal/words"
	"wallboard/model"
)

// Scope is a service on a channel, or all services of the channel.
type Scope struct {
	Channel model.Channel
	Service string // code of the service; "": all services of the channel
}

// tables returns the tables that are needed to count the contacts and agents of the scope.
func (s Scope) tables() []model.Op {
	if s.Service != "" {
		return []model.Op{model.OpServices}
	}
	return []model.Op{model.OpServices, model.OpUserStats}
}

// Interval holds the counts and means of an interval of a day.
type Interval struct {
	From, To time.Time
	// First and Last are the times of the first and the last snapshot used. They are zero if
	// nothing was recorded. RecordedTime is the total recorded time without gaps.
	First, Last  time.Time
	RecordedTime time.Duration

	Calls model.ServiceCalls // counts within the interval: received, answered, in time, abandoned, short
	// Handling is the mean time, in seconds, that agents spent on an answered contact: talk time
	// and after-call work, from the counters of the agents. It is known only for all services of a
	// channel together, because document 2 does not say for which service an agent worked.
	Handling model.Figure
	// LoggedIn and Ready are the mean numbers of logged-in and of ready agents during RecordedTime.
	LoggedIn, Ready model.Figure

	// RestartedAt is the time within the interval at which the platform reset its counters,
	// for example at midnight, or zero if it did not. CountersFell means that counters fell
	// without a reset, for example after a clock change; the counts are then unknown.
	RestartedAt  time.Time
	CountersFell bool
}

// edgeTolerance limits the missing time at each end of an interval for which
// [Interval.IsWhole] is true.
const edgeTolerance = 15 * time.Second

// IsGap reports whether nothing was recorded in the interval. It also returns true for a
// single snapshot, because counting needs two.
func (v *Interval) IsGap() bool { return v.RecordedTime <= 0 }

// IsWhole reports whether the interval was recorded from start to end without gaps.
func (v *Interval) IsWhole() bool {
	return !v.IsGap() && v.First.Sub(v.From) <= edgeTolerance && v.To.Sub(v.Last) <= edgeTolerance && v.RecordedTime+2*edgeTolerance >= v.To.Sub(v.From)
}

// IntervalLengths returns the lengths of intervals that a user may choose.
func IntervalLengths() []time.Duration { return []time.Duration{15 * time.Minute, 30 * time.Minute} }

// Intervals returns the intervals of a given length between two times. It omits unrecorded
// intervals at the start and the end. Counts cover the time from the snapshot at the start of
// an interval to the snapshot at its end, so they add up to the counts of the day. If a gap
// extends over two intervals, its contacts belong to neither of them. progress may be nil.
func Intervals(ctx context.Context, p Snapshots, from, to time.Time, length time.Duration, scope Scope, progress Progress) ([]Interval, error) {
	first, last := p.Span()
	var out []Interval
	all := int(to.Sub(from) / length)
	for begin := from; begin.Before(to); begin = begin.Add(length) {
		if err := contextError(ctx); err != nil {
			return nil, err
		}
		if progress != nil {
			progress(len(out), all)
		}
		v := Interval{From: begin, To: begin.Add(length)}
		if !v.To.Before(first) && !begin.After(last) {
			if err := v.readSnapshots(ctx, p, scope); err != nil {
				return nil, err
			}
		}
		out = append(out, v)
	}
	gap := func(v Interval) bool { return v.IsGap() }
	if i := slices.IndexFunc(out, func(v Interval) bool { return !gap(v) }); i >= 0 {
		out = out[i:]
	} else {
		return nil, nil
	}
	for gap(out[len(out)-1]) {
		out = out[:len(out)-1]
	}
	return out, nil
}

// readSnapshots reads the snapshots of the interval and sets its counts and means.
func (v *Interval) readSnapshots(ctx context.Context, p Snapshots, scope Scope) error {
	t := tally{interval: v, scope: scope, services: make(map[string]*serviceCounters), agents: make(map[string]*agentCounters)}
	only := scope.tables()
	begin, err := snapshotAt(p, v.From, only...)
	if err != nil {
		return err
	}
	if begin != nil && v.From.Sub(begin.At) <= edgeTolerance {
		t.addSnapshot(begin, v.From)
	}
	for s, err := range p.SampledSnapshots(v.From, v.To, coarseStep, only...) {
		if err == nil {
			err = contextError(ctx)
		}
		if err != nil {
			return err
		}
		t.addSnapshot(s, s.At)
	}
	end, err := snapshotAt(p, v.To, only...)
	if err != nil {
		return err
	}
	if end != nil && v.To.Sub(end.At) <= edgeTolerance {
		t.addSnapshot(end, v.To)
	} else if err := t.addLastSnapshot(p); err != nil {
		return err
	}
	t.setResults()
	return nil
}

// addLastSnapshot adds the last snapshot of the recording if the recording ends within the interval.
func (t *tally) addLastSnapshot(p Snapshots) error {
	_, last := p.Span()
	if !last.After(t.last) || !last.Before(t.interval.To) {
		return nil
	}
	s, err := snapshotAt(p, last, t.scope.tables()...)
	if err == nil && s != nil {
		t.addSnapshot(s, last)
	}
	return err
}

// tally adds up the changes between the snapshots of an interval.
type tally struct {
	interval *Interval
	scope    Scope
	last     time.Time
	services map[string]*serviceCounters // by code
	agents   map[string]*agentCounters   // by username

	loggedIn, ready timeMean
}

// serviceCounters holds the counters of a service.
type serviceCounters struct{ received, answered, inTime, hungUp, short counter }

// agentCounters holds the counters of an agent.
type agentCounters struct{ busy, afterContact, answered counter }

// addSnapshot adds the snapshot of a time. It ignores a snapshot older than the last one, and
// a snapshot without a connection to the platform, because its counters do not change.
func (t *tally) addSnapshot(s *model.Snapshot, at time.Time) {
	if at.Before(t.last) || !s.Health.HadData() || s.Health.Link.State != model.LinkUp {
		return
	}
	v := t.interval
	if v.First.IsZero() {
		v.First = at
	}
	if gone := at.Sub(t.last); !t.last.IsZero() && gone <= maxGap {
		v.RecordedTime += gone
		t.loggedIn.addTime(gone)
		t.ready.addTime(gone)
	}
	t.last, v.Last = at, at
	t.addCounters(s, at)
	t.addAgents(s)
}

// addCounters adds the counters in a snapshot.
func (t *tally) addCounters(s *model.Snapshot, at time.Time) {
	v := t.interval
	note := func(c *counter, n model.Int) {
		switch c.add(n) {
		case counterReset:
			if at.Sub(v.From) > 2*time.Minute { // at the start of a day, a reset is normal
				v.RestartedAt = at
			}
		case counterFell:
			v.CountersFell = true
		case counterIncreased:
		}
	}
	for r := range s.Services.All() {
		if r.Channel != t.scope.Channel || t.scope.Service != "" && r.Key().Code != t.scope.Service {
			continue
		}
		c := t.services[r.Key().Code]
		if c == nil {
			c = &serviceCounters{}
			t.services[r.Key().Code] = c
		}
		calls := &r.ChannelStats
		note(&c.received, calls.ReceivedCalls)
		note(&c.answered, calls.AnsweredCalls)
		note(&c.inTime, calls.AnsweredCallsUnderSpeedLimit)
		note(&c.hungUp, calls.HangupCalls)
		note(&c.short, calls.ShortCalls)
	}
	if t.scope.Service != "" {
		return
	}
	for r := range s.UserStats.All() {
		if r.Channel != t.scope.Channel {
			continue
		}
		w := t.agents[r.Key().Username]
		if w == nil {
			w = &agentCounters{}
			t.agents[r.Key().Username] = w
		}
		w.busy.add(r.TimeInStateBusyOnService)
		w.afterContact.add(r.TimeInStateWNR)
		w.answered.add(r.NumberCallFromServiceAnswered)
	}
}

// addAgents records how many agents are logged in and ready in a snapshot.
func (t *tally) addAgents(s *model.Snapshot) {
	if t.scope.Service == "" {
		f := model.FloorOf(s, t.scope.Channel, func(*model.Service) bool { return false }, nil)
		t.loggedIn.setValue(f.LoggedIn())
		t.ready.setValue(f.CountInStates(model.Ready))
		return
	}
	var logged, ready model.Int
	if r := s.Services.Get(model.ServiceKey{Code: t.scope.Service, Channel: t.scope.Channel}); r != nil {
		logged, ready = r.UserStats.LoggedUsers.Count, r.UserStats.ReadyUsers.Count
	}
	t.loggedIn.setValue(logged)
	t.ready.setValue(ready)
}

// setResults sets the counts and means of the interval.
func (t *tally) setResults() {
	v := t.interval
	v.LoggedIn, v.Ready = t.loggedIn.result(), t.ready.result()
	if v.CountersFell || v.IsGap() {
		return
	}
	sum := func(of func(*serviceCounters) *counter) model.Int {
		total, known := int64(0), false
		for _, c := range t.services {
			n, ok := of(c).increase()
			if !ok {
				continue // the service does not have this figure
			}
			total, known = total+n, true
		}
		if !known {
			return model.Int{}
		}
		return model.IntOf(total)
	}
	v.Calls.ReceivedCalls = sum(func(c *serviceCounters) *counter { return &c.received })
	v.Calls.AnsweredCalls = sum(func(c *serviceCounters) *counter { return &c.answered })
	v.Calls.AnsweredCallsUnderSpeedLimit = sum(func(c *serviceCounters) *counter { return &c.inTime })
	v.Calls.HangupCalls = sum(func(c *serviceCounters) *counter { return &c.hungUp })
	v.Calls.ShortCalls = sum(func(c *serviceCounters) *counter { return &c.short })
	var all model.AgentFigures
	busy, after, answered := int64(0), int64(0), int64(0)
	for _, w := range t.agents {
		b, okB := w.busy.increase()
		a, okA := w.afterContact.increase()
		n, okN := w.answered.increase()
		if okB && okA && okN {
			busy, after, answered = busy+b, after+a, answered+n
		}
	}
	if answered > 0 {
		all.TimeInStateBusyOnService, all.TimeInStateWNR = model.IntOf(busy), model.IntOf(after)
		all.NumberCallFromServiceAnswered = model.IntOf(answered)
		v.Handling = all.AHT()
	}
}

// counterChange is the kind of change of a counter between two snapshots.
type counterChange int

const (
	counterIncreased counterChange = iota
	counterReset                   // the counter was reset
	counterFell                    // the counter fell without a reset
)

// counter adds up the increases of a counter of the platform.
type counter struct {
	last         int64
	total        int64
	started      bool
	hasBeenReset bool // the counter was reset since the first value
}

// add processes the next value of the counter and returns how the counter has changed. It
// returns counterIncreased for the first value and, without processing it, for an unknown value.
func (c *counter) add(n model.Int) counterChange {
	v, ok := n.Get()
	if !ok {
		return counterIncreased
	}
	was := c.last
	c.last = v
	const few = 10 // a value of at most 1/few of the previous value means that the counter was reset
	switch {
	case !c.started:
		c.started = true
	case v >= was:
		c.total += v - was
	case v <= was/few && !c.hasBeenReset: // a second reset would mean that the values come from two clocks
		c.total += v
		c.hasBeenReset = true
		return counterReset
	default:
		return counterFell
	}
	return counterIncreased
}

// increase returns the sum of all increases since the first value. ok is false if all values were
// unknown.
func (c *counter) increase() (n int64, ok bool) { return c.total, c.started }

// timeMean computes the time-weighted mean of a number.
type timeMean struct {
	value       model.Int
	weightedSum float64
	duration    time.Duration
}

func (m *timeMean) setValue(n model.Int) { m.value = n }

// addTime adds a period of length d during which the number had its current value.
func (m *timeMean) addTime(d time.Duration) {
	if n, ok := m.value.Get(); ok {
		m.weightedSum += float64(n) * d.Seconds()
		m.duration += d
	}
}

func (m *timeMean) result() model.Figure {
	if m.duration <= 0 {
		return model.Figure{}
	}
	return model.FigureOf(m.weightedSum / m.duration.Seconds())
}

// Note returns the reasons why the interval is incomplete at now, or the zero Text if it is complete.
func (v *Interval) Note(now time.Time, zone *time.Location) (note words.Text) {
	switch {
	case v.IsGap():
		return words.HistoryNoteGap()
	case !v.IsWhole() && v.To.After(now) && now.Sub(v.Last) < maxGap:
		note = words.HistorySoFar()
	case v.Last.Sub(v.First) <= v.RecordedTime+edgeTolerance:
		if !v.IsWhole() {
			note = words.HistoryNoteOnly(words.ClockOf(v.First, zone), words.ClockOf(v.Last, zone))
		}
	default:
		note = words.HistoryNotePart(int(v.RecordedTime.Round(time.Minute).Minutes()), int(v.To.Sub(v.From).Minutes()))
	}
	add := func(t words.Text) {
		if note.IsZero() {
			note = t
			return
		}
		note = words.HistoryNotes(note, t)
	}
	if !v.RestartedAt.IsZero() {
		add(words.HistoryNoteRestarted(words.ClockOf(v.RestartedAt, zone)))
	}
	if v.CountersFell {
		add(words.HistoryNoteFell())
	}
	return note
}
