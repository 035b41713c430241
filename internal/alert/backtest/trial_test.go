package backtest

import (
	"context"
	"errors"
	"iter"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"wallboard/internal/alert"
	"wallboard/model"
)

var morning = time.Date(2026, 11, 23, 8, 0, 0, 0, time.UTC)

// floor returns a snapshot per second of one service with the given longest wait. Seconds with a negative
// wait have no snapshot.
func floor(seconds int, wait func(second int) int64) iter.Seq2[*model.Snapshot, error] {
	return func(yield func(*model.Snapshot, error) bool) {
		store := model.NewStore()
		h := model.Health{
			Link:          model.Link{State: model.LinkUp},
			Subscriptions: []model.Subscription{{Name: model.OpServices, State: model.SubLive, Records: 1}},
		}
		for i := range seconds {
			w := wait(i)
			if w < 0 {
				continue
			}
			r := &model.Service{Code: model.TextOf("S1"), Channel: model.Call}
			r.ChannelStats.MaxTimeCallOnQueue, r.ChannelStats.QueuedCalls = model.IntOf(w), model.IntOf(min(w, 1))
			store.Services.Put(r)
			if !yield(store.Publish(morning.Add(time.Duration(i)*time.Second), h), nil) {
				return
			}
		}
	}
}

// waits returns the longest wait during some periods, growing by a second each second.
func waits(stretches ...[2]int) func(int) int64 {
	return func(second int) int64 {
		for _, s := range stretches {
			if second >= s[0] && second < s[1] {
				return int64(second - s[0] + 1)
			}
		}
		return 0
	}
}

// rules returns one rule about the longest wait.
func rules(warning, critical float64, lasting time.Duration) alert.Options {
	return alert.Options{Goal: alert.DefaultGoal(), Rules: []alert.Rule{{
		Name: "wait", Scope: alert.Service, KPI: "longestWait", Direction: alert.LowerIsBetter, For: lasting,
		Thresholds: alert.Thresholds{Warning: model.FloatOf(warning), Critical: model.FloatOf(critical)},
	}}}
}

