package alert

import (
	"math"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"wallboard/model"
)

// fresh returns another engine with the same rules.
func (f *floor) fresh(o Options) *Engine {
	f.t.Helper()
	o.Goal = DefaultGoal()
	e, err := New(o)
	if err != nil {
		f.t.Fatal(err)
	}
	return e
}

// TestRememberedIsAsIfSeen checks that an engine with a remembered history equals one
// that has observed everything: samples, windows, counters that restart, gaps.
func TestRememberedIsAsIfSeen(t *testing.T) {
	t.Parallel()
	o := figures(Service, `rate(receivedCalls, "15m")`, `delta(receivedCalls, "10m")`, `avg(queuedCalls, "5m")`,
		`max(queuedCalls, "2h")`, `delta(receivedCalls, "3h")`, `avg(abandonRate, "20m")`)
	rapid.Check(t, func(t *rapid.T) {
		f := newFloor(t, o) // its engine observes everything
		older, past, live := f.fresh(o), f.fresh(o), f.fresh(o)
		pictures := rapid.IntRange(30, 300).Draw(t, "pictures")
		begin := rapid.IntRange(0, pictures/2).Draw(t, "beginning of the past")
		end := rapid.IntRange(1, pictures-1).Draw(t, "end of the past")
		remembers := rapid.IntRange(end, pictures-1).Draw(t, "remembers")
		comes := rapid.IntRange(0, pictures-1).Draw(t, "another comes")
		count := int64(0)
		for i := range pictures {
			switch n := rapid.IntRange(0, 40).Draw(t, "what happens"); n {
			case 0:
				count = 0
			case 1:
				f.now = f.now.Add(time.Duration(n) * 7 * time.Minute) // a gap in the observation
			default:
				count += int64(n)
			}
			f.service(func(r *model.Service) {
				c := &r.ChannelStats
				c.ReceivedCalls, c.QueuedCalls, c.HangupCalls = model.IntOf(count), model.IntOf(count%7), model.IntOf(count/9)
			})
			if i == comes {
				f.store.Services.Put(&model.Service{Code: model.TextOf("other"), Channel: model.Call})
			}
			f.now = f.now.Add(10 * time.Second)
			s := f.store.Publish(f.now, f.health)
			f.engine.Evaluate(s, f.now)
			switch {
			case i >= end:
				live.Evaluate(s, f.now)
			case i < begin:
				NewBackfill(older).Observe(s, f.now)
			case i%2 == 0:
				NewBackfill(past).Observe(s, f.now)
			default:
				past.Evaluate(s, f.now)
			}
			if i == remembers {
				NewBackfill(past).ApplyTo(live)
				NewBackfill(older).ApplyTo(live)
			}
		}
		k := serviceS()
		for _, name := range []string{"a", "b", "c", "d", "e", "f"} {
			if got, want := show(live.Value(name, k)), show(f.engine.Value(name, k)); got != want {
				t.Errorf("%s is %s, want %s", name, got, want)
			}
		}
		for _, span := range []time.Duration{15 * time.Minute, time.Hour, 8 * time.Hour} {
			for _, name := range []string{"queuedCalls", "abandonRate"} {
				got, want := live.Trend(nil, name, k, span), f.engine.Trend(nil, name, k, span)
				same := func(a, b float64) bool { return a == b || math.IsNaN(a) && math.IsNaN(b) }
				if !got.End.Equal(want.End) || !slices.EqualFunc(got.Samples, want.Samples, same) {
					t.Errorf("%s over %v: not as if seen, until %v, want %v", name, span, got.End, want.End)
				}
			}
		}
	})
}

// TestRememberedOfWhoComesLater checks the samples of a record that appears after the
// history was remembered.
func TestRememberedOfWhoComesLater(t *testing.T) {
	t.Parallel()
	o := figures(Service, `delta(receivedCalls, "5m")`)
	f := newFloor(t, o)
	past := f.engine
	for i := range int64(60) {
		f.received(i)
		f.after(10 * time.Second)
	}
	f.engine = f.fresh(o)
	f.store.Services.Delete(model.ServiceKey{Code: "S", Channel: model.Call})
	f.after(10 * time.Second)
	NewBackfill(past).ApplyTo(f.engine)
	f.value("a", "–")
	f.received(62)
	f.after(10 * time.Second)
	f.value("a", "31")
	f.engine = func() *Engine { next := f.fresh(o); next.AdoptState(f.engine); return next }()
	f.after(0)
	f.value("a", "31")
}

// TestRememberedSince checks that conditions from the start are dated back, but not
// after a pause.
func TestRememberedSince(t *testing.T) {
	t.Parallel()
	many := Rule{Name: "many", Scope: Service, When: "queuedCalls > 1", Severity: Warning}
	long := Rule{Name: "long", Scope: Service, When: "queuedCalls > 1", Severity: Critical, For: 5 * time.Minute}
	o := rules(many, long)
	for name, tt := range map[string]struct {
		pause   time.Duration
		changes string
		since   time.Duration
		start   bool
	}{
		"at once": {5 * time.Second, "long raised critical", 0, false},
		"pause":   {time.Minute, "", 4*time.Minute + time.Minute, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := newFloor(t, o)
			past := f.engine
			f.queue(0, 0)
			f.after(0)
			f.queue(2, 40)
			began := f.now.Add(10 * time.Second)
			f.want(f.every(10*time.Second, 4*time.Minute+10*time.Second), "many raised warning")
			f.engine = f.fresh(o)
			f.want(f.after(tt.pause), "many raised warning")
			NewBackfill(past).ApplyTo(f.engine)
			f.want(f.every(10*time.Second, time.Minute), tt.changes)
			for _, a := range f.engine.Active() {
				if a.Rule == "many" && (!a.Since.Equal(began.Add(tt.since)) || a.FromStart != tt.start) {
					t.Errorf("since %v, from the start %v", a.Since, a.FromStart)
				}
			}
			if n := len(f.engine.History()); n > 0 {
				t.Errorf("%d alerts ended", n)
			}
		})
	}
}
