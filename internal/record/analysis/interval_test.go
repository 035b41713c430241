package analysis_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"wallboard/internal/record/analysis"
	"wallboard/model"
)

const quarter = 15 * time.Minute

func intervals(t *testing.T, p analysis.Snapshots, from, to time.Time, length time.Duration, service string) []analysis.Interval {
	t.Helper()
	list, err := analysis.Intervals(t.Context(), p, from, to, length, analysis.Scope{Channel: model.Call, Service: service}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// TestIntervals counts one call per minute in quarters and halves of an hour.
func TestIntervals(t *testing.T) {
	t.Parallel()
	p := lived(day, day.Add(2*time.Hour), nil)
	for _, length := range analysis.IntervalLengths() {
		for _, service := range []string{"", "S1"} {
			list := intervals(t, p, day.Add(-time.Hour), day.Add(8*time.Hour), length, service)
			if len(list) != int(2*time.Hour/length) {
				t.Fatalf("%v: %d intervals", length, len(list))
			}
			received := int64(0)
			for i, v := range list {
				n := v.Calls.ReceivedCalls.Or(-1)
				received += n
				if n != int64(length/time.Minute) || !v.IsWhole() || v.CountersFell || !v.RestartedAt.IsZero() {
					t.Errorf("%v, interval %d: %d received of %v to %v: %+v", length, i, n, v.First, v.Last, v)
				}
				wantLogged := 2.0
				logged, _ := v.LoggedIn.Get()
				ready, _ := v.Ready.Get()
				if logged != wantLogged || ready != 1 {
					t.Errorf("%v logged in, %v ready", logged, ready)
				}
				handling, known := v.Handling.Get()
				if known != (service == "") || known && (handling < 180 || handling > 220) { // 100 s per minute, one call in two minutes
					t.Errorf("%v of handling, known %v", handling, known)
				}
				if sl, ok := v.Calls.ServiceLevel(model.SLAllAbandons).Get(); !ok || sl < 0.4 || sl > 0.6 {
					t.Errorf("a service level of %v", sl)
				}
			}
			if received != 120 {
				t.Errorf("%v: %d in all", length, received)
			}
		}
	}
}

// TestIntervalsWithGaps checks notes and counts of intervals with gaps.
func TestIntervalsWithGaps(t *testing.T) { //nolint:gocyclo // one case after the other
	t.Parallel()
	in := func(at time.Time, from, to int) bool {
		m := int(at.Sub(day) / time.Minute)
		return m >= from && m < to
	}
	for name, tt := range map[string]struct {
		change func(at time.Time, s *model.Service, agents []*model.UserStat) bool
		check  func(t *testing.T, list []analysis.Interval)
	}{
		"across a boundary": {
			func(at time.Time, _ *model.Service, _ []*model.UserStat) bool { return !in(at, 20, 40) },
			func(t *testing.T, list []analysis.Interval) { // minutes 15 to 30 and 30 to 45 are incomplete
				for i, want := range map[int]int64{0: 15, 1: 4, 2: 5, 3: 15} {
					if n := list[i].Calls.ReceivedCalls.Or(-1); n != want && n != want+1 || list[i].IsWhole() != (want == 15) {
						t.Errorf("interval %d: %d received, whole %v", i, n, list[i].IsWhole())
					}
				}
				if known := list[1].RecordedTime; known < 4*time.Minute || known > 5*time.Minute {
					t.Errorf("%v of it known", known)
				}
			},
		},
		"a whole interval": {
			func(at time.Time, _ *model.Service, _ []*model.UserStat) bool { return !in(at, 14, 31) },
			func(t *testing.T, list []analysis.Interval) {
				if !list[1].IsGap() || list[1].Calls.ReceivedCalls.Known() || list[1].LoggedIn.Known() || len(list) != 4 {
					t.Errorf("%+v", list[1])
				}
			},
		},
		"within one": { // the counts add up, but the numbers of agents are unknown
			func(at time.Time, _ *model.Service, _ []*model.UserStat) bool { return !in(at, 18, 27) },
			func(t *testing.T, list []analysis.Interval) {
				if n := list[1].Calls.ReceivedCalls.Or(-1); n != 15 || list[1].IsWhole() || list[1].RecordedTime > 7*time.Minute {
					t.Errorf("%d received, %v known", n, list[1].RecordedTime)
				}
			},
		},
		"the counters begin anew": {
			func(at time.Time, s *model.Service, _ []*model.UserStat) bool {
				if m := int64(at.Sub(day) / time.Minute); m >= 20 {
					s.ChannelStats.ReceivedCalls = model.IntOf(m - 20)
				}
				return true
			},
			func(t *testing.T, list []analysis.Interval) {
				if n := list[1].Calls.ReceivedCalls.Or(-1); n != 14 || list[1].RestartedAt.IsZero() || list[2].Calls.ReceivedCalls.Or(-1) != 15 {
					t.Errorf("%d received, restarted %v", n, list[1].RestartedAt)
				}
			},
		},
		"the clock was set back": { // counters of two times alternate
			func(at time.Time, s *model.Service, _ []*model.UserStat) bool {
				if in(at, 15, 30) && at.Second() == 0 && at.Minute()%2 == 0 {
					s.ChannelStats.ReceivedCalls = model.IntOf(s.ChannelStats.ReceivedCalls.Or(0) - 30)
				}
				return true
			},
			func(t *testing.T, list []analysis.Interval) {
				if !list[1].CountersFell || list[1].Calls.ReceivedCalls.Known() || list[3].CountersFell {
					t.Errorf("%+v", list[1])
				}
			},
		},
		"no figures": {
			func(_ time.Time, s *model.Service, _ []*model.UserStat) bool {
				s.ChannelStats = model.ServiceCalls{}
				return true
			},
			func(t *testing.T, list []analysis.Interval) {
				if list[0].Calls.ReceivedCalls.Known() || !list[0].IsWhole() {
					t.Errorf("%+v", list[0])
				}
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tt.check(t, intervals(t, lived(day, day.Add(time.Hour), tt.change), day, day.Add(24*time.Hour), quarter, ""))
		})
	}
}

// TestIntervalsOfNothing checks empty recordings and errors.
func TestIntervalsOfNothing(t *testing.T) {
	t.Parallel()
	scope := analysis.Scope{Channel: model.Call}
	if list, err := analysis.Intervals(t.Context(), &tape{}, day, day.Add(time.Hour), quarter, scope, nil); err != nil || list != nil {
		t.Error(list, err)
	}
	p := lived(day, day.Add(time.Hour), nil)
	if list, err := analysis.Intervals(t.Context(), p, day.AddDate(0, 0, -2), day.AddDate(0, 0, -1), quarter, scope, nil); err != nil || list != nil {
		t.Error(list, err)
	}
	p.broken = day.Add(20 * time.Minute)
	if _, err := analysis.Intervals(t.Context(), p, day, day.Add(time.Hour), quarter, scope, nil); !errors.Is(err, errDamaged) {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := analysis.Intervals(ctx, p, day, day.Add(time.Hour), quarter, scope, nil); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
