package times

import "math"

// unlikely is the logarithm of the likelihood of a unit that is impossible.
const unlikely = -40

// weights are logarithms of likelihoods, one per unit. A difference of 3 is odds
// of 20 to 1.
type weights [units]float64

// The priors. Document 2 gives seconds wherever it gives a unit; an instant is
// what a type named Date suggests.
var (
	lengthPrior = weights{UnixSeconds: unlikely, UnixMillis: unlikely, UnixMicros: unlikely, Seconds: -0.1, Millis: -2.4, Micros: -5.3}
	datePrior   = weights{UnixSeconds: -1.6, UnixMillis: -1, UnixMicros: -3, Seconds: -1.6, Millis: -2.3, Micros: -4.6}
)

// prior returns the prior of a field.
func (f Field) prior() *weights {
	if f.Date() {
		return &datePrior
	}
	return &lengthPrior
}

// spread says how the times of a field are distributed: around a median, in
// seconds, with a width below and above it, as a power of e. A small part of them
// is anywhere.
type spread struct{ median, below, above float64 }

func (f Field) spread() spread {
	switch f {
	case State, Hold:
		return spread{400, 1.6, 1.9}
	case HoldTotal:
		return spread{120, 1.6, 1.6}
	case Codes:
		return spread{1200, 3, 1.2}
	case QueueLongest:
		return spread{240, 1.3, 1.7}
	case QueueAverage:
		return spread{60, 1.3, 1.8}
	case None, count:
	}
	return spread{300, 2, 2}
}

const (
	// anywhere is the part of the times that do not follow the spread. Its
	// logarithms are even over everywhere.
	// Shorter ones than shortest, in seconds, are rarer.
	anywhere   = 0.04
	everywhere = 24
	shortest   = 0.3
)

// log returns the logarithm of the likelihood that a time has so many seconds.
func (s spread) log(seconds float64) float64 {
	if seconds <= 0 || seconds > Longest.Seconds() {
		return unlikely
	}
	z, width := math.Log(seconds/s.median), (s.below+s.above)/2
	if z < 0 {
		z /= s.below
	} else {
		z /= s.above
	}
	return math.Log((1-anywhere)*math.Exp(-z*z/2)/(width*math.Sqrt(2*math.Pi)) + anywhere/everywhere*min(seconds/shortest, 1))
}

const (
	day = 24 * 60 * 60 // in seconds
	// clockOff is how far the platform's clock may be off in either direction.
	clockOff = 26 * 60 * 60
)

// instantLog returns the logarithm of the likelihood of an instant that was so
// many seconds ago and is told as a number of seconds since 1970. It is
// comparable with [spread.log].
func instantLog(ago, since1970 float64) float64 {
	var density float64 // per second
	switch {
	case ago < -clockOff || ago > Longest.Seconds():
		return unlikely
	case ago < -300:
		density = 0.03 / clockOff
	case ago < day:
		density = 0.9 / day
	case ago < 30*day:
		density = 0.06 / (30 * day)
	default:
		density = 0.01 / Longest.Seconds()
	}
	return math.Log(density * since1970)
}

// position returns the weights of a number of a field, by where it lies. now is
// the time in seconds since 1970.
func position(f Field, raw, now float64) weights {
	var w weights
	s := f.spread()
	for u := UnixSeconds; u < units; u++ {
		switch seconds := u.Seconds(raw); {
		case u.Length():
			w[u] = s.log(seconds)
		case f.Date():
			w[u] = instantLog(now-seconds, seconds)
		default:
			w[u] = unlikely
		}
	}
	return w
}

// moves says how often a number of a field changes in which way between two full
// states.
type moves struct {
	same   float64 // not at all
	grows  float64 // by as much time as passed
	twice  float64 // by twice that
	begins float64 // it begins again at 0
	other  float64
}

func (f Field) moves() moves {
	switch f {
	case State:
		return moves{grows: 0.88, begins: 0.115, other: 0.005}
	case Hold:
		return moves{same: 0.3, grows: 0.45, begins: 0.1, other: 0.15}
	case QueueLongest:
		return moves{same: 0.45, grows: 0.35, other: 0.2}
	case Codes:
		return moves{same: 0.63, grows: 0.27, twice: 0.08, other: 0.02}
	case HoldTotal:
		return moves{same: 0.7, grows: 0.28, other: 0.02}
	case QueueAverage, None, count: // an average does not grow with time
	}
	return moves{same: 0.5, other: 0.5}
}

// change returns the weights of the change of a number of a field within so many
// seconds.
func change(f Field, before, after, apart float64) weights {
	var w weights
	m := f.moves()
	anything := m.other / (max(after, 1) * everywhere)
	for u := UnixSeconds; u < units; u++ {
		if !u.Length() {
			w[u] = instantChange(f, u, before, after)
			continue
		}
		per := u.perSecond()
		slack := (0.6+apart/20)*per + 1
		sum := anything
		if before == after {
			sum += m.same
		}
		if math.Abs(after-before-apart*per) <= slack {
			sum += m.grows / (2 * slack)
		}
		if math.Abs(after-before-2*apart*per) <= slack {
			sum += m.twice / (2 * slack)
		}
		if most := apart*per + slack; after <= most {
			sum += m.begins / most
		}
		w[u] = math.Log(sum)
	}
	return w.clipped(mostTold)
}

// instantChange is [change] for a unit of instants: they stand still, or move to
// a time near now.
func instantChange(f Field, u Unit, before, after float64) float64 {
	switch per := u.perSecond(); {
	case !f.Date():
		return unlikely
	case before == after:
		return math.Log(0.85)
	case after > before:
		return math.Log(0.14 / (day * per))
	default:
		return math.Log(0.01 / (day * per))
	}
}

// mostTold bounds how much a single number tells.
const mostTold = 14

// clipped returns the weights relative to the greatest one, none less than the
// negative bound.
func (w weights) clipped(bound float64) weights {
	top := w[w.best(dates)]
	for u := range w {
		w[u] = max(w[u]-top, -bound)
	}
	return w
}

// first returns the first unit that a kind may have; the others follow.
func first(kind int) Unit {
	if kind == dates {
		return UnixSeconds
	}
	return Seconds
}

// best returns the unit of a kind with the greatest weight.
func (w *weights) best(kind int) Unit {
	best := first(kind)
	for u := best; u < units; u++ {
		if w[u] > w[best] {
			best = u
		}
	}
	return best
}

// lead returns how much more the best unit of a kind has than the second.
func (w *weights) lead(kind int) float64 {
	best, second := w.best(kind), math.Inf(-1)
	for u := first(kind); u < units; u++ {
		if u != best {
			second = max(second, w[u])
		}
	}
	return w[best] - second
}

// plus returns the sum, the second one times a factor.
func (w weights) plus(o *weights, times float64) weights {
	for u := range w {
		w[u] += o[u] * times
	}
	return w
}

// logSum returns the logarithm of the sum of two likelihoods.
func logSum(a, b float64) float64 {
	if a < b {
		a, b = b, a
	}
	return a + math.Log1p(math.Exp(b-a))
}
