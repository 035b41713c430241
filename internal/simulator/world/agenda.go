package world

import (
	"container/heap"
	"math"
	"math/rand/v2"
	"time"
)

// event is a function to run at an instant. Events of the same instant run in the order in which
// they were scheduled.
type event struct {
	time   time.Duration
	seq    uint64
	action func()
}

type eventHeap []*event

func (h eventHeap) Len() int { return len(h) }

func (h eventHeap) Less(i, j int) bool {
	if h[i].time != h[j].time {
		return h[i].time < h[j].time
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

// scheduler holds the clock, the scheduled events and the random source. Instants are durations
// since midnight of the opening day.
//
// A scheduled event cannot be canceled. Instead, its function compares, for example, the
// user's occupationVersion with its value at scheduling time, and does nothing if it has changed.
type scheduler struct {
	now    time.Duration
	seq    uint64
	events eventHeap
	rng    *rand.Rand

	opening      time.Duration // the instant at which the platform's clock shows openingClock
	openingClock time.Time
	clockSpeed   float64 // simulated seconds per second of the platform's clock
}

func newScheduler(o *Options, opening time.Duration) scheduler {
	s := uint64(o.Seed) //nolint:gosec // the sign of a seed does not matter
	return scheduler{
		rng:     rand.New(rand.NewPCG(s, s^0x9e3779b97f4a7c15)),
		opening: opening, openingClock: o.Clock, clockSpeed: o.Pace,
	}
}

// scheduleAfter schedules run for the instant d from now, or for now if d is negative.
func (a *scheduler) scheduleAfter(d time.Duration, run func()) {
	a.seq++
	heap.Push(&a.events, &event{time: a.now + max(d, 0), seq: a.seq, action: run})
}

// scheduleAt schedules run for the instant t, which may be now.
func (a *scheduler) scheduleAt(t time.Duration, run func()) { a.scheduleAfter(t-a.now, run) }

// runUntil runs the events up to and including the instant t, and advances the clock to t.
func (a *scheduler) runUntil(t time.Duration) {
	for len(a.events) > 0 && a.events[0].time <= t {
		e := heap.Pop(&a.events).(*event) //nolint:forcetypeassert // see Push
		a.now = e.time
		e.action()
	}
	a.now = t
}

// timeOfDay returns the time since the last midnight.
func (a *scheduler) timeOfDay() time.Duration { return a.now % day }

func (a *scheduler) happensWith(p float64) bool { return a.rng.Float64() < p }

func (a *scheduler) randomIndex(n int) int { return a.rng.IntN(n) }

// randomExponential returns an exponentially distributed random duration.
func (a *scheduler) randomExponential(mean time.Duration) time.Duration {
	return time.Duration(a.rng.ExpFloat64() * float64(mean))
}

// randomLogNormal returns a log-normally distributed random duration. Handling times and patience
// have this distribution. sigma is the standard deviation of the logarithm.
func (a *scheduler) randomLogNormal(median time.Duration, sigma float64) time.Duration {
	return time.Duration(float64(median) * math.Exp(a.rng.NormFloat64()*sigma))
}

// randomBetween returns a uniformly distributed random duration in [lo, hi).
func (a *scheduler) randomBetween(lo, hi time.Duration) time.Duration {
	return lo + time.Duration(a.rng.Int64N(int64(max(hi-lo, 1))))
}

// clockAt returns the time on the platform's clock at an instant.
func (a *scheduler) clockAt(t time.Duration) time.Time {
	return a.openingClock.Add(time.Duration(float64(t-a.opening) / a.clockSpeed))
}

// recordTime returns the time on the platform's clock at an instant, rounded down to
// milliseconds as in records.
func (a *scheduler) recordTime(t time.Duration) time.Time {
	return a.clockAt(t).Truncate(time.Millisecond)
}

func (a *scheduler) isOpen() bool {
	t := a.timeOfDay()
	return t >= serviceOpening && t < serviceClosing
}

// untilOpen returns the time until the services open, or 0 if they are open.
func (a *scheduler) untilOpen() time.Duration {
	if a.isOpen() {
		return 0
	}
	return (serviceOpening - a.timeOfDay() + day) % day
}
