package alert

import (
	"math"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"wallboard/model"
)

// figures returns custom KPIs, one for each expression.
func figures(scope Scope, exprs ...string) Options {
	var o Options
	for i, x := range exprs {
		o.KPIs = append(o.KPIs, KPI{Name: string(rune('a' + i)), Scope: scope, Expr: x})
	}
	return o
}

func (f *floor) received(n int64) {
	f.service(func(r *model.Service) { r.ChannelStats.ReceivedCalls = model.IntOf(n) })
}

func (f *floor) value(name, want string) {
	f.t.Helper()
	if got := show(f.engine.Value(name, serviceS())); got != want {
		f.t.Errorf("at %s %s is %s, want %s", f.now.Format("15:04:05"), name, got, want)
	}
}

func TestWindows(t *testing.T) {
	t.Parallel()
	f := newFloor(t, figures(Service, `rate(receivedCalls, "5m")`, `delta(receivedCalls, "5m")`,
		`avg(queuedCalls, "5m")`, `max(queuedCalls, "5m")`, `delta(queuedCalls, "5m")`, `avg(abandonRate, "5m")`))
	for i := range int64(31) {
		f.service(func(r *model.Service) {
			c := &r.ChannelStats
			c.ReceivedCalls, c.QueuedCalls, c.HangupCalls = model.IntOf(i), model.IntOf(30-i), model.IntOf(0)
		})
		f.after(10 * time.Second)
		if i == 10 { // the samples cover less than half of the window
			f.value("a", "–")
			f.value("b", "–")
			f.value("c", "–")
		}
		if i == 20 {
			f.value("a", "6")
			f.value("b", "–")
			f.value("c", "20")
		}
	}
	f.value("a", "6")
	f.value("b", "30")
	f.value("c", "14.5")
	f.value("d", "29")
	f.value("e", "-30")
	f.value("f", "0")
}

// TestCounterStartsAgain checks that a counter continues when it restarts, at midnight
// or with the server.
func TestCounterStartsAgain(t *testing.T) {
	t.Parallel()
	f := newFloor(t, figures(Service, `rate(receivedCalls, "2m")`, `delta(receivedCalls, "2m")`))
	for _, n := range []int64{996, 997, 998, 999, 1000, 1001, 0, 1, 2, 3, 4, 5, 6} {
		f.received(n)
		f.after(10 * time.Second)
	}
	f.value("a", "5.5")
	f.value("b", "11")
}

// TestWindowsOfCountersAreNeverNegative checks windows with resets, gaps and restarts.
func TestWindowsOfCountersAreNeverNegative(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		f := newFloor(t, figures(Service, `rate(receivedCalls, "2m")`, `delta(receivedCalls, "2m")`))
		var n, counted int64
		for range rapid.IntRange(1, 60).Draw(t, "steps") {
			switch rapid.SampledFrom([]string{"grow", "grow", "grow", "reset", "gap", "unknown"}).Draw(t, "what") {
			case "grow":
				d := rapid.Int64Range(0, 9).Draw(t, "calls")
				n, counted = n+d, counted+d
				f.received(n)
			case "reset":
				n = 0
				f.received(0)
			case "gap":
				f.now = f.now.Add(time.Duration(rapid.IntRange(1, 200).Draw(t, "seconds")) * time.Second)
			case "unknown":
				f.service(func(r *model.Service) { r.ChannelStats.ReceivedCalls = model.Int{} })
			}
			f.after(10 * time.Second)
			for _, name := range []string{"a", "b"} {
				if v, ok := f.engine.Value(name, serviceS()).Get(); ok && (v < 0 || name == "b" && v > float64(counted)) {
					t.Fatalf("%s is %v after %d calls", name, v, counted)
				}
			}
		}
	})
}

func TestTrendHasGaps(t *testing.T) {
	t.Parallel()
	f := newFloor(t, Options{})
	f.queue(1, 5)
	f.after(0)
	f.queue(2, 6)
	f.after(10 * time.Second)
	f.after(30 * time.Second) // two samples are missing
	f.health.Link.State = model.LinkBackoff
	f.after(10 * time.Second)
	f.health.Link.State = model.LinkUp
	f.queue(5, 9)
	f.after(10 * time.Second)
	f.service(func(r *model.Service) { r.ChannelStats.MaxTimeCallOnQueue = model.Int{} })
	f.after(10 * time.Second)
	got := f.engine.Trend(nil, "longestWait", serviceS(), 80*time.Second)
	gap := math.NaN()
	want := []float64{5, 6, gap, gap, 6, gap, 9, gap}
	if diff := cmp.Diff(want, got.Samples, cmpopts.EquateNaNs()); diff != "" || got.Step != fineStep {
		t.Errorf("samples every %v, -want +got\n%s", got.Step, diff)
	}
	if long := f.engine.Trend(nil, "longestWait", serviceS(), 2*time.Hour); long.Step != coarseStep {
		t.Errorf("two hours come in steps of %v", long.Step)
	}
}

