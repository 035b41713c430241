package backtest_test

import (
	"context"
	"errors"
	"iter"
	"slices"
	"strconv"
	"testing"
	"time"

	"wallboard/internal/alert"
	"wallboard/internal/alert/backtest"
	"wallboard/model"
)

var day = time.Date(2026, 3, 2, 8, 0, 0, 0, time.UTC)

func engine(t *testing.T, rules ...alert.Rule) *alert.Engine {
	t.Helper()
	e, err := alert.New(alert.Options{Rules: rules, Goal: alert.DefaultGoal()})
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// pictures returns snapshots of a service with the given waits and percentages of calls
// answered in time.
func pictures(from, to time.Time, of func(at time.Time) (wait int64, inTime int64, seen bool)) iter.Seq2[*model.Snapshot, error] {
	return func(yield func(*model.Snapshot, error) bool) {
		st, all, good := model.NewStore(), int64(0), int64(0)
		for at := from; !at.After(to); at = at.Add(backtest.Step) {
			wait, share, seen := of(at)
			all, good = all+100, good+share
			if !seen {
				continue
			}
			s := &model.Service{Channel: model.Call}
			s.Code = model.TextOf("S1")
			s.ChannelStats = model.ServiceCalls{
				AnsweredCalls: model.IntOf(all), AnsweredCallsUnderSpeedLimit: model.IntOf(good), HangupCalls: model.IntOf(0), ShortCalls: model.IntOf(0),
				MaxTimeCallOnQueue: model.IntOf(wait), QueuedCalls: model.IntOf(min(wait, 1)),
			}
			st.Services.Put(s)
			health := model.Health{
				Link:          model.Link{State: model.LinkUp, LastFrame: at},
				Subscriptions: []model.Subscription{{Name: model.OpServices, State: model.SubLive, LastData: at, VerifiedAt: at, Records: 1}},
			}
			if !yield(st.Publish(at, health), nil) {
				return
			}
		}
	}
}

func waitRule() alert.Rule {
	return alert.Rule{
		Name: "wait", Scope: alert.Service, KPI: "maxTimeCallOnQueue", Direction: alert.LowerIsBetter,
		Thresholds: alert.Thresholds{Warning: model.FloatOf(30)},
	}
}

// restless returns a short wait every ten minutes, and every second hour a long one
// that ruins the service level of a quarter of an hour.
func restless(at time.Time) (wait, inTime int64, seen bool) {
	m := int(at.Sub(day) / time.Minute)
	switch {
	case m >= 120 && m%120 < 15:
		return 110, 20, true
	case m%10 == 5 && at.Second() < 40:
		return 45, 95, true
	}
	return 0, 95, true
}

func word(v float64, _ alert.Format) string { return strconv.FormatFloat(v, 'f', -1, 64) + " s" }

// TestJudge distinguishes alerts that mattered from others.
func TestJudge(t *testing.T) {
	t.Parallel()
	e := engine(t, waitRule(), alert.Rule{Name: "idle", Scope: alert.Service, When: "queuedCalls > 50", Severity: alert.Warning})
	taken := []alert.Alert{
		{Rule: "wait", Key: alert.Key{Scope: alert.Service, Code: "S1", Channel: model.Call}, Raised: day.Add(2 * time.Hour), Ack: alert.Ack{By: "anna", At: day}},
		{Rule: "wait", Key: alert.Key{Scope: alert.Service, Code: "S1", Channel: model.Call}, Raised: day.Add(65 * time.Minute)}, // not acknowledged
		{Rule: "gone", Key: alert.Key{Scope: alert.Service, Code: "S1", Channel: model.Call}, Raised: day, Ack: alert.Ack{By: "anna"}},
	}
	rep, err := backtest.Evaluate(t.Context(), pictures(day, day.Add(6*time.Hour+30*time.Minute), restless), e, backtest.EvaluateOptions{TakenAlerts: taken})
	if err != nil || rep.Misses != 3 || len(rep.Rules) != 2 || !rep.From.Equal(day) {
		t.Fatalf("%+v, %v", rep, err)
	}
	r := rep.Rules[0]
	// Of the 39 periods of ten minutes, six overlap with the three long waits. Each miss has one alert, besides
	// the short alerts of the half hour before.
	if r.Name != "wait" || r.TakenOver != 1 || r.BeforeMiss < 3 || r.Fired != r.TakenOver+r.WithoutAck+r.Open || r.Fired < 33 || r.Quick != r.Fired-3 {
		t.Errorf("%+v", r)
	}
	if idle := rep.Rules[1]; idle.Fired != 0 || idle.Proposal.Text(word).In(nil) != "" {
		t.Errorf("%+v", idle)
	}
}

// TestJudgeByMarks counts acknowledgements of other boards by the marks of the
// recording, and proposes nothing that would have lost such an alert.
func TestJudgeByMarks(t *testing.T) {
	t.Parallel()
	of := func(at time.Time) (wait, inTime int64, seen bool) { // an alert of one minute every ten minutes
		if m := int(at.Sub(day) / time.Minute); m%10 == 5 {
			return 45, 99, true
		}
		return 0, 99, true
	}
	wait := model.TakenAlert{Rule: "wait", Scope: string(alert.Service), Code: "S1", Channel: model.Call, Level: int(alert.Warning)}
	idle, other := wait, wait
	idle.Rule, other.Code = "idle", "S2"
	for name, tt := range map[string]struct {
		marks []model.Mark
		taken int
	}{
		"none":             {nil, 0},
		"while it is open": {[]model.Mark{{At: day.Add(15*time.Minute + 30*time.Second), Taken: wait}, {At: day.Add(25*time.Minute + 5*time.Second), Taken: wait}}, 2},
		"twice":            {[]model.Mark{{At: day.Add(15*time.Minute + 20*time.Second), Taken: wait}, {At: day.Add(15*time.Minute + 40*time.Second), Taken: wait}}, 1},
		"before it is":     {[]model.Mark{{At: day.Add(14 * time.Minute), Taken: wait}}, 0},
		"after it was":     {[]model.Mark{{At: day.Add(18 * time.Minute), Taken: wait}}, 0},
		"of another":       {[]model.Mark{{At: day.Add(15*time.Minute + 30*time.Second), Taken: idle}, {At: day.Add(15*time.Minute + 30*time.Second), Taken: other}}, 0},
		"no take-over":     {[]model.Mark{{At: day.Add(15*time.Minute + 30*time.Second), Kind: model.MarkAction, Text: "a call"}}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			rep, err := backtest.Evaluate(t.Context(), pictures(day, day.Add(time.Hour), of), engine(t, waitRule()), backtest.EvaluateOptions{Marks: tt.marks})
			if err != nil {
				t.Fatal(err)
			}
			if r := rep.Rules[0]; r.Fired != 6 || r.TakenOver != tt.taken || r.WithoutAck != 6-tt.taken {
				t.Errorf("%+v", r)
			}
			if needed := rep.Rules[0].Proposal.Text(word).In(nil) == ""; needed != (tt.taken > 0) {
				t.Errorf("with %d taken over: %q", tt.taken, rep.Rules[0].Proposal.Text(word).In(nil))
			}
		})
	}
}

