package dialect

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"wallboard/model"
)

// Names in document 2 of the fields that [CounterChecker] checks.
const (
	CurrentCalls       = "currentCalls"
	ConnectedCall      = "connectedCall"
	AverageTimeOnQueue = "averageTimeOnQueue"
)

// CounterFields returns the fields that [CounterChecker] checks.
func CounterFields() []string { return []string{CurrentCalls, ConnectedCall, AverageTimeOnQueue} }

const (
	// minChanges is the number of observed changes that refute an assumption about a counter. A
	// quarter of minChanges is enough for observations that are impossible under the assumption.
	minChanges = 20
	// minContradictionDuration is how long two counters must contradict each other before the contradiction
	// counts. Shorter contradictions are normal, because counters may arrive in separate updates.
	minContradictionDuration = 5 * time.Second
	// maxWaitSeconds is the longest plausible wait of a caller, in seconds.
	maxWaitSeconds = 3600
)

// CounterFinding is an assumption about the meaning of a counter that the platform's figures
// contradict.
type CounterFinding struct {
	Field   string
	Meaning string // the actual meaning, as in the configuration: current or daily; "": neither fits
	Reason  string
}

// String returns the finding as one line.
func (f CounterFinding) String() string { return f.Field + " " + f.Reason }

// CounterChecker checks whether the counters of a platform's services have the meanings that the
// configuration assumes. The zero value is ready to use. It is not safe for concurrent use.
type CounterChecker struct {
	services  map[model.ServiceKey]*checkedService
	checkedAt time.Time
	resetAt   time.Time // time of the last reset of the daily counters

	currentChanges, connectedChanges changeCounts // changes of currentCalls and connectedCall
	currentTooLow                    int          // periods in which currentCalls was below the calls waiting or connected
	connectedTooHigh                 int          // periods in which connectedCall was above the agents logged in
	averageChanges                   averageCounts
}

type averageCounts struct {
	changes       int
	withoutAnswer int // changes while no call was answered
	tooLarge      int // changes that are too large for an average over the day
}

// changeCounts holds how often a counter rose and fell.
type changeCounts struct{ rose, fell int }

// onlyRose reports whether the counter has risen at least minChanges times and never fallen.
func (c changeCounts) onlyRose() bool { return c.rose >= minChanges && c.fell == 0 }

func (c *changeCounts) observe(before, now model.Int) {
	a, okA := before.Get()
	b, okB := now.Get()
	switch {
	case !okA || !okB:
	case b > a:
		c.rose++
	case b < a:
		c.fell++
	}
}

// checkedService holds the observations of [CounterChecker] about one service on one channel.
type checkedService struct {
	calls                           model.ServiceCalls  // figures at the previous check
	currentTooLow, connectedTooHigh contradictionPeriod // current contradictions; CounterChecker counts them
}

// contradictionPeriod is a period in which a counter contradicts other counters.
type contradictionPeriod struct {
	since   time.Time
	counted bool
}

// observe records whether the counter is wrong now. It returns true once per period: at the first
// observation after minContradictionDuration at which the counter is still wrong.
func (e *contradictionPeriod) observe(wrong bool, now time.Time) bool {
	switch {
	case !wrong:
		*e = contradictionPeriod{}
	case e.since.IsZero():
		e.since = now
	case !e.counted && now.Sub(e.since) >= minContradictionDuration:
		e.counted = true
		return true
	}
	return false
}

// Check compares the figures of the services with those of the previous check. It does nothing if
// the previous check was less than a second ago. The figures must be up to date.
func (c *CounterChecker) Check(services []*model.Service, now time.Time) {
	if now.Sub(c.checkedAt) < time.Second {
		return
	}
	c.checkedAt = now
	if c.services == nil || len(c.services) > 2*len(services)+100 {
		c.services = make(map[model.ServiceKey]*checkedService)
	}
	for _, r := range services {
		l := c.services[r.Key()]
		if l == nil {
			c.services[r.Key()] = &checkedService{calls: r.ChannelStats}
			continue
		}
		c.checkService(l, r, now)
		l.calls = r.ChannelStats
	}
}

