package alert

import (
	"math"
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
	fine, coarse model.SeriesStore
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

func newSamples(l *expressionLibrary) *samples {
	s := &samples{coarse: model.NewSeriesStore(len(l.series), coarseStep, coarseSpan), counters: make([]counter, len(l.series))}
	if l.samplesOften() {
		s.fine = model.NewSeriesStore(len(l.series), fineStep, fineSpan)
	}
	return s
}

// advanceSamples moves a store to the step of now and reports whether that is a new step.
func advanceSamples(s *model.SeriesStore, now time.Time) bool {
	if !s.HasSeries() {
		return false
	}
	step := s.StepAt(now)
	switch {
	case step == s.Latest():
		return false
	case step < s.Latest() && s.Latest()-step <= int64(time.Minute/s.Step())+1:
		return false // the clock was set back a little; keep the samples
	case step < s.Latest():
		s.Truncate(0)
	}
	s.AdvanceTo(step)
	return true
}

func isNA(v float32) bool    { return math.IsInf(float64(v), 1) }
func isKnown(v float32) bool { return !model.IsGap(v) && !isNA(v) }

// toSample converts a figure to a sample.
func toSample(f model.Figure) float32 {
	v, ok := f.Get()
	switch s := float32(v); {
	case f.IsNotApplicable():
		return float32(math.Inf(1))
	case !ok || math.IsInf(float64(s), 0):
		return model.GapValue()
	default:
		return s
	}
}

// sampleIfDue takes the samples of a record if a new step has begun. It reports whether it took them.
func (s *samples) sampleIfDue(l *expressionLibrary, f *evalEnv) bool {
	fine, coarse := advanceSamples(&s.fine, f.now), advanceSamples(&s.coarse, f.now)
	if !fine && !coarse {
		return false
	}
	for i := range l.series {
		v := l.series[i].number(f)
		if n, ok := v.Get(); ok && l.series[i].isCounter {
			v = model.FigureOf(s.counters[i].addValue(n))
		}
		if fine {
			s.fine.Put(i, toSample(v))
		}
		if coarse {
			s.coarse.Put(i, toSample(v))
		}
	}
	return true
}

// clone returns a copy of the samples for reading. No samples can be added to the copy.
func (s *samples) clone() *samples {
	if s == nil {
		return nil
	}
	return &samples{fine: s.fine.Clone(), coarse: s.coarse.Clone()}
}
