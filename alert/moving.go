package alert

import (
	"math"
	"time"

	"wallboard/model"
)

// What changes with time alone is not judged each second. A figure that goes on by itself
// has a pace, and whoever compares it notes when the comparison may come out otherwise;
// until then nothing that a rule finds of the record can change, unless the record does.

// pace is by how much a number grows in a second while its record stays the same; nil: it
// does not. Of what cannot be told by a number [compiler.restless] notes it.
type pace func(*frame) float64

// of returns the pace now.
func (p pace) of(f *frame) float64 {
	if p == nil {
		return 0
	}
	return p(f)
}

// paced returns the pace of what is computed from two numbers, nil where neither moves.
func paced(a, b expression, of func(a, b float64) float64) pace {
	if a.pace == nil && b.pace == nil {
		return nil
	}
	return func(f *frame) float64 { return of(a.pace.of(f), b.pace.of(f)) }
}

// scaled returns the pace of a moving number times one that does not move.
func scaled(moving, by expression, scale func(v float64) float64) pace {
	return func(f *frame) float64 {
		v, ok := by.number(f).Get()
		if !ok {
			return 0
		}
		return moving.pace(f) * scale(v)
	}
}

// chosen returns the pace of one of two numbers, nil where neither moves.
func chosen(cond, a, b expression) pace {
	if a.pace == nil && b.pace == nil {
		return nil
	}
	return func(f *frame) float64 {
		switch cond.truth(f) {
		case yes:
			return a.pace.of(f)
		case no:
			return b.pace.of(f)
		case void, unsure:
		}
		return 0
	}
}

// nearCrossing is how long before and after a crossing a rule is judged each second: the
// instant of it is computed, and not exactly the one at which the comparison changes.
const nearCrossing = 2 * time.Second

// meets notes that two numbers that differ by a moving difference may meet.
func (f *frame) meets(x, y, pace float64) {
	if pace == 0 {
		return
	}
	in := (y - x) / pace
	slack := nearCrossing.Seconds() + (math.Abs(x)+math.Abs(y))*1e-12/math.Abs(pace)
	switch {
	case math.IsNaN(in) || math.IsNaN(slack):
		f.changes(0)
	case in >= -slack:
		f.changes(in - slack)
	}
}

// changes notes that in so many seconds something may be otherwise.
func (f *frame) changes(seconds float64) {
	const farthest = 400 * 24 * 3600
	at := instantOf(f.now.Add(time.Duration(min(max(seconds, 0), farthest) * float64(time.Second))))
	f.until = sooner(f.until, at)
}

// sooner returns the earlier of two instants that may be none.
func sooner(a, b instant) instant {
	if a == 0 || b != 0 && b < a {
		return b
	}
	return a
}

// meet has a comparison of two numbers note when it may come out otherwise.
func meet(a, b expression) func(f *frame, x, y float64) {
	pace := paced(a, b, func(a, b float64) float64 { return a - b })
	if pace == nil {
		return func(*frame, float64, float64) {}
	}
	return func(f *frame, x, y float64) { f.meets(x, y, pace(f)) }
}

// inState is the pace of how long a user has been in a state.
func inState(f *frame) float64 {
	since, ok := record[model.UserStat](f).TimeInState.Get()
	switch {
	case !ok:
		return 0
	case since.After(f.now): // it stays 0 until then
		f.changes(since.Sub(f.now).Seconds())
		return 0
	}
	return 1
}

// restive reports whether nobody can tell when a rule that goes by the clock may find
// something else: what is made of samples, too, is of no one time, and neither is a share of
// a number of calls that grows by itself.
func (r *rule) restive() bool {
	return r.restless || r.clocked && (r.windowed || r.message.windowed || r.calls != nil && r.calls.pace != nil)
}

// watch notes when the value of a rule may come to another level, which has the value of a
// frame and so many calls.
func (r *rule) watch(f *frame, v, calls float64) {
	pace := r.value.pace.of(f)
	if r.base != nil {
		pace -= r.base.pace.of(f)
	}
	if pace == 0 {
		return
	}
	for l := Warning; l <= Critical; l++ {
		t, ok := r.Thresholds.of(l).Get()
		if !ok {
			continue
		}
		f.meets(v, t, pace)
		back := t - r.margin
		if r.Direction == Higher {
			back = t + r.margin
		}
		f.meets(v, back, pace)
		if r.MinOver > 0 && calls > 0 {
			f.meets(v, t+float64(r.MinOver)/calls, pace)
			f.meets(v, t-float64(r.MinOver)/calls, pace)
		}
	}
}
