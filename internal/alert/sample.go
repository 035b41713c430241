package alert

import (
	"math"
	"slices"
	"time"

	"wallboard/model"
)

// Samples cover a shift: one hour in fine steps, and eight hours in coarse steps.
const (
	fineStep   = 10 * time.Second
	fineSpan   = time.Hour
	coarseStep = time.Minute
	coarseSpan = 8 * time.Hour
)

// samples holds the samples of one record as float32, which is exact for counts up to
// 16 million. NaN is a gap, +Inf is n/a.
type samples struct {
	fine, coarse sampleRing
	counters     []counter
}

// counter computes the total increase of a counter since the first sample. The counter may restart
// at 0.
type counter struct {
	total, last float64
	first       float64 // value of the counter at the first sample
	started     bool
}

// addValue processes the next value of the counter and returns the total increase since the first
// value, including increases after restarts.
func (c *counter) addValue(v float64) float64 {
	switch {
	case !c.started:
		c.started, c.first = true, v
	case v < c.last: // restarted at 0 since the last value
		c.total += v
	default:
		c.total += v - c.last
	}
	c.last = v
	return c.total
}

// sampleRing holds the latest samples of every series, one per time step. A series without
// samples takes no memory.
type sampleRing struct {
	step   time.Duration
	size   int64
	latest int64 // number of the latest step; 0: none
	values [][]float32
}

func newSamples(l *library) *samples {
	s := &samples{
		fine:   sampleRing{step: fineStep, size: int64(fineSpan / fineStep)},
		coarse: sampleRing{step: coarseStep, size: int64(coarseSpan / coarseStep), values: make([][]float32, len(l.series))},
	}
	if l.samplesOften() {
		s.fine.values = make([][]float32, len(l.series))
	}
	s.counters = make([]counter, len(l.series))
	return s
}

// advance moves to the step of now and reports whether this is a new step. Skipped steps become
// gaps.
func (r *sampleRing) advance(now time.Time) bool {
	step := now.Unix() / int64(r.step/time.Second)
	switch {
	case r.values == nil || step == r.latest:
		return false
	case step < r.latest && r.latest-step <= int64(time.Minute/r.step)+1:
		return false // the clock was set back a little: keep the samples
	case step < r.latest:
		r.latest = step - r.size
	}
	r.advanceTo(step)
	return true
}

// advanceTo makes step the latest step, unless it is not later than the current one. Skipped steps
// become gaps.
func (r *sampleRing) advanceTo(step int64) {
	if r.values == nil || step <= r.latest {
		return
	}
	for _, v := range r.values {
		if v == nil {
			continue
		}
		for i := max(r.latest, step-r.size) + 1; i <= step; i++ {
			v[i%r.size] = gapSample()
		}
	}
	r.latest = step
}

// put stores v as the sample of a series at the latest step.
func (r *sampleRing) put(series int, v float32) {
	if r.values == nil {
		return
	}
	if r.values[series] == nil {
		if isGap(v) {
			return
		}
		r.values[series] = gapSamples(r.size)
	}
	r.values[series][r.latest%r.size] = v
}

// get returns the sample of a series at a step.
func (r *sampleRing) get(series int, step int64) float32 {
	if step > r.latest || step <= r.latest-r.size || step < 0 || r.values == nil || r.values[series] == nil {
		return gapSample()
	}
	return r.values[series][step%r.size]
}

// gapSamples returns n gaps.
func gapSamples(n int64) []float32 {
	vs := make([]float32, n)
	for i := range vs {
		vs[i] = gapSample()
	}
	return vs
}

func gapSample() float32     { return float32(math.NaN()) }
func isGap(v float32) bool   { return math.IsNaN(float64(v)) }
func isNA(v float32) bool    { return math.IsInf(float64(v), 1) }
func isKnown(v float32) bool { return !isGap(v) && !isNA(v) }

// toSample converts a figure to a sample.
func toSample(f model.Figure) float32 {
	v, ok := f.Get()
	switch s := float32(v); {
	case f.NA():
		return float32(math.Inf(1))
	case !ok || math.IsInf(float64(s), 0):
		return gapSample()
	default:
		return s
	}
}

// takeIfDue takes the samples of a record if a new step has begun. It reports whether it took them.
func (s *samples) takeIfDue(l *library, f *frame) bool {
	fine, coarse := s.fine.advance(f.now), s.coarse.advance(f.now)
	if !fine && !coarse {
		return false
	}
	for i := range l.series {
		v := l.series[i].number(f)
		if n, ok := v.Get(); ok && l.series[i].isCounter {
			v = model.FigureOf(s.counters[i].addValue(n))
		}
		if fine {
			s.fine.put(i, toSample(v))
		}
		if coarse {
			s.coarse.put(i, toSample(v))
		}
	}
	return true
}

// appendSeries appends the samples of the last span up to now to dst, oldest first. NaN is a gap,
// and +Inf is n/a.
func (r *sampleRing) appendSeries(dst []float64, series int, now time.Time, span time.Duration) []float64 {
	end := now.Unix() / int64(r.step/time.Second)
	for step := end - min(int64(span/r.step), r.size) + 1; step <= end; step++ {
		dst = append(dst, float64(r.get(series, step)))
	}
	return dst
}

// clone returns a copy of the samples for reading only.
func (s *samples) clone() *samples {
	if s == nil {
		return nil
	}
	return &samples{fine: s.fine.clone(), coarse: s.coarse.clone()}
}

func (r sampleRing) clone() sampleRing {
	r.values = slices.Clone(r.values)
	for i, v := range r.values {
		r.values[i] = slices.Clone(v)
	}
	return r
}
