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
func (r *row) windowValue(l *expressionLibrary, slot int) model.Figure {
	if r == nil || r.samples == nil {
		return model.Figure{}
	}
	w := &l.windows[slot]
	ring := r.samples.ringFor(w.span)
	c := &r.cache[slot]
	if latest := ring.Latest(); c.step != latest {
		*c = cachedWindow{latest, w.compute(ring, latest)}
	}
	return c.value
}

// ringFor returns the ring of samples that covers a span.
func (s *samples) ringFor(span time.Duration) *model.SeriesStore {
	if s.fine.HasSeries() && span <= fineSpan {
		return &s.fine
	}
	return &s.coarse
}

// compute computes the value of the window from the samples until the step end.
func (w *window) compute(r *model.SeriesStore, end int64) model.Figure {
	n := int64(w.span / r.Step())
	switch w.function {
	case "rate":
		return w.rate(r, end, n)
	case "delta":
		return w.delta(r, end, n)
	}
	return w.aggregate(r, end, n)
}

// rate returns the growth per minute from the oldest sample in the window to the latest one. The
// result is unknown if these samples are less than half a window apart.
func (w *window) rate(r *model.SeriesStore, end, n int64) model.Figure {
	last := r.Get(w.series, end)
	for step := max(end-n, r.Latest()-r.Size()+1); !model.IsGap(last) && 2*(end-step) >= n; step++ {
		if first := r.Get(w.series, step); isKnown(first) {
			minutes := (time.Duration(end-step) * r.Step()).Minutes()
			return finiteFigure(float64(last-first) / minutes)
		}
	}
	return model.Figure{}
}

// delta returns the change over the window. If there is no sample at the start of the window, the
// sample one step earlier or later is used.
func (w *window) delta(r *model.SeriesStore, end, n int64) model.Figure {
	last := r.Get(w.series, end)
	for _, step := range [...]int64{end - n, end - n - 1, end - n + 1} {
		if first := r.Get(w.series, step); isKnown(first) && isKnown(last) {
			return finiteFigure(float64(last - first))
		}
	}
	return model.Figure{}
}

// aggregate returns the average, maximum or minimum of the samples in the window. The result is
// unknown if fewer than half of the samples exist. Samples that are n/a exist, but do not count.
func (w *window) aggregate(r *model.SeriesStore, end, n int64) model.Figure {
	var sum, high, low float64
	var known, there int64
	for step := end - n + 1; step <= end; step++ {
		s := r.Get(w.series, step)
		if model.IsGap(s) {
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
	case w.function == "max":
		return finiteFigure(high)
	case w.function == "min":
		return finiteFigure(low)
	}
	return finiteFigure(sum / float64(known))
}
