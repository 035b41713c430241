package dialect

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"wallboard/model"
)

// The checked fields, as named in document 2.
const (
	CurrentCalls       = "currentCalls"
	ConnectedCall      = "connectedCall"
	AverageTimeOnQueue = "averageTimeOnQueue"
)

// CounterFields returns the checked fields.
func CounterFields() []string { return []string{CurrentCalls, ConnectedCall, AverageTimeOnQueue} }

const (
	// enoughMoves is the number of observations that contradict an assumption.
	enoughMoves = 20
	// minWrongDuration is how long a sum must be wrong to count: its two parts may arrive in
	// separate updates.
	minWrongDuration = 5 * time.Second
	// maxWait is the longest plausible wait of a caller, in seconds.
	maxWait = 3600
)

// CounterFinding is an assumption contradicted by the platform's figures.
type CounterFinding struct {
	Field   string
	Meaning string // value for the configuration: current or daily; "": none fits
	Reason  string
}

// String describes the finding.
func (f CounterFinding) String() string { return f.Field + " " + f.Reason }

// CounterChecker checks the meanings that the board assumes on one platform: currentCalls and
// connectedCall count present calls; averageTimeOnQueue is the average over all calls
// answered since the daily reset. It changes no figures; it reports which assumption is
// contradicted and what to configure. The zero value is ready to use. It is not safe for
// concurrent use.
type CounterChecker struct {
	services  map[model.ServiceKey]*meaningState
	checkedAt time.Time
	reset     time.Time // last reset of the daily counters

	current, connected changeCounts
	below, above       int // episodes in which a sum was wrong
	average            struct{ all, idle, jumps int }
}

// changeCounts counts how often a counter rose and fell.
type changeCounts struct{ rose, fell int }

// onlyRose reports whether the counter has only risen.
func (m changeCounts) onlyRose() bool { return m.rose >= enoughMoves && m.fell == 0 }

func (m *changeCounts) observe(before, now model.Int) {
	a, okA := before.Get()
	b, okB := now.Get()
	switch {
	case !okA || !okB:
	case b > a:
		m.rose++
	case b < a:
		m.fell++
	}
}

// meaningState is the state of one service on one channel.
type meaningState struct {
	calls        model.ServiceCalls
	below, above episode
}

// episode is a period in which a sum is wrong.
type episode struct {
	since   time.Time
	counted bool
}

// observe reports whether the sum has now been wrong for long enough to count. Each episode counts
// once.
func (e *episode) observe(wrong bool, now time.Time) bool {
	switch {
	case !wrong:
		*e = episode{}
	case e.since.IsZero():
		e.since = now
	case !e.counted && now.Sub(e.since) >= minWrongDuration:
		e.counted = true
		return true
	}
	return false
}

// Check checks the services, at most once a second. They must be fresh.
func (w *CounterChecker) Check(services []*model.Service, now time.Time) {
	if now.Sub(w.checkedAt) < time.Second {
		return
	}
	w.checkedAt = now
	if w.services == nil || len(w.services) > 2*len(services)+100 {
		w.services = make(map[model.ServiceKey]*meaningState)
	}
	for _, r := range services {
		l := w.services[r.Key()]
		if l == nil {
			w.services[r.Key()] = &meaningState{calls: r.ChannelStats}
			continue
		}
		w.check(l, r, now)
		l.calls = r.ChannelStats
	}
}

func (w *CounterChecker) check(l *meaningState, r *model.Service, now time.Time) {
	is, previous := &r.ChannelStats, &l.calls
	if is.ReceivedCalls.Or(0) < previous.ReceivedCalls.Or(0) { // a new day
		w.reset = now
		l.below, l.above = episode{}, episode{}
		return
	}
	w.current.observe(previous.CurrentCalls, is.CurrentCalls)
	w.connected.observe(previous.ConnectedCall, is.ConnectedCall)
	current, okCurrent := is.CurrentCalls.Get()
	connected, okConnected := is.ConnectedCall.Get()
	logged, okLogged := r.UserStats.LoggedUsers.Count.Get()
	if l.below.observe(okCurrent && current < is.QueuedCalls.Or(0)+connected, now) {
		w.below++
	}
	if l.above.observe(okConnected && okLogged && logged > 0 && connected > logged, now) {
		w.above++
	}
	w.checkAverage(previous, is)
}

func (w *CounterChecker) checkAverage(previous, current *model.ServiceCalls) {
	a, okA := previous.AverageTimeOnQueue.Get()
	b, okB := current.AverageTimeOnQueue.Get()
	before, okBefore := previous.AnsweredCalls.Get()
	now, okNow := current.AnsweredCalls.Get()
	if !okA || !okB || !okBefore || !okNow || a == b {
		return
	}
	w.average.all++
	const rounded = 1 // second
	switch moved := (math.Abs(b-a) - rounded) * float64(now); {
	case now == before:
		w.average.idle++
	case moved > maxWait*float64(now-before):
		w.average.jumps++
	}
}

// Findings returns the contradicted assumptions.
func (w *CounterChecker) Findings() []CounterFinding {
	var out []CounterFinding
	add := func(field, meaning, format string, args ...any) {
		out = append(out, CounterFinding{field, meaning, fmt.Sprintf(format, args...)})
	}
	switch {
	case w.current.onlyRose():
		add(CurrentCalls, "daily", "has risen %d times and never fallen: it counts the calls of the day, not the present ones", w.current.rose)
	case w.below >= enoughMoves/4 && !w.connected.onlyRose():
		add(CurrentCalls, "", "was %d times below the calls that waited or were connected: it does not contain them", w.below)
	}
	switch {
	case w.connected.onlyRose():
		add(ConnectedCall, "daily", "has risen %d times and never fallen: it counts the calls of the day, not the present ones", w.connected.rose)
	case w.above >= enoughMoves/4:
		add(ConnectedCall, "", "was %d times above the agents logged in: it does not count present conversations", w.above)
	}
	switch m := w.average; {
	case m.idle >= enoughMoves && 2*m.idle > m.all:
		add(AverageTimeOnQueue, "current", "has changed %d times while no call was answered: it is not the average of the calls answered today", m.idle)
	case m.jumps >= enoughMoves/4:
		add(AverageTimeOnQueue, "current", "has changed %d times by more than an average of the day can: it is that of recent calls", m.jumps)
	}
	return out
}

// Reset returns the last reset of the daily counters, or zero if none was seen.
func (w *CounterChecker) Reset() time.Time { return w.reset }

// Describe describes the findings and the last reset, or returns "".
func (w *CounterChecker) Describe() string {
	var parts []string
	for _, f := range w.Findings() {
		text := f.String()
		if f.Meaning != "" {
			text += fmt.Sprintf("; configure [rtd.dialect.meanings] %s = %q", f.Field, f.Meaning)
		}
		parts = append(parts, text)
	}
	if !w.reset.IsZero() {
		parts = append(parts, "the counters of the day were reset at "+w.reset.UTC().Format("15:04 UTC"))
	}
	return strings.Join(slices.Compact(parts), "; ")
}