func run(t *testing.T, pictures iter.Seq2[*model.Snapshot, error], from time.Time, sets ...alert.Options) Result {
	t.Helper()
	var named []RuleSet
	for i, o := range sets {
		named = append(named, RuleSet{Name: []string{"today", "new", "third"}[i], Options: o})
	}
	r, err := Run(t.Context(), pictures, from, named, nil)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestTwoSetsOfRules compares rules with others that are later and raise fewer alerts.
func TestTwoSetsOfRules(t *testing.T) {
	t.Parallel()
	// Two waits of two minutes a minute apart, and a short one later.
	day := floor(1800, waits([2]int{100, 220}, [2]int{280, 400}, [2]int{1000, 1045}))
	r := run(t, day, morning, rules(30, 60, 0), rules(50, 90, 0))
	lines := Compare(&r.Outcomes[0], &r.Outcomes[1])
	if len(lines) != 1 {
		t.Fatalf("%+v", lines)
	}
	l := lines[0]
	if l.Current.Alerts != 3 || l.Other.Alerts != 2 || l.Current.Reraised != 1 || l.Other.Reraised != 1 {
		t.Errorf("today %+v, then %+v", l.Current, l.Other)
	}
	// A wait is critical from 60 s to 120 s, twice; with the new rules from 90 s.
	if near := func(d, want time.Duration) bool { return (d - want).Abs() <= 2*time.Second }; !near(l.Current.CriticalTime, 122*time.Second) ||
		!near(l.Other.CriticalTime, 62*time.Second) || !near(l.MedianLead, -20*time.Second) || !near(l.Current.TotalTime, (91+91+16)*time.Second) {
		t.Errorf("today %+v, then %+v, earlier by %v", l.Current, l.Other, l.MedianLead)
	}
	if len(l.LostEpisodes) != 1 || l.CommonAlerts != 2 || len(l.NewEpisodes) != 0 || l.LostEpisodes[0].Raised.Sub(morning) != 1029*time.Second {
		t.Errorf("unseen %+v, new %+v, both %d", l.LostEpisodes, l.NewEpisodes, l.CommonAlerts)
	}
	back := Compare(&r.Outcomes[1], &r.Outcomes[0])[0]
	if len(back.NewEpisodes) != 1 || len(back.LostEpisodes) != 0 || back.MedianLead <= 0 {
		t.Errorf("the other way %+v", back)
	}
}

// TestBeginsBefore checks that earlier snapshots are evaluated: a lasting alert exists
// from the first second, ended ones do not count.
func TestBeginsBefore(t *testing.T) {
	t.Parallel()
	day := floor(1800, waits([2]int{100, 220}, [2]int{800, 1000}, [2]int{1700, 1900}))
	r := run(t, day, morning.Add(900*time.Second), rules(30, 600, 0))
	all := r.Outcomes[0].Episodes
	if len(all) != 2 || !all[0].BeforeStart || all[0].Open || all[1].BeforeStart || !all[1].Open {
		t.Fatalf("%+v", all)
	}
	if d := all[0].Lasted; (d - 100*time.Second).Abs() > 2*time.Second {
		t.Errorf("of the earlier alert, %v count", d)
	}
	if r.Snapshots != 900 || !r.From.Equal(morning.Add(900*time.Second)) || r.Recorded != 899*time.Second {
		t.Errorf("%d pictures from %v, %v", r.Snapshots, r.From, r.Recorded)
	}
}

// TestGapDoesNotCount leaves out snapshots.
func TestGapDoesNotCount(t *testing.T) {
	t.Parallel()
	wait := waits([2]int{100, 1100})
	day := floor(1200, func(s int) int64 {
		if s >= 300 && s < 900 {
			return -1
		}
		return wait(s)
	})
	r := run(t, day, morning, rules(30, 60, 0))
	all := r.Outcomes[0].Episodes
	if len(all) != 1 || len(r.Gaps) != 1 || r.Gaps[0].To.Sub(r.Gaps[0].From) != 601*time.Second {
		t.Fatalf("%+v, gaps %+v", all, r.Gaps)
	}
	if d := all[0].Lasted; d < 360*time.Second || d > 380*time.Second { // 170 s before the gap and 200 s after it
		t.Errorf("%v of an alert are counted", d)
	}
	if got := tally(all).CriticalTime; got > all[0].Lasted {
		t.Errorf("%v were critical, of %v", got, all[0].Lasted)
	}
	chart := drawCells(r.Chart(&r.Outcomes[0], 12, func(*Episode) bool { return true }), true)
	if chart != "o##     ###." && chart != ".##     ###." && chart != ".##      ###" {
		t.Errorf("the chart is %q", chart)
	}
}

// TestSameAsLive checks that a backtest raises the same alerts at the same times as a
// live engine.
func TestSameAsLive(t *testing.T) {
	t.Parallel()
	o := alert.Options{Goal: alert.DefaultGoal(), Rules: alert.DefaultRules()}
	wait := waits([2]int{100, 220}, [2]int{280, 400}, [2]int{1000, 1045}, [2]int{1100, 1500})
	live, err := alert.New(o)
	if err != nil {
		t.Fatal(err)
	}
	var want []string
	for s, err := range floor(1800, wait) {
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range live.Evaluate(s, s.At) {
			if c.Kind == alert.ChangeRaised {
				want = append(want, c.Alert.ID)
			}
		}
	}
	var got []string
	r := run(t, floor(1800, wait), morning, o)
	for _, e := range r.Outcomes[0].Episodes {
		got = append(got, alertID(e))
	}
	slices.Sort(want)
	slices.Sort(got)
	if len(want) == 0 || !slices.Equal(got, want) {
		t.Errorf("tried: %q\nlive: %q", got, want)
	}
}

func alertID(e Episode) string {
	id := e.Rule + "/" + e.Key.String() + "@"
	return id + strings.TrimSpace(strconv.FormatInt(e.Raised.UnixMilli(), 10))
}

// TestCalledOff cancels a backtest, and ends one by a read error.
func TestCalledOff(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	day := floor(5000, func(s int) int64 {
		if s == 2000 {
			cancel()
		}
		return 0
	})
	said := 0
	sets := []RuleSet{{Name: "today", Options: rules(30, 60, 0)}, {Name: "new", Options: rules(40, 60, 0)}}
	if _, err := Run(ctx, day, morning, sets, func(time.Time) { said++ }); !errors.Is(err, context.Canceled) || said == 0 {
		t.Errorf("%v, progress %d times", err, said)
	}
	broken := errors.New("the recording is damaged")
	torn := func(yield func(*model.Snapshot, error) bool) { yield(nil, broken) }
	if _, err := Run(t.Context(), torn, morning, sets, nil); !errors.Is(err, broken) {
		t.Errorf("%v", err)
	}
	wrong := rules(30, 60, 0)
	wrong.Rules[0].KPI = "noSuchFigure"
	if _, err := Run(t.Context(), day, morning, []RuleSet{{Name: "today", Options: wrong}}, nil); !errors.As(err, new(alert.Problems)) {
		t.Errorf("%v", err)
	}
	r := run(t, func(func(*model.Snapshot, error) bool) {}, morning, rules(30, 60, 0))
	if text := r.Report(ReportOptions{Zone: time.UTC}); len(text) != 1 || !strings.Contains(text[0], "Nothing was recorded") {
		t.Errorf("%q", text)
	}
}

// TestClockSetBack checks that the second coverage of a time is ignored.
func TestClockSetBack(t *testing.T) {
	t.Parallel()
	wait := waits([2]int{100, 220})
	day := func(yield func(*model.Snapshot, error) bool) {
		for _, part := range []iter.Seq2[*model.Snapshot, error]{floor(600, wait), floor(900, wait)} {
			for s, err := range part {
				if !yield(s, err) {
					return
				}
			}
		}
	}
	r := run(t, day, morning, rules(30, 60, 0))
	if r.Snapshots != 900+1 && r.Snapshots != 900 || len(r.Outcomes[0].Episodes) != 1 {
		t.Errorf("%d snapshots, %+v", r.Snapshots, r.Outcomes[0].Episodes)
	}
}

// TestReport checks the width, the ASCII form and the lost alerts of a report.
func TestReport(t *testing.T) {
	t.Parallel()
	day := floor(3600, waits([2]int{100, 220}, [2]int{280, 400}, [2]int{1000, 1045}))
	r := run(t, day, morning, rules(30, 60, 0), rules(50, 90, 0))
	for _, width := range []int{50, 60, 80, 100, 140, 200} {
		for _, ascii := range []bool{false, true} {
			lines := r.Report(ReportOptions{Width: width, ASCII: ascii, Zone: time.UTC})
			text := strings.Join(lines, "\n")
			for _, want := range []string{"23 Nov 2026 08:00 to 08:59", "wait", "today", "new", "No longer seen with new:", "08:17"} {
				if !strings.Contains(text, want) {
					t.Errorf("%d cells: no %q in\n%s", width, want, text)
				}
			}
			for i, l := range lines {
				if w := textWidth(l); w > width && i > 0 && !strings.HasPrefix(l, "  ") {
					t.Errorf("%d of %d cells: %q", w, width, l)
				}
			}
			if ascii && strings.ContainsFunc(text, func(c rune) bool { return c > 126 }) {
				t.Errorf("not ASCII:\n%s", text)
			}
			if chart := strings.ContainsAny(text, "#▆"); !chart && width >= 100 {
				t.Errorf("%d cells: no chart in\n%s", width, text)
			}
		}
	}
	same := run(t, floor(600, waits()), morning, rules(30, 60, 0), rules(50, 90, 0))
	if text := strings.Join(same.Report(ReportOptions{Width: 80, Zone: time.UTC}), "\n"); !strings.Contains(text, "come to the same: 0 alerts") {
		t.Error(text)
	}
	if p := r.JSON(); len(p.Rules) != 2 || p.Rules[0].Alerts != 3 || p.Rules[1].Unseen != 1 {
		t.Errorf("%+v", p)
	}
}

func TestSweep(t *testing.T) {
	t.Parallel()
	o := alert.Options{Rules: alert.DefaultRules()}
	for text, want := range map[string]string{
		"longest wait.for=30s..5m":          "for = 30s, for = 55s, for = 1m35s, for = 2m30s, for = 5m",
		"longest wait.for=30s,1m":           "for = 30s, for = 1m",
		"longest wait.critical=45s..5m/3":   "critical = 45s, critical = 1m40s, critical = 5m",
		"abandon rate.warning = 6%..10% /3": "warning = 6 %, warning = 7.7 %, warning = 10 %",
		"abandon rate.min_calls=5,20":       "min_calls = 5, min_calls = 20",
		"longest wait.for=0s..1m/3":         "for = 0s, for = 30s, for = 1m",
		"longest wait.for=30s..30s":         "for = 30s",
		"longest wait":                      "! want a rule, a field and values",
		"longest wait.colour=1":             "! cannot be swept",
		"longest weight.for=1m":             `! there is no rule "longest weight"; did you mean longest wait?`,
		"stranded.warning=1":                "! has a condition and no levels",
		"longest wait.for=5":                "! is not a duration",
		"longest wait.critical=much":        "! is not a number",
		"longest wait.critical=1..nan":      "! is not a number",
		"longest wait.for=30s..5m/99":       "! want 2 to 12 values",
		"longest wait.for=":                 "! is not a duration",
		".for=1m":                           "! want a rule",
	} {
		sets, err := Sweep(o, text)
		var names []string
		for _, s := range sets {
			names = append(names, s.Name)
			if _, err := alert.New(alert.Options{Rules: s.Options.Rules, Goal: alert.DefaultGoal()}); err != nil {
				t.Errorf("%s: %v", s.Name, err)
			}
		}
		got := strings.Join(names, ", ")
		if why, fails := strings.CutPrefix(want, "! "); fails {
			if err == nil || !strings.Contains(err.Error(), why) {
				t.Errorf("%s: %q, %v, want %q", text, got, err, why)
			}
		} else if err != nil || got != want {
			t.Errorf("%s: %q, %v, want %q", text, got, err, want)
		}
	}
	if at := slices.IndexFunc(o.Rules, func(r alert.Rule) bool { return r.Name == "longest wait" }); o.Rules[at].For != 0 {
		t.Error("the rules of today are changed")
	}
}