// TestProposal checks that only useless alerts are saved.
func TestProposal(t *testing.T) {
	t.Parallel()
	calm := func(at time.Time) (wait, inTime int64, seen bool) {
		m := int(at.Sub(day) / time.Minute)
		switch {
		case m%120 >= 60 && m%120 < 75:
			return 110, 20, true // the interval is missed
		case m%120 < 20 && m%5 == 2 && at.Second() < 40:
			return 45, 95, true // a short wait, long before the missed interval
		}
		return 0, 95, true
	}
	for name, tt := range map[string]struct {
		rule alert.Rule
		of   func(time.Time) (int64, int64, bool)
		want string
	}{
		"a level": {waitRule(), calm, "110 s instead of 30 s: 3 alarms instead of 15, none of the 3 that mattered lost"},
		"a duration": {
			alert.Rule{Name: "wait", Scope: alert.Service, When: "maxTimeCallOnQueue > 30", Severity: alert.Warning},
			calm,
			"for 2m instead of 0s: 3 alarms instead of 15, none of the 3 that mattered lost",
		},
		"nobody needs it": {waitRule(), func(at time.Time) (int64, int64, bool) {
			wait, _, _ := calm(at)
			return wait, 99, true
		}, "no one took one over, and none came before a miss: is it needed?"},
		"as it is": {waitRule(), func(at time.Time) (int64, int64, bool) {
			if m := int(at.Sub(day) / time.Minute); m%120 >= 60 && m%120 < 75 {
				return 110, 20, true
			}
			return 0, 99, true
		}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			rep, err := backtest.Evaluate(t.Context(), pictures(day, day.Add(6*time.Hour), tt.of), engine(t, tt.rule), backtest.EvaluateOptions{})
			if err != nil {
				t.Fatal(err)
			}
			if got := rep.Rules[0].Proposal.Text(word).In(nil); got != tt.want {
				t.Errorf("%q, want %q: %+v", got, tt.want, rep.Rules[0])
			}
		})
	}
}

