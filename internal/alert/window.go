package alert

import (
	"time"

	"wallboard/model"
)

// window is a function over the latest samples of a series, such as rate over 15 minutes.
type window struct {
	function string // rate, delta, avg, max or min
	series   int
	span     time.Duration
}

type cachedWindow struct {
	step  int64
	value model.Figure
}

// windowValue returns the value of the window at index slot for the record, as of the latest
// samples.
func (r *row) windowValue(l *library, slot int) model.Figure {
	if r == nil || r.samples == nil {
		return model.Figure{}
	}
	w := &l.windows[slot]
	ring := r.samples.ringFor(w.span)
	c := &r.cache[slot]
	if c.step != ring.latest {
		*c = cachedWindow{ring.latest, ring.computeWindow(w, ring.latest)}
	}
	return c.value
}

func (s *samples) ringFor(span time.Duration) *sampleRing {
	if s.fine.values != nil && span <= fineSpan {
		return &s.fine
	}
	return &s.coarse
}

// computeWindow computes the value of a window that ends at the step end.
func (r *sampleRing) computeWindow(w *window, end int64) model.Figure {
	n := int64(w.span / r.step)
	switch w.function {
	case "rate":
		return r.rate(w.series, end, n)
	case "delta":
		return r.delta(w.series, end, n)
	}
	return r.aggregate(w.function, w.series, end, n)
}

// rate returns the growth per minute from the oldest sample in the window to the latest one. The
// result is unknown if the two are less than half a window apart.
func (r *sampleRing) rate(series int, end, n int64) model.Figure {
	last := r.get(series, end)
	for step := max(end-n, r.latest-r.size+1); !isGap(last) && 2*(end-step) >= n; step++ {
		if first := r.get(series, step); isKnown(first) {
			minutes := (time.Duration(end-step) * r.step).Minutes()
			return finiteFigure(float64(last-first) / minutes)
		}
	}
	return model.Figure{}
}

// delta returns the change over the window. If the sample at the start of the window is missing, it
// uses the sample one step earlier or later.
func (r *sampleRing) delta(series int, end, n int64) model.Figure {
	last := r.get(series, end)
	for _, step := range [...]int64{end - n, end - n - 1, end - n + 1} {
		if first := r.get(series, step); isKnown(first) && isKnown(last) {
			return finiteFigure(float64(last - first))
		}
	}
	return model.Figure{}
}

// aggregate returns the average, maximum or minimum of the samples in the window. The result is
// unknown if more than half of the samples are missing. Samples that are n/a are not missing, but
// do not count.
func (r *sampleRing) aggregate(name string, series int, end, n int64) model.Figure {
	var sum, high, low float64
	var known, there int64
	for step := end - n + 1; step <= end; step++ {
		s := r.get(series, step)
		if isGap(s) {
			continue
		}
		there++
		if isNA(s) {
			continue
		}
		v := float64(s)
		if known == 0 {
			high, low = v, v
		}
		known++
		sum, high, low = sum+v, max(high, v), min(low, v)
	}
	switch {
	case 2*there < n:
		return model.Figure{}
	case known == 0:
		return model.NotApplicable()
	case name == "max":
		return finiteFigure(high)
	case name == "min":
		return finiteFigure(low)
	}
	return finiteFigure(sum / float64(known))
}
