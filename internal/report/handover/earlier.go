package handover

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"slices"
	"time"

	"wallboard/internal/alert"
	"wallboard/internal/alert/backtest"
	"wallboard/internal/alert/situation"
	"wallboard/internal/textformat"
	"wallboard/model"
)

// EarlierRule is a changed rule that would have reported an incident earlier, according to a
// backtest.
type EarlierRule struct {
	Rule, Change string // name of the rule, and its change, such as "for = 0s"
	At           time.Time
	Lead         time.Duration // how much earlier than the first alert of the incident
	// Alerts is the number of alerts that the changed rule would have raised since Since.
	// AlertsNow is the number of alerts of the current rule.
	Alerts, AlertsNow int
	Since             time.Time
}

// EarlierRulesFunc is a function like [FindEarlierRules] for one particular recording.
type EarlierRulesFunc func(ctx context.Context, in *situation.IncidentSummary) ([]EarlierRule, error)

// backtestSpan is the time before an incident at which the backtest of its rules begins.
const backtestSpan = 8 * time.Hour

// FindEarlierRules backtests the rules of an incident without their duration and with half of it,
// from some hours before the incident until its end. It returns the changed rules that would
// have reported the incident earlier, the earliest first. read returns the recorded snapshots
// of a period. The recording covers the time from first to last.
func FindEarlierRules(
	ctx context.Context, in *situation.IncidentSummary, rules *alert.Options, first, last time.Time, read func(from, to time.Time) iter.Seq2[*model.Snapshot, error],
) ([]EarlierRule, error) {
	sets := []backtest.RuleSet{{Name: "now", Options: *rules}}
	var names []string
	for i := range in.Alerts {
		for k := range rules.Rules {
			r := &rules.Rules[k]
			if r.Name != in.Alerts[i].Rule || r.Disabled || r.For <= 0 || slices.Contains(names, r.Name) {
				continue
			}
			tried, err := backtest.Sweep(*rules, r.Name+".for=0s,"+textformat.ConfigDuration((r.For/2).Round(time.Second)))
			if err != nil {
				continue // the duration is too short to be halved
			}
			for range tried {
				names = append(names, r.Name)
			}
			sets = append(sets, tried...)
		}
	}
	if len(names) == 0 {
		return nil, nil
	}
	from, until := in.Began.Add(-backtestSpan), in.EndTime(last)
	if from.Before(first) {
		from = first
	}
	result, err := backtest.Run(ctx, read(from.Add(-backtest.WarmUp), until), from, sets, nil)
	if err != nil {
		return nil, fmt.Errorf("backtest the rules: %w", err)
	}
	reported := firstAlertAt(in)
	var out []EarlierRule
	for i, rule := range names {
		now, n := firstAlert(&result.Outcomes[0], rule, in)
		then, more := firstAlert(&result.Outcomes[i+1], rule, in)
		lead := now.Sub(then)
		if !reported.IsZero() && reported.Before(now) {
			lead = reported.Sub(then) // another rule has reported the incident before this one
		}
		if !now.IsZero() && !then.IsZero() && lead >= backtest.Step {
			out = append(out, EarlierRule{Rule: rule, Change: result.Outcomes[i+1].Set.Name, At: then, Lead: lead, Alerts: more, AlertsNow: n, Since: from})
		}
	}
	slices.SortStableFunc(out, func(a, b EarlierRule) int { return cmp.Compare(b.Lead, a.Lead) })
	return out, nil
}

// firstAlert returns the time at which a rule first alerted about the place of an incident,
// and the number of its alerts anywhere. The time is zero if the rule did not alert in the
// incident or in the minute before it.
func firstAlert(o *backtest.Outcome, rule string, in *situation.IncidentSummary) (first time.Time, n int) {
	const before = time.Minute
	for i := range o.Episodes {
		e := &o.Episodes[i]
		if e.Rule != rule || e.BeforeStart {
			continue
		}
		n++
		concerns := slices.ContainsFunc(in.Alerts, func(a alert.Alert) bool { return a.Rule == rule && a.Key == e.Key })
		if concerns && first.IsZero() && !e.Ended.Before(in.Began.Add(-before)) {
			first = e.Raised
		}
	}
	return first, n
}
