package timeunit

import "math"

// impossibleLikelihood is the log-likelihood used for an impossible unit.
const impossibleLikelihood = -40

// weights holds a log-likelihood for each unit. A difference of 3 means odds of 20 to 1.
type weights [unitCount]float64

// durationPrior and datePrior hold the log-likelihoods of the units of durations and Dates before
// any evidence. Document 2 uses seconds wherever it names a unit. The type name Date suggests an
// instant.
var (
	durationPrior = weights{UnixSeconds: impossibleLikelihood, UnixMillis: impossibleLikelihood, UnixMicros: impossibleLikelihood, Seconds: -0.1, Millis: -2.4, Micros: -5.3}
	datePrior     = weights{UnixSeconds: -1.6, UnixMillis: -1, UnixMicros: -3, Seconds: -1.6, Millis: -2.3, Micros: -4.6}
)

// prior returns the log-likelihoods of the field's units before any evidence.
func (f Field) prior() *weights {
	if f.IsDate() {
		return &datePrior
	}
	return &durationPrior
}

// distribution describes the distribution of a field's times: log-normal, with a median in seconds
// and different widths below and above the median. A small share of the times is distributed
// uniformly.
type distribution struct{ median, widthBelow, widthAbove float64 }

func (f Field) distribution() distribution {
	switch f {
	case FieldState, FieldHold:
		return distribution{400, 1.6, 1.9}
	case FieldHoldTotal:
		return distribution{120, 1.6, 1.6}
	case FieldCodes:
		return distribution{1200, 3, 1.2}
	case FieldQueueLongest:
		return distribution{240, 1.3, 1.7}
	case FieldQueueAverage:
		return distribution{60, 1.3, 1.8}
	case FieldNone, fieldCount:
	}
	return distribution{300, 2, 2}
}

const (
	// uniformShare is the share of times that do not follow the log-normal distribution. Their
	// logarithms are distributed uniformly over a range of width uniformWidth. Times below
	// shortestTime, in seconds, are rarer.
	uniformShare = 0.04
	uniformWidth = 24
	shortestTime = 0.3
)

// logLikelihood returns the log-likelihood of a time, given in seconds.
func (d distribution) logLikelihood(seconds float64) float64 {
	if seconds <= 0 || seconds > MaxDuration.Seconds() {
		return impossibleLikelihood
	}
	z, width := math.Log(seconds/d.median), (d.widthBelow+d.widthAbove)/2
	if z < 0 {
		z /= d.widthBelow
	} else {
		z /= d.widthAbove
	}
	return math.Log((1-uniformShare)*math.Exp(-z*z/2)/(width*math.Sqrt(2*math.Pi)) + uniformShare/uniformWidth*min(seconds/shortestTime, 1))
}

const (
	day = 24 * 60 * 60 // in seconds
	// maxClockError is how far the platform's clock may be ahead, in seconds.
	maxClockError = 26 * 60 * 60
)

// instantLogLikelihood returns the log-likelihood of an instant as a time in a record. The instant
// is ago seconds before now and since1970 seconds after 1970. The result is comparable with
// [distribution.logLikelihood].
func instantLogLikelihood(ago, since1970 float64) float64 {
	var density float64 // probability per second
	switch {
	case ago < -maxClockError || ago > MaxDuration.Seconds():
		return impossibleLikelihood
	case ago < -300:
		density = 0.03 / maxClockError
	case ago < day:
		density = 0.9 / day
	case ago < 30*day:
		density = 0.06 / (30 * day)
	default:
		density = 0.01 / MaxDuration.Seconds()
	}
	return math.Log(density * since1970)
}

// valueWeights returns the weight of each unit if the field f has the number raw. now is in seconds
// since 1970.
func valueWeights(f Field, raw, now float64) weights {
	var w weights
	s := f.distribution()
	for u := UnixSeconds; u < unitCount; u++ {
		switch seconds := u.Seconds(raw); {
		case u.IsDuration():
			w[u] = s.logLikelihood(seconds) + roundnessLikelihood(raw, u.perSecond())
		case f.IsDate():
			w[u] = instantLogLikelihood(now-seconds, seconds)
		default:
			w[u] = impossibleLikelihood
		}
	}
	return w
}

const (
	// roundedShare is the probability that a time in milliseconds or microseconds is a whole number
	// of seconds. roundShare is the probability that a number of seconds is a multiple of 1000.
	roundedShare = 0.1
	roundShare   = 0.002
)

// roundnessLikelihood returns the log-likelihood that raw ends, or does not end, in zeros. per is
// how many of the unit make a second. For example, 3000 is more likely a number of milliseconds
// than of seconds.
func roundnessLikelihood(raw, per float64) float64 {
	step, share := per, roundedShare
	if per == 1 {
		step, share = 1000, roundShare
	}
	if math.Mod(raw, step) == 0 {
		return math.Log(share)
	}
	return math.Log(1 - share)
}