func (c *CounterChecker) checkService(l *checkedService, r *model.Service, now time.Time) {
	is, previous := &r.ChannelStats, &l.calls
	if is.ReceivedCalls.Or(0) < previous.ReceivedCalls.Or(0) { // the counters were reset for a new day
		c.resetAt = now
		l.currentTooLow, l.connectedTooHigh = contradictionPeriod{}, contradictionPeriod{}
		return
	}
	c.currentChanges.observe(previous.CurrentCalls, is.CurrentCalls)
	c.connectedChanges.observe(previous.ConnectedCall, is.ConnectedCall)
	current, okCurrent := is.CurrentCalls.Get()
	connected, okConnected := is.ConnectedCall.Get()
	logged, okLogged := r.UserStats.LoggedUsers.Count.Get()
	if l.currentTooLow.observe(okCurrent && current < is.QueuedCalls.Or(0)+connected, now) {
		c.currentTooLow++
	}
	if l.connectedTooHigh.observe(okConnected && okLogged && logged > 0 && connected > logged, now) {
		c.connectedTooHigh++
	}
	c.checkAverage(previous, is)
}

func (c *CounterChecker) checkAverage(previous, current *model.ServiceCalls) {
	a, okA := previous.AverageTimeOnQueue.Get()
	b, okB := current.AverageTimeOnQueue.Get()
	before, okBefore := previous.AnsweredCalls.Get()
	now, okNow := current.AnsweredCalls.Get()
	if !okA || !okB || !okBefore || !okNow || a == b {
		return
	}
	c.averageChanges.changes++
	const rounded = 1 // largest change, in seconds, that rounding alone causes
	switch moved := (math.Abs(b-a) - rounded) * float64(now); {
	case now == before:
		c.averageChanges.withoutAnswer++
	case moved > maxWaitSeconds*float64(now-before):
		c.averageChanges.tooLarge++
	}
}

// Findings returns the assumptions that the figures contradict so far.
func (c *CounterChecker) Findings() []CounterFinding {
	var out []CounterFinding
	add := func(field, meaning, format string, args ...any) {
		out = append(out, CounterFinding{field, meaning, fmt.Sprintf(format, args...)})
	}
	switch {
	case c.currentChanges.onlyRose():
		add(CurrentCalls, "daily", "has risen %d times and never fallen: it counts the calls of the day, not the present ones", c.currentChanges.rose)
	case c.currentTooLow >= minChanges/4 && !c.connectedChanges.onlyRose():
		add(CurrentCalls, "", "was %d times below the calls that waited or were connected: it does not contain them", c.currentTooLow)
	}
	switch {
	case c.connectedChanges.onlyRose():
		add(ConnectedCall, "daily", "has risen %d times and never fallen: it counts the calls of the day, not the present ones", c.connectedChanges.rose)
	case c.connectedTooHigh >= minChanges/4:
		add(ConnectedCall, "", "was %d times above the agents logged in: it does not count present conversations", c.connectedTooHigh)
	}
	switch m := c.averageChanges; {
	case m.withoutAnswer >= minChanges && 2*m.withoutAnswer > m.changes:
		add(AverageTimeOnQueue, "current", "has changed %d times while no call was answered: it is not the average of the calls answered today", m.withoutAnswer)
	case m.tooLarge >= minChanges/4:
		add(AverageTimeOnQueue, "current", "has changed %d times by more than an average of the day can: it is that of recent calls", m.tooLarge)
	}
	return out
}

// Describe describes the findings and the last reset of the daily counters, for display. If there
// are no findings and no reset, it returns "".
func (c *CounterChecker) Describe() string {
	var parts []string
	for _, f := range c.Findings() {
		text := f.String()
		if f.Meaning != "" {
			text += fmt.Sprintf("; configure [rtd.dialect.meanings] %s = %q", f.Field, f.Meaning)
		}
		parts = append(parts, text)
	}
	if !c.resetAt.IsZero() {
		parts = append(parts, "the counters of the day were reset at "+c.resetAt.UTC().Format("15:04 UTC"))
	}
	return strings.Join(slices.Compact(parts), "; ")
}
