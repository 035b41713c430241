package alert

import (
	"slices"
	"time"

	"wallboard/model"
)

// compareSpan is the length of the two periods that causes compare: the last one and
// the one before it.
const compareSpan = 15 * time.Minute

// Causes explains the change between the last 15 minutes and the 15 minutes before.
//
// The measure is the number of calls beyond the capacity of the agents at work: arrivals - agents *
// 15 minutes / handling time, at least 0. The part of a factor is the change of this number when
// only that factor changes, averaged over all orders in which the factors can change, so that the
// parts add up (Shapley values). The rest of the change is unexplained: agents who also work for
// other services, bursts, long waits by chance.
type Causes struct {
	Effect  Factor   // "calls missed", "calls abandoned" or "growth of the queue"
	Factors []Factor // arrivals, agents at work and handling time, with their parts; ready agents, without one
	// Unexplained is the remaining change of the effect, in calls.
	Unexplained model.Figure
	Left        []Departure // agents who left, latest first
}

// Factor is a figure in both periods.
type Factor struct {
	Name      string
	Format    Format
	Then, Now model.Figure
	Part      model.Figure // part of the change of the effect, in calls
	Share     model.Figure // share of the change of the effect; n/a if it did not change
}

// Departure is an agent who left in the last 15 minutes.
type Departure struct {
	Username  string
	Channel   model.Channel
	At        time.Time
	Activity  string // activity code if not ready
	LoggedOut bool   // if false, the agent is not ready
}

// causeFields returns the names of the figures that causes need samples of.
func causeFields() []string {
	return []string{
		"receivedCalls", "answeredCalls", "answeredCallsUnderSpeedLimit", "hangupCalls", "shortCalls",
		"queuedCalls", "connectedCall", "postCallUsers", "loggedUsers", "notReadyUsers", "readyUsers",
	}
}

// period holds the figures of one period.
type period struct {
	arrivals, agents, handling model.Figure // calls, heads, seconds
	ready                      model.Figure
	effect                     model.Figure // calls
}

// causes compares the last two periods, or returns nil for records without a queue.
func (e *Engine) causes(p *population, r *row, about effectKind) *Causes {
	if !slices.Contains([]Scope{Service, Group, Floor}, p.library.scope) || r.samples == nil {
		return nil
	}
	ring := &r.samples.fine
	n := int64(compareSpan / ring.step)
	then, now := p.period(r, ring.latest-n, n, about), p.period(r, ring.latest, n, about)
	c := &Causes{
		Effect: Factor{Name: string(about), Then: then.effect, Now: now.effect},
		Factors: []Factor{
			{Name: "arrivals", Then: then.arrivals, Now: now.arrivals},
			{Name: "agents at work", Then: then.agents, Now: now.agents},
			{Name: "handling time", Format: Duration, Then: then.handling, Now: now.handling},
			{Name: "ready agents", Then: then.ready, Now: now.ready, Part: model.NotApplicable(), Share: model.NotApplicable()},
		},
		Left: e.departures.departed(r.key, e.serverTime, e.last, e.populations[User].rows),
	}
	c.computeParts()
	return c
}

// period returns the figures of the n steps up to end.
func (p *population) period(r *row, end, n int64, about effectKind) period {
	ring := &r.samples.fine
	series := func(name string) int {
		return slices.IndexFunc(p.library.series, func(s series) bool {
			f := p.library.fields[name]
			return f != nil && s.text == name && s.counter == f.counter
		})
	}
	get := func(name string, of func(series int) model.Figure) model.Figure {
		if i := series(name); i >= 0 {
			return of(i)
		}
		return model.Figure{}
	}
	grown := func(name string) model.Figure {
		return get(name, func(i int) model.Figure { return ring.delta(i, end, n) })
	}
	mean := func(name string) model.Figure {
		return get(name, func(i int) model.Figure { return ring.aggregate("avg", i, end, n) })
	}
	answered := grown("answeredCalls")
	s := period{
		arrivals: grown("receivedCalls"), ready: mean("readyUsers"),
		agents: applyBinary(mean("loggedUsers"), mean("notReadyUsers"), subtract),
	}
	busy := applyBinary(mean("connectedCall"), mean("postCallUsers"), addFloats)
	s.handling = applyBinary(busy, answered, func(busy, calls float64) model.Figure {
		if calls == 0 {
			return model.NotApplicable()
		}
		return figure(busy * compareSpan.Seconds() / calls)
	})
	switch about {
	case abandoned:
		s.effect = grown("hangupCalls")
	case waiting:
		s.effect = grown("queuedCalls")
	case missed:
		s.effect = applyBinary(answered, grown("answeredCallsUnderSpeedLimit"), subtract)
		switch r.goal.Formula {
		case model.SLShortIgnored:
			s.effect = applyBinary(s.effect, applyBinary(grown("hangupCalls"), grown("shortCalls"), subtract), addFloats)
		case model.SLAnsweredOnly:
		default:
			s.effect = applyBinary(s.effect, grown("hangupCalls"), addFloats)
		}
	}
	return s
}

func addFloats(x, y float64) model.Figure { return figure(x + y) }
func subtract(x, y float64) model.Figure  { return figure(x - y) }

// applyBinary applies op if both figures are known.
func applyBinary(a, b model.Figure, op func(x, y float64) model.Figure) model.Figure {
	x, okX := a.Get()
	y, okY := b.Get()
	if !okX || !okY {
		return unknownOrNA(a, b)
	}
	return op(x, y)
}

// computeParts computes the parts of the factors and the unexplained rest. If one figure is unknown,
// all of them are unknown.
func (c *Causes) computeParts() {
	const factors = 3
	var then, now [factors]float64
	for i := range factors {
		a, okA := c.Factors[i].Then.Get()
		b, okB := c.Factors[i].Now.Get()
		if !okA || !okB {
			return
		}
		then[i], now[i] = a, b
	}
	change := applyBinary(c.Effect.Now, c.Effect.Then, subtract)
	total, ok := change.Get()
	if !ok {
		return
	}
	orders := [...][factors]int{{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}}
	var parts [factors]float64
	for _, order := range orders {
		at := then
		for _, i := range order {
			before := excessCalls(at)
			at[i] = now[i]
			parts[i] += (excessCalls(at) - before) / float64(len(orders))
		}
	}
	rest := total
	for i, part := range parts {
		rest -= part
		f := &c.Factors[i]
		f.Part, f.Share = figure(part), model.NotApplicable()
		if total != 0 {
			f.Share = figure(part / total)
		}
	}
	c.Unexplained = figure(rest)
	c.Effect.Part, c.Effect.Share = change, model.NotApplicable()
	if total != 0 {
		c.Effect.Share = figure((total - rest) / total)
	}
}

// excessCalls returns the number of calls beyond the capacity of the agents.
func excessCalls(f [3]float64) float64 {
	arrivals, agents, handling := f[0], f[1], f[2]
	if handling <= 0 {
		return 0
	}
	return max(0, arrivals-agents*compareSpan.Seconds()/handling)
}
