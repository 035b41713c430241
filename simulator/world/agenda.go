package world

import (
	"container/heap"
	"math"
	"math/rand/v2"
	"time"
)

// event is something that happens at an instant. Events of one instant run in
// the order in which they were planned.
type event struct {
	at  time.Duration
	seq uint64
	run func()
}

type eventHeap []*event

func (h eventHeap) Len() int { return len(h) }

func (h eventHeap) Less(i, j int) bool {
	if h[i].at != h[j].at {
		return h[i].at < h[j].at
	}
	return h[i].seq < h[j].seq
}

func (h eventHeap) Swap(i, j int) { h[i], h[j] = h[j], h[i] }

func (h *eventHeap) Push(x any) { *h = append(*h, x.(*event)) } //nolint:forcetypeassert // only agenda pushes, and only events

func (h *eventHeap) Pop() any {
	old := *h
	last := old[len(old)-1]
	old[len(old)-1] = nil
	*h = old[:len(old)-1]
	return last
}

// agenda is the clock, what is planned on it, and the dice. Instants are
// durations since midnight of the opening day.
//
// A planned event is never withdrawn. Whoever plans one captures what makes it
// valid (a turn number, a state) and looks again when it runs.
type agenda struct {
	now    time.Duration
	seq    uint64
	events eventHeap
	dice   *rand.Rand

	opening time.Duration // the instant at which the platform's clock shows shown
	shown   time.Time
	pace    float64 // how much faster life goes than the platform's clock
}

func newAgenda(o *Options, opening time.Duration) agenda {
	s := uint64(o.Seed) //nolint:gosec // a seed: any bits will do
	return agenda{
		dice:    rand.New(rand.NewPCG(s, s^0x9e3779b97f4a7c15)),
		opening: opening, shown: o.Clock, pace: o.Pace,
	}
}

// after plans run for d from now.
func (a *agenda) after(d time.Duration, run func()) {
	a.seq++
	heap.Push(&a.events, &event{at: a.now + max(d, 0), seq: a.seq, run: run})
}

// at plans run for an instant, which may be now.
func (a *agenda) at(t time.Duration, run func()) { a.after(t-a.now, run) }

// runUntil lets everything up to and including t happen.
func (a *agenda) runUntil(t time.Duration) {
	for len(a.events) > 0 && a.events[0].at <= t {
		e := heap.Pop(&a.events).(*event) //nolint:forcetypeassert // see Push
		a.now = e.at
		e.run()
	}
	a.now = t
}

// timeOfDay returns the time since midnight.
func (a *agenda) timeOfDay() time.Duration { return a.now % day }

func (a *agenda) chance(p float64) bool { return a.dice.Float64() < p }

func (a *agenda) pick(n int) int { return a.dice.IntN(n) }

// exponential draws a memoryless time with the given mean.
func (a *agenda) exponential(mean time.Duration) time.Duration {
	return time.Duration(a.dice.ExpFloat64() * float64(mean))
}

// logNormal draws a time whose median is given; handling times and patience are
// distributed so.
func (a *agenda) logNormal(median time.Duration, sigma float64) time.Duration {
	return time.Duration(float64(median) * math.Exp(a.dice.NormFloat64()*sigma))
}

// between draws a time evenly from [lo, hi).
func (a *agenda) between(lo, hi time.Duration) time.Duration {
	return lo + time.Duration(a.dice.Int64N(int64(max(hi-lo, 1))))
}

// clock returns what the platform's clock shows at an instant of the agenda.
func (a *agenda) clock(t time.Duration) time.Time {
	return a.shown.Add(time.Duration(float64(t-a.opening) / a.pace))
}

// instant returns an instant of the agenda as records show it.
func (a *agenda) instant(t time.Duration) time.Time {
	return a.clock(t).Truncate(time.Millisecond)
}

func (a *agenda) open() bool {
	t := a.timeOfDay()
	return t >= opens && t < closes
}

// untilOpen returns how long it is until the services open, 0 when they are.
func (a *agenda) untilOpen() time.Duration {
	if a.open() {
		return 0
	}
	return (opens - a.timeOfDay() + day) % day
}
