package model

import (
	"math"
	"slices"
	"time"
)

// blockLength is the number of steps in a block. A block whose values are all equal holds only one
// of them.
const blockLength = 32

// SeriesStore holds the latest values of several series, one for each step. A value that was not put is a
// gap, which is NaN. The zero SeriesStore holds no series; all its values are gaps.
type SeriesStore struct {
	step   time.Duration
	size   int64
	latest int64 // number of the latest step; 0: none
	lines  []seriesLine
}

// seriesLine holds the values of one series.
type seriesLine struct {
	last   int64         // last step that was stored, possibly as a gap; later ones are gaps
	blocks []seriesBlock // ring of blocks; nil: all values are gaps
}

// seriesBlock holds the values of blockLength consecutive steps.
type seriesBlock struct {
	constant float32               // the value of all steps, if values is nil
	values   *[blockLength]float32 // nil: all steps have the same value
}

// NewSeriesStore returns a store of n series that keeps the values of a span in steps.
func NewSeriesStore(n int, step, span time.Duration) SeriesStore {
	return SeriesStore{step: step, size: int64(span / step), lines: make([]seriesLine, n)}
}

// GapValue returns the value of a step without a value. It is NaN.
func GapValue() float32 { return float32(math.NaN()) }

// IsGap reports whether v is a gap.
func IsGap(v float32) bool { return v != v } //nolint:gocritic // only NaN differs from itself

// HasSeries reports whether the store holds series.
func (s *SeriesStore) HasSeries() bool { return s.lines != nil }

// Step returns the length of a step.
func (s *SeriesStore) Step() time.Duration { return s.step }

// Size returns the number of steps that the store keeps.
func (s *SeriesStore) Size() int64 { return s.size }

// Latest returns the number of the latest step, counted since 1970. It returns 0 before the first.
func (s *SeriesStore) Latest() int64 { return s.latest }

// StepAt returns the number of the step that contains t.
func (s *SeriesStore) StepAt(t time.Time) int64 { return t.Unix() / int64(s.step/time.Second) }

// AdvanceTo makes step the latest one. Steps in between become gaps. It does nothing if the store
// already has this step or a later one.
func (s *SeriesStore) AdvanceTo(step int64) {
	if s.HasSeries() {
		s.latest = max(s.latest, step)
	}
}

// Truncate removes the values of a step and of all later steps. It is called when the clock was set
// back.
func (s *SeriesStore) Truncate(step int64) {
	if step > s.latest {
		return
	}
	for i := range s.lines {
		s.rebuild(i, step-1, func(at int64) float32 { return s.Get(i, at) })
	}
	s.latest = step - 1
}

// rebuild replaces the values of a series, up to the step last, by those that value returns.
func (s *SeriesStore) rebuild(series int, last int64, value func(step int64) float32) {
	first, latest := max(s.latest-s.size, 0)+1, s.latest
	var values []float32
	for step := first; step <= last; step++ {
		values = append(values, value(step))
	}
	s.lines[series] = seriesLine{}
	for i, v := range values {
		s.latest = first + int64(i)
		s.Put(series, v)
	}
	s.latest = latest
}

// Put stores the value of a series at the latest step.
func (s *SeriesStore) Put(series int, v float32) {
	if !s.HasSeries() {
		return
	}
	l := &s.lines[series]
	if l.blocks == nil {
		if IsGap(v) {
			return
		}
		l.blocks = make([]seriesBlock, (s.size+blockLength-2)/blockLength+1)
		for i := range l.blocks {
			l.blocks[i].constant = GapValue()
		}
		l.last = s.latest - 1
	}
	for step := max(l.last, s.latest-s.size) + 1; step < s.latest; step++ {
		l.put(step, GapValue())
	}
	l.put(s.latest, v)
}

// put stores the value of a step. It must be the last step, the step after it, or a step after
// which the store keeps none of the earlier values.
func (l *seriesLine) put(step int64, v float32) {
	b := &l.blocks[step/blockLength%int64(len(l.blocks))]
	at := step % blockLength
	if at == 0 {
		*b = seriesBlock{constant: v}
	} else if l.last/blockLength != step/blockLength {
		*b = seriesBlock{constant: GapValue()}
	}
	b.set(at, v)
	l.last = step
}

func (b *seriesBlock) set(at int64, v float32) {
	if b.values == nil {
		if v == b.constant || IsGap(v) && IsGap(b.constant) {
			return
		}
		b.values = new([blockLength]float32)
		for i := range b.values {
			b.values[i] = b.constant
		}
	}
	b.values[at] = v
}

// IsEmpty reports whether no value has been put into a series, except gaps.
func (s *SeriesStore) IsEmpty(series int) bool {
	return !s.HasSeries() || s.lines[series].blocks == nil
}

// Get returns the value of a series at a step.
func (s *SeriesStore) Get(series int, step int64) float32 {
	if step > s.latest || step <= s.latest-s.size || step < 0 || s.lines == nil {
		return GapValue()
	}
	l := &s.lines[series]
	if l.blocks == nil || step > l.last {
		return GapValue()
	}
	b := &l.blocks[step/blockLength%int64(len(l.blocks))]
	if b.values == nil {
		return b.constant
	}
	return b.values[step%blockLength]
}

// Append appends the values of the last span before now to dst, oldest first.
func (s *SeriesStore) Append(dst []float64, series int, now time.Time, span time.Duration) []float64 {
	end := s.StepAt(now)
	for step := end - min(int64(span/s.step), s.size) + 1; step <= end; step++ {
		dst = append(dst, float64(s.Get(series, step)))
	}
	return dst
}

// Update replaces the value of each kept step of a series by the result of change.
func (s *SeriesStore) Update(series int, change func(step int64, v float32) float32) {
	if s.HasSeries() {
		s.rebuild(series, s.latest, func(step int64) float32 { return change(step, s.Get(series, step)) })
	}
}

// CopySeries replaces the values of a series by those of series number at of the store from, which must have
// the same steps and must not be used afterwards.
func (s *SeriesStore) CopySeries(series int, from *SeriesStore, at int) {
	if s.HasSeries() && from.HasSeries() {
		s.lines[series] = from.lines[at]
	}
}

// Clone returns a copy of the store.
func (s *SeriesStore) Clone() SeriesStore {
	out := *s
	out.lines = slices.Clone(s.lines)
	for i := range out.lines {
		l := &out.lines[i]
		l.blocks = slices.Clone(l.blocks)
		for j := range l.blocks {
			if v := l.blocks[j].values; v != nil {
				l.blocks[j].values = new(*v)
			}
		}
	}
	return out
}
