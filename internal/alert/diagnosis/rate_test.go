package diagnosis_test

import (
	"math"
	"testing"
	"time"

	"wallboard/internal/alert/diagnosis"
	"wallboard/model"
)

// evenly returns a function that makes contacts arrive at a constant rate and be
// answered at once.
func (f *floor) evenly() func(lasts time.Duration, perMinute float64) {
	came := 0.0
	return func(lasts time.Duration, perMinute float64) {
		for range int(lasts.Seconds()) {
			came += perMinute / 60
			f.service(int64(came+0.001), int64(came+0.001), 1)
			f.look(time.Second)
		}
	}
}

// TestRateFollowsWhatIsNoChance changes a constant arrival rate after half an hour.
func TestRateFollowsWhatIsNoChance(t *testing.T) {
	t.Parallel()
	const before = 4.0 // per minute
	for name, c := range map[string]struct {
		lasts time.Duration
		then  float64 // per minute
		want  float64
	}{
		"as before":                       {10 * time.Minute, 4, 4},
		"some more for two minutes":       {2 * time.Minute, 7, 4.2},
		"a surge of 40 seconds":           {40 * time.Second, 30, 30},
		"a surge of four minutes":         {4 * time.Minute, 20, 20},
		"half as many more for a while":   {14 * time.Minute, 8, 8},
		"none for six minutes":            {6 * time.Minute, 0, 0},
		"none for half a minute":          {30 * time.Second, 0, 4},
		"twelve a minute for 20 seconds":  {20 * time.Second, 12, 4.2},
		"fewer, which a minute may bring": {time.Minute, 2, 3.9},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := newFloor()
			let := f.evenly()
			let(30*time.Minute, before)
			let(c.lasts, c.then)
			got := f.track.ArrivalRate(s, f.now)
			if math.Abs(got.PerSecond*60-c.want) > 0.5+c.want/5 || got.Period <= 0 {
				t.Errorf("%+v, want %.1f a minute", got, c.want)
			}
		})
	}
}

// TestRateAfterAGap checks that unobserved seconds do not count as seconds without
// arrivals.
func TestRateAfterAGap(t *testing.T) {
	t.Parallel()
	f := newFloor()
	for i := range 1800 {
		f.service(int64(i/10), 0, 1)
		f.look(time.Second)
	}
	f.now = f.now.Add(2 * time.Minute)
	f.service(400, 0, 1)
	f.looks(20)
	if got := f.track.ArrivalRate(s, f.now); math.Abs(got.PerSecond*60-6) > 0.5 {
		t.Errorf("%+v, want 6 a minute", got)
	}
	if got := f.track.ArrivalRate(model.ServiceKey{Code: "?", Channel: model.Call}, f.now); got != (diagnosis.ArrivalRate{}) {
		t.Errorf("of an unknown service %+v", got)
	}
}

// TestBurstKeepsItsNumbers checks that the figures of a burst stay the same as long as the burst explains the
// queue.
func TestBurstKeepsItsNumbers(t *testing.T) {
	t.Parallel()
	f := newFloor()
	let := f.evenly()
	let(30*time.Minute, 4)
	let(70*time.Second, 22)
	var first diagnosis.ArrivalRate
	bursts := 0
	for range 180 {
		let(time.Second, 4)
		got := f.track.ArrivalRate(s, f.now)
		if got.Burst == (diagnosis.Burst{}) {
			continue
		}
		if bursts++; bursts == 1 {
			first = got
		}
		if got.Burst != first.Burst || got.PerSecondBefore != first.PerSecondBefore {
			t.Fatalf("%+v, first it was %+v", got, first)
		}
	}
	if bursts < 60 {
		t.Errorf("it was told of for %d s only", bursts)
	}
}

// TestBurstIsOver checks that a past burst does not raise the current rate.
func TestBurstIsOver(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		lasts, since time.Duration
		then         float64 // per minute
		over         bool
	}{
		"a minute, a minute ago":      {time.Minute, time.Minute, 20, true},
		"a minute, four minutes ago":  {time.Minute, 4 * time.Minute, 20, true},
		"five minutes, two ago":       {5 * time.Minute, 2 * time.Minute, 12, true},
		"fewer for six minutes":       {6 * time.Minute, 2 * time.Minute, 0, true},
		"it has only just come to it": {time.Minute, 10 * time.Second, 14, false},
		"it goes on":                  {3 * time.Minute, 0, 14, false},
		"chance":                      {time.Minute, 2 * time.Minute, 6, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			const before = 4.0 // per minute
			f := newFloor()
			let := f.evenly()
			let(30*time.Minute, before)
			from := f.now
			let(c.lasts, c.then)
			to := f.now
			let(c.since, before)
			got := f.track.ArrivalRate(s, f.now)
			if is := got.Burst != (diagnosis.Burst{}); is != c.over {
				t.Fatalf("%+v", got)
			}
			if !c.over {
				return
			}
			const near = 125 * time.Second // the windows of a rate differ by some minutes
			if got.Changed || math.Abs(got.PerSecond*60-before) > 1 || got.Burst.From.Sub(from).Abs() > near || got.Burst.To.Sub(to).Abs() > near {
				t.Errorf("%+v, want it from %v to %v", got, from, to)
			}
		})
	}
}

// BenchmarkPeriodTotals computes the totals of the periods that one explanation needs, all of which end
// now.
func BenchmarkPeriodTotals(b *testing.B) {
	f := newFloor()
	f.evenly()(2*time.Hour, 4)
	b.ReportAllocs()
	for b.Loop() {
		for _, span := range []time.Duration{time.Minute, 5 * time.Minute, 10 * time.Minute, 15 * time.Minute, 30 * time.Minute, time.Hour} {
			f.track.PeriodTotals(s, f.now.Add(-span), f.now)
		}
	}
}
