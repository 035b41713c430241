package cli

import (
	"fmt"
	"maps"
	"slices"
	"testing"
	"time"

	"wallboard/internal/alert"
	"wallboard/internal/alert/backtest"
	"wallboard/internal/record"
	"wallboard/internal/simulator/world"
)

// raisings holds the times at which alerts were raised and ended, by rule and record. A zero time means
// that the alert has not ended.
type raisings map[string][][2]time.Time

func (r raisings) add(rule string, of alert.Key, raised, ended time.Time) {
	k := fmt.Sprint(rule, " of ", of)
	r[k] = append(r[k], [2]time.Time{raised, ended})
	slices.SortFunc(r[k], func(a, b [2]time.Time) int { return a[0].Compare(b[0]) })
}

// TestRulesOnAFileRaiseWhatWasRaisedLive compares a backtest with the live alerts of the same floor: all
// times agree to within one second, and situations are marks of the file. With the chosen seed, no wait
// reaches its recovery level only between two snapshots, which a backtest could not see.
func TestRulesOnAFileRaiseWhatWasRaisedLive(t *testing.T) {
	t.Parallel()
	bubble(t, func(t *testing.T) {
		s := newSitting(t, world.Options{Seed: 2, Services: 3, Groups: 2, Agents: 6, TrafficFactor: 2, Drama: true})
		defer s.stop()
		live, begin := raisings{}, s.now()
		s.sits(15 * time.Minute)
		for _, a := range slices.Concat(s.engine.Active(), s.engine.History()) {
			live.add(a.Rule, a.Key, a.Raised, a.Ended)
		}
		r, err := record.Open(s.config.Record.Dir)
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close() //nolint:errcheck // only read from
		in := r.Info()
		res, err := backtest.Run(t.Context(), r.Snapshots(begin, in.Last, alert.JudgedOperations()...), in.First, []backtest.RuleSet{{Name: "today", Options: s.config.AlertOptions(s.config.Names())}}, nil)
		if err != nil {
			t.Fatal(err)
		}
		tried := raisings{}
		for _, e := range res.Outcomes[0].Episodes {
			var ended time.Time
			if !e.Open {
				ended = e.Ended
			}
			tried.add(e.Rule, e.Key, e.Raised, ended)
		}
		if len(live) < 10 || !slices.Equal(slices.Sorted(maps.Keys(live)), slices.Sorted(maps.Keys(tried))) {
			t.Fatalf("live:\n%v\ntried:\n%v", live, tried)
		}
		alike := func(a, b time.Time) bool { return a.IsZero() == b.IsZero() && a.Sub(b).Abs() <= time.Second }
		for k, times := range live {
			if !slices.EqualFunc(times, tried[k], func(a, b [2]time.Time) bool { return alike(a[0], b[0]) && alike(a[1], b[1]) }) {
				t.Errorf("%s\nlive:  %v\ntried: %v", k, times, tried[k])
			}
		}
		kinds := make(map[record.MarkKind]int)
		for _, m := range in.Marks {
			kinds[m.Kind]++
		}
		if kinds[record.MarkCritical] < 2 || kinds[record.MarkWarning] < 2 || kinds[record.MarkRecovered] < 2 {
			t.Errorf("%v, %+v", kinds, in.Marks)
		}
	})
}