// changeDistribution holds the probabilities of how a number changes between two full states.
type changeDistribution struct {
	stayProbability       float64 // stays the same
	growProbability       float64 // grows by the time passed
	doubleGrowProbability float64 // grows by twice the time passed
	restartProbability    float64 // starts again at 0
	otherProbability      float64
}

func (f Field) changeProbabilities() changeDistribution {
	switch f {
	case FieldState:
		return changeDistribution{growProbability: 0.88, restartProbability: 0.115, otherProbability: 0.005}
	case FieldHold:
		return changeDistribution{stayProbability: 0.3, growProbability: 0.45, restartProbability: 0.1, otherProbability: 0.15}
	case FieldQueueLongest:
		return changeDistribution{stayProbability: 0.45, growProbability: 0.35, otherProbability: 0.2}
	case FieldCodes:
		return changeDistribution{stayProbability: 0.63, growProbability: 0.27, doubleGrowProbability: 0.08, otherProbability: 0.02}
	case FieldHoldTotal:
		return changeDistribution{stayProbability: 0.7, growProbability: 0.28, otherProbability: 0.02}
	case FieldQueueAverage, FieldNone, fieldCount: // an average does not grow with time
	}
	return changeDistribution{stayProbability: 0.5, otherProbability: 0.5}
}

// fromZeroProbability is the probability that a number that was 0 has grown no faster than time since
// then. The longest wait of the day grows faster: it jumps when the first caller is answered.
const fromZeroProbability = 0.3

// changeWeights returns the weight of each unit if a number of the field f changes from before to
// after within apart seconds.
func changeWeights(f Field, before, after, apart float64) weights {
	var w weights
	m := f.changeProbabilities()
	anything := m.otherProbability / (max(after, 1) * uniformWidth)
	if before == 0 {
		m.restartProbability = fromZeroProbability
	}
	for u := UnixSeconds; u < unitCount; u++ {
		if !u.IsDuration() {
			w[u] = instantChangeWeight(f, u, before, after)
			continue
		}
		per := u.perSecond()
		slack := (0.6+apart/20)*per + 1
		sum := anything
		if before == after {
			sum += m.stayProbability
		}
		if math.Abs(after-before-apart*per) <= slack {
			sum += m.growProbability / (2 * slack)
		}
		if math.Abs(after-before-2*apart*per) <= slack {
			sum += m.doubleGrowProbability / (2 * slack)
		}
		if most := apart*per + slack; after <= most {
			sum += m.restartProbability / most
		}
		w[u] = math.Log(sum)
	}
	return w.clipped(maxWeight)
}

// instantChangeWeight returns the weight in [changeWeights] of u, a unit of instants. An instant
// usually stays the same or becomes later.
func instantChangeWeight(f Field, u Unit, before, after float64) float64 {
	switch per := u.perSecond(); {
	case !f.IsDate():
		return impossibleLikelihood
	case before == after:
		return math.Log(0.85)
	case after > before:
		return math.Log(0.14 / (day * per))
	default:
		return math.Log(0.01 / (day * per))
	}
}

// maxWeight limits the weight of a single number or change.
const maxWeight = 14

// clipped returns the weights relative to the largest one, but at least -bound.
func (w weights) clipped(bound float64) weights {
	top := w[w.bestUnit(dateGroup)]
	for u := range w {
		w[u] = max(w[u]-top, -bound)
	}
	return w
}

// firstUnit returns the first possible unit for a group of fields. All later units are possible,
// too.
func firstUnit(group int) Unit {
	if group == dateGroup {
		return UnixSeconds
	}
	return Seconds
}

// bestUnit returns the possible unit of a group of fields with the largest weight.
func (w *weights) bestUnit(group int) Unit {
	best := firstUnit(group)
	for u := best; u < unitCount; u++ {
		if w[u] > w[best] {
			best = u
		}
	}
	return best
}

// leadOfBest returns by how much the weight of the best unit of a group of fields exceeds the
// second-best.
func (w *weights) leadOfBest(group int) float64 {
	best, second := w.bestUnit(group), math.Inf(-1)
	for u := firstUnit(group); u < unitCount; u++ {
		if u != best {
			second = max(second, w[u])
		}
	}
	return w[best] - second
}

// plusScaled returns the sum of w and times the weights in o.
func (w weights) plusScaled(o *weights, times float64) weights {
	for u := range w {
		w[u] += o[u] * times
	}
	return w
}

// logOfSum returns the logarithm of the sum of two likelihoods whose logarithms are a and b.
func logOfSum(a, b float64) float64 {
	if a < b {
		a, b = b, a
	}
	return a + math.Log1p(math.Exp(b-a))
}
