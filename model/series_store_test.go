package model

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"
)

// plain is a store that keeps every value in a map.
type plain struct {
	size, latest int64
	values       map[int64]float32
}

func (p *plain) get(step int64) float32 {
	if v, ok := p.values[step]; ok && step <= p.latest && step > p.latest-p.size {
		return v
	}
	return GapValue()
}

// TestSeriesStore puts random values at random steps into a store and into a map, and compares them: runs
// of equal values, gaps, skipped steps, more skipped steps than are kept, and a clock set back.
func TestSeriesStore(t *testing.T) {
	t.Parallel()
	for seed := range uint64(60) {
		rnd := rand.New(rand.NewPCG(seed, 1))
		s := NewSeriesStore(1, time.Second, time.Duration(1+rnd.IntN(100))*time.Second)
		want := plain{size: s.Size(), values: make(map[int64]float32)}
		step, v := int64(1000+rnd.IntN(64)), float32(0)
		for range 400 {
			switch rnd.IntN(40) {
			case 0:
				step += rnd.Int64N(200)
			case 1:
				v = GapValue()
			case 2, 3, 4:
				v = float32(rnd.IntN(3))
			case 5:
				step -= rnd.Int64N(60)
				s.Truncate(step)
				for at := range want.values {
					if at >= step || at <= want.latest-want.size {
						delete(want.values, at)
					}
				}
				want.latest = min(want.latest, step-1)
			case 6:
				s.Update(0, func(_ int64, v float32) float32 { return v + 1 })
				for at := range want.values {
					want.values[at]++
				}
			case 7:
				s = s.Clone()
			}
			step++
			s.AdvanceTo(step)
			s.Put(0, v)
			want.latest = step
			want.values[step] = v
			for at := step - 120; at <= step+1; at++ {
				if got := s.Get(0, at); got != want.get(at) && !(IsGap(got) && IsGap(want.get(at))) {
					t.Fatalf("seed %d: value of step %d at step %d: got %v, want %v", seed, at, step, got, want.get(at))
				}
			}
		}
	}
}

func TestSeriesAppend(t *testing.T) {
	t.Parallel()
	s := NewSeriesStore(2, 10*time.Second, time.Minute)
	now := time.Date(2026, 3, 2, 12, 0, 5, 0, time.UTC)
	for i := range 4 {
		s.AdvanceTo(s.StepAt(now.Add(time.Duration(i) * 10 * time.Second)))
		s.Put(1, float32(i))
	}
	got := s.Append(nil, 1, now.Add(40*time.Second), time.Hour)
	for i, want := range []float64{math.NaN(), 0, 1, 2, 3, math.NaN()} {
		if got[i] != want && !(math.IsNaN(got[i]) && math.IsNaN(want)) {
			t.Errorf("the values are %v, want one gap, 0 to 3 and one gap", got)
			break
		}
	}
	if !s.IsEmpty(0) || s.IsEmpty(1) {
		t.Error("only the first series is empty")
	}
}

// TestSeriesMemory checks that figures which rarely change take a fraction of the memory of an array.
func TestSeriesMemory(t *testing.T) { //nolint:paralleltest // AllocsPerRun counts for the whole process
	s := NewSeriesStore(1, time.Second, 10*time.Minute)
	step := int64(1_000_000)
	s.AdvanceTo(step)
	s.Put(0, 1)
	if got := testing.AllocsPerRun(600, func() {
		step++
		s.AdvanceTo(step)
		s.Put(0, 1)
	}); got != 0 {
		t.Errorf("%v allocations for a figure that does not change", got)
	}
	for _, b := range s.lines[0].blocks[1:] {
		if b.values != nil && b.values[0] == 1 {
			t.Error("a block with equal values holds each of them")
		}
	}
}
