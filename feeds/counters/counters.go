// Package counters checks the counters of services against the meanings that
// the board assumes where document 2 leaves them open: currentCalls and
// connectedCall count present calls; averageTimeOnQueue is the average over all
// calls answered since the daily reset.
//
// The package is pure: the caller passes the time. It changes no figures; it
// reports which assumption is contradicted and what to configure.
package counters

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

// Fields returns the checked fields.
func Fields() []string { return []string{CurrentCalls, ConnectedCall, AverageTimeOnQueue} }

const (
	// enough is the number of observations that contradict an assumption.
	enough = 20
	// lasts is how long a sum must be wrong to count: two updates may each
	// bring one half of it.
	lasts = 5 * time.Second
	// longest is the longest plausible wait of a caller, in seconds.
	longest = 3600
)

// Finding is an assumption contradicted by the platform's figures.
type Finding struct {
	Field   string
	Meaning string // value for the configuration: current or daily; "": none fits
	Why     string
}

// String describes the finding.
func (f Finding) String() string { return f.Field + " " + f.Why }

// Watch checks the services of one platform. The zero value is ready to use. It
// is not safe for concurrent use.
type Watch struct {
	lines  map[model.ServiceKey]*line
	looked time.Time
	reset  time.Time // last reset of the daily counters

	current, connected moves
	below, above       int // episodes in which a sum was wrong
	average            struct{ all, idle, jumps int }
}

// moves counts how often a counter rose and fell.
type moves struct{ rose, fell int }

// only reports whether the counter has only risen.
func (m moves) only() bool { return m.rose >= enough && m.fell == 0 }

func (m *moves) take(before, now model.Int) {
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

// line is the state of one service on one channel.
type line struct {
	calls        model.ServiceCalls
	below, above episode
}

// episode is a period in which a sum is wrong.
type episode struct {
	since   time.Time
	counted bool
}

// take reports whether the sum has just been wrong for long enough.
func (e *episode) take(wrong bool, now time.Time) bool {
	switch {
	case !wrong:
		*e = episode{}
	case e.since.IsZero():
		e.since = now
	case !e.counted && now.Sub(e.since) >= lasts:
		e.counted = true
		return true
	}
	return false
}

// Look checks the services, at most once a second. They must be fresh.
func (w *Watch) Look(services []*model.Service, now time.Time) {
	if now.Sub(w.looked) < time.Second {
		return
	}
	w.looked = now
	if w.lines == nil || len(w.lines) > 2*len(services)+100 {
		w.lines = make(map[model.ServiceKey]*line)
	}
	for _, r := range services {
		l := w.lines[r.Key()]
		if l == nil {
			w.lines[r.Key()] = &line{calls: r.ChannelStats}
			continue
		}
		w.take(l, r, now)
		l.calls = r.ChannelStats
	}
}

func (w *Watch) take(l *line, r *model.Service, now time.Time) {
	is, was := &r.ChannelStats, &l.calls
	if is.ReceivedCalls.Or(0) < was.ReceivedCalls.Or(0) { // a new day
		w.reset = now
		l.below, l.above = episode{}, episode{}
		return
	}
	w.current.take(was.CurrentCalls, is.CurrentCalls)
	w.connected.take(was.ConnectedCall, is.ConnectedCall)
	current, okCurrent := is.CurrentCalls.Get()
	connected, okConnected := is.ConnectedCall.Get()
	logged, okLogged := r.UserStats.LoggedUsers.Count.Get()
	if l.below.take(okCurrent && current < is.QueuedCalls.Or(0)+connected, now) {
		w.below++
	}
	if l.above.take(okConnected && okLogged && logged > 0 && connected > logged, now) {
		w.above++
	}
	w.takeAverage(was, is)
}

func (w *Watch) takeAverage(was, is *model.ServiceCalls) {
	a, okA := was.AverageTimeOnQueue.Get()
	b, okB := is.AverageTimeOnQueue.Get()
	before, okBefore := was.AnsweredCalls.Get()
	now, okNow := is.AnsweredCalls.Get()
	if !okA || !okB || !okBefore || !okNow || a == b {
		return
	}
	w.average.all++
	const rounded = 1 // second
	switch moved := (math.Abs(b-a) - rounded) * float64(now); {
	case now == before:
		w.average.idle++
	case moved > longest*float64(now-before):
		w.average.jumps++
	}
}

// Findings returns the contradicted assumptions.
func (w *Watch) Findings() []Finding {
	var out []Finding
	add := func(field, meaning, format string, args ...any) {
		out = append(out, Finding{field, meaning, fmt.Sprintf(format, args...)})
	}
	switch {
	case w.current.only():
		add(CurrentCalls, "daily", "has risen %d times and never fallen: it counts the calls of the day, not the present ones", w.current.rose)
	case w.below >= enough/4 && !w.connected.only():
		add(CurrentCalls, "", "was %d times below the calls that waited or were connected: it does not contain them", w.below)
	}
	switch {
	case w.connected.only():
		add(ConnectedCall, "daily", "has risen %d times and never fallen: it counts the calls of the day, not the present ones", w.connected.rose)
	case w.above >= enough/4:
		add(ConnectedCall, "", "was %d times above the agents logged in: it does not count present conversations", w.above)
	}
	switch m := w.average; {
	case m.idle >= enough && 2*m.idle > m.all:
		add(AverageTimeOnQueue, "current", "has changed %d times while no call was answered: it is not the average of the calls answered today", m.idle)
	case m.jumps >= enough/4:
		add(AverageTimeOnQueue, "current", "has changed %d times by more than an average of the day can: it is that of recent calls", m.jumps)
	}
	return out
}

// Reset returns the last reset of the daily counters, or zero if none was seen.
func (w *Watch) Reset() time.Time { return w.reset }

// Say describes the findings and the last reset, or returns "".
func (w *Watch) Say() string {
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