// TestJudgeOfNothing checks empty recordings and errors.
func TestJudgeOfNothing(t *testing.T) {
	t.Parallel()
	rep, err := backtest.Evaluate(t.Context(), func(func(*model.Snapshot, error) bool) {}, engine(t, waitRule()), backtest.EvaluateOptions{})
	if err != nil || !rep.From.IsZero() || len(rep.Rules) != 1 || rep.Rules[0].Fired != 0 {
		t.Errorf("%+v, %v", rep, err)
	}
	broken := errors.New("the recording is damaged")
	if _, err := backtest.Evaluate(t.Context(), func(yield func(*model.Snapshot, error) bool) { yield(nil, broken) }, engine(t, waitRule()), backtest.EvaluateOptions{}); !errors.Is(err, broken) {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := backtest.Evaluate(ctx, pictures(day, day.Add(time.Hour), restless), engine(t, waitRule()), backtest.EvaluateOptions{}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	// Counters that were reset, or that come from two clocks, do not count as misses either.
	turns := func(yield func(*model.Snapshot, error) bool) {
		for s, err := range pictures(day, day.Add(75*time.Minute), func(time.Time) (int64, int64, bool) { return 0, 20, true }) {
			if s.At.Sub(day) > 10*time.Minute && s.At.Minute()%2 == 0 {
				for r := range s.Services.All() {
					r.ChannelStats.AnsweredCalls, r.ChannelStats.AnsweredCallsUnderSpeedLimit = model.IntOf(5), model.IntOf(1)
				}
			}
			if !yield(s, err) {
				return
			}
		}
	}
	if rep, err = backtest.Evaluate(t.Context(), turns, engine(t, waitRule()), backtest.EvaluateOptions{}); err != nil || rep.Misses != 0 {
		t.Errorf("%d misses, %v", rep.Misses, err)
	}
	// A gap does not count as a miss. The quarters of an hour around it are unknown.
	of := func(at time.Time) (int64, int64, bool) {
		m := int(at.Sub(day) / time.Minute)
		return 0, 20, m < 20 || m >= 55
	}
	rep, err = backtest.Evaluate(t.Context(), pictures(day, day.Add(75*time.Minute), of), engine(t, waitRule()), backtest.EvaluateOptions{})
	if err != nil || rep.Misses != 1 { // the miss is in the quarter from the full hour on
		t.Errorf("%d misses, %v", rep.Misses, err)
	}
}

// defaultRules returns the built-in rules with some names.
func defaultRules(names ...string) []alert.Rule {
	return slices.DeleteFunc(alert.DefaultRules(), func(r alert.Rule) bool { return !slices.Contains(names, r.Name) })
}

// TestHeldAlertsAreNotCounted checks that the report counts the alerts that boards showed apart from
// those that they held back.
func TestHeldAlertsAreNotCounted(t *testing.T) {
	t.Parallel()
	report, err := backtest.Evaluate(t.Context(), pictures(day, day.Add(6*time.Hour), restless), engine(t, defaultRules(alert.RuleLongestWait)...), backtest.EvaluateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range report.Rules {
		if r.Scope == alert.Service && (r.Fired != 3 || r.HeldBack < 30 || r.TakenOver != 0) {
			t.Errorf("%+v", r)
		}
	}
}

// TestUnstaffedIsNeverDoubted checks that the report never doubts the rule about queues without agents,
// although no viewer took its alerts over and none preceded a miss.
func TestUnstaffedIsNeverDoubted(t *testing.T) {
	t.Parallel()
	snapshots := func(yield func(*model.Snapshot, error) bool) {
		for s, err := range pictures(day, day.Add(6*time.Hour), func(at time.Time) (wait, inTime int64, seen bool) {
			if at.Minute()%10 < 2 { // a caller waits for two minutes, every ten minutes
				return int64(at.Sub(at.Truncate(10*time.Minute)) / time.Second), 100, true
			}
			return 0, 100, true
		}) {
			for r := range s.Services.All() {
				r.UserStats.LoggedUsers.Count = model.IntOf(0)
			}
			if !yield(s, err) {
				return
			}
		}
	}
	report, err := backtest.Evaluate(t.Context(), snapshots, engine(t, defaultRules(alert.RuleUnstaffed)...), backtest.EvaluateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range report.Rules {
		if text := r.Proposal.Text(word).In(nil); r.Scope == alert.Service && (r.Fired < 5 || text != "") {
			t.Errorf("%d shown, %d held back, proposal %q", r.Fired, r.HeldBack, text)
		}
	}
}
