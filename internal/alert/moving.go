package alert

import (
	"math"
	"time"

	"wallboard/model"
)

// Most conditions that depend on time are not judged every second. A number that changes with time
// alone has a growth rate. From the growth rate, a comparison computes when its result may change.
// Until then, the rules of an unchanged record need not be judged again.

// growthRate is the growth per second of a number while its record stays the same. A nil growthRate
// means that the number is constant. For changes that a growth rate cannot express,
// [program.everySecond] is set instead.
type growthRate func(*evalEnv) float64

// perSecond returns the growth per second for a frame. A nil rate returns 0.
func (p growthRate) perSecond(f *evalEnv) float64 {
	if p == nil {
		return 0
	}
	return p(f)
}

// combinedRate returns the growth rate of a value computed from the numbers a and b, or nil if both
// are constant. combine computes the rate from the growth rates of a and b.
func combinedRate(a, b expression, combine func(a, b float64) float64) growthRate {
	if a.growthRate == nil && b.growthRate == nil {
		return nil
	}
	return func(f *evalEnv) float64 { return combine(a.growthRate.perSecond(f), b.growthRate.perSecond(f)) }
}

// scaledRate returns the growth rate of moving, multiplied by a factor. scale computes the factor
// from the value of by, which is constant. The rate is 0 while by is unknown.
func scaledRate(moving, by expression, scale func(v float64) float64) growthRate {
	return func(f *evalEnv) float64 {
		v, ok := by.number(f).Get()
		if !ok {
			return 0
		}
		return moving.growthRate(f) * scale(v)
	}
}

// conditionalRate returns the growth rate of the number "cond ? a : b", or nil if both alternatives
// are constant.
func conditionalRate(cond, a, b expression) growthRate {
	if a.growthRate == nil && b.growthRate == nil {
		return nil
	}
	return func(f *evalEnv) float64 {
		switch cond.truth(f) {
		case yes:
			return a.growthRate.perSecond(f)
		case no:
			return b.growthRate.perSecond(f)
		case notApplicable, unknown:
		}
		return 0
	}
}

// crossingMargin is how long before and after a computed crossing a rule is judged every second,
// because the computed time is not exact.
const crossingMargin = 2 * time.Second

// recordCrossing notes the time at which x and y become equal as a time at which a result may change.
// pace is the growth of x - y per second.
func (f *evalEnv) recordCrossing(x, y, pace float64) {
	if pace == 0 {
		return
	}
	in := (y - x) / pace
	slack := crossingMargin.Seconds() + (math.Abs(x)+math.Abs(y))*1e-12/math.Abs(pace)
	switch {
	case math.IsNaN(in) || math.IsNaN(slack):
		f.recordNextChange(0)
	case in >= -slack:
		f.recordNextChange(in - slack)
	}
}

// recordNextChange notes that a result may change after the given number of seconds.
func (f *evalEnv) recordNextChange(seconds float64) {
	const maxSeconds = 400 * 24 * 3600
	at := instantOf(f.now.Add(time.Duration(min(max(seconds, 0), maxSeconds) * float64(time.Second))))
	f.changesAt = earlierInstant(f.changesAt, at)
}

// earlierInstant returns the earlier of two instants. It ignores 0.
func earlierInstant(a, b instant) instant {
	if a == 0 || b != 0 && b < a {
		return b
	}
	return a
}

// crossingRecorder returns a function that notes when a comparison of the numbers a and b may
// change.
func crossingRecorder(a, b expression) func(f *evalEnv, x, y float64) {
	pace := combinedRate(a, b, func(a, b float64) float64 { return a - b })
	if pace == nil {
		return func(*evalEnv, float64, float64) {}
	}
	return func(f *evalEnv, x, y float64) { f.recordCrossing(x, y, pace(f)) }
}

// timeInStateRate returns the growth rate of timeInState: 1, or 0 if the time is unknown or begins
// in the future.
func timeInStateRate(f *evalEnv) float64 {
	since, ok := record[model.UserStat](f).TimeInState.Get()
	switch {
	case !ok:
		return 0
	case since.After(f.now): // the state begins in the future: until then the time stays 0
		f.recordNextChange(since.Sub(f.now).Seconds())
		return 0
	}
	return 1
}

// needsEverySecond reports whether the rule must be judged every second, because the time of its
// next change cannot be computed. Besides rules with such an expression, these are rules that depend
// on time and also use samples or a growing number of calls.
func (r *rule) needsEverySecond() bool {
	return r.everySecond || r.dependsOnTime && (r.usesSamples || r.message.usesSamples || r.calls != nil && r.calls.growthRate != nil)
}

// recordCrossings notes when the level of a rule may change. v is the current value of the rule.
// calls is the number of calls behind v.
func (r *rule) recordCrossings(f *evalEnv, v, calls float64) {
	pace := r.value.growthRate.perSecond(f)
	if r.base != nil {
		pace -= r.base.growthRate.perSecond(f)
	}
	if pace == 0 {
		return
	}
	for l := Warning; l <= Critical; l++ {
		t, ok := r.Thresholds.level(l).Get()
		if !ok {
			continue
		}
		f.recordCrossing(v, t, pace)
		back := t - r.recoveryDistance
		if r.Direction == HigherIsBetter {
			back = t + r.recoveryDistance
		}
		f.recordCrossing(v, back, pace)
		if r.MinExcessMisses > 0 && calls > 0 {
			f.recordCrossing(v, t+float64(r.MinExcessMisses)/calls, pace)
			f.recordCrossing(v, t-float64(r.MinExcessMisses)/calls, pace)
		}
	}
}