// TestTrendEndsNow checks that a trend ends with gaps while values are unknown.
func TestTrendEndsNow(t *testing.T) {
	t.Parallel()
	f := newFloor(t, Options{})
	f.queue(1, 5)
	f.after(0)
	f.health.Link.State = model.LinkBackoff
	f.every(10*time.Second, 30*time.Second)
	got := f.engine.Trend(nil, "queuedCalls", serviceS(), 50*time.Second)
	gap := math.NaN()
	if diff := cmp.Diff([]float64{gap, 1, gap, gap, gap}, got.Samples, cmpopts.EquateNaNs()); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	if !got.End.Equal(f.now.Truncate(fineStep)) {
		t.Errorf("it ends at %v, now is %v", got.End, f.now)
	}
}

// TestHeldTrendsStand checks that frozen trends do not change.
func TestHeldTrendsStand(t *testing.T) {
	t.Parallel()
	f := newFloor(t, Options{})
	f.queue(1, 5)
	f.every(10*time.Second, 10*time.Minute)
	held := f.engine.FreezeTrends()
	look := func() Trend { return held.Trend(nil, "queuedCalls", serviceS(), 15*time.Minute) }
	before := look()
	f.queue(9, 90)
	f.every(10*time.Second, 2*time.Hour)
	if diff := cmp.Diff(before, look(), cmpopts.EquateNaNs()); diff != "" {
		t.Errorf("-before +after\n%s", diff)
	}
}

// TestChartedFiguresAreSampled checks that every figure for charts has samples.
func TestChartedFiguresAreSampled(t *testing.T) {
	t.Parallel()
	f := newFloor(t, Options{})
	for _, s := range []Scope{Service, Group, Campaign, Floor} {
		lib := f.engine.rowsByScope[s].library
		for _, k := range f.engine.ChartedKPIs(s) {
			if !slices.ContainsFunc(lib.series, func(s sampledFigure) bool { return s.source == k.Name && !s.isCounter }) {
				t.Errorf("no samples are taken of %s %s", s, k.Name)
			}
		}
	}
}

// TestShiftIsKept checks that eight hours are kept in steps of a minute, and no more.
func TestShiftIsKept(t *testing.T) {
	t.Parallel()
	f := newFloor(t, figures(Service, `delta(receivedCalls, "8h")`, `max(queuedCalls, "8h")`))
	f.queue(99, 0)
	f.after(0)
	for i := range int64(9 * 60) {
		f.queue(i%7, 0)
		f.received(i)
		f.after(time.Minute)
	}
	f.value("a", "479")
	f.value("b", "6")
	got := f.engine.Trend(nil, "b", serviceS(), 24*time.Hour)
	if len(got.Samples) != 480 {
		t.Errorf("%d samples are kept, want 480", len(got.Samples))
	}
}

func TestClockSetBack(t *testing.T) {
	t.Parallel()
	f := newFloor(t, figures(Service, `avg(queuedCalls, "1m")`))
	f.queue(4, 0)
	f.every(10*time.Second, 2*time.Minute)
	f.value("a", "4")
	f.now = f.now.Add(-3 * time.Hour)
	f.queue(2, 0)
	f.every(10*time.Second, 2*time.Minute)
	f.value("a", "2")
}

func TestSamplingDoesNotAllocate(t *testing.T) { //nolint:paralleltest // AllocsPerRun counts for the whole process
	f := newFloor(t, figures(Service, `rate(receivedCalls, "15m")`, `avg(queuedCalls, "15m")`, `avg(abandonRate, "2h")`))
	f.service(busyService)
	f.every(10*time.Second, 5*time.Minute)
	p, r := f.engine.findRow(serviceS())
	got := testing.AllocsPerRun(100, func() {
		f.engine.serverTime = f.engine.serverTime.Add(10 * time.Second)
		if !r.samples.sampleIfDue(p.library, f.engine.loadFrame(p, r)) {
			t.Fatal("no sample was taken")
		}
	})
	if got != 0 {
		t.Errorf("%v allocations for a sample of %d series", got, len(p.library.series))
	}
}
